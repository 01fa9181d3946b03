#include "agent/drain/block_merge.h"

#include "agent/drain/channel_merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>

namespace sla::drain {
namespace {

struct Row {
    std::uint64_t tick = 0;
    std::uint8_t code = 0;
    std::uint64_t value = 0;
    std::uint32_t thread = 0;
    std::string text;
    wire::Details details{};
    std::uint64_t until_tick = 0;
    friend bool operator==(const Row&, const Row&) = default;
};

std::ostream& operator<<(std::ostream& out, const Row& row) {
    return out << row.tick << " code " << int{row.code} << " value " << row.value << " thread " << row.thread << " '"
               << row.text << "' " << row.details[0] << ' ' << row.details[1] << " until " << row.until_tick;
}

// Runs, and beside them what a merge has to give: the rows in order of ticks, of equal ones those of the older run first.
class Feeds {
public:
    Feeds(unsigned seed, std::size_t runs) : random_(seed) {
        for (std::size_t i = 0; i < runs; i++)
            channel.runs.push_back(std::make_shared<Run>(static_cast<std::uint32_t>(100 + i)));
        runs_ = channel.runs;
    }

    // Rows on runs by turns, each some times, `distance` ticks apart at most.
    void mark(std::size_t rows, std::size_t longest_turn, std::uint64_t distance) {
        tick_ = std::max(tick_, channel.closed + 1);  // none is late
        std::size_t turn = 0;
        for (std::size_t at = 0; rows > 0; rows--) {
            if (turn == 0) {
                at = random_() % runs_.size();
                turn = 1 + random_() % longest_turn;
            }
            turn--;
            tick_ += random_() % (distance + 1);
            put(at, tick_);
        }
    }

    // The same tick on all runs, so many times.
    void mark_at_once(std::size_t times) {
        tick_ = std::max(tick_, channel.closed + 1);
        for (std::size_t at = 0; at < runs_.size(); at++) {
            for (std::size_t i = 0; i < times; i++) put(at, tick_);
        }
    }

    [[nodiscard]] std::uint64_t now() const { return tick_; }

    void expect_merged(unsigned seed) {
        std::stable_sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) {
            return std::pair(a.second.tick, a.first) < std::pair(b.second.tick, b.first);
        });
        ASSERT_EQ(out.size(), rows_.size()) << "seed " << seed;
        std::size_t extra = 0;
        for (std::size_t i = 0; i < out.size(); i++) {
            Row row{out.ticks[i],
                    out.codes[i],
                    out.values[i],
                    out.threads[i],
                    std::string(out.texts.of(i)),
                    out.details_of(i),
                    0};
            if (extra < out.extras.size() && out.extras[extra].position == i) {
                const wire::Extra& has = out.extras[extra++];
                row.until_tick = has.until_tick;
            }
            ASSERT_EQ(row, rows_[i].second) << "seed " << seed << " row " << i;
        }
        EXPECT_EQ(extra, out.extras.size());
    }

    DrainedChannel channel;
    wire::EventBatch out;
    bool is_plain = false;  // all rows of one code, without anything beside

private:
    void put(std::size_t at, std::uint64_t tick) {
        Row row{tick, SLA_CODE_TICK_VALUE, random_(), runs_[at]->thread(), "", {}, 0};
        switch (random_() % 16) {
            case 0: row.code = SLA_CODE_TEXT, row.value = 0, row.text = "text " + std::to_string(random_() % 1000); break;
            case 1: row.code = SLA_CODE_GAP, row.until_tick = tick + 1 + random_() % 5; break;
            case 2: row.code = SLA_CODE_BEGIN, row.value = 0, row.details = {random_() % 2, random_()}; break;
            case 3: row.code = SLA_CODE_VALUE_FLOAT; break;
            default: break;
        }
        if (is_plain) row = {tick, SLA_CODE_TICK_VALUE, row.value, row.thread, "", {}, 0};
        Run& run = *runs_[at];
        if (row.code == SLA_CODE_GAP) {
            run.settle_gap(run.open_gap(tick), wire::LossCause::kOverrun, row.value, row.until_tick);
        } else {
            run.add(row.tick, row.code, row.value);
        }
        if (!row.text.empty()) run.attach_text(1, row.text);
        run.set_details(row.details);
        rows_.emplace_back(at, std::move(row));
    }

    std::mt19937_64 random_;
    std::vector<std::shared_ptr<Run>> runs_;
    std::vector<std::pair<std::size_t, Row>> rows_;
    std::uint64_t tick_ = 1000;
};

void merge_all(Feeds& feeds, std::uint64_t watermark, std::mt19937_64& random, std::size_t most_space) {
    while (!merge_up_to(watermark, 1 + random() % most_space, feeds.channel, feeds.out)) {
    }
}

TEST(BlockMerge, AgreesWithANaiveMergeOfRandomRuns) {
    for (unsigned seed = 0; seed < 150; seed++) {
        std::mt19937_64 random(seed);
        Feeds feeds(seed, seed % 5 == 0 ? 20 + random() % 50 : 2 + random() % 8);
        feeds.is_plain = seed % 3 == 0;
        const std::uint64_t distances[] = {1, 3, 200, std::uint64_t{1} << 47};
        for (int round = 0; round < 6; round++) {
            const std::uint64_t distance = distances[random() % (round < 5 ? 3 : 4)];
            feeds.mark(random() % 2000, random() % 2 == 0 ? 1 : 40, distance);
            if (random() % 3 == 0) feeds.mark_at_once(random() % 200);
            merge_all(feeds, feeds.now() - std::min<std::uint64_t>(feeds.now(), random() % 300), random, 3000);
        }
        merge_all(feeds, SLA_TICK_MASK, random, 3000);
        ASSERT_NO_FATAL_FAILURE(feeds.expect_merged(seed));
    }
}

TEST(BlockMerge, GivesOutTheNextRowsInOrderAndSaysHowOftenTheRunChanges) {
    Feeds feeds(1, 2);
    for (int i = 0; i < 100; i++) feeds.mark(1, 1, 1), feeds.mark_at_once(1);
    const MergedBlock block = merge_block(feeds.now(), 8192, feeds.channel, feeds.out);
    EXPECT_EQ(block.rows, feeds.out.size());
    EXPECT_EQ(block.rows, 300u);
    std::size_t pieces = 1;
    for (std::size_t i = 1; i < feeds.out.size(); i++) pieces += feeds.out.threads[i] != feeds.out.threads[i - 1] ? 1 : 0;
    EXPECT_EQ(block.pieces, pieces);
    feeds.expect_merged(1);
}

TEST(BlockMerge, LeavesToPiecesWhatIsNoWorkForIt) {
    Feeds one(1, 1);
    one.mark(100, 1, 10);
    EXPECT_EQ(merge_block(SLA_TICK_MASK, 8192, one.channel, one.out).rows, 0u) << "one run";
    Feeds equal(1, 2);
    equal.mark_at_once(2000);
    EXPECT_EQ(merge_block(SLA_TICK_MASK, 8192, equal.channel, equal.out).rows, 0u) << "more of one tick than a block takes";
    Feeds far(1, 40);
    far.mark(100, 1, std::uint64_t{1} << 55);
    EXPECT_EQ(merge_block(SLA_TICK_MASK, 8192, far.channel, far.out).rows, 0u) << "ticks too far apart for a key";
    Feeds narrow(1, 40);
    narrow.mark(1000, 1, 10);
    EXPECT_EQ(merge_block(SLA_TICK_MASK, 100, narrow.channel, narrow.out).rows, 0u) << "room for hardly any of each";
    EXPECT_TRUE(one.out.empty() && equal.out.empty() && far.out.empty() && narrow.out.empty());
}

TEST(BlockMerge, TakesNothingAboveTheWatermarkAndNoMoreThanThereIsSpaceFor) {
    Feeds feeds(3, 4);
    feeds.mark(2000, 1, 20);
    const std::uint64_t watermark = feeds.now() / 2;
    while (merge_block(watermark, 300, feeds.channel, feeds.out).rows > 0) {
    }
    ASSERT_FALSE(feeds.out.empty());
    EXPECT_LE(feeds.out.ticks.back(), watermark);
    const std::size_t before = feeds.out.size();
    EXPECT_LE(merge_block(SLA_TICK_MASK, 300, feeds.channel, feeds.out).rows, 300u);
    EXPECT_GT(feeds.out.size(), before);
}

}  // namespace
}  // namespace sla::drain
