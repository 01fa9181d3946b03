#include "tests/unit/viewer/ui/window_fixture.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

namespace sla::ui {
namespace {

TEST_F(Window, ShowsLanesInTheirColoursInBothThemes) {
    for (const ThemeName name : {ThemeName::kDark, ThemeName::kLight}) {
        open(support::add_bench_scene, name);
        const Theme& theme = theme_of(name);
        const Pixels pixels = screen_->pixels();
        EXPECT_TRUE(has_colour(pixels, lanes(), theme.background));
        // The second hue is the log's, whose states have colours of their own.
        for (const std::size_t hue : {0, 2, 3}) EXPECT_TRUE(has_colour(pixels, lanes(), theme.lane(hue))) << hue;
        EXPECT_TRUE(has_colour(pixels, app().layout().toolbar, theme.panel));
    }
}

// As a tiling window manager makes it.
TEST_F(Window, IsDrawnHoweverSmallItIs) {
    for (const auto& [width, height] : {std::pair{1, 1}, std::pair{640, 1}, std::pair{1, 400}, std::pair{70, 90}}) {
        SCOPED_TRACE(testing::Message() << width << "x" << height);
        open(support::add_bench_scene, ThemeName::kDark, width, height, 2);
        for (const char* id : {"help", "help", "two-panes", "flame", "all-statistics", "markers", "sql", "counters",
                               "export", "palette", "settings", "open", "lane-menu"}) {
            app().run(id);
            frames(3);
            key(kKeyEscape);
        }
        move(0, 0);
        press(0);
        release(0);
        EXPECT_EQ(screen_->pixels().width, width);
    }
}

TEST_F(Window, TheWheelZoomsAtThePointer) {
    open(support::add_bench_scene);
    const float x = lanes().x + 300;
    const std::uint64_t tick = port().tick_at(300);
    const double before = port().ticks_per_pixel();
    move(x, lanes().y + 40);
    for (int i = 0; i < 12; ++i) wheel(1);
    EXPECT_LT(port().ticks_per_pixel(), before / 8);
    EXPECT_NEAR(static_cast<double>(x_of(tick)), static_cast<double>(x), 2.0);
}

TEST_F(Window, ShiftDragMeasuresBetweenEdges) {
    open(support::add_few);
    const store::Lane& rx = *app().source().session().lane_named("net.rx");
    app().view().show({rx.tick(4) - 20'000, rx.tick(9) + 20'000});
    frames(2);
    const float y = lanes().y + 24 + 28 + 14;  // the second lane below the group's head
    ImGui::GetIO().KeyShift = true;
    drag(0, x_of(rx.tick(5)) + 3, y, x_of(rx.tick(8)) - 2, y);
    ImGui::GetIO().KeyShift = false;
    const auto measured = timeline::measure(app().document().marks.cursors, app().source().session());
    ASSERT_TRUE(measured);
    EXPECT_EQ(measured->ticks, static_cast<std::int64_t>(rx.tick(8) - rx.tick(5)));
    EXPECT_TRUE(app().document().marks.cursors.a->snapped);
    const Theme& theme = theme_of(ThemeName::kDark);
    EXPECT_TRUE(has_colour(screen_->pixels(), app().layout().ruler, theme.cursor_a));
    EXPECT_TRUE(has_colour(screen_->pixels(), app().layout().ruler, theme.cursor_b));
    keep("measure");
}

TEST_F(Window, TwoKeysPlaceTwoCursorsWhereEachWasPressed) {
    open(support::add_few);
    const store::Lane& rx = *app().source().session().lane_named("net.rx");
    app().view().show({rx.tick(4) - 20'000, rx.tick(9) + 20'000});
    frames(2);
    move(x_of(rx.tick(5)) + 1, y_of("net.rx"));
    type("1");
    move(x_of(rx.tick(8)) + 1, y_of("net.rx"));
    EXPECT_EQ(app().document().marks.cursors.a->tick, rx.tick(8)) << "until something else is done it goes with the mouse";
    type("2");
    EXPECT_EQ(app().document().marks.cursors.a->tick, rx.tick(5));
    EXPECT_EQ(app().document().marks.cursors.b->tick, rx.tick(8));
    move(x_of(rx.tick(9)) + 1, y_of("net.rx"));
    EXPECT_EQ(app().document().marks.cursors.a->tick, rx.tick(5));
    EXPECT_EQ(app().document().marks.cursors.b->tick, rx.tick(9));
    keep("two-cursors");
}

TEST_F(Window, AltSuspendsSnapping) {
    open(support::add_few);
    const store::Lane& rx = *app().source().session().lane_named("net.rx");
    ImGui::GetIO().KeyAlt = true;
    move(x_of(rx.tick(5)) + 3, lanes().y + 60);
    type("1");
    EXPECT_FALSE(app().document().marks.cursors.a->snapped);
    ImGui::GetIO().KeyAlt = false;
    frames(1);
    EXPECT_TRUE(app().document().marks.cursors.a->snapped);
}

TEST_F(Window, ALeftDragPansAndAMiddleDragZoomsToItsRange) {
    open(support::add_bench_scene);
    const std::uint64_t tick = port().tick_at(400);
    drag(0, lanes().x + 400, lanes().y + 50, lanes().x + 300, lanes().y + 50);
    EXPECT_NEAR(port().x_of(tick), 300.0, 1.0);
    const std::uint64_t first = port().tick_at(200);
    const std::uint64_t last = port().tick_at(500);
    drag(2, lanes().x + 200, lanes().y + 50, lanes().x + 500, lanes().y + 50);
    EXPECT_NEAR(port().x_of(first), 0.0, 2.0);
    EXPECT_NEAR(port().x_of(last), port().width(), 2.0);
}

TEST_F(Window, AClickSelectsTheEventAndARowGoesBackToIt) {
    open(support::add_few);
    const store::Lane& rx = *app().source().session().lane_named("net.rx");
    const float y = lanes().y + 24 + 28 + 14;
    move(x_of(rx.tick(20)) + 1, y);
    press(0);
    release(0);
    ASSERT_TRUE(app().document().marks.selection);
    EXPECT_EQ(app().document().marks.selection->index, 20u);
    EXPECT_EQ(app().document().marks.focus, &rx);
    type(".");
    EXPECT_EQ(app().document().marks.selection->index, 21u);

    click_item("row " + std::to_string(app().panels().bottom.table().first_row()));
    ASSERT_TRUE(app().document().marks.selection);
    EXPECT_TRUE(app().document().marks.selection->lane != &rx || app().document().marks.selection->index != 21u);
    const double x = port().x_of(app().document().marks.selection->tick);
    EXPECT_GE(x, 0.0);
    EXPECT_LE(x, port().width());
}

TEST_F(Window, KeysZoomFitAndOpenTheHelp) {
    open(support::add_bench_scene);
    const double all = port().ticks_per_pixel();
    type("www");
    EXPECT_LT(port().ticks_per_pixel(), all / 2);
    type("f");
    EXPECT_NEAR(port().ticks_per_pixel(), all, all * 0.01);
    type("?");
    EXPECT_TRUE(app().help_open());
    type("?");
    EXPECT_FALSE(app().help_open());
    type("?");
    EXPECT_TRUE(app().help_open());
    frames(2);
    keep("help");
    key(kKeyEscape);
    EXPECT_FALSE(app().help_open());
    type("2");
    EXPECT_TRUE(app().document().marks.cursors.b);
    key(kKeyEscape);
    EXPECT_FALSE(app().document().marks.cursors.b);
}

TEST_F(Window, AHelpThatIsLargerThanTheWindowScrollsToItsEnd) {
    open(support::add_few, ThemeName::kLight, 1280, 720, 2);
    type("?");
    frames(2);
    const auto shown = [&] {  // without the status line's changing numbers behind the card
        std::vector<std::uint8_t> rows = screen_->pixels().rgba;
        rows.resize(rows.size() / 720 * 640);
        return rows;
    };
    std::vector<std::vector<std::uint8_t>> pages{shown()};
    for (int page = 0; page < 12; ++page) {
        key(kKeyPageDown);
        if (page == 0) keep("help-scrolled");
        if (pages.back() == shown()) break;
        pages.push_back(shown());
    }
    EXPECT_GT(pages.size(), 1u);
    EXPECT_LT(pages.size(), 12u) << "there is no end";
    for (std::size_t page = 1; page < pages.size(); ++page) key(kKeyPageUp);
    EXPECT_TRUE(shown() == pages.front());
}

TEST_F(Window, GoesToATypedTimeAndExportsTheTable) {
    open(support::add_bench_scene);
    type("ww");
    type("g");
    frames(3);
    type("50ms");
    keep("goto");
    key(kKeyEnter);
    frames(3);
    const std::uint64_t wanted = app().source().session().clock().to_tick(50'000'000'000);
    EXPECT_NEAR(port().x_of(wanted), port().width() / 2, 1.0);
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "sla-window-test.tsv";
    const store::Session& session = app().source().session();
    const analysis::Selection all = *analysis::select(session, {});
    const auto rows = export_table(session, all, file.string());
    ASSERT_TRUE(rows.ok());
    EXPECT_GT(*rows, 1000u);
    EXPECT_TRUE(export_table(session, all, file.string(), formats::Format::kJsonl).ok());
    EXPECT_EQ(std::ifstream(file).get(), '{') << "whatever it is called";
    std::filesystem::remove(file);
    EXPECT_FALSE(export_table(session, all, file.string() + ".odd").ok());
    EXPECT_FALSE(export_table(session, all, "/no/such/folder/table.csv").ok());
    ctrl('E');
    frames(3);
    keep("export");
}

TEST_F(Window, EverySizeScaleAndNumberOfChannelsDraws) {
    for (const std::size_t channels : {0, 1, 60, 1000}) {
        for (const float scale : {1.0F, 2.0F}) {
            open([&](support::CaptureBuilder& capture) { support::add_mixed(capture, channels, 40); }, ThemeName::kDark,
                 1024, 640, scale);
            move(lanes().x + lanes().width / 2, lanes().y + 20);
            wheel(3);
            frames(4);
            const Pixels pixels = screen_->pixels();
            std::set<std::uint32_t> colours;
            for (std::size_t i = 0; i + 2 < pixels.rgba.size(); i += 4) {
                colours.insert(
                    static_cast<std::uint32_t>(pixels.rgba[i] << 16 | pixels.rgba[i + 1] << 8 | pixels.rgba[i + 2]));
            }
            EXPECT_GT(colours.size(), 20u) << channels << " channels at scale " << scale;
        }
    }
}

TEST_F(Window, ErrorsStayUntilDismissed) {
    open(support::add_few);
    app().errors().add("something failed; do this");
    frames(2);
    EXPECT_GT(app().layout().error_bar.height, 0.0F);
    keep("error");
    const Rect bar = app().layout().error_bar;
    move(bar.right() - 24, bar.y + bar.height / 2);
    press(0);
    release(0);
    EXPECT_FALSE(app().errors().any());
    EXPECT_EQ(app().layout().error_bar.height, 0.0F);
}

}  // namespace
}  // namespace sla::ui
