#include "viewer/timeline/lanes/lane_tree.h"

#include "tests/support/capture_builder.h"
#include "viewer/timeline/lanes/natural_order.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace sla::timeline {
namespace {

std::vector<std::string> names(const LaneTree& tree) {
    std::vector<std::string> out;
    for (const TreeRow& row : tree.rows()) out.push_back(std::string(static_cast<std::size_t>(row.depth), '>') + row.name);
    return out;
}

TEST(LaneTree, GroupsChannelsThatShareTheFirstPartOfTheirNames) {
    support::CaptureBuilder capture;
    for (const char* name : {"net.rx", "irq.10", "irq.2", "idle", "net.tx", "solo.one"}) capture.channel(name);
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    tree.refresh(session);
    EXPECT_EQ(names(tree), (std::vector<std::string>{"idle", "irq", ">2", ">10", "net", ">rx", ">tx", "solo.one"}));
    EXPECT_EQ(tree.rows()[1].children, 2u);
    EXPECT_EQ(tree.rows()[2].hue % kHues, tree.rows()[3].hue % kHues);
    EXPECT_NE(tree.rows()[2].hue, tree.rows()[3].hue) << "another shade of it";
    EXPECT_NE(tree.rows()[3].hue % kHues, tree.rows()[5].hue % kHues);
}

TEST(LaneTree, ALaneNamedAsAGroupStandsFirstInIt) {
    support::CaptureBuilder capture;
    for (const char* name :
         {"irq.0.isr", "irq.0", "irq.0.ack", "irq", "irq.1", "queue.in", "queue.in.full", "read", "read."})
        capture.channel(name);
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    tree.refresh(session);
    EXPECT_EQ(names(tree), (std::vector<std::string>{"irq", ">irq", ">0", ">>irq.0", ">>ack", ">>isr", ">1", "queue", ">in",
                                                     ">in.full", "read", "read."}))
        << "one lane behind another makes no group of it";
    EXPECT_EQ(tree.rows()[0].children, 5u);
    EXPECT_EQ(tree.rows()[2].children, 3u);
    EXPECT_EQ(tree.rows()[3].lane, session.lane_named("irq.0"));
    tree.toggle(tree.rows()[2].key);
    tree.refresh(session);
    EXPECT_EQ(names(tree),
              (std::vector<std::string>{"irq", ">irq", ">0", ">1", "queue", ">in", ">in.full", "read", "read."}));
    EXPECT_EQ(*tree.folded_under(session.lane_named("irq.0")), tree.rows()[2].key);
}

TEST(LaneTree, AGroupOfALaneAndWhatIsBelowItHasOneHead) {
    support::CaptureBuilder capture;
    for (const char* name : {"irq.0.isr", "irq.0", "irq.0.ack", "x"}) capture.channel(name);
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    tree.refresh(session);
    EXPECT_EQ(names(tree), (std::vector<std::string>{"irq.0", ">irq.0", ">ack", ">isr", "x"}));
}

TEST(LaneTree, NoTwoLanesOfAGroupHaveOneName) {
    support::CaptureBuilder capture;
    for (const char* name : {"irq.0", "irq.0.0", "irq.0.0.ack", "irq", "irq.1", "a", "a.a", "a.b"}) capture.channel(name);
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    tree.refresh(session);
    EXPECT_EQ(names(tree),
              (std::vector<std::string>{"a", ">a", ">a.a", ">b", "irq", ">irq", ">0", ">>irq.0", ">>0", ">>0.ack", ">1"}));
}

TEST(LaneTree, LanesOfOneGroupAloneDifferInHue) {
    support::CaptureBuilder capture;
    for (const char* name : {"app.net.rx", "app.net.tx", "app.disk.read", "app.tick"}) capture.channel(name);
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    tree.refresh(session);
    const auto hue = [&](const char* name) { return tree.hue_of(*session.lane_named(name)); };
    EXPECT_EQ(hue("app.net.rx") % kHues, hue("app.net.tx") % kHues);
    EXPECT_NE(hue("app.net.rx"), hue("app.net.tx"));
    EXPECT_NE(hue("app.net.rx"), hue("app.disk.read"));
    EXPECT_NE(hue("app.disk.read"), hue("app.tick"));
}

TEST(LaneTree, ALaneThatComesLaterRecoloursNoOther) {
    support::CaptureBuilder capture;
    capture.channel("net.rx");
    capture.channel("zero");
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    tree.refresh(session);
    const auto hue = [&](const char* name) { return tree.hue_of(*session.lane_named(name)); };
    const std::size_t rx = hue("net.rx");
    const std::size_t zero = hue("zero");
    const store::Channel& known = session.lane_named("zero")->channel();
    for (const char* name : {"alpha", "net.tx"})
        session.add_channel(
            {ChannelId{static_cast<std::uint32_t>(session.lanes().size() + 10)}, known.source, name, "", false});
    tree.refresh(session);
    EXPECT_EQ(hue("net.rx"), rx);
    EXPECT_EQ(hue("net.tx") % kHues, rx % kHues);
    EXPECT_EQ(hue("zero"), zero);
    EXPECT_NE(hue("alpha"), rx);
    EXPECT_NE(hue("alpha"), zero);
}

TEST(LaneTree, NamesSourcesOnlyWhenThereAreSeveral) {
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

TEST(LaneTree, LanesThatAreNotTheSessionsStandBehindItsOwnAndGoAgain) {
    support::CaptureBuilder capture;
    for (const char* name : {"idle", "net.rx"}) capture.channel(name);
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    const store::Lane answer({ChannelId{900}, {}, "slow ones", "", false});
    const store::Lane other({ChannelId{901}, {}, "net.rx", "", false});
    tree.set_derived({&answer, &other});
    tree.refresh(session);
    EXPECT_EQ(names(tree), (std::vector<std::string>{"idle", "net.rx", "questions", ">slow ones", ">net.rx"}));
    EXPECT_EQ(tree.key_of(answer), "?:slow ones");
    EXPECT_EQ(tree.lane_of("?:net.rx"), &other);
    EXPECT_TRUE(tree.is_derived(other));
    EXPECT_FALSE(tree.is_derived(*session.lane_named("net.rx")));
    EXPECT_NE(tree.hue_of(answer), tree.hue_of(other));
    LaneStyle style;
    style.group = "mine";
    tree.set_style(answer, style);
    style.group.clear();
    style.pinned = true;
    tree.set_style(other, style);
    tree.refresh(session);
    EXPECT_EQ(names(tree), (std::vector<std::string>{"net.rx", "mine", ">slow ones", "idle", "net.rx"}));
    tree.set_derived({});
    tree.refresh(session);
    EXPECT_EQ(names(tree), (std::vector<std::string>{"idle", "net.rx"}));
    EXPECT_EQ(tree.lane_of("?:net.rx"), nullptr);
}

TEST(LaneTree, FoldsAndUnfolds) {
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

TEST(LaneTree, FindsTheRowAtAHeight) {
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

TEST(LaneTree, TakesUpChannelsThatComeLater) {
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

class Arranged : public ::testing::Test {
protected:
    Arranged() {
        for (const char* name : {"net.tcp.rx", "net.tcp.tx", "net.udp", "idle", "disk"}) capture_.channel(name);
        capture_.fill(session_);
        tree_.refresh(session_);
    }
    const store::Lane& lane(const char* name) { return *session_.lane_named(name); }
    const TreeRow& row(const std::string& name) {
        for (const TreeRow& row : tree_.rows()) {
            if (row.name == name) return row;
        }
        ADD_FAILURE() << "no row " << name;
        return tree_.rows().front();
    }
    template <typename Change>
    void change(const char* name, Change change) {
        LaneStyle style = tree_.style_of(lane(name));
        change(style);
        tree_.set_style(lane(name), style);
        tree_.refresh(session_);
    }
    support::CaptureBuilder capture_;
    store::Session session_;
    LaneTree tree_;
};

TEST_F(Arranged, GroupsNestAsTheDotsSay) {
    EXPECT_EQ(names(tree_), (std::vector<std::string>{"disk", "idle", "net", ">tcp", ">>rx", ">>tx", ">udp"}));
    tree_.toggle(row("net").key);
    tree_.refresh(session_);
    EXPECT_EQ(names(tree_), (std::vector<std::string>{"disk", "idle", "net"}));
}

// Rows are made of lanes that know their places: the same as from the beginning.
TEST_F(Arranged, WhatIsFoldedAgainAndAgainStandsAsInATreeThatIsMadeAnew) {
    change("idle", [](LaneStyle& style) { style.pinned = true; });
    change("net.tcp.tx", [](LaneStyle& style) { style.hidden = true; });
    change("net.udp", [](LaneStyle& style) { style.pinned = true; });
    const std::vector<std::string> heads{row("net").key, row("tcp").key};
    for (int round = 0; round < 16; ++round) {
        tree_.toggle(heads[round % 3 == 0 ? 0 : 1]);
        if (round % 5 == 0) tree_.arrangement.show_hidden = !tree_.arrangement.show_hidden;
        const std::uint64_t before = tree_.revision();
        tree_.refresh(session_);
        EXPECT_GT(tree_.revision(), before);
        LaneTree anew;
        anew.arrangement = tree_.arrangement;
        anew.refresh(session_);
        ASSERT_EQ(names(tree_), names(anew));
        EXPECT_EQ(tree_.height(), anew.height());
        EXPECT_EQ(tree_.pinned_height(), anew.pinned_height());
        EXPECT_EQ(tree_.lanes(), anew.lanes());
        for (std::size_t i = 0; i < tree_.rows().size(); ++i) {
            EXPECT_EQ(tree_.rows()[i].y, anew.rows()[i].y);
            EXPECT_EQ(tree_.rows()[i].key, anew.rows()[i].key);
            EXPECT_EQ(tree_.rows()[i].parent, anew.rows()[i].parent);
            EXPECT_EQ(tree_.rows()[i].hue, anew.rows()[i].hue);
        }
        for (const store::Lane* lane : session_.lanes()) {
            EXPECT_EQ(tree_.row_of(lane) == nullptr, anew.row_of(lane) == nullptr);
            EXPECT_EQ(tree_.row_of(lane) == nullptr ? nullptr : tree_.row_of(lane)->lane,
                      anew.row_of(lane) == nullptr ? nullptr : lane);
            EXPECT_EQ(tree_.folded_under(lane) == nullptr ? "" : *tree_.folded_under(lane),
                      anew.folded_under(lane) == nullptr ? "" : *anew.folded_under(lane));
        }
    }
}

TEST_F(Arranged, MoreRowsOfLanesThatHaveSomeMoveNothing) {
    const std::uint64_t before = tree_.revision();
    wire::EventBatch batch;
    batch.add(10'000, SLA_CODE_TICK, 0, 1);
    for (const char* name : {"idle", "disk"}) session_.lane(lane(name).channel().id)->append(batch);
    tree_.refresh(session_);
    EXPECT_EQ(tree_.revision(), before);
    wire::EventBatch values;
    values.add(10'001, SLA_CODE_VALUE_SIGNED, 5, 1);
    session_.lane(lane("disk").channel().id)->append(values);
    tree_.refresh(session_);
    EXPECT_EQ(row("disk").height, LaneTree::kValueHeight);
}

TEST_F(Arranged, LanesAndGroupsMoveAmongTheirLike) {
    tree_.move(row("net"), row("disk").key);
    tree_.refresh(session_);
    tree_.move(row("tx"), row("rx").key);
    tree_.refresh(session_);
    EXPECT_EQ(names(tree_), (std::vector<std::string>{"net", ">tcp", ">>tx", ">>rx", ">udp", "disk", "idle"}));
    tree_.move(row("net"), "");
    tree_.refresh(session_);
    EXPECT_EQ(names(tree_).front(), "disk");
    EXPECT_EQ(tree_.rows().back().name, "udp");
}

TEST_F(Arranged, WhatIsHiddenOrNotThereKeepsItsPlaceWhenOthersMove) {
    tree_.arrangement.order[""] = {row("idle").key, "a source that does not run today", row("disk").key, row("net").key};
    change("disk", [](LaneStyle& style) { style.hidden = true; });
    tree_.refresh(session_);
    tree_.move(row("idle"), "");
    change("disk", [](LaneStyle& style) { style.hidden = false; });
    tree_.refresh(session_);
    EXPECT_EQ(names(tree_).front(), "disk");
    EXPECT_EQ(tree_.arrangement.order[""].front(), "a source that does not run today");
}

TEST_F(Arranged, HiddenLanesTakeTheirEmptyHeadsWithThem) {
    change("net.tcp.rx", [](LaneStyle& style) { style.hidden = true; });
    change("net.tcp.tx", [](LaneStyle& style) { style.hidden = true; });
    EXPECT_EQ(names(tree_), (std::vector<std::string>{"disk", "idle", "net", ">udp"}));
    EXPECT_EQ(tree_.hidden(), 2u);
    EXPECT_EQ(tree_.row_of(&lane("net.tcp.rx")), nullptr);
    tree_.arrangement.show_hidden = true;
    tree_.refresh(session_);
    EXPECT_TRUE(row("rx").hidden);
}

TEST_F(Arranged, PinnedLanesStandOnTopWithTheirWholeNames) {
    change("net.tcp.tx", [](LaneStyle& style) { style.pinned = true; });
    EXPECT_EQ(tree_.rows().front().name, "net.tcp.tx");
    EXPECT_TRUE(tree_.rows().front().pinned);
    EXPECT_EQ(tree_.pinned_height(), LaneTree::kLaneHeight);
    EXPECT_EQ(names(tree_).size(), 7u);
    EXPECT_EQ(tree_.rows()[1].y, tree_.pinned_height());
}

TEST_F(Arranged, EveryLaneIsListedOnceWhereverItStandsAndWhetherItIsSeen) {
    change("idle", [](LaneStyle& style) { style.pinned = true; });
    change("disk", [](LaneStyle& style) { style.hidden = true; });
    tree_.toggle(row("tcp").key);
    tree_.refresh(session_);
    std::vector<std::string> listed;
    for (const store::Lane* lane : tree_.lanes()) listed.push_back(lane->channel().name);
    EXPECT_EQ(listed, (std::vector<std::string>{"idle", "disk", "net.tcp.rx", "net.tcp.tx", "net.udp"}));
}

TEST_F(Arranged, TitlesColoursHeightsAndGroupsOfOnesOwnAreShown) {
    change("idle", [](LaneStyle& style) {
        style.title = "waiting";
        style.hue = 4;
        style.tall = true;
        style.group = "mine";
    });
    EXPECT_EQ(names(tree_).front(), "mine");
    EXPECT_EQ(names(tree_)[1], ">waiting");
    EXPECT_EQ(tree_.rows()[1].hue, 4u);
    EXPECT_EQ(tree_.rows()[1].height, 2 * LaneTree::kLaneHeight);
    change("idle", [](LaneStyle& style) { style = {}; });
    EXPECT_TRUE(tree_.arrangement.lanes.empty());
}

TEST_F(Arranged, AGroupOfOnesOwnRecoloursNothing) {
    std::map<std::string, std::size_t> before;
    for (const store::Lane* lane : session_.lanes()) before[lane->channel().name] = tree_.hue_of(*lane);
    change("idle", [](LaneStyle& style) { style.group = "mine"; });
    for (const store::Lane* lane : session_.lanes()) {
        EXPECT_EQ(tree_.hue_of(*lane), before[lane->channel().name]) << lane->channel().name;
    }
}

TEST_F(Arranged, KeysMeanTheSameLaneInAnotherRecording) {
    const std::string key = tree_.key_of(lane("net.udp"));
    support::CaptureBuilder other;
    for (const char* name : {"new", "net.udp"}) other.channel(name);
    store::Session session;
    other.fill(session);
    LaneTree tree;
    tree.refresh(session);
    EXPECT_EQ(tree.lane_of(key), session.lane_named("net.udp"));
    EXPECT_EQ(tree.lane_of("nobody"), nullptr);
}

TEST(LaneTree, TellsApartTwoProgramsOfOneName) {
    support::CaptureBuilder capture;
    const auto twin = capture.source("program", support::BuilderSource::kProgram, 99);
    capture.channel("a");
    capture.channel("a", twin);
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    tree.refresh(session);
    EXPECT_NE(tree.key_of(*session.lanes()[0]), tree.key_of(*session.lanes()[1]));
}

// Thousands of lanes that come one after the other are shown a little later; what a person asks for at once.
TEST(LaneTree, OfThousandsOfLanesOneMoreMayComeLaterAndAWishOfAPersonMayNot) {
    support::CaptureBuilder capture;
    for (std::size_t i = 0; i < LaneTree::kManyLanes; i++) capture.channel("many." + std::to_string(i));
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    tree.refresh(session);
    ASSERT_EQ(tree.lanes().size(), LaneTree::kManyLanes);
    const SourceId source = session.lanes().front()->channel().source;
    session.add_channel({ChannelId{1'000'000}, source, "one.more", "", false});
    for (int tries = 0; tries < 1000 && tree.lanes().size() == LaneTree::kManyLanes; tries++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        tree.refresh(session);
    }
    EXPECT_EQ(tree.lanes().size(), LaneTree::kManyLanes + 1);
    const std::uint64_t before = tree.revision();
    const store::Lane* lane = session.lanes().front();
    LaneStyle style = tree.style_of(*lane);
    style.hidden = true;
    tree.set_style(*lane, style);
    tree.refresh(session);
    EXPECT_EQ(tree.hidden(), 1u);
    EXPECT_GT(tree.revision(), before);
    // Of another session nothing of the first may be left, however soon it comes.
    store::Session other;
    support::CaptureBuilder few;
    few.channel("few");
    few.fill(other);
    tree.refresh(other);
    EXPECT_EQ(tree.lanes().size(), 1u);
}

TEST(LaneTree, ComparesNamesAsPeopleDo) {
    EXPECT_TRUE(natural_less("irq.2", "irq.10"));
    EXPECT_FALSE(natural_less("irq.10", "irq.2"));
    EXPECT_TRUE(natural_less("a", "ab"));
    EXPECT_FALSE(natural_less("a", "a"));
    EXPECT_TRUE(natural_less("x9y", "x10"));
    EXPECT_FALSE(natural_less("", ""));
}

}  // namespace
}  // namespace sla::timeline
