// Shots drawn over each other.
#include "tests/unit/viewer/ui/panels_fixture.h"
#include "viewer/ui/tables/shot_list.h"

namespace sla::ui {
namespace {

class OverlaidShots : public Panels {
protected:
    // Small values around the first shot, large ones around the second.
    OverlaidShots() {
        open([](support::CaptureBuilder& capture) {
            const auto channel = capture.channel("v");
            for (std::int64_t i = 0; i < 20; ++i) capture.value(channel, at(kFirst, i), i % 10);
            for (std::int64_t i = 0; i < 20; ++i) capture.value(channel, at(kSecond, i), i * 100);
        });
        store::Session& session = app().source().session();
        for (const std::uint64_t tick : {kFirst, kSecond})
            session.add_shot({"slow", tick / kSecond + 1, tick, tick - 5000, tick + 25'000, "value v > 5"});
        session.touch();
        frames(2);
    }
    static std::uint64_t at(std::uint64_t shot, std::int64_t i) { return shot + static_cast<std::uint64_t>(i) * 1000; }
    ValueExtent scale() { return app().panels().lanes[0].values_shown(lane("v")); }

    static constexpr std::uint64_t kFirst = 2'000'000;
    static constexpr std::uint64_t kSecond = 6'000'000;
};

TEST_F(OverlaidShots, ShareOneValueScaleWhicheverIsLookedAt) {
    type("v");
    frames(60);
    EXPECT_EQ(app().document().shot->number, 2u);  // none was looked at: the newest
    EXPECT_EQ(app().document().marks.annotations.zero, kSecond);
    EXPECT_EQ(scale().least, 0);
    EXPECT_EQ(scale().greatest, 1900);
    act("shots");
    click_item("shots 0");
    frames(60);
    ASSERT_EQ(app().document().shot->number, 1u);  // the oldest has the newer ones below it
    EXPECT_EQ(scale().greatest, 1900);
    keep("overlaid");
    type("v");
    frames(2);
    EXPECT_FALSE(app().document().overlay);
    EXPECT_EQ(scale().greatest, 9);
}

TEST_F(OverlaidShots, TheShotThatIsLookedAtStays) {
    act("shots");
    click_item("shots 0");
    type("v");
    frames(2);
    EXPECT_EQ(app().document().shot->number, 1u);
    app().source().session().add_shot({"slow", 9, kFirst - 1'000'000, kFirst - 1'005'000, kFirst - 975'000, "value v > 5"});
    frames(2);
    EXPECT_EQ(app().document().shown_shot(), 1u) << "an earlier one came late";
    EXPECT_EQ(app().document().marks.annotations.zero, kFirst);
}

}  // namespace
}  // namespace sla::ui
