// A filter lets the same rows through whether they lie in a file or in memory, and reads no page for nothing.
#include "proto/capture/capture_index.h"
#include "proto/capture/file_format.h"
#include "tests/support/capture_builder.h"
#include "tests/support/damaged_chunk.h"
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_capture.h"
#include "tests/unit/viewer/ingest/spill_fixture.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/analysis/intervals/statistics.h"
#include "viewer/analysis/limits/verdict.h"
#include "viewer/analysis/value_statistics.h"
#include "viewer/ingest/file_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <type_traits>

namespace sla::analysis {
namespace {

using Row = std::pair<std::uint32_t, std::uint64_t>;  // channel, index

Selection all_of(const store::Session& session) {
    Selection selection;
    selection.lanes.assign(session.lanes().begin(), session.lanes().end());
    return selection;
}
std::vector<Row> walk(const store::Session& session, const Selection& selection, const EventFilter* by_hand = nullptr) {
    const Progress no_progress;
    EventWalk walk(session, selection, no_progress);
    std::vector<Row> rows;
    while (const auto place = walk.next()) {
        if (by_hand == nullptr || by_hand->matches(session, *place))
            rows.emplace_back(place->lane->channel().id.value, place->index);
    }
    return rows;
}

class FilteredWalk : public ::testing::Test {
protected:
    void open_both() {
        ASSERT_TRUE(ingest::load_file(path_, whole_).ok());
        open_paged();
        ASSERT_EQ(whole_.lanes()[0]->pages(), nullptr);
    }
    void open_paged() {
        ingest::FileOptions options;
        options.rows_in_memory = 0;
        options.cache_bytes = 100'000;
        ASSERT_TRUE(ingest::load_file(path_, paged_, {}, options).ok());
        ASSERT_NE(paged_.lanes()[0]->pages(), nullptr);
    }
    // How many rows the filter let through.
    std::size_t expect_same(const std::string& text, std::uint64_t from = 0, std::uint64_t until = store::kNever) {
        const auto filter = EventFilter::parse(text);
        EXPECT_TRUE(filter.ok()) << text << ": " << filter.error().message;
        Selection selection = all_of(paged_);
        selection.from = from;
        selection.until = until;
        const store::Session& known = whole_.lanes().empty() ? paged_ : whole_;
        Selection unfiltered = all_of(known);
        unfiltered.from = from;
        unfiltered.until = until;
        selection.filter = *filter;
        const auto rows = walk(paged_, selection);
        EXPECT_TRUE(rows == walk(known, unfiltered, &*filter)) << text;
        return rows.size();
    }
    std::string random_condition() {
        const auto one_of = [this](std::initializer_list<const char*> words) {
            return std::string(*(words.begin() + random_() % words.size()));
        };
        const std::string compare = one_of({" == ", " != ", " < ", " <= ", " > ", " >= "});
        switch (random_() % 8) {
            case 0: return "kind" + one_of({" == ", " != "}) + one_of({"tick", "gap", "begin", "level", "value", "text"});
            case 1: return "tick" + compare + std::to_string(random_() % (whole_.last_tick() + 1));
            case 2: return "thread" + one_of({" == ", " != ", " ~ "}) + std::to_string(random_() % 4);
            case 3: return "channel ~ c" + std::to_string(random_() % 4);
            case 4: return "text ~ *" + std::to_string(random_() % 10) + "*";
            case 5: return "value in " + std::to_string(random_() % 50) + ".." + std::to_string(random_() % 200);
            case 6: return "value" + compare + one_of({"0.5", "-0.5", "1e300", "-1e300", "1.5e2", "3.0"});
            default:
                return "value" + compare + one_of({"0", "1", "-1", "17", "-9223372036854775808", "18446744073709551615"});
        }
    }
    std::string random_filter(int depth) {
        switch (depth == 0 ? 0 : random_() % 4) {
            case 1: return "(" + random_filter(depth - 1) + " and " + random_filter(depth - 1) + ")";
            case 2: return "(" + random_filter(depth - 1) + " or " + random_filter(depth - 1) + ")";
            case 3: return "not (" + random_filter(depth - 1) + ")";
            default: return random_condition();
        }
    }

    const support::TemporaryPath temporary_{"filtered.sla"};
    const std::filesystem::path& path_ = temporary_.path;
    store::Session whole_;
    store::Session paged_;
    std::mt19937_64 random_{7};
};

TEST_F(FilteredWalk, LetsTheSameThroughFromAFileAsFromMemory) {
    ingest::write_random_capture(path_, 11, 40);
    open_both();
    std::size_t rows = 0;
    for (int i = 0; i < 400; ++i) {
        const std::uint64_t from = i % 3 == 0 ? random_() % whole_.last_tick() : 0;
        const std::uint64_t until = i % 5 == 0 ? from + random_() % whole_.last_tick() : store::kNever;
        rows += expect_same(random_filter(3), from, until);
    }
    EXPECT_GT(rows, 10'000u);
    EXPECT_EQ(paged_.damage_count(), 0u);
}

TEST_F(FilteredWalk, PagesWithoutAHitAreNotMadeReady) {
    ingest::write_random_capture(path_, 12, 40);
    open_both();
    const std::uint64_t waits = paged_.page_waits();
    EXPECT_EQ(expect_same("value == 77.0625 or kind == value and value in 10.1..10.2 and tick > 1"), 0u);
    EXPECT_EQ(paged_.page_waits(), waits);
}

// A channel after the other, as one who merges files writes them: each lane is in a chunk of its own at any time.
TEST_F(FilteredWalk, ChunksNeedNotFollowEachOtherInTime) {
    constexpr std::uint32_t kManyChannels = 40;
    {
        auto writer = capture::CaptureWriter::create(path_);
        ASSERT_TRUE(writer.ok());
        const auto put = [&](const std::string& frame) { ASSERT_TRUE(writer->append(frame).ok()); };
        ingest::put_names(put, kManyChannels);
        for (std::uint32_t i = 1; i <= kManyChannels; ++i) {
            std::uint64_t tick = 0;
            std::uint64_t next = 0;
            for (int chunk = 0; chunk < 5; ++chunk) {
                wire::EventBatch batch = store::random_batch(random_, 100, tick);
                batch.channel = ChannelId{i};
                batch.first_index = next;
                next += batch.size();
                put(ingest::batch_frame(batch));
                ASSERT_TRUE(writer->flush().ok());
            }
        }
        put(ingest::end_frame(std::uint64_t{1} << 50));
    }
    open_both();
    for (int i = 0; i < 40; ++i) expect_same(random_filter(2));
}

// Of the file's chunks of events, one in the middle.
void damage_a_chunk(const std::string& path) {
    const auto index = capture::CaptureIndex::open(path);
    ASSERT_TRUE(index.ok());
    support::damage_chunk(path, index->chunks().size() / 3);
}

TEST_F(FilteredWalk, WhatCannotBeReadIsALossToAFilterToo) {
    ingest::write_random_capture(path_, 13, 40);
    open_paged();
    damage_a_chunk(path_);
    EXPECT_GT(expect_same("kind == gap"), 0u);
    expect_same("value > 3");
    expect_same("not value > 3");
    EXPECT_GT(paged_.damage_count(), 0u);
}

// Its rows are in no lane's table of losses.
TEST_F(FilteredWalk, WhatCannotBeReadIsALossToStatisticsLimitsAndPairs) {
    ingest::write_random_capture(path_, 13, 40);
    open_paged();
    damage_a_chunk(path_);
    const Selection all = all_of(paged_);
    std::uint64_t lossy = 0;
    for (const LaneIntervals& lane : lane_intervals(paged_, all, {})) {
        EXPECT_LT(lane.of_channel.count(), lane.lane->size());
        lossy += lane.of_channel.lost_intervals;
    }
    EXPECT_GT(lossy, 0u);
    EXPECT_GT(paged_.damage_count(), 0u);
    std::vector<Limit> limits;
    for (const char* text : {"gap * < 1us", "gap * p99 > 1ns", "width * > 1us"}) limits.push_back(*parse_limit(text));
    for (const Finding& finding : check_limits(paged_, limits, all)) EXPECT_LE(finding.broken, finding.checked);
}

// The first that holds rows only of lanes which have others before and behind it.
std::size_t inner_chunk(const std::string& path) {
    const auto index = capture::CaptureIndex::open(path);
    EXPECT_TRUE(index.ok());
    for (std::size_t chunk = 0; chunk < index->chunks().size(); ++chunk) {
        const bool is_inner = std::none_of(index->lanes().begin(), index->lanes().end(), [&](const auto& lane) {
            return lane.chunk_numbers.front() == chunk || lane.chunk_numbers.back() == chunk;
        });
        if (is_inner) return chunk;
    }
    ADD_FAILURE() << "there is none";
    return 0;
}

// A file that is read whole finds them missing where it goes on; one that stays on the disk reads them when they are counted.
TEST_F(FilteredWalk, WhatCannotBeReadIsLostInFiguresWhicheverWayAFileIsOpened) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 6, 65'000, 3);
    capture.write(path_);
    support::damage_chunk(path_, inner_chunk(path_));
    open_both();
    ASSERT_GT(whole_.damage_count(), 0u);
    StatisticsOptions exact;
    exact.from_sums = false;
    const auto expected = channel_statistics(whole_, all_of(whole_), exact);
    const auto found = channel_statistics(paged_, all_of(paged_), exact);
    ASSERT_EQ(found.size(), expected.size());
    std::uint64_t lost = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i].pair.empty()) continue;  // of spans it is known how many began there
        EXPECT_EQ(found[i].numbers.count, expected[i].numbers.count) << found[i].channel;
        EXPECT_EQ(found[i].numbers.lost, expected[i].numbers.lost) << found[i].channel;
        lost += found[i].numbers.lost - found[i].lane->lost();
    }
    EXPECT_GT(lost, 1000u);
    const auto expected_values = value_statistics(whole_, all_of(whole_), {});
    const auto values = value_statistics(paged_, all_of(paged_), {});
    ASSERT_EQ(values.size(), expected_values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(values[i].numbers.count, expected_values[i].numbers.count) << values[i].channel;
        EXPECT_EQ(values[i].numbers.lost, expected_values[i].numbers.lost) << values[i].channel;
    }
    ASSERT_FALSE(paged_.notes().empty());
    // 'net.packet' and 3 more channels: 10050 events cannot be read: 'F.sla' (chunk at ...
    const std::string& note = paged_.notes().front().text;
    EXPECT_NE(paged_.lane_named(note.substr(1, note.find('\'', 1) - 1)), nullptr) << note;
    EXPECT_NE(note.find(" events cannot be read: '" + path_.string() + "'"), std::string::npos) << note;
}

// The sums of a file hide it from all but those that ask for losses: then every chunk's checksum is looked at.
TEST_F(FilteredWalk, LimitsOnLossesAndCountsSeeWhatCannotBeRead) {
    support::CaptureBuilder capture;
    const auto busy = capture.channel("busy");
    const auto rare = capture.channel("rare");
    constexpr std::uint64_t kRows = 600'000;
    for (std::uint64_t i = 0; i < kRows; ++i) capture.tick(busy, 1000 + i * 100, static_cast<std::int64_t>(random_() >> 40));
    capture.tick(rare, 2000);
    capture.write(path_);
    open_paged();
    ASSERT_GT(paged_.lanes()[busy - 1]->pages()->pages().size(), 2u);
    const store::Page page = paged_.lanes()[busy - 1]->pages()->pages()[1];
    support::damage_chunk(path_, page.chunk);
    const Selection all = all_of(paged_);
    Selection before = all;
    before.until = page.first_tick;
    const auto judged = [&](const char* text, const Selection& range) {
        return check_limit(paged_, *parse_limit(text), range).front();
    };
    EXPECT_EQ(judged("lost == 0", before).verdict, Verdict::kPass);
    EXPECT_EQ(judged("lost rare == 0", before).verdict, Verdict::kPass);
    EXPECT_EQ(paged_.damage_count(), 0u);
    const Finding lost = judged("lost == 0", all);
    EXPECT_EQ(lost.verdict, Verdict::kFail);
    EXPECT_EQ(lost.measured, static_cast<double>(page.rows));
    EXPECT_EQ(lost.at_tick, page.first_tick);
    EXPECT_EQ(judged("lost busy == 0", all).measured, static_cast<double>(page.rows));
    EXPECT_EQ(paged_.page_waits(), 0u) << "nothing was unpacked";
    EXPECT_EQ(judged("lost == 0", before).verdict, Verdict::kPass) << "it is known where the others are";
    Selection within = all;
    within.from = page.first_tick + 1;
    EXPECT_EQ(judged("lost == 0", within).verdict, Verdict::kCannotTell);
    EXPECT_EQ(paged_.damage_count(), 1u);

    const Finding counted = judged("count busy >= 0 == 600000", all);
    EXPECT_EQ(counted.verdict, Verdict::kCannotTell);
    EXPECT_EQ(counted.measured, static_cast<double>(kRows - page.rows));
    EXPECT_EQ(counted.error, static_cast<double>(page.rows));
    const Finding by_sums = judged("count busy == 600000", all);
    EXPECT_EQ(by_sums.verdict, Verdict::kCannotTell) << "the index knows of them, as losses are known";
    EXPECT_EQ(by_sums.measured, counted.measured);
    EXPECT_EQ(by_sums.error, counted.error);
    EXPECT_EQ(paged_.damage_count(), 1u) << "said once";
}

// Pages of a live session: the newest in memory, the others in a file of their own, a chunk each.
class FilteredSpill : public ingest::SpillTest {};

TEST_F(FilteredSpill, LetsTheSameThroughWhetherRowsAreInMemoryOrNot) {
    Small small(directory_);
    store::Session whole;
    fill_both(small, whole, 5, 400);
    ASSERT_GT(small.spill.report().rows_on_disk, small.session.events() / 2) << "a test of nothing";
    for (const char* text : {"value > 100", "kind == gap", "not value < 50 and thread == 2", "tick > 5000 and value == 0.5",
                             "text ~ *1*", "value == 77.0625"}) {
        const auto filter = EventFilter::parse(text);
        ASSERT_TRUE(filter.ok()) << text;
        Selection selection = all_of(small.session);
        selection.filter = *filter;
        EXPECT_TRUE(walk(small.session, selection) == walk(whole, all_of(whole), &*filter)) << text;
    }
}

// It is asked for as long as the walk lasts.
static_assert(!std::is_constructible_v<EventWalk, const store::Session&, const Selection&, Progress>);

TEST_F(FilteredWalk, StopsWhenItIsAskedTo) {
    ingest::write_random_capture(path_, 14, 200);
    open_both();
    Selection selection = all_of(paged_);
    selection.filter = *EventFilter::parse("value == 77.0625 or kind == gap and value == 123456");
    int calls = 0;
    const Progress progress = [&calls](std::uint64_t done, std::uint64_t all) {
        EXPECT_LE(done, all);
        return ++calls < 2;
    };
    EventWalk walk(paged_, selection, progress);
    EXPECT_FALSE(walk.next().has_value());
    EXPECT_TRUE(walk.stopped());
    EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace sla::analysis
