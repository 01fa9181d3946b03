#include "viewer/analysis/selection.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

namespace sla::analysis {
namespace {

class SelectionTest : public ::testing::Test {
protected:
    SelectionTest() {
        support::CaptureBuilder capture(1000);
        for (const char* name : {"net.rx", "net.tx", "irq.0"}) capture.tick(capture.channel(name), 2000);
        capture.fill(session_);
    }
    store::Session session_;
};

TEST_F(SelectionTest, NoGlobMeansEveryLane) {
    EXPECT_EQ(select(session_, {})->lanes.size(), 3u);
}

TEST_F(SelectionTest, GlobsThatOverlapTakeALaneOnceInOrderOfItsId) {
    const auto selection = select(session_, {"irq.*", "net.*", "*.rx"});
    ASSERT_TRUE(selection.ok());
    ASSERT_EQ(selection->lanes.size(), 3u);
    EXPECT_EQ(selection->lanes[0]->channel().name, "net.rx");
    EXPECT_EQ(selection->lanes[2]->channel().name, "irq.0");
}

TEST_F(SelectionTest, AGlobThatMatchesNothingSaysWhatThereIs) {
    const auto selection = select(session_, {"net.*", "usb.*"});
    ASSERT_FALSE(selection.ok());
    EXPECT_EQ(selection.error().code, ErrorCode::kNotFound);
    EXPECT_NE(selection.error().message.find("usb.*"), std::string::npos);
    EXPECT_NE(selection.error().message.find("net.rx"), std::string::npos);
}

TEST_F(SelectionTest, TimesCountFromTheStartOfTheCapture) {
    const auto selection = select(session_, {}, {500'000, 2'000'000});
    EXPECT_EQ(selection->from, 1500u);
    EXPECT_EQ(selection->until, 3000u);
    EXPECT_TRUE(selection->holds(1500));
    EXPECT_FALSE(selection->holds(3000));
}

}  // namespace
}  // namespace sla::analysis
