// Losses of a number that nobody knows are losses: the window says so wherever it says how many were lost.
#include "tests/unit/viewer/ui/panels_fixture.h"
#include "viewer/ui/dialogs/error_bar.h"

#include <string>

namespace sla::ui {
namespace {

class UncountedLosses : public Panels {
protected:
    void open_with(std::uint64_t counted, bool uncounted) {
        open([&](support::CaptureBuilder& capture) {
            const auto a = capture.channel("a");
            const auto b = capture.channel("b");
            capture.tick(a, 2'000'000);
            if (counted > 0) capture.gap(b, 2'200'000, counted, wire::LossCause::kOverrun, 2'201'000);
            if (uncounted) capture.gap(a, 2'300'000, 0, wire::LossCause::kNoAgent, 2'400'000);
            capture.tick(a, 3'000'000);
            capture.tick(b, 3'000'000);
        });
    }
    // Small letters have no pixel of the whole colour.
    bool has_loss_in(const Rect& place) {
        const Pixels pixels = screen_->pixels();
        for (int y = static_cast<int>(place.y); y < static_cast<int>(place.bottom()); ++y) {
            for (int x = static_cast<int>(place.x); x < static_cast<int>(place.right()); ++x) {
                const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(colour_at(pixels, x, y));
                if (colour.x > 0.5F && colour.y < colour.x / 2 && colour.z < colour.x / 2) return true;
            }
        }
        return false;
    }
};

TEST_F(UncountedLosses, AloneAreSaidInBarsAndLists) {
    open_with(0, true);
    EXPECT_GT(app().layout().error_bar.height, 0.0F);
    EXPECT_GT(item("lost").width, 0.0F);
    EXPECT_TRUE(has_loss_in(app().layout().names)) << "a dot beside the lane's number";
    EXPECT_TRUE(has_loss_in(app().layout().inspector)) << "the list of channels";
    EXPECT_TRUE(has_loss_in(app().layout().status));
    EXPECT_EQ(app().source().session().changes().totals().lossy_lanes, 1u);
    EXPECT_EQ(std::string(LossAdvice().on(app().source().session())), "The list says why.");
    keep("uncounted");
    act("dismiss");
    EXPECT_EQ(app().layout().error_bar.height, 0.0F) << "it was read";
}

TEST_F(UncountedLosses, BesideCountedOnesAreSaidToo) {
    open_with(12, true);
    EXPECT_GT(app().layout().error_bar.height, 0.0F);
    EXPECT_EQ(app().source().session().changes().totals().lossy_lanes, 2u);
    keep("uncounted-and-counted");
    app().document().losses_seen = 12;
    frames(2);
    EXPECT_GT(app().layout().error_bar.height, 0.0F) << "of the others nobody was told";
    act("dismiss-all");
    EXPECT_EQ(app().layout().error_bar.height, 0.0F);
}

TEST_F(UncountedLosses, WhereThereAreNoneNothingIsSaid) {
    open_with(0, false);
    EXPECT_EQ(app().layout().error_bar.height, 0.0F);
    EXPECT_FALSE(has_loss_in(app().layout().names));
    EXPECT_FALSE(has_loss_in(app().layout().inspector));
    EXPECT_FALSE(has_loss_in(app().layout().status));
}

TEST_F(UncountedLosses, WhatWasLeftOutOnPurposeIsNoLossInTheListOfGaps) {
    const auto open_gap = [&](wire::LossCause cause) {
        open([cause](support::CaptureBuilder& capture) {
            const auto a = capture.channel("a");
            capture.tick(a, 2'000'000);
            capture.gap(a, 2'300'000, 0, cause, 2'400'000);
        });
        act("gaps");
    };
    open_gap(wire::LossCause::kLeftOut);
    EXPECT_FALSE(has_loss_in(app().layout().table));
    keep("left-out");
    open_gap(wire::LossCause::kDamaged);
    EXPECT_TRUE(has_loss_in(app().layout().table));
    keep("unknown");
}

}  // namespace
}  // namespace sla::ui
