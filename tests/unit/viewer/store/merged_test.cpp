#include "tests/unit/viewer/store/random_lane.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

namespace sla::store {
namespace {

struct Key {
    std::uint64_t tick;
    std::uint32_t channel;
    std::uint64_t index;
    auto operator<=>(const Key&) const = default;
};

Key key_of(const RowRef& place) {
    return {place.tick, place.lane->channel().id.value, place.index};
}

class Merged : public ::testing::Test {
protected:
    void fill(std::size_t lanes, std::size_t events) {
        for (std::uint32_t i = 1; i <= lanes; ++i) {
            Channel channel;
            channel.id = ChannelId{static_cast<std::uint32_t>(lanes) + 1 - i};  // announced in any order
            fill_random(session_.add_channel(channel), i, events * (i % 3));
        }
        for (const Lane* lane : session_.lanes()) {
            for (std::uint64_t i = 0; i < lane->size(); ++i) all_.push_back({lane->tick(i), lane->channel().id.value, i});
        }
        std::sort(all_.begin(), all_.end());
    }
    Session session_;
    std::vector<Key> all_;
};

TEST_F(Merged, WalksForwardThroughEveryRowInOrder) {
    fill(9, 500);
    session_.set_ended(0, "");
    MergedCursor cursor = MergedIndex(session_).cursor(0);
    for (const Key& key : all_) {
        const auto place = cursor.next();
        ASSERT_TRUE(place.has_value());
        ASSERT_EQ(key_of(*place), key);
    }
    EXPECT_FALSE(cursor.next().has_value());
}

TEST_F(Merged, StepsBothWaysFromAnyRow) {
    fill(7, 300);
    session_.set_ended(0, "");
    const MergedIndex index(session_);
    ASSERT_EQ(index.rows(), all_.size());
    std::mt19937_64 random(1);
    for (int round = 0; round < 50; ++round) {
        std::uint64_t row = random() % (all_.size() + 1);
        MergedCursor cursor = index.cursor(row);
        for (int step = 0; step < 40; ++step) {
            ASSERT_EQ(cursor.row(), row);
            if (random() % 2 == 0) {
                const auto place = cursor.next();
                ASSERT_EQ(place.has_value(), row < all_.size());
                if (place) {
                    ASSERT_EQ(key_of(*place), all_[row++]);
                }
            } else {
                const auto place = cursor.previous();
                ASSERT_EQ(place.has_value(), row > 0);
                if (place) {
                    ASSERT_EQ(key_of(*place), all_[--row]);
                }
            }
        }
    }
}

TEST_F(Merged, RowNumbersAndPlacesAnswerEachOther) {
    fill(12, 400);
    session_.set_ended(0, "");
    const MergedIndex index(session_);
    for (std::uint64_t row = 0; row < all_.size(); row += 3) {
        const auto place = index.place(row);
        ASSERT_TRUE(place.has_value());
        ASSERT_EQ(key_of(*place), all_[row]);
        ASSERT_EQ(index.row_of(*place->lane, place->index), row);
    }
    EXPECT_FALSE(index.place(all_.size()).has_value());
}

TEST_F(Merged, FindsTheRowOfATick) {
    fill(5, 300);
    session_.set_ended(0, "");
    const MergedIndex index(session_);
    for (std::uint64_t tick = 0; tick < all_.back().tick + 5; tick += 7) {
        const auto at = std::lower_bound(all_.begin(), all_.end(), Key{tick, 0, 0});
        ASSERT_EQ(index.row_at(tick), static_cast<std::uint64_t>(at - all_.begin()));
    }
}

TEST_F(Merged, OnlyRowsUpToTheWatermarkAreThereWhileLive) {
    fill(5, 300);
    const std::uint64_t middle = all_[all_.size() / 2].tick;
    session_.set_watermark(middle);
    MergedIndex index(session_);
    const auto final_rows =
        static_cast<std::uint64_t>(std::upper_bound(all_.begin(), all_.end(), Key{middle, ~0u, kNever}) - all_.begin());
    EXPECT_EQ(index.rows(), final_rows);
    EXPECT_TRUE(index.place(final_rows - 1).has_value());
    EXPECT_FALSE(index.place(final_rows).has_value());
    MergedCursor cursor = index.cursor(final_rows);
    EXPECT_FALSE(cursor.next().has_value());
    cursor.extend(kNever);
    EXPECT_EQ(key_of(*cursor.next()), all_[final_rows]);
}

TEST_F(Merged, SomeChannelsMakeATableOfTheirOwn) {
    fill(6, 200);
    session_.set_ended(0, "");
    const MergedIndex index(session_, {ChannelId{5}, ChannelId{2}});
    std::erase_if(all_, [](const Key& key) { return key.channel != 2 && key.channel != 5; });
    ASSERT_EQ(index.rows(), all_.size());
    for (std::uint64_t row = 0; row < all_.size(); ++row) ASSERT_EQ(key_of(*index.place(row)), all_[row]);
}

TEST_F(Merged, GrowsWithTheWatermarkAndKeepsItsNumbers) {
    fill(4, 300);
    MergedIndex index(session_);
    std::uint64_t rows = 0;
    for (std::uint64_t mark = 0; mark <= all_.back().tick; mark += 500) {
        session_.set_watermark(mark);
        index.refresh();
        ASSERT_GE(index.rows(), rows);
        rows = index.rows();
        if (rows > 0) {
            ASSERT_EQ(key_of(*index.place(rows - 1)), all_[rows - 1]);
        }
    }
}

// Only lanes that changed are looked at: what is found is what one finds who begins anew.
TEST_F(Merged, WhatIsCountedAsLanesGrowIsWhatIsThere) {
    std::mt19937_64 random(3);
    std::vector<std::uint64_t> ticks(300);
    for (std::uint32_t id = 0; id < ticks.size(); ++id) session_.add_channel({ChannelId{id}, {}, "lane", "", false});
    MergedIndex index(session_);
    std::uint64_t mark = 0;
    for (int round = 0; round < 60; ++round) {
        for (int i = 0; i < 20; ++i) {
            const std::size_t at = random() % ticks.size();
            ticks[at] = std::max(ticks[at], mark + 1);
            session_.lanes()[at]->append(random_batch(random, 1 + random() % 9, ticks[at]));
        }
        if (round == 30) {
            session_.add_channel({ChannelId{5000}, {}, "late", "", false});
            ticks.push_back(0);
        }
        if (round % 3 == 0) session_.set_watermark(mark += 20);
        index.refresh();
        const MergedIndex anew(session_);
        ASSERT_EQ(index.rows(), anew.rows());
        if (index.rows() == 0) continue;
        const std::uint64_t first = index.rows() - std::min<std::uint64_t>(index.rows(), 1 + random() % 400);
        const std::uint64_t count = 1 + random() % 100;
        MergedCursor walk = anew.cursor(first);
        for (const RowRef& row : index.rows_from(first, count)) ASSERT_EQ(key_of(row), key_of(*walk.next()));
    }
    session_.set_ended(0, "");
    index.refresh();
    EXPECT_EQ(index.rows(), MergedIndex(session_).rows());
    session_.reopen();
    index.refresh();
    EXPECT_EQ(index.rows(), MergedIndex(session_).rows());
}

TEST_F(Merged, TheNewestRowsAreFoundAsAllOthersAre) {
    fill(30, 60);
    session_.set_ended(0, "");
    const MergedIndex index(session_);
    for (std::uint64_t first = all_.size() - 300; first < all_.size(); first += 7) {
        const auto rows = index.rows_from(first, 10);
        ASSERT_EQ(rows.size(), std::min<std::uint64_t>(10, all_.size() - first));
        for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(key_of(rows[i]), all_[first + i]);
        ASSERT_TRUE(index.is_here(first, 10));
    }
    EXPECT_TRUE(index.rows_from(all_.size(), 10).empty());
}

TEST_F(Merged, ManyLanesThatEndAtOneTickStandInTheirOrder) {
    for (std::uint32_t id = 0; id < 100; ++id) {
        wire::EventBatch batch;
        for (int i = 0; i < 5; ++i) batch.add(7, SLA_CODE_TICK, 0, 1);
        session_.add_channel({ChannelId{id}, {}, "lane", "", false}).append(batch);
    }
    session_.set_ended(0, "");
    const MergedIndex index(session_);
    const auto rows = index.rows_from(493, 7);
    ASSERT_EQ(rows.size(), 7u);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].lane->channel().id.value, i < 2 ? 98u : 99u);
        EXPECT_EQ(rows[i].index, (i + 3) % 5);
    }
}

TEST_F(Merged, ThatNumbersChangedIsSeenWhenARowComesWhereNoneCouldComeAnyMore) {
    const auto add = [](Lane& lane, std::uint64_t tick) {
        wire::EventBatch batch;
        batch.add(tick, SLA_CODE_TICK, 0, 1);
        lane.append(batch);
    };
    Lane& prompt = session_.add_channel({ChannelId{1}, {}, "prompt", "", false});
    Lane& late = session_.add_channel({ChannelId{2}, {}, "late", "", false});
    add(prompt, 10);
    session_.set_watermark(10);
    MergedIndex index(session_);
    const std::uint64_t before = index.order_revision();
    add(prompt, 20);
    add(late, 20);
    session_.set_watermark(20);
    index.refresh();
    EXPECT_EQ(index.order_revision(), before);
    add(late, 20);
    index.refresh();
    EXPECT_NE(index.order_revision(), before);
    EXPECT_EQ(index.rows(), 4u);
}

TEST_F(Merged, AnEmptySessionHasNoRows) {
    session_.set_ended(0, "");
    MergedIndex index(session_);
    EXPECT_EQ(index.rows(), 0u);
    EXPECT_FALSE(index.place(0).has_value());
    EXPECT_FALSE(index.cursor(0).next().has_value());
    EXPECT_FALSE(index.cursor(0).previous().has_value());
}

}  // namespace
}  // namespace sla::store
