// Names come out of programs and files: any text is one.
#include "tests/support/capture_builder.h"
#include "viewer/timeline/lanes/lane_tree.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace sla::timeline {
namespace {

TEST(OddLaneNames, MayEndInADotOrBeNone) {
    for (const auto& [first, second] :
         {std::pair("a.", "a.b"), std::pair("a.", "a."), std::pair("", ""), std::pair(".", "..")}) {
        support::CaptureBuilder capture;
        capture.channel(first);
        capture.channel(second);
        store::Session session;
        capture.fill(session);
        LaneTree tree;
        tree.refresh(session);
        EXPECT_EQ(tree.lanes().size(), 2u) << first << " " << second;
    }
}

TEST(OddLaneNames, OfAHundredThousandPartsAreRowsToo) {
    std::string name;
    for (int i = 0; i < 100'000; ++i) name += "a.";
    support::CaptureBuilder capture;
    capture.channel(name + "x");
    capture.channel(name + "y");
    store::Session session;
    capture.fill(session);
    LaneTree tree;
    tree.refresh(session);
    ASSERT_EQ(tree.lanes().size(), 2u);
    EXPECT_EQ(tree.rows().back().name.back(), 'y');
    EXPECT_LE(tree.rows().back().depth, 64);
}

}  // namespace
}  // namespace sla::timeline
