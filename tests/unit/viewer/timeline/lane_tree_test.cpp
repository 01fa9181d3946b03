#include "viewer/timeline/lane_tree.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

namespace sla::timeline {
namespace {

std::vector<std::string> names(const LaneTree& tree) {
    std::vector<std::string> out;
    for (const TreeRow& row : tree.rows()) out.push_back(std::string(static_cast<std::size_t>(row.depth), '>') + row.name);
    return out;
}

TEST(LaneTree, groups_channels_that_share_the_first_part_of_their_names) {
    support::CaptureBuilder capture;
    for (const char* name : {"net.rx", "irq.10", "irq.2", "idle", "net.tx", "solo.one"}) capture.channel(name);
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    tree.refresh(session);
    EXPECT_EQ(names(tree), (std::vector<std::string>{"idle", "irq", ">2", ">10", "net", ">rx", ">tx", "solo.one"}));
    EXPECT_EQ(tree.rows()[1].children, 2u);
    EXPECT_EQ(tree.rows()[2].hue, tree.rows()[3].hue);
    EXPECT_NE(tree.rows()[3].hue, tree.rows()[5].hue);
}

TEST(LaneTree, names_sources_only_when_there_are_several) {
    support::CaptureBuilder capture;
    const auto pc = capture.source("PC", support::BuilderSource::kPc, 99);
    capture.channel("a");
    capture.channel("b", pc);
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    tree.refresh(session);
    ASSERT_EQ(tree.rows().size(), 4u);
    EXPECT_EQ(tree.rows()[2].name, "PC (99)");
    EXPECT_EQ(tree.rows()[2].kind, RowKind::kSource);
}

TEST(LaneTree, folds_and_unfolds) {
    support::CaptureBuilder capture;
    for (const char* name : {"net.rx", "net.tx", "z"}) capture.channel(name);
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    tree.refresh(session);
    const std::string key = tree.rows()[0].key;
    const float height = tree.height();
    tree.toggle(key);
    tree.refresh(session);
    EXPECT_EQ(names(tree), (std::vector<std::string>{"net", "z"}));
    EXPECT_EQ(tree.row_of(session.lane_named("net.rx")), nullptr);
    tree.toggle(key);
    tree.refresh(session);
    EXPECT_EQ(tree.height(), height);
}

TEST(LaneTree, finds_the_row_at_a_height) {
    support::CaptureBuilder capture;
    for (int i = 0; i < 100; ++i) capture.channel("c" + std::to_string(i));
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    tree.refresh(session);
    for (std::size_t i = 0; i < tree.rows().size(); ++i) {
        EXPECT_EQ(tree.row_at(tree.rows()[i].y), i);
        EXPECT_EQ(tree.row_at(tree.rows()[i].y + tree.rows()[i].height - 1), i);
    }
    EXPECT_EQ(tree.row_at(tree.height() + 1), tree.rows().size());
    EXPECT_EQ(tree.row_at(-5), tree.rows().size());
}

TEST(LaneTree, takes_up_channels_that_come_later) {
    support::CaptureBuilder capture;
    capture.channel("a");
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    tree.refresh(session);
    session.add_channel({ChannelId{77}, SourceId{1}, "b", "", false});
    tree.refresh(session);
    EXPECT_EQ(tree.rows().size(), 2u);
}

TEST(LaneTree, compares_names_as_people_do) {
    EXPECT_TRUE(natural_less("irq.2", "irq.10"));
    EXPECT_FALSE(natural_less("irq.10", "irq.2"));
    EXPECT_TRUE(natural_less("a", "ab"));
    EXPECT_FALSE(natural_less("a", "a"));
    EXPECT_TRUE(natural_less("x9y", "x10"));
    EXPECT_FALSE(natural_less("", ""));
}

}  // namespace
}  // namespace sla::timeline
