// Captures of several hosts as one: it answers like its parts, whether it is paged or read in order.
#include "viewer/ingest/merged/merged_capture.h"

#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_capture.h"
#include "tests/unit/viewer/ingest/same_answers.h"
#include "viewer/ingest/file_source.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace sla::ingest {
namespace {

struct Machine {
    std::string host = "alpha";
    std::uint64_t capture_id = 1;
    double hz = 1e9;
    std::int64_t realtime_ns = 1'700'000'000'000'000'000;  // at tick 0
    bool has_clock = true;
    std::string boot_id = "one boot";
    std::string says = {};         // what its agent calls it; empty: the same
    std::uint64_t skew_ticks = 0;  // between its cores; 0: no status says
};

class MergedCaptureTest : public ::testing::Test {
protected:
    MergedCaptureTest() { std::filesystem::create_directories(temporary_.path); }

    [[nodiscard]] std::string path(const std::string& host) const { return (temporary_.path / (host + ".sla")).string(); }
    void write(const Machine& machine, std::uint64_t seed) const {
        auto writer = capture::CaptureWriter::create(path(machine.host));
        ASSERT_TRUE(writer.ok());
        const auto put = [&](const wire::Frame& frame) { ASSERT_TRUE(writer->append(frame.SerializeAsString()).ok()); };
        const auto take = [&](const std::string& bytes) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(bytes));
            if (!frame.has_hello()) return put(frame);
            frame.mutable_hello()->set_host(machine.says.empty() ? machine.host : machine.says);
            frame.mutable_hello()->set_boot_id(machine.boot_id);
            frame.mutable_hello()->set_capture_id(machine.capture_id);
            put(frame);
            for (const std::uint64_t second : {0, 1, 2}) {
                if (!machine.has_clock) break;
                const auto ns = static_cast<std::int64_t>(second * 1'000'000'000);
                wire::Clock& clock = *frame.mutable_clock();
                clock.set_tick(static_cast<std::uint64_t>(static_cast<double>(second) * machine.hz));
                clock.set_monotonic_raw_ns(ns);
                clock.set_realtime_ns(machine.realtime_ns + ns);
                clock.set_error_ticks(50);
                put(frame);
            }
            if (machine.skew_ticks == 0) return;
            wire::ClockHealth& health = *frame.mutable_status()->mutable_clock_health();
            health.set_cores(4);
            health.set_synchronized(true);
            health.set_skew_ticks(machine.skew_ticks);
            put(frame);
        };
        make_random_stream({take, [&] { ASSERT_TRUE(writer->flush().ok()); }}, seed, 16);
        ASSERT_TRUE(writer->finish().ok());
    }
    Result<std::shared_ptr<const MergedParts>> open(const std::vector<std::string>& hosts,
                                                    const std::vector<std::string>& left_out = {}) const {
        std::vector<MergedInput> inputs;
        for (const std::string& host : hosts) inputs.push_back({host, capture::CaptureStore::open(path(host)).value()});
        return MergedParts::open("all", std::move(inputs), left_out, {});
    }
    // Once by pages, once in order.
    void load(const MergedParts& parts_of, store::Session& paged, store::Session& whole) {
        const auto parts = open(names_of(parts_of));
        ASSERT_TRUE(parts.ok());
        const auto store = merged_capture(*parts);
        FileOptions options;
        options.rows_in_memory = 0;
        options.cache_bytes = 200'000;
        const auto by_pages = load_capture(store, paged, {}, options);
        ASSERT_TRUE(by_pages.ok()) << by_pages.error().message;
        ASSERT_TRUE(load_capture(store, whole).ok());
        ASSERT_NE(paged.lanes()[0]->pages(), nullptr);
        ASSERT_EQ(whole.lanes()[0]->pages(), nullptr);
        EXPECT_EQ(paged.damage_count(), 0u);
        EXPECT_EQ(whole.damage_count(), 0u);
    }
    static std::vector<std::string> names_of(const MergedParts& parts) {
        std::vector<std::string> hosts;
        for (const MergedPart& part : parts.parts()) hosts.push_back(part.of.host);
        return hosts;
    }
    // Every row of every part is there once, where its part's clock puts it.
    void expect_rows_of(const MergedParts& parts, const store::Session& session) {
        std::uint64_t events = 0;
        for (const MergedPart& part : parts.parts()) {
            store::Session alone;
            ASSERT_TRUE(load_file(path(part.of.host), alone).ok());
            events += alone.events();
            for (const store::Lane* own : alone.lanes()) {
                const std::uint32_t id = part.translation.id(NamedThing::kChannel, own->channel().id.value);
                const store::Lane* lane = session.lane(ChannelId{id});
                ASSERT_NE(lane, nullptr);
                EXPECT_EQ(lane->channel().name, own->channel().name);
                EXPECT_EQ(session.host_id_of(*lane), part.translation.host());
                ASSERT_EQ(lane->size(), own->size());
                for (std::uint64_t i = 0; i < own->size(); ++i) {
                    ASSERT_EQ(lane->tick(i), part.translation.clock().to_reference(own->tick(i)));
                    ASSERT_EQ((*lane)[i].value, (*own)[i].value);
                    ASSERT_EQ((*lane)[i].thread, part.translation.id(NamedThing::kThread, (*own)[i].thread));
                    ASSERT_EQ(lane->text(i), own->text(i));
                }
            }
        }
        EXPECT_EQ(session.events(), events);
    }

    const support::TemporaryPath temporary_{"merged"};
    std::mt19937_64 random_{5};
};

TEST_F(MergedCaptureTest, HostsThatShareACounterAnswerLikeTheirParts) {
    std::uint64_t id = 0;
    for (const char* name : {"alpha", "beta", "gamma"}) {
        Machine machine{name, ++id};
        machine.says = "one machine";
        write(machine, id);
    }
    const auto parts = open({"gamma", "alpha", "beta"});
    ASSERT_TRUE(parts.ok()) << parts.error().message;
    for (const MergedPart& part : (*parts)->parts()) EXPECT_TRUE(part.translation.clock().same_clock());
    store::Session paged;
    store::Session whole;
    ASSERT_NO_FATAL_FAILURE(load(**parts, paged, whole));
    expect_rows_of(**parts, paged);
    expect_same_rows(paged, whole);
    expect_same_sums(paged, whole, random_);
    expect_same_spans(paged, whole, random_);
    expect_same_table(paged, whole, random_);
    // Hosts all the same, and as good as exact to each other.
    ASSERT_EQ(paged.hosts().size(), 2u);
    const store::Lane& one = *paged.lanes()[0];
    for (const store::Lane* other : paged.lanes()) {
        EXPECT_LE(paged.error_between(one, 100, *other, 200, time::Stamps::kTwoThreads),
                  paged.error_between(one, 100, one, 200, time::Stamps::kTwoThreads) + 2000);  // two ticks
    }
}

TEST_F(MergedCaptureTest, StampsOfAnotherClockAreMovedAlikeInPagesAndInOrder) {
    write({"alpha", 1}, 4);
    write({"beta", 2, 0.7e9, 1'700'000'000'000'400'000}, 5);
    const auto parts = open({"beta", "alpha"});
    ASSERT_TRUE(parts.ok()) << parts.error().message;
    EXPECT_EQ(names_of(**parts), (std::vector<std::string>{"alpha", "beta"}));
    EXPECT_FALSE((*parts)->parts()[1].translation.clock().same_clock());
    store::Session paged;
    store::Session whole;
    ASSERT_NO_FATAL_FAILURE(load(**parts, paged, whole));
    expect_rows_of(**parts, paged);
    expect_same_rows(paged, whole);
    expect_same_spans(paged, whole, random_);
    expect_same_table(paged, whole, random_);
    EXPECT_EQ(paged.hosts().at(1).name, "beta");
    for (const store::Lane* lane : paged.lanes()) {
        for (int round = 0; round < 500; ++round) {
            const std::uint64_t from = random_() % (lane->last_tick() + 100);
            const std::uint64_t until = from + random_() % (lane->last_tick() + 100);
            const std::uint64_t high = lane->level_over(from, until).high_ticks;
            const std::uint64_t exact = whole.lane(lane->channel().id)->level_over(from, until).high_ticks;
            EXPECT_GE(high + lane->size(), exact);
            EXPECT_LE(high, exact + 2 * lane->size() + 20);
        }
    }
}

TEST_F(MergedCaptureTest, TheWidestSkewOfAllHostsCoresIsInEveryError) {
    Machine alpha{"alpha", 1};
    alpha.skew_ticks = 150;
    Machine beta{"beta", 2, 0.5e9, 1'700'000'000'000'400'000};
    beta.skew_ticks = 1000;
    write(alpha, 8);
    write(beta, 9);
    const auto parts = open({"alpha", "beta"});
    ASSERT_TRUE(parts.ok()) << parts.error().message;
    store::Session paged;
    store::Session whole;
    ASSERT_NO_FATAL_FAILURE(load(**parts, paged, whole));
    for (const store::Session* session : {&paged, &whole}) {
        const auto skew = static_cast<double>(session->clock().skew().ticks);
        EXPECT_NEAR(skew, 2000, 10);  // in the ticks of the first, which are half as long
        const store::Lane& lane = *session->lanes()[0];
        EXPECT_GE(session->error_between(lane, 100, lane, 200, time::Stamps::kTwoThreads), 1'990'000);
    }
}

TEST_F(MergedCaptureTest, WhatSharesNoClockIsLeftOutAndSaid) {
    write({"alpha", 1}, 6);
    Machine none{"beta", 2};
    none.has_clock = false;
    write(none, 7);
    const auto parts = open({"alpha", "beta"}, {"gamma cannot be read"});
    ASSERT_TRUE(parts.ok()) << parts.error().message;
    ASSERT_EQ((*parts)->parts().size(), 1u);
    store::Session session;
    ASSERT_TRUE(load_capture(merged_capture(*parts), session).ok());
    EXPECT_EQ(session.damage_count(), 2u);
    std::string said;
    for (const store::Note& note : session.notes()) said += note.text + "\n";
    EXPECT_NE(said.find("is left out: the captures share no clock"), std::string::npos) << said;
    EXPECT_NE(said.find("gamma cannot be read"), std::string::npos) << said;
}

TEST_F(MergedCaptureTest, OfNothingThereIsAnError) {
    const auto parts = MergedParts::open("all", {}, {}, {});
    ASSERT_FALSE(parts.ok());
    EXPECT_NE(parts.error().message.find("there are no captures in it"), std::string::npos);
}

}  // namespace
}  // namespace sla::ingest
