#include "viewer/capture_tools/capture_facts.h"
#include "tests/support/capture_builder.h"
#include "tests/support/with_directory.h"

#include <gtest/gtest.h>

namespace sla::capture_tools {
namespace {

class Facts : public support::WithDirectory {
protected:
    [[nodiscard]] CaptureFacts facts() const {
        const auto facts = facts_of(file("a.sla"));
        EXPECT_TRUE(facts.ok());
        return facts.ok() ? *facts : CaptureFacts();
    }
};

TEST_F(Facts, SayThatAnUnknownNumberWasLost) {
    support::CaptureBuilder capture;
    const auto rx = capture.channel("rx");
    capture.tick(rx, 2'000);
    capture.gap(rx, 2'500, 0, wire::LossCause::kNoAgent, 2'800);
    capture.write(file("a.sla"));
    EXPECT_EQ(facts().events, 1u);
    EXPECT_TRUE(facts().is_any_lost());
    EXPECT_EQ(facts().lost_text(), "an unknown number in 1 place");
}

TEST_F(Facts, CountLossesOfEitherKindButNotWhatIsNoLoss) {
    support::CaptureBuilder capture;
    const auto rx = capture.channel("rx");
    const auto tx = capture.channel("tx");
    capture.gap(rx, 1'000, 0, wire::LossCause::kNotKept, 1'500);
    capture.gap(rx, 2'000, 7, wire::LossCause::kOverrun, 2'500);
    capture.gap(rx, 3'000, 0, wire::LossCause::kNoAgent, 3'500);
    capture.gap(tx, 3'000, 0, wire::LossCause::kNoAgent, 3'500);
    capture.gap(tx, 4'000, 0, wire::LossCause::kLeftOut, 4'500);
    capture.write(file("a.sla"));
    EXPECT_EQ(facts().lost_text(), "7 and an unknown number in 2 places");
}

TEST_F(Facts, SayZeroWhereNothingWasLost) {
    support::CaptureBuilder capture;
    capture.tick(capture.channel("rx"), 2'000);
    capture.write(file("a.sla"));
    EXPECT_FALSE(facts().is_any_lost());
    EXPECT_EQ(facts().lost_text(), "0");
}

}  // namespace
}  // namespace sla::capture_tools
