// Pictures of the window beside those that were looked at and found good, in this folder. What a picture shows on purpose is
// renewed by
//
//   SLA_RENEW_PICTURES=1 build/dev/tests/unit_viewer_ui --gtest_filter='GoldenPictures.*'
//
// and looked at before it is committed. Of a picture that is apart, the new one and one with the places marked in red are
// left in the tests' temporary folder. The status bar, which says how long frames take, is not compared.
#include "tests/support/picture_difference.h"
#include "tests/unit/viewer/ui/panels_fixture.h"

#include <cstdlib>
#include <string>

namespace sla::ui {
namespace {

class GoldenPictures : public Panels {
protected:
    void compare(const std::string& name) {
        const Pixels now = without_status(screen_->pixels());
        const std::string golden = std::string(SLA_GOLDEN_PICTURES) + "/" + name + ".png";
        if (std::getenv("SLA_RENEW_PICTURES") != nullptr) {
            ASSERT_TRUE(write_png(now, golden).ok());
            return;
        }
        const Pixels good = support::read_png(golden);
        ASSERT_GT(good.width, 0) << golden << " cannot be read";
        const support::PictureDifference apart = support::difference(now, good);
        if (apart.is_tolerable()) return;
        const std::string left = testing::TempDir() + "sla-golden-" + name;
        EXPECT_TRUE(write_png(now, left + ".png").ok());
        EXPECT_TRUE(write_png(support::marked_difference(now, good), left + "-apart.png").ok());
        ADD_FAILURE() << apart.tiles_apart << " of " << apart.tiles << " tiles differ from " << golden << ", one by "
                      << apart.largest << " of 255; see " << left << ".png and " << left << "-apart.png";
    }
    void place_cursors(std::uint64_t first, std::uint64_t second) {
        const store::Lane& spans = lane("pipe.compress");
        app().document().marks.cursors.a = timeline::Cursor{spans.tick(first), true};
        app().document().marks.cursors.b = timeline::Cursor{spans.tick(second), true};
    }
    // Away from everything that answers to being hovered, until nothing changes by itself.
    void settle() {
        move(app().layout().status.right() - 1, app().layout().status.bottom() - 1);
        frames(60);
    }

private:
    Pixels without_status(Pixels pixels) {
        pixels.height = static_cast<int>(app().layout().status.y);
        pixels.rgba.resize(static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height) * 4);
        return pixels;
    }
};

TEST_F(GoldenPictures, APipelineAndAPcWithCursorsAndStatistics) {
    open_bench();
    app().document().marks.focus = &lane("pipe.compress");
    place_cursors(8, 120);
    settle();
    compare("bench-dark");
}

TEST_F(GoldenPictures, ThirtyMillisecondsInTheLightTheme) {
    open(support::add_bench_scene, ThemeName::kLight);
    app().document().marks.focus = &lane("irq.0.isr");
    screen_->show_range(std::int64_t{20'000'000'000}, std::int64_t{23'000'000'000});
    settle();
    compare("bench-light");
}

TEST_F(GoldenPictures, AFewLanesOnADenseDisplay) {
    open(support::add_few, ThemeName::kDark, 1600, 900, 2);
    settle();
    compare("few-dense");
}

TEST_F(GoldenPictures, TheFlameViewAndTheTriggerEditor) {
    open_bench();
    add_shots();
    app().document().panels.bottom_tab = BottomTab::kFlame;
    app().document().panels.inspector_tab = InspectorTab::kTrigger;
    screen_->show_range(std::int64_t{20'000'000'000}, std::int64_t{23'000'000'000});
    settle();
    compare("flame-and-trigger");
}

TEST_F(GoldenPictures, TheListOfShotsBelowTwoPanes) {
    open_bench();
    add_shots();
    act("two-panes");
    app().document().panels.bottom_tab = BottomTab::kShots;
    settle();
    compare("panes-and-shots");
}

TEST_F(GoldenPictures, StatisticsOfAllLanesBelowTwoSources) {
    open(support::add_few, ThemeName::kDark, 1400, 900);
    app().open(std::make_unique<StillSource>(support::add_bench_scene));
    frames(2);
    act("beside");
    act("all-statistics");
    settle();
    compare("two-sources-and-statistics");
}

TEST_F(GoldenPictures, NothingIsOpen) {
    open(no_source());
    settle();
    compare("nothing-open");
}

}  // namespace
}  // namespace sla::ui
