// Streams and buckets on a real server.
#include "proto/fleet/streams.h"
#include "proto/fleet/buckets.h"
#include "proto/fleet/setup.h"
#include "proto/fleet/wanted_settings.h"

#include "proto/fleet/names.h"
#include "tests/support/nats_cluster.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <memory>
#include <optional>

namespace sla::fleet {
namespace {

constexpr std::int64_t kHourNs = 3'600'000'000'000;
constexpr std::uint64_t kBytes = std::uint64_t{16} << 20;

class FleetStreams : public ::testing::Test {
protected:
    void SetUp() override {
        if (access("/usr/sbin/nats-server", X_OK) != 0) GTEST_SKIP() << "nats-server is not installed";
        cluster_.emplace(1);
        ASSERT_TRUE(cluster_->start()) << cluster_->problem();
        auto connection = Connection::open(cluster_->connect_options());
        ASSERT_TRUE(connection.ok()) << connection.error().message;
        connection_ = std::move(*connection);
    }
    [[nodiscard]] Result<void> set_up(const FleetSettings& settings) const {
        return fleet::set_up(*connection_, "t", settings, [](const std::string&) {});
    }
    [[nodiscard]] std::int64_t lasts_ns(const std::string& stream) const {
        StreamInfo info;
        jsErrCode code = static_cast<jsErrCode>(0);
        const natsStatus status = js_GetStreamInfo(info.out(), connection_->jetstream(), stream.c_str(), nullptr, &code);
        return status == NATS_OK ? info->Config->MaxAge : -1;
    }

    std::optional<support::NatsCluster> cluster_;
    std::unique_ptr<Connection> connection_;
};

TEST_F(FleetStreams, AFleetThatIsSetUpAgainListsItsCapturesAsLongAsItKeepsThem) {
    ASSERT_TRUE(set_up({1, 1, kHourNs, kBytes}));
    const std::string captures = "KV_" + captures_bucket("t");
    EXPECT_EQ(lasts_ns(captures), kHourNs);
    for (const std::int64_t age : {48 * kHourNs, std::int64_t{0}, std::int64_t{60'000'000'000}}) {
        const Result<void> again = set_up({1, 1, age, kBytes});
        ASSERT_TRUE(again.ok()) << again.error().message;
        EXPECT_EQ(lasts_ns(stream_name("t", 0)), age);
        EXPECT_EQ(lasts_ns(captures), age);
        EXPECT_EQ(lasts_ns("KV_" + shots_bucket("t")), age);
        EXPECT_EQ(lasts_ns("KV_" + hosts_bucket("t")), 0) << "hosts are never forgotten";
    }
    EXPECT_EQ(settings_of(*connection_, "t")->age_ns, 60'000'000'000);
}

TEST_F(FleetStreams, ABucketKeepsItsEntriesWhenItIsSetUpAgain) {
    ASSERT_TRUE(set_up({1, 1, kHourNs, kBytes}));
    Result<KeyValue> bucket = open_bucket(*connection_, captures_bucket("t"));
    ASSERT_TRUE(bucket.ok());
    ASSERT_EQ(kvStore_PutString(nullptr, bucket->get(), "a.c", "kept"), NATS_OK);
    ASSERT_TRUE(set_up({1, 1, 2 * kHourNs, kBytes}));
    bucket = open_bucket(*connection_, captures_bucket("t"));
    ASSERT_TRUE(bucket.ok());
    const Result<std::string> kept = value_of(*connection_, *bucket, "a.c");
    ASSERT_TRUE(kept.ok()) << kept.error().message;
    EXPECT_EQ(*kept, "kept");
}

// What is there would go at once, and what agents send then is acknowledged and kept nowhere.
TEST_F(FleetStreams, HardlyAnyBytesAreRefusedAndNothingIsChanged) {
    ASSERT_TRUE(set_up({1, 1, kHourNs, kBytes}));
    const Result<void> refused = set_up({1, 1, 2 * kHourNs, 1});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(refused.error().message.find("1 bytes are too few: 16 MiB"), std::string::npos) << refused.error().message;
    EXPECT_EQ(lasts_ns(stream_name("t", 0)), kHourNs);
    EXPECT_TRUE(set_up({1, 1, kHourNs, 0})) << "no limit";
}

TEST_F(FleetStreams, AServerThatIsAloneTakesNoReplicasForStreamsThatAreThereEither) {
    ASSERT_FALSE(set_up({1, 3, kHourNs, kBytes}).ok());
    ASSERT_TRUE(set_up({1, 1, kHourNs, kBytes}));
    const Result<void> refused = set_up({1, 3, kHourNs, kBytes});
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("--replicas 1"), std::string::npos) << refused.error().message;
    EXPECT_NE(refused.error().message.find("not supported in non-clustered mode (JetStream error 10074)"), std::string::npos)
        << refused.error().message;
    EXPECT_EQ(settings_of(*connection_, "t")->replicas, 1u);
}

TEST_F(FleetStreams, WhatIsNotWantedStaysAsTheStreamsHaveIt) {
    const Result<FleetSettings> fresh = settings_for(*connection_, "t", {});
    ASSERT_TRUE(fresh.ok()) << fresh.error().message;
    EXPECT_EQ(*fresh, FleetSettings()) << "the default of a fleet that is new";
    ASSERT_TRUE(set_up({2, 1, 168 * kHourNs, 2 * kBytes}));
    const auto wanting = [&](const WantedSettings& wanted) {
        const Result<FleetSettings> settings = settings_for(*connection_, "t", wanted);
        return settings ? *settings : FleetSettings{0, 0, 0, 0};
    };
    EXPECT_EQ(wanting({}), (FleetSettings{2, 1, 168 * kHourNs, 2 * kBytes}));
    EXPECT_EQ(wanting({{}, {}, {}, 4 * kBytes}), (FleetSettings{2, 1, 168 * kHourNs, 4 * kBytes}));
    EXPECT_EQ(wanting({3, 1, kHourNs, {}}), (FleetSettings{3, 1, kHourNs, 2 * kBytes}));
    ASSERT_TRUE(set_up({2, 1, 0, 0}));
    EXPECT_EQ(wanting({}), (FleetSettings{2, 1, 0, 0})) << "no limits";
}

// Somebody changed one of them by other means.
TEST_F(FleetStreams, OfStreamsThatDifferWhatKeepsMostStays) {
    ASSERT_TRUE(set_up({1, 1, kHourNs, 2 * kBytes}));
    ASSERT_TRUE(set_up({2, 1, kHourNs, 2 * kBytes}));
    StreamInfo info;
    ASSERT_EQ(js_GetStreamInfo(info.out(), connection_->jetstream(), stream_name("t", 1).c_str(), nullptr, nullptr),
              NATS_OK);
    jsStreamConfig config = *info->Config;
    config.MaxAge = 0;
    config.MaxBytes = static_cast<std::int64_t>(kBytes);
    StreamInfo changed;
    ASSERT_EQ(js_UpdateStream(changed.out(), connection_->jetstream(), &config, nullptr, nullptr), NATS_OK);
    const Result<FleetSettings> settings = settings_for(*connection_, "t", {});
    ASSERT_TRUE(settings.ok()) << settings.error().message;
    EXPECT_EQ(*settings, (FleetSettings{2, 1, 0, 2 * kBytes}));
}

TEST_F(FleetStreams, AChangeIsSaidAndWhatItDeletes) {
    ASSERT_TRUE(set_up({1, 1, 168 * kHourNs, 2 * kBytes}));
    const auto said_of = [&](const FleetSettings& settings) {
        std::string all;
        const auto say = [&](const std::string& line) { all += line + "\n"; };
        EXPECT_TRUE(fleet::set_up(*connection_, "t", settings, say).ok());
        return all;
    };
    EXPECT_EQ(said_of({1, 1, 168 * kHourNs, 2 * kBytes}).find("changed"), std::string::npos);
    const std::string said = said_of({1, 1, 24 * kHourNs, 4 * kBytes});
    EXPECT_NE(
        said.find("the stream SLA_t_0 is changed: age from 168 h to 24 h (deletes what is older), bytes from 32 MiB to "
                  "64 MiB\n"),
        std::string::npos)
        << said;
    EXPECT_NE(said.find("the bucket SLA_t_captures is changed: age from 168 h to 24 h"), std::string::npos) << said;
    EXPECT_NE(said.find("the bucket SLA_t_hosts is there"), std::string::npos) << said;
    const std::string fewer = said_of({1, 1, 0, kBytes});
    EXPECT_NE(fewer.find("age from 24 h to no limit, bytes from 64 MiB to 16 MiB (deletes the oldest beyond that)"),
              std::string::npos)
        << fewer;
}

TEST_F(FleetStreams, MoreBytesThanAStreamCanHaveAreRefusedAndNotTakenForNoLimit) {
    const Result<void> refused = set_up({1, 1, kHourNs, std::uint64_t{1} << 63});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace sla::fleet
