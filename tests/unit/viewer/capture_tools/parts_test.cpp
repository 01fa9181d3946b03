// Parts of captures, cut out and put together: what they say of losses, of silence and of where they begin.
#include "proto/capture/capture_index.h"
#include "proto/capture/capture_writer.h"
#include "proto/capture/file_format.h"
#include "proto/wire/capture.pb.h"
#include "tests/support/capture_builder.h"
#include "tests/support/with_directory.h"
#include "viewer/analysis/known_extents.h"
#include "viewer/capture_tools/capture_cut.h"
#include "viewer/capture_tools/capture_merge.h"
#include "viewer/ingest/open.h"

#include <gtest/gtest.h>

#include <functional>

namespace sla::capture_tools {
namespace {

class Parts : public support::WithDirectory {
protected:
    // Frames that `keep` wants, changed by it, in chunks of a few batches each.
    void write(const std::string& name, const std::vector<std::string>& frames,
               const std::function<bool(wire::Frame&)>& keep) const {
        capture::WriterOptions options;
        options.chunk_bytes = 1;
        auto writer = capture::CaptureWriter::create(file(name), options);
        ASSERT_TRUE(writer.ok());
        for (const std::string& bytes : frames) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(bytes));
            if (!keep(frame)) continue;
            ASSERT_TRUE(writer->append(frame.SerializeAsString()).ok());
        }
        ASSERT_TRUE(writer->finish().ok());
    }
    // Its first rows are gone before it was recorded.
    void write_late(const std::string& name, std::uint64_t from_tick) const {
        support::CaptureBuilder capture;
        const auto rx = capture.channel("rx");
        for (std::uint64_t tick = 2'000; tick <= 100'000; tick += 1'000) capture.tick(rx, tick);
        write(name, capture.frames(20),
              [=](const wire::Frame& frame) { return !frame.has_batch() || frame.batch().first_tick() >= from_tick; });
    }
    void damage_chunk(const std::string& name, std::size_t number) const {
        const auto index = capture::CaptureIndex::open(file(name));
        ASSERT_TRUE(index.ok());
        ASSERT_LT(number, index->chunks().size());
        std::string bytes = content(file(name));
        bytes.at(index->chunks()[number].offset + capture::kChunkHeaderBytes + 4) ^= 1;
        std::ofstream(file(name), std::ios::binary) << bytes;
    }
    // The chunk with that row of the only channel.
    [[nodiscard]] std::size_t chunk_at(const std::string& name, std::uint64_t tick) const {
        const auto index = capture::CaptureIndex::open(file(name));
        const capture::CaptureIndex::Lane& lane = index->lanes().front();
        return lane.chunk_numbers[lane.lower_bound(tick)];
    }
    void cut(const CutPlan& plan) const {
        const auto made = cut_capture(plan, {});
        ASSERT_TRUE(made.ok()) << made.error().message;
    }
    void cut_ticks(const std::string& from, const std::string& to, std::uint64_t first, std::uint64_t last) const {
        cut({file(from), file(to), {}, {}, CutPlan::Ticks{first, last}});
    }
    void load(const std::string& name, store::Session& session) const {
        const auto loaded = ingest::load(file(name), session);
        ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    }
};

TEST_F(Parts, KeepALossThatLastsIntoThem) {
    support::CaptureBuilder capture;
    const auto rx = capture.channel("rx");
    const auto second = capture.thread("second", 2);
    capture.tick(rx, 2'000);
    capture.gap(rx, 2'500, 3, wire::LossCause::kOverrun, 2'800);  // over long before
    capture.gap(rx, 3'000, 50, wire::LossCause::kOverrun, 7'000);
    capture.begin(rx, 4'000, second);
    for (const std::uint64_t tick : {6'000, 7'000, 8'000}) capture.tick(rx, tick, 0, second);
    capture.write(file("all.sla"));
    cut_ticks("all.sla", "part.sla", 5'000, 9'000);
    store::Session session;
    load("part.sla", session);
    const store::Lane& lane = *session.lane_named("rx");
    ASSERT_EQ(lane.gaps().size(), 1u);
    EXPECT_EQ(lane.gaps()[0].tick, 3'000u);
    EXPECT_EQ(lane.gaps()[0].until_tick, 7'000u);
    EXPECT_EQ(lane.gaps()[0].lost, 50u);
    ASSERT_EQ(lane.size(), 5u);
    EXPECT_EQ(lane[1].tick, 4'000u) << "rows stand in order of time";
    EXPECT_EQ(lane.spans()[0].state, store::SpanState::kOpen);
}

// It lasts until its thread is heard of again.
TEST_F(Parts, KeepALossThatDoesNotSayUntilWhenAndIsNotOver) {
    support::CaptureBuilder capture;
    const auto rx = capture.channel("rx");
    const auto second = capture.thread("second", 2);
    const auto third = capture.thread("third", 3);
    capture.tick(rx, 1'000);
    capture.gap(rx, 1'500, 7, wire::LossCause::kTorn, 0, third);
    capture.gap(rx, 2'000, 0);
    capture.gap(rx, 2'100, 8, wire::LossCause::kTorn, 0, 0);
    for (const std::uint64_t tick : {3'000, 4'000, 5'000, 6'000, 9'000}) capture.tick(rx, tick, 0, second);
    capture.tick(rx, 4'200, 0, third);
    for (const std::uint64_t tick : {20'000, 25'000}) capture.tick(rx, tick);
    write("all.sla", capture.frames(20), [](const wire::Frame&) { return true; });
    cut_ticks("all.sla", "part.sla", 4'500, 30'000);
    store::Session session;
    load("part.sla", session);
    const store::Lane& lane = *session.lane_named("rx");
    ASSERT_EQ(lane.gaps().size(), 1u) << "of the others a thread was heard of";
    EXPECT_EQ(lane.gaps()[0].tick, 2'000u);
    EXPECT_FALSE(lane.gaps()[0].has_end());
    EXPECT_EQ(lane.thread(lane.gaps()[0].index), 1u);
    cut_ticks("all.sla", "over.sla", 20'001, 30'000);
    store::Session over;
    load("over.sla", over);
    EXPECT_TRUE(over.lane_named("rx")->gaps().empty());
}

// Cut from an agent now and again a while later, when it had given up the beginning of one channel.
TEST_F(Parts, ThatAreMergedHaveFromTheOlderOneWhatTheNewerOneIsTooLateFor) {
    const auto make = [](std::uint64_t rx_from) {
        support::CaptureBuilder capture;
        const auto rx = capture.channel("rx");
        const auto tx = capture.channel("tx");
        if (rx_from > 2'000) capture.gap(rx, 2'000, 0, wire::LossCause::kNotKept, rx_from - 1'000);
        for (std::uint64_t tick = rx_from; tick <= 30'000; tick += 1'000) capture.tick(rx, tick);
        for (std::uint64_t tick = 2'500; tick <= 30'000; tick += 1'000) capture.tick(tx, tick);
        return capture.frames(4);
    };
    write("first.sla", make(2'000), [](const wire::Frame&) { return true; });
    write("later.sla", make(12'000), [](wire::Frame& frame) {
        if (frame.has_batch() && frame.batch().channel() == 1)
            frame.mutable_batch()->set_first_index(frame.batch().first_index() + 9);
        return true;
    });
    cut_ticks("first.sla", "a.sla", 0, 19'999);
    cut_ticks("later.sla", "b.sla", 0, 200'000);
    ASSERT_TRUE(merge_captures({{file("b.sla"), "b"}, {file("a.sla"), "a"}}, file("both.sla"), {}).ok());
    store::Session both;
    load("both.sla", both);
    ASSERT_EQ(both.lanes().size(), 2u);
    EXPECT_EQ(both.lane_named("rx")->size(), 29u);
    EXPECT_EQ(both.lane_named("tx")->size(), 28u);
    EXPECT_TRUE(both.lane_named("rx")->gaps().empty());
}

TEST_F(Parts, ThatAreMergedHaveAGapWhereOneCannotBeRead) {
    support::CaptureBuilder capture;
    const auto rx = capture.channel("rx");
    for (std::uint64_t tick = 2'000; tick <= 100'000; tick += 1'000) capture.tick(rx, tick);
    capture.write(file("all.sla"));
    cut_ticks("all.sla", "a.sla", 0, 29'999);
    cut_ticks("all.sla", "b.sla", 30'000, 59'999);
    cut_ticks("all.sla", "c.sla", 60'000, 200'000);
    damage_chunk("b.sla", 0);
    const std::vector<NamedFile> parts = {{file("a.sla"), "a"}, {file("b.sla"), "b"}, {file("c.sla"), "c"}};
    ASSERT_TRUE(merge_captures(parts, file("both.sla"), {}).ok());
    store::Session both;
    load("both.sla", both);
    const store::Lane& lane = *both.lane_named("rx");
    ASSERT_EQ(lane.gaps().size(), 1u);
    EXPECT_EQ(lane.gaps()[0].cause, wire::LossCause::kDamaged);
    EXPECT_EQ(lane.gaps()[0].tick, 30'000u);
    EXPECT_EQ(lane.gaps()[0].until_tick, 59'000u);
    EXPECT_EQ(lane.size(), 28u + 1u + 41u);
    EXPECT_EQ(both.damage_count(), 1u) << "nobody knows how many are gone";
}

// Without it the time between two threads would seem better known in a part than in the whole.
TEST_F(Parts, KeepHowWellTheClocksOfTheCoresAgreeAndNothingOfTheAgentsLedger) {
    support::CaptureBuilder capture;
    const auto rx = capture.channel("rx");
    for (std::uint64_t tick = 2'000; tick <= 100'000; tick += 1'000) capture.tick(rx, tick);
    std::vector<std::string> frames = capture.frames(4);
    wire::Frame status;
    status.mutable_status()->set_tick(50'000);
    status.mutable_status()->set_agent_bytes(77);
    status.mutable_status()->add_channels()->set_id(rx);
    status.mutable_status()->mutable_clock_health()->set_cores(8);
    status.mutable_status()->mutable_clock_health()->set_skew_ticks(500);
    frames.insert(frames.end() - 1, status.SerializeAsString());
    write("all.sla", frames, [](const wire::Frame&) { return true; });
    cut_ticks("all.sla", "a.sla", 0, 49'999);
    cut_ticks("all.sla", "b.sla", 50'000, 200'000);
    ASSERT_TRUE(merge_captures({{file("b.sla"), "b"}, {file("a.sla"), "a"}}, file("both.sla"), {}).ok());
    for (const char* name : {"all.sla", "a.sla", "b.sla", "both.sla"}) {
        store::Session session;
        load(name, session);
        EXPECT_EQ(session.health().clock.skew.ticks, 500u) << name;
        EXPECT_EQ(session.health().agent_bytes, name == std::string("all.sla") ? 77u : 0u) << name;
        EXPECT_EQ(session.ledger(ChannelId{rx}) != nullptr, name == std::string("all.sla")) << name;
    }
}

TEST_F(Parts, ReachAsFarAsTheirSourceThoughNothingHappenedThere) {
    support::CaptureBuilder capture;
    const auto rx = capture.channel("rx");
    const auto tx = capture.channel("tx");
    for (const std::uint64_t tick : {2'000, 3'000}) capture.tick(rx, tick);
    capture.tick(tx, 50'000);
    capture.write(file("all.sla"));
    cut({file("all.sla"), file("rx.sla"), {"rx"}, {}});
    store::Session whole;
    load("rx.sla", whole);
    EXPECT_EQ(whole.watermark(), 50'000u);
    cut_ticks("all.sla", "part.sla", 2'500, 19'999);
    store::Session part;
    load("part.sla", part);
    EXPECT_EQ(part.watermark(), 20'000u);
}

// Of the rows behind the watermark nobody knows what else came then.
TEST_F(Parts, OfASourceThatSaysNoEndSayNoneWhereTheyReachAsFar) {
    support::CaptureBuilder capture;
    const auto rx = capture.channel("rx");
    for (std::uint64_t tick = 2'000; tick <= 60'000; tick += 1'000) capture.tick(rx, tick);
    capture.leave_open(50'000);
    capture.write(file("open.sla"));
    store::Session open;
    load("open.sla", open);
    ASSERT_EQ(open.watermark(), 50'000u);
    for (const auto& [last, known] : {std::pair<std::uint64_t, std::uint64_t>(100'000, 50'000), {39'999, 40'000}}) {
        cut_ticks("open.sla", "part.sla", 10'000, last);
        store::Session part;
        load("part.sla", part);
        EXPECT_EQ(part.watermark(), known);
        EXPECT_EQ(part.end_reason() == open.end_reason(), known == 50'000) << part.end_reason();
    }
}

// The silence at its end; of several files with a guest on a clock of its own no end says it.
TEST_F(Parts, ThatAreMergedWithAGuestAreKnownAsFarAsTheirFilesAre) {
    support::CaptureBuilder silent;
    const auto rx = silent.channel("rx");
    for (std::uint64_t tick = 2'000; tick <= 30'000; tick += 1'000) silent.tick(rx, tick);
    write("silent.sla", silent.frames(10), [](wire::Frame& frame) {
        if (frame.has_end()) frame.mutable_end()->set_tick(60'000);
        return true;
    });
    support::CaptureBuilder guests;
    const auto guest = guests.source("guest", support::BuilderSource::kPc);
    const auto irq = guests.channel("irq", guest);
    for (std::uint64_t tick = 2'000; tick <= 20'000; tick += 1'000) guests.tick(irq, tick);
    write("guest.sla", guests.frames(10), [guest](wire::Frame& frame) {
        if (frame.has_hello()) frame.mutable_hello()->set_capture_id(77);
        if (frame.has_source() && frame.source().id() == guest) frame.mutable_source()->set_clock_domain(1);
        return true;
    });
    const auto merged = merge_captures({{file("silent.sla"), "silent"}, {file("guest.sla"), "guest"}}, file("both.sla"), {});
    ASSERT_TRUE(merged.ok()) << merged.error().message;
    store::Session both;
    load("both.sla", both);
    EXPECT_EQ(both.watermark(), 60'000u);
}

// A guest whose time is far behind says nothing of when the machine's rows begin.
TEST_F(Parts, OfALateRecordingBeginWithTheFirstRowByTheMachinesClock) {
    support::CaptureBuilder capture;
    const auto guest = capture.source("guest", support::BuilderSource::kPc);
    const auto irq = capture.channel("irq", guest);
    const auto rx = capture.channel("rx");
    for (std::uint64_t tick = 2'000; tick <= 100'000; tick += 1'000) {
        capture.tick(rx, tick);
        if (tick <= 30'000) capture.tick(irq, tick);
    }
    write("late.sla", capture.frames(20), [=](wire::Frame& frame) {
        if (frame.has_source() && frame.source().id() == guest) frame.mutable_source()->set_clock_domain(1);
        return !frame.has_batch() || frame.batch().channel() == irq || frame.batch().first_tick() >= 50'000;
    });
    store::Session late;
    load("late.sla", late);
    const std::uint64_t begin = late.lane_named("rx")->first_tick();
    ASSERT_GE(begin, 50'000u);
    EXPECT_EQ(analysis::known_extent(late, {}).from, begin);
    cut({file("late.sla"), file("part.sla"), {}, {}});
    store::Session part;
    load("part.sla", part);
    EXPECT_EQ(analysis::known_extent(part, {}).from, begin);
}

// A pulse is no shorter because a value came after its begin.
TEST_F(Parts, KeepTheLevelThatAValueAndATextCameBehind) {
    support::CaptureBuilder capture;
    const auto rx = capture.channel("rx");
    capture.level(rx, 2'000, true);
    capture.value(rx, 2'500, 6);
    capture.value(rx, 3'000, 7);
    capture.text(rx, 3'500, "seven");
    capture.level(rx, 5'000, true);
    capture.level(rx, 6'000, false);
    capture.write(file("all.sla"));
    cut_ticks("all.sla", "part.sla", 4'000, 9'000);
    store::Session part;
    load("part.sla", part);
    const store::Lane& lane = *part.lane_named("rx");
    ASSERT_EQ(lane.size(), 5u);
    EXPECT_EQ(lane[0].tick, 2'000u);
    EXPECT_EQ(lane[1].tick, 3'000u);
    EXPECT_EQ(lane[2].tick, 3'500u);
    EXPECT_FALSE(lane.begins_late());
}

TEST_F(Parts, BeginLateWhereNobodyKnowsTheLevelThatHeld) {
    support::CaptureBuilder capture;
    const auto lost = capture.channel("lost");
    capture.level(lost, 2'000, true);
    capture.gap(lost, 2'500, 3, wire::LossCause::kOverrun, 2'800);
    const auto fresh = capture.channel("fresh");
    capture.value(fresh, 2'000, 1);
    for (const auto channel : {lost, fresh}) {
        capture.level(channel, 5'000, true);
        capture.level(channel, 6'000, false);
    }
    capture.write(file("all.sla"));
    cut_ticks("all.sla", "part.sla", 4'000, 9'000);
    store::Session part;
    load("part.sla", part);
    EXPECT_TRUE(part.lane_named("lost")->begins_late());
    EXPECT_FALSE(part.lane_named("fresh")->begins_late()) << "it had none before";
    EXPECT_FALSE(part.begins_late()) << "the part says itself where it begins";
}

TEST_F(Parts, OfARecordingThatBeginsLateBeginLateToo) {
    write_late("late.sla", 50'000);
    write_late("later.sla", 80'000);
    store::Session late;
    load("late.sla", late);
    ASSERT_TRUE(late.begins_late());
    cut({file("late.sla"), file("part.sla"), {"rx"}, {}});
    store::Session part;
    load("part.sla", part);
    EXPECT_EQ(part.origin().begin_tick, late.first_tick());
    EXPECT_TRUE(part.lane_named("rx")->begins_late());
    ASSERT_TRUE(merge_captures({{file("later.sla"), "later"}, {file("part.sla"), "part"}}, file("both.sla"), {}).ok());
    store::Session both;
    load("both.sla", both);
    EXPECT_EQ(both.origin().start_tick, 1'000u);
    EXPECT_EQ(both.origin().begin_tick, late.first_tick());
    EXPECT_TRUE(both.lane_named("rx")->begins_late());
}

TEST_F(Parts, ThatAreMergedHaveAllRowsOfOneThatSaysItsTimeIsOver) {
    for (const std::uint64_t id : {1, 2}) {
        support::CaptureBuilder capture;
        const auto channel = capture.channel("rx" + std::to_string(id));
        for (std::uint64_t tick = 2'000; tick <= 100'000; tick += 1'000) capture.tick(channel, tick);
        write(std::to_string(id) + ".sla", capture.frames(20), [=](wire::Frame& frame) {
            if (frame.has_hello()) frame.mutable_hello()->set_capture_id(id);
            if (id == 2 && frame.has_watermark()) frame.mutable_watermark()->set_tick(store::kNever);
            return true;
        });
    }
    const auto merged = merge_captures({{file("1.sla"), "1"}, {file("2.sla"), "2"}}, file("both.sla"), {});
    ASSERT_TRUE(merged.ok());
    EXPECT_EQ(merged->rows, 198u);
}

TEST_F(Parts, ThatAreMergedSayWhatOneLacksAtItsEdgeThoughAnothersHoleIsAsLarge) {
    support::CaptureBuilder capture;
    const auto rx = capture.channel("rx");
    for (std::uint64_t tick = 2'000; tick <= 100'000; tick += 1'000) capture.tick(rx, tick);
    for (const std::uint64_t id : {1, 2}) {
        write(std::to_string(id) + ".sla", capture.frames(20), [=](wire::Frame& frame) {
            if (frame.has_hello()) frame.mutable_hello()->set_capture_id(id);
            return true;
        });
    }
    std::uint64_t gone = 0;
    for (const auto& [name, tick] : {std::pair("1.sla", 50'000), {"2.sla", 100'000}}) {
        const capture::CaptureIndex::Lane lane = capture::CaptureIndex::open(file(name))->lanes().front();
        gone += lane.summaries[lane.lower_bound(static_cast<std::uint64_t>(tick))].rows;
        damage_chunk(name, chunk_at(name, static_cast<std::uint64_t>(tick)));
    }
    const auto merged = merge_captures({{file("1.sla"), "1"}, {file("2.sla"), "2"}}, file("both.sla"), {});
    ASSERT_TRUE(merged.ok());
    ASSERT_EQ(merged->remarks.size(), 3u) << "how the clocks were matched, and each one's damage";
    store::Session both;
    load("both.sla", both);
    EXPECT_EQ(both.lost(), gone) << "a gap row stands for what is gone at the end of the second one, too";
    EXPECT_EQ(both.damage_count(), 0u);
}

}  // namespace
}  // namespace sla::capture_tools
