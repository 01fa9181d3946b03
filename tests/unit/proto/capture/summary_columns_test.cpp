// Summaries column by column, in blocks, and as an index has them give back what was put in, whatever of it is zero.
#include "proto/capture/summary/lane_rows.h"
#include "proto/capture/summary/summary_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace sla::capture {
namespace {

// Of each field, whether it is zero is up to chance.
LaneSummary random_summary(std::mt19937_64& random) {
    const auto number = [&] { return random() % 3 == 0 ? random() >> random() % 60 : std::uint64_t{0}; };
    const auto small = [&] { return static_cast<std::uint32_t>(number()); };
    const auto yes = [&] { return random() % 2 == 0; };
    const auto level = [&] { return static_cast<Level>(random() % 3); };
    LaneSummary one;
    one.channel = {7};
    one.first_index = number();
    one.first_tick = number();
    one.last_tick = number();
    one.rows = number();
    one.gap_rows = number();
    one.lost = number();
    one.longest_pause = number();
    one.high_ticks = number();
    one.busy_ticks = number();
    one.begins = number();
    one.loose_ends = number();
    one.min = yes() ? -static_cast<double>(number()) : 0.0;
    one.max = yes() ? static_cast<double>(number()) / 3 : 0.0;
    one.depth_before = small();
    one.depth_after = small();
    one.deepest = small();
    one.span_rows = small();
    one.kinds = static_cast<std::uint8_t>(random());
    one.level_before = level();
    one.level_after = level();
    one.has_value = yes();
    one.has_number = yes();
    one.has_text = yes();
    one.opaque = yes();
    return one;
}

void expect_all_of(const LaneSummary& a, const LaneSummary& b) {
    ASSERT_EQ(a.channel, b.channel);
    ASSERT_EQ(a.first_index, b.first_index);
    ASSERT_EQ(a.first_tick, b.first_tick);
    ASSERT_EQ(a.last_tick, b.last_tick);
    ASSERT_EQ(a.rows, b.rows);
    ASSERT_EQ(a.gap_rows, b.gap_rows);
    ASSERT_EQ(a.lost, b.lost);
    ASSERT_EQ(a.longest_pause, b.longest_pause);
    ASSERT_EQ(a.high_ticks, b.high_ticks);
    ASSERT_EQ(a.busy_ticks, b.busy_ticks);
    ASSERT_EQ(a.begins, b.begins);
    ASSERT_EQ(a.loose_ends, b.loose_ends);
    ASSERT_EQ(a.min, b.min);
    ASSERT_EQ(a.max, b.max);
    ASSERT_EQ(a.depth_before, b.depth_before);
    ASSERT_EQ(a.depth_after, b.depth_after);
    ASSERT_EQ(a.deepest, b.deepest);
    ASSERT_EQ(a.span_rows, b.span_rows);
    ASSERT_EQ(a.kinds, b.kinds);
    ASSERT_EQ(a.level_before, b.level_before);
    ASSERT_EQ(a.level_after, b.level_after);
    ASSERT_EQ(a.has_value, b.has_value);
    ASSERT_EQ(a.has_number, b.has_number);
    ASSERT_EQ(a.has_text, b.has_text);
    ASSERT_EQ(a.opaque, b.opaque);
}

void expect_rows(const SummaryBlocks& blocks, const std::vector<LaneSummary>& expected) {
    ASSERT_EQ(blocks.size(), expected.size());
    std::size_t at = 0;
    for (const LaneSummary& one : blocks) ASSERT_NO_FATAL_FAILURE(expect_all_of(one, expected[at++]));
    ASSERT_EQ(at, expected.size());
    for (at = 0; at < expected.size(); ++at) ASSERT_NO_FATAL_FAILURE(expect_all_of(blocks[at], expected[at]));
}

SummaryColumns random_block(std::mt19937_64& random, std::vector<LaneSummary>& expected) {
    SummaryColumns block;
    for (std::uint64_t left = 1 + random() % 5; left > 0; --left)
        block.push_back(expected.emplace_back(random_summary(random)));
    return block;
}

TEST(SummaryBlocks, GiveBackWhatWasPutInWhateverIsDoneToIt) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937_64 random(seed);
        SummaryBlocks blocks;
        std::vector<LaneSummary> expected;
        for (int step = 0; step < 20; ++step) {
            switch (random() % 4) {
                case 0: {
                    SummaryBlocks behind;
                    for (std::uint64_t left = random() % 3; left > 0; --left) behind.append(random_block(random, expected));
                    blocks.append(std::move(behind));
                    break;
                }
                case 1:
                    if (!expected.empty()) {
                        const std::size_t at = random() % expected.size();
                        blocks.set(at, expected[at] = random_summary(random));
                    }
                    break;
                default: blocks.append(random_block(random, expected));
            }
        }
        ASSERT_NO_FATAL_FAILURE(expect_rows(blocks, expected)) << "seed " << seed;
        ASSERT_NO_FATAL_FAILURE(expect_all_of(blocks.front(), expected.front()));
        ASSERT_NO_FATAL_FAILURE(expect_all_of(blocks.back(), expected.back()));
    }
}

TEST(SummaryBlocks, TheFirstThatReachesATickIsFound) {
    SummaryBlocks blocks;
    EXPECT_EQ(blocks.first_until(0), 0U);
    for (std::uint64_t i = 0; i < 100;) {
        SummaryColumns block;
        for (const std::uint64_t end = std::min<std::uint64_t>(i + 1 + i % 7, 100); i < end; ++i) {
            LaneSummary one;
            one.rows = 1;
            one.first_tick = 10 * i;
            one.last_tick = 10 * i + 5;
            block.push_back(one);
        }
        blocks.append(std::move(block));
    }
    for (std::uint64_t tick = 0; tick < 1000; ++tick) {
        const std::uint64_t expected = tick <= 5 ? 0 : (tick + 4) / 10;
        ASSERT_EQ(blocks.first_until(tick), std::min<std::uint64_t>(expected, 100)) << tick;
    }
}

// Chunks of some channels, each with rows in most chunks or in few.
std::vector<ChunkDetail> random_chunks(std::mt19937_64& random) {
    std::vector<ChunkDetail> chunks(1 + random() % 40);
    const std::uint64_t channels = 1 + random() % 6;
    const std::uint64_t seldom = 1 + random() % 3;
    std::vector<std::uint64_t> ends(channels, random() % 1000);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        chunks[i].place = {i, 32 + 100 * i, 10, 1};
        for (std::uint32_t channel = 0; channel < channels; ++channel) {
            if (random() % seldom != 0) continue;
            LaneSummary one = random_summary(random);
            one.channel = ChannelId{channel};
            one.rows = 1 + one.rows % 1000;
            one.first_tick %= std::uint64_t{1} << 59;
            one.last_tick = one.first_tick + one.last_tick % (std::uint64_t{1} << 59);
            one.span_rows %= kMaxSpanRows + 1;
            if (!one.has_value) one.min = one.max = 0;
            if (random() % 4 != 0) one.first_index = ends[channel];
            ends[channel] = one.first_index + one.rows;
            chunks[i].lanes.push_back(one);
        }
    }
    return chunks;
}

Index index_of(const std::vector<ChunkDetail>& chunks) {
    Index index;
    std::vector<IndexRow> rows;
    for (std::uint32_t i = 0; i < chunks.size(); ++i) {
        encode_entry(chunks[i], *index.add_chunks());
        for (const LaneSummary& lane : chunks[i].lanes) rows.push_back({i, lane});
    }
    put_lanes(rows, index);
    return index;
}

TEST(LaneRows, SayTheSameAsChunkAfterChunk) {
    int by_channel = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        std::mt19937_64 random(seed);
        const std::vector<ChunkDetail> chunks = random_chunks(random);
        const Index index = index_of(chunks);
        by_channel += index.version() == 3 ? 1 : 0;
        std::vector<ChunkDetail> decoded;
        ASSERT_TRUE(is_known_version(index) && decode_index(index, decoded)) << "seed " << seed;
        ASSERT_EQ(decoded.size(), chunks.size());
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            ASSERT_EQ(decoded[i].lanes.size(), chunks[i].lanes.size()) << "seed " << seed;
            for (std::size_t lane = 0; lane < chunks[i].lanes.size(); ++lane)
                ASSERT_NO_FATAL_FAILURE(expect_all_of(decoded[i].lanes[lane], chunks[i].lanes[lane])) << "seed " << seed;
        }
    }
    EXPECT_GT(by_channel, 100) << "both layouts are made";
    EXPECT_LT(by_channel, 290) << "both layouts are made";
}

TEST(LaneRows, WhoseColumnsDoNotFitAreRefused) {
    std::mt19937_64 random(1);
    std::vector<ChunkDetail> chunks(20);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        LaneSummary one = random_summary(random);
        one.rows = 5;
        one.first_tick = 100 * i;
        one.last_tick = one.first_tick + 50;
        one.lost = 1;
        chunks[i].lanes.push_back(one);
    }
    const Index index = index_of(chunks);
    ASSERT_EQ(index.version(), 3U);
    const auto refuses = [](const LaneRows& lane, std::uint32_t in_chunks = 20) {
        LaneBlock block;
        return !decode_lane(lane, in_chunks, block);
    };
    const LaneRows& sound = index.lanes(0);
    EXPECT_FALSE(refuses(sound));
    EXPECT_TRUE(refuses(sound, 19)) << "more rows than chunks";
    EXPECT_TRUE(refuses({})) << "no rows";
    LaneRows longer = sound;
    longer.add_lost(1);
    EXPECT_TRUE(refuses(longer));
    LaneRows shorter = sound;
    shorter.mutable_ticks()->RemoveLast();
    EXPECT_TRUE(refuses(shorter));
    LaneRows empty_row = sound;
    empty_row.set_rows(3, 0);
    EXPECT_TRUE(refuses(empty_row));
    LaneRows beyond = sound;
    beyond.set_base_tick(100);
    beyond.set_ticks(0, ~std::uint64_t{0} - 10);
    EXPECT_TRUE(refuses(beyond)) << "its ticks end nowhere";
    LaneRows far = sound;
    for (int i = 0; i < 20; ++i) far.add_skipped(i == 7 ? ~0U : 0U);
    EXPECT_TRUE(refuses(far)) << "of a chunk that is not there";
}

}  // namespace
}  // namespace sla::capture
