// Users of the servers who mean harm within what they may do: they ask for answers to where only others may write, copy messages
// there, send ids ahead, and clear buckets. Nothing is written with an agent's rights, nor believed, nor lost.
#include "proto/fleet/buckets.h"
#include "proto/fleet/talk.h"
#include "tests/integration/fleet/fleet_fixture.h"
#include "tests/support/lake_rows.h"
#include "viewer/fleet/nats_messages.h"

#include <nats/nats.h>

#include <memory>
#include <string>

namespace sla {
namespace {

class ForeignWrites : public InFleet {
protected:
    void SetUp() override {
        ASSERT_NO_FATAL_FAILURE(start_servers(1));
        ASSERT_NO_FATAL_FAILURE(start_agent({"--fleet-control", "all"}));
        offered_ = run_burst("1", "1000");
        ASSERT_TRUE(all_published(offered_)) << agent_.process().errors();
        connection_ = connect();
        ASSERT_TRUE(connection_);
    }
    void ask(const std::string& subject, const std::string& reply, const std::string& body) {
        ASSERT_EQ(natsConnection_PublishRequest(connection_->get(), subject.c_str(), reply.c_str(), body.data(),
                                                static_cast<int>(body.size())),
                  NATS_OK);
    }
    // The first message of that subject is copied to another one, as an answer of the servers.
    void copy(const std::string& stream, const std::string& from, const std::string& to) {
        const std::string body = R"({"seq":1,"next_by_subj":")" + from + "\"}";
        ASSERT_NO_FATAL_FAILURE(ask("$JS.API.DIRECT.GET." + stream, to, body));
    }
    [[nodiscard]] std::string subject_of(const fleet::RunEntry& run, fleet::Kind kind) const {
        return fleet::Subject{"t", run.shard, run.host, run.capture, kind}.text();
    }

    std::uint64_t offered_ = 0;
    std::shared_ptr<fleet::Connection> connection_;
};

TEST_F(ForeignWrites, AnAgentAnswersNowhereButInInboxes) {
    natsSubscription* heard = nullptr;
    ASSERT_EQ(natsConnection_SubscribeSync(&heard, connection_->get(), "elsewhere.>"), NATS_OK);
    fleet::Ping ping;
    ping.set_number(7);
    const std::string body = ping.SerializeAsString();
    const std::string pinged = fleet::talk_subject("t", fleet::Talk::kPing, "h1");
    const std::string ordered = fleet::talk_subject("t", fleet::Talk::kControl, "h1");
    for (const std::string& subject : {pinged, ordered}) {
        for (const char* reply : {"elsewhere.a", "elsewhere._INBOX.a"}) ASSERT_NO_FATAL_FAILURE(ask(subject, reply, body));
    }
    for (const std::string& subject : {pinged, ordered}) {
        natsMsg* answer = nullptr;  // it comes behind what was asked before
        EXPECT_EQ(natsConnection_RequestString(&answer, connection_->get(), subject.c_str(), "", 20'000), NATS_OK)
            << subject;
        natsMsg_Destroy(answer);
    }
    natsMsg* none = nullptr;
    EXPECT_EQ(natsSubscription_NextMsg(&none, heard, 1), NATS_TIMEOUT);
    natsSubscription_Destroy(heard);
}

TEST_F(ForeignWrites, AMessageThatTheServersCopiedIsNoneOfTheCapture) {
    const auto run = entry();
    ASSERT_TRUE(run);
    const std::uint32_t other = 1 - run->shard;  // of another stream: two of one id in one are one
    const std::string mine = fleet::Subject{"t", other, "evil", "c", fleet::Kind::kFrames}.text();
    natsMsg* forged = nullptr;
    ASSERT_EQ(natsMsg_Create(&forged, mine.c_str(), nullptr, "rows", 4), NATS_OK);
    const std::string id = fleet::MessageId{"h1", "b", run->capture, 900, 900, fleet::Kind::kFrames}.text();
    natsMsgHeader_Set(forged, fleet::kIdHeader, id.c_str());
    EXPECT_EQ(js_PublishMsg(nullptr, connection_->jetstream(), forged, nullptr, nullptr), NATS_OK);
    natsMsg_Destroy(forged);
    EXPECT_TRUE(fleet::NatsMessages(connection_, fleet::stream_name("t", other)).next(mine, 1)->headers);

    const std::string theirs = subject_of(*run, fleet::Kind::kFrames);
    ASSERT_NO_FATAL_FAILURE(copy(fleet::stream_name("t", other), mine, theirs));
    const fleet::NatsMessages messages(connection_, fleet::stream_name("t", run->shard));
    Result<fleet::StoredMessage> copied = not_found("");
    const auto is_copied = [&] {
        std::uint64_t from = 1;
        while ((copied = messages.next(theirs, from)).ok() && copied->body != "rows") from = copied->sequence + 1;
        return copied.ok();
    };
    ASSERT_TRUE(support::eventually(is_copied, kTimeout)) << "the servers do not hinder it";
    EXPECT_FALSE(copied->headers);
    const auto again = messages.get(copied->sequence, kBriefly);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->body, "rows") << "it is found where it stands, not where it was copied from";
    EXPECT_FALSE(again->headers);
    const Said table = run_sla({"table", "--format", "csv", "fleet:" + cluster_->address() + "/t/h1"});
    EXPECT_EQ(table.code, 0) << table.errors;
    EXPECT_EQ(support::bare_rows(table.output).size(), offered_);
}

TEST_F(ForeignWrites, NobodyClearsABucket) {
    const std::string bucket = fleet::hosts_bucket("t");
    const std::string subject = "$KV." + bucket + ".evil";
    for (const char* what : {"all", "sub"}) {
        natsMsg* message = nullptr;
        ASSERT_EQ(natsMsg_Create(&message, subject.c_str(), nullptr, "x", 1), NATS_OK);
        natsMsgHeader_Set(message, "Nats-Rollup", what);
        EXPECT_NE(js_PublishMsg(nullptr, connection_->jetstream(), message, nullptr, nullptr), NATS_OK) << what;
        natsMsg_Destroy(message);
    }
    EXPECT_TRUE(entry());
}

// A host may write its own key, and whatever it wants there.
TEST_F(ForeignWrites, WhatAHostSaysOfAnotherIsNotTheOthers) {
    const std::string bucket = fleet::hosts_bucket("t");
    auto run = entry();
    ASSERT_TRUE(run);
    run->capture = "forged";
    const auto hosts = fleet::open_bucket(*connection_, bucket);
    ASSERT_TRUE(hosts.ok());
    EXPECT_EQ(kvStore_PutString(nullptr, hosts->get(), "evil", run->json().c_str()), NATS_OK);
    const auto runs = fleet::runs_in(*connection_, bucket);
    ASSERT_TRUE(runs.ok());
    ASSERT_EQ(runs->size(), 1u);
    EXPECT_NE(runs->front().capture, "forged");
    EXPECT_FALSE(fleet::newest_run_of(*connection_, "t", "evil").ok());
}

// What an agent says of a shot from before its time, where the one before it has said what it kept.
TEST_F(ForeignWrites, AFirstWordLeavesWhatStandsThere) {
    const auto shots = fleet::open_bucket(*connection_, fleet::shots_bucket("t"));
    ASSERT_TRUE(shots.ok());
    const auto say = [&](const std::string& key) {
        const std::string subject = "$KV." + fleet::shots_bucket("t") + "." + key;
        ASSERT_TRUE(fleet::publish_first(*connection_, subject, "lacking").ok());
        ASSERT_EQ(natsConnection_FlushTimeout(connection_->get(), 20'000), NATS_OK);
    };
    EXPECT_EQ(kvStore_PutString(nullptr, shots->get(), "one.h1", "kept"), NATS_OK);
    ASSERT_NO_FATAL_FAILURE(say("one.h1"));
    ASSERT_NO_FATAL_FAILURE(say("two.h1"));
    const auto is_said = [&] { return fleet::value_of(*connection_, *shots, "two.h1").ok(); };
    ASSERT_TRUE(support::eventually(is_said, kTimeout));
    EXPECT_EQ(*fleet::value_of(*connection_, *shots, "one.h1"), "kept");
}

// Servers that were set up by an older version have buckets that can be.
TEST_F(ForeignWrites, ABucketThatCouldBeClearedCannotWhenItIsSetUpAgain) {
    const std::string stream = "KV_" + fleet::shots_bucket("t");
    const auto look = [&](const auto& see) {
        fleet::StreamInfo info;
        ASSERT_EQ(js_GetStreamInfo(info.out(), connection_->jetstream(), stream.c_str(), nullptr, nullptr), NATS_OK);
        see(*info->Config);
    };
    look([&](jsStreamConfig& config) {
        fleet::StreamInfo changed;
        config.AllowRollup = true;
        EXPECT_EQ(js_UpdateStream(changed.out(), connection_->jetstream(), &config, nullptr, nullptr), NATS_OK);
    });
    look([](const jsStreamConfig& config) { EXPECT_TRUE(config.AllowRollup); });
    ASSERT_NO_FATAL_FAILURE(set_up(1));
    look([](const jsStreamConfig& config) { EXPECT_FALSE(config.AllowRollup); });
}

}  // namespace
}  // namespace sla
