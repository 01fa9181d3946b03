// Lists of thousands of lanes are made a part at a time, and come out as those that are made at once.
#include "tests/support/capture_builder.h"
#include "viewer/timeline/lanes/lane_tree.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sla::timeline {
namespace {

class ManySources : public ::testing::Test {
protected:
    static constexpr std::size_t kSources = 60;
    static constexpr std::size_t kLanesOfOne = 50;

    ManySources() {
        static_assert(kSources * kLanesOfOne >= LaneTree::kManyLanes);
        support::CaptureBuilder capture;
        for (std::uint32_t source = 0; source < kSources; ++source) {
            const auto id = capture.source("worker", support::BuilderSource::kProgram, 100 + source / 2);
            for (std::size_t i = 0; i < kLanesOfOne; ++i) {
                const auto lane = capture.channel("part" + std::to_string(i % 7) + ".lane" + std::to_string(i), id);
                capture.tick(lane, 1000 + source + i, 1);
            }
        }
        capture.fill(session_);
        tree_.refresh(session_);
    }

    void add_channel() {
        const SourceId source = session_.lanes()[added_ * kLanesOfOne]->channel().source;
        session_.add_channel({ChannelId{1'000'000 + added_++}, source, "one.more", "", false});
    }
    // How often it had to be called.
    int refresh_until_all_are_listed() {
        constexpr int kMost = 10'000;
        int times = 0;
        for (; tree_.lanes().size() < session_.lanes().size() && times < kMost; ++times) {
            tree_.refresh(session_);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return times;
    }
    void expect_as_made_at_once() {
        LaneTree at_once;
        at_once.arrangement = tree_.arrangement;
        at_once.refresh(session_);
        ASSERT_EQ(tree_.rows().size(), at_once.rows().size());
        for (std::size_t i = 0; i < tree_.rows().size(); ++i) {
            const TreeRow& row = tree_.rows()[i];
            const TreeRow& wanted = at_once.rows()[i];
            ASSERT_EQ(row.key, wanted.key);
            ASSERT_EQ(row.name, wanted.name);
            ASSERT_EQ(row.lane, wanted.lane);
            ASSERT_EQ(row.y, wanted.y);
            ASSERT_EQ(row.children, wanted.children);
            ASSERT_EQ(tree_.row_of(row.lane), row.lane == nullptr ? nullptr : &row);
        }
        EXPECT_EQ(tree_.lanes(), at_once.lanes());
        for (const store::Lane* lane : tree_.lanes()) ASSERT_EQ(tree_.lane_of(tree_.key_of(*lane)), lane);
    }

    store::Session session_;
    LaneTree tree_;
    std::uint32_t added_ = 0;
};

TEST_F(ManySources, OneLaneMoreIsListedAfterAWhileWhereItBelongs) {
    add_channel();
    tree_.refresh(session_);
    EXPECT_EQ(tree_.lanes().size(), kSources * kLanesOfOne) << "not in the same frame";
    EXPECT_GT(refresh_until_all_are_listed(), 1);
    expect_as_made_at_once();
    add_channel();
    refresh_until_all_are_listed();
    expect_as_made_at_once();
}

TEST_F(ManySources, WhatAPersonFoldsMeanwhileIsFoldedAtOnce) {
    add_channel();
    tree_.refresh(session_);
    const std::string key = tree_.rows()[0].key;
    const std::size_t rows = tree_.rows().size();
    tree_.toggle(key);
    tree_.refresh(session_);
    EXPECT_LT(tree_.rows().size(), rows);
    EXPECT_TRUE(tree_.rows()[0].folded);
    refresh_until_all_are_listed();
    EXPECT_TRUE(tree_.rows()[0].folded);
    expect_as_made_at_once();
}

TEST_F(ManySources, WhatAPersonWantsOtherwiseIsThereAtOnceWithAllThatCame) {
    add_channel();
    tree_.refresh(session_);
    LaneStyle style;
    style.pinned = true;
    tree_.set_style(*session_.lanes()[7], style);
    tree_.refresh(session_);
    EXPECT_EQ(tree_.lanes().size(), session_.lanes().size());
    EXPECT_EQ(tree_.rows()[0].lane, session_.lanes()[7]);
    expect_as_made_at_once();
}

TEST_F(ManySources, AnotherSessionIsShownAtOnceWhateverIsBeingMade) {
    add_channel();
    tree_.refresh(session_);
    store::Session other;
    support::CaptureBuilder few;
    few.channel("few");
    few.fill(other);
    tree_.refresh(other);
    ASSERT_EQ(tree_.lanes().size(), 1u);
    EXPECT_EQ(tree_.lane_of("worker:part0.lane0"), nullptr);
    for (int i = 0; i < 20; ++i) tree_.refresh(other);  // what was there before goes
    EXPECT_EQ(tree_.rows()[0].lane, other.lanes()[0]);
}

TEST_F(ManySources, ALaneThatGrowsIsAsHighAsItMustBe) {
    store::Lane* lane = session_.lanes()[1234];
    wire::EventBatch batch;
    batch.channel = lane->channel().id;
    batch.first_index = lane->size();
    batch.add(1'000'000, SLA_CODE_VALUE_SIGNED, 5, 1);
    lane->append(batch);
    session_.touch();
    const float height = tree_.height();
    for (int i = 0; i < 2000 && tree_.height() == height; ++i) {
        tree_.refresh(session_);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_GT(tree_.height(), height);
    expect_as_made_at_once();
}

// One program with thousands of channels, listed in steps of any size.
class HugeSource : public ::testing::Test {
protected:
    static constexpr int kLanes = 3000;

    HugeSource() {
        support::CaptureBuilder capture;
        const auto id = capture.source("worker", support::BuilderSource::kProgram, 7);
        for (int i = kLanes; i > 0; --i)
            capture.channel(i % 3 == 0 ? "alone" + std::to_string(i) : names_[i % 5] + std::to_string(i), id);
        capture.fill(session_);
        arrangement_.set_style("worker:alone3", mine());
    }
    static LaneStyle mine() {
        LaneStyle style;
        style.group = "mine";
        return style;
    }
    struct Made {
        std::unique_ptr<LaneList> list;
        std::vector<std::string> keys;  // in order
        std::vector<std::size_t> hues;
        int steps = 0;
    };
    Made made_by(std::size_t lanes) {
        Made out;
        LaneHues hues;
        LaneListMaker maker(session_, arrangement_, beside_, false, hues);
        for (; !maker.is_complete(); ++out.steps) maker.step(lanes);
        out.list = maker.take();
        for (const store::Lane* lane : out.list->lanes) {
            out.keys.push_back(*out.list->names.find(*lane)->key);
            out.hues.push_back(hues.of(*lane));
        }
        return out;
    }

    const std::vector<std::string> names_{"net.rx.", "net.tx.", "disk.", "disk.write.", "gpu.a.b.c."};
    const std::vector<const store::Lane*> beside_;
    store::Session session_;
    LaneArrangement arrangement_;
};

TEST_F(HugeSource, IsListedTheSameInStepsOfAnySize) {
    const Made at_once = made_by(1'000'000);
    ASSERT_EQ(at_once.keys.size(), static_cast<std::size_t>(kLanes));
    EXPECT_EQ(at_once.keys.front(), "worker:alone3") << "groups of one's own stand first";
    EXPECT_EQ(at_once.keys[1], "worker:alone6");
    EXPECT_EQ(at_once.keys[2], "worker:alone9") << "by number, as people count";
    EXPECT_EQ(at_once.keys.back(), "worker:net.tx.2996");
    for (const std::size_t lanes : {1U, 7U, 64U, 3001U}) {
        const Made parts = made_by(lanes);
        EXPECT_EQ(parts.keys, at_once.keys) << lanes;
        EXPECT_EQ(parts.hues, at_once.hues) << lanes;
        EXPECT_EQ(parts.list->root.children.size(), at_once.list->root.children.size());
    }
}

TEST_F(HugeSource, IsListedInParts) {
    EXPECT_GT(made_by(64).steps, 2 * kLanes / 64);
}

}  // namespace
}  // namespace sla::timeline
