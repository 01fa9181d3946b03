#include "viewer/formats/capture_sink.h"

#include "tests/unit/viewer/formats/imported.h"

namespace sla::formats {
namespace {

class Sink : public WithFiles {};

TEST_F(Sink, PutsEventsInOrder) {
    auto sink = CaptureSink::create(file("x.sla"), "test");
    ASSERT_TRUE(sink.ok());
    const auto channel = sink->channel(sink->source("s"), "a");
    for (const std::uint64_t tick : {50, 10, 40, 20, 30}) ASSERT_TRUE(sink->put(*channel, {tick, SLA_CODE_TICK, 0, 0}).ok());
    ASSERT_TRUE(sink->finish().ok());
    store::Session session;
    ASSERT_TRUE(ingest::load(file("x.sla"), session).ok());
    EXPECT_EQ(reported(session, "a"), "tick @10\ntick @20\ntick @30\ntick @40\ntick @50\n");
}

TEST_F(Sink, MoreEventsThanItsWindowComeOutWhole) {
    constexpr std::uint64_t kCount = CaptureSink::kWindowEvents + CaptureSink::kWindowEvents / 3;
    auto sink = CaptureSink::create(file("x.sla"), "test");
    const auto a = sink->channel(sink->source("s"), "a");
    const auto b = sink->channel(sink->source("s"), "b");
    bool good = true;
    for (std::uint64_t i = 0; i < kCount && good; ++i) {
        const SinkEvent event{i + 1, SLA_CODE_TEXT, 0, 0};
        wire::RowExtra extra;
        extra.text = std::to_string(i);
        good = i % 3000 == 0 ? sink->put(*b, event, extra).ok() : sink->put(i % 3 == 0 ? *b : *a, event).ok();
    }
    ASSERT_TRUE(good);
    ASSERT_TRUE(sink->finish().ok());
    store::Session session;
    ASSERT_TRUE(ingest::load(file("x.sla"), session).ok());
    EXPECT_EQ(session.events(), kCount);
    EXPECT_EQ(session.damage_count(), 0u);
    const store::Lane& lane = *session.lane_named("b");
    for (std::uint64_t i = 0; i < lane.size(); i += 1000) EXPECT_EQ(lane.text(i), std::to_string(lane.tick(i) - 1));
}

TEST_F(Sink, WhatComesTooLateIsAnError) {
    auto sink = CaptureSink::create(file("x.sla"), "test");
    const auto a = sink->channel(sink->source("s"), "a");
    Result<void> put;
    for (std::uint64_t i = 0; i <= CaptureSink::kWindowEvents && put.ok(); ++i)
        put = sink->put(*a, {i + 10, SLA_CODE_TICK, 0, 0});
    ASSERT_TRUE(put.ok());
    put = sink->put(*a, {5, SLA_CODE_TICK, 0, 0});
    ASSERT_FALSE(put.ok());
    EXPECT_NE(put.error().message.find("sort"), std::string::npos);
}

// Times in whole seconds.
TEST_F(Sink, EventsOfOneTickMayBeMoreThanItsWindow) {
    constexpr std::uint64_t kCount = CaptureSink::kWindowEvents + CaptureSink::kWindowEvents / 2;
    constexpr std::uint64_t kOfFirst = CaptureSink::kWindowEvents / 8;
    auto sink = CaptureSink::create(file("x.sla"), "test");
    const auto a = sink->channel(sink->source("s"), "a");
    Result<void> put;
    for (std::uint64_t i = 0; i < kCount && put.ok(); ++i)
        put = sink->put(*a, {i < kOfFirst ? 1'000U : 2'000U, SLA_CODE_TICK_VALUE, i, 0});
    ASSERT_TRUE(put.ok()) << put.error().message;
    ASSERT_TRUE(sink->finish().ok());
    store::Session session;
    ASSERT_TRUE(ingest::load(file("x.sla"), session).ok());
    EXPECT_EQ(session.damage_count(), 0u);
    const store::Lane& lane = *session.lane_named("a");
    ASSERT_EQ(lane.size(), kCount);
    for (std::uint64_t i = 0; i < lane.size(); i += 1000) ASSERT_EQ(lane[i].value, i);
}

TEST_F(Sink, LongTextsOfOneTickMayBeMoreThanItsWindowToo) {
    auto sink = CaptureSink::create(file("x.sla"), "test");
    const auto a = sink->channel(sink->source("s"), "a");
    wire::RowExtra extra;
    extra.text = std::string(4'000, 'x');
    Result<void> put;
    for (int i = 0; i < 35'000 && put.ok(); ++i) put = sink->put(*a, {i < 5'000 ? 1U : 2U, SLA_CODE_TEXT, 0, 0}, extra);
    ASSERT_TRUE(put.ok()) << put.error().message;
    put = sink->put(*a, {1, SLA_CODE_TEXT, 0, 0}, extra);
    ASSERT_FALSE(put.ok());
    EXPECT_NE(put.error().message.find("32 MiB of their texts"), std::string::npos) << put.error().message;
}

TEST_F(Sink, DroppedItLeavesNothing) {
    {
        auto sink = CaptureSink::create(file("x.sla"), "test");
        ASSERT_TRUE(sink.ok());
        EXPECT_TRUE(sink->put(*sink->channel(sink->source("s"), "a"), {1, SLA_CODE_TICK, 0, 0}).ok());
    }
    EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::path(file("x.sla")).parent_path()));
}

TEST_F(Sink, ItsClockIsExactAndSaysHowSureItIs) {
    for (const double hz : {1e3, 32768.0, 1e6, 2.7e9, 2'699'998'765.4321, 1e12}) {
        auto sink = CaptureSink::create(file("x.sla"), "test");
        sink->set_clock({1'000'000, hz, 50, 1'700'000'000'000'000'000});
        EXPECT_TRUE(sink->put(*sink->channel(sink->source("s"), "a"), {1'000'000, SLA_CODE_TICK, 0, 0}).ok());
        ASSERT_TRUE(sink->finish().ok());
        store::Session session;
        ASSERT_TRUE(ingest::load(file("x.sla"), session).ok());
        EXPECT_NEAR(session.clock().ticks_per_second() / hz, 1, 1e-14) << hz;
        EXPECT_NEAR(session.clock().slope_error_ppb(), 50, 1) << hz;
        EXPECT_EQ(session.clock().origin_realtime_ns(), 1'700'000'000'000'000'000);
    }
}

// What an import is told of its ticks is no measured clock, and stays none wherever it is taken; what measured a rate says
// how well it knows it.
TEST_F(Sink, AClockThatWasGivenIsToldFromOneThatWasMeasured) {
    for (const double error_ppb : {0.0, 0.001, 50.0}) {
        auto sink = CaptureSink::create(file("x.sla"), "test");
        sink->set_clock({1000, 2.7e9, error_ppb, 0});
        EXPECT_TRUE(sink->put(*sink->channel(sink->source("s"), "a"), {1000, SLA_CODE_TICK, 0, 0}).ok());
        ASSERT_TRUE(sink->finish().ok());
        store::Session session;
        ASSERT_TRUE(ingest::load(file("x.sla"), session).ok());
        EXPECT_EQ(session.snapshots().front().is_given, error_ppb == 0);
        const auto selection = analysis::select(session, {});
        ASSERT_TRUE(export_capture(session, *selection, {ExportFormat::kChrome, 1e9}, file("x.json")).ok());
        store::Session back;
        take_in(file("x.json"), back);
        EXPECT_EQ(back.snapshots().front().is_given, error_ppb == 0);
    }
}

// Exact to the picosecond hours later, not only as good as whole nanoseconds make it.
TEST_F(Sink, TicksHoursFromTheStartHaveTheTimesTheyHad) {
    for (const double error_ppb : {0.0, 50.0}) {
        time::ClockMap clock = time::ClockMap::fit(snapshots_of({1000, 1e12, error_ppb, 0}), 1000);
        EXPECT_EQ(clock.to_ps(1000 + 20'000'000'000'000'001), 20'000'000'000'000'001);
        clock = time::ClockMap::fit(snapshots_of({1000, 2.7e9, error_ppb, 0}), 1000);
        EXPECT_EQ(clock.to_ps(1000 + 2'700'000'000 * std::uint64_t{20'000}), 20'000'000'000'000'000);
        clock = time::ClockMap::fit(snapshots_of({1000, 2'699'998'765.5, error_ppb, 0}), 1000);
        EXPECT_EQ(clock.to_ps(1000 + std::uint64_t{5'399'997'531} * 10'000), 20'000'000'000'000'000);
    }
}

}  // namespace
}  // namespace sla::formats
