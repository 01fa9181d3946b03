// Every panel of the window, drawn in memory and used with mouse and keys.
#include "tests/unit/viewer/ui/panels_fixture.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace sla::ui {
namespace {

TEST_F(Panels, UndoAndRedoTakeCursorsLanesAndViewsBackAndForth) {
    open_few();
    const double all = port().ticks_per_pixel();
    type("wwww");
    rest();
    const double near = port().ticks_per_pixel();
    move(lanes().x + 300, lanes().y + 60);
    type("1");
    click(lanes().x + 320, lanes().y + 60);
    rest();
    ASSERT_TRUE(app().document().marks.cursors.a);
    click(lanes().x + 5, y_of("net.rx"));
    rest();
    const float height = app().document().tree.height();
    type("h");
    rest();
    EXPECT_LT(app().document().tree.height(), height);
    ctrl('Z');
    EXPECT_EQ(app().document().tree.height(), height);
    ctrl('Z');
    EXPECT_FALSE(app().document().marks.cursors.a);
    ctrl('Z');
    EXPECT_NEAR(port().ticks_per_pixel(), all, all * 0.01);
    ctrl('Y');
    EXPECT_NEAR(port().ticks_per_pixel(), near, near * 0.01);
    ctrl('Y');
    EXPECT_TRUE(app().document().marks.cursors.a);
    ctrl('Y');
    EXPECT_LT(app().document().tree.height(), height);
}

TEST_F(Panels, ThePaletteFindsActionsAndLanesBySomeLetters) {
    open_bench();
    ctrl('K');
    frames(2);
    type("help");
    keep("palette");
    key(kKeyEnter);
    frames(2);
    EXPECT_TRUE(app().help_open());
    keep("help");
    key(kKeyEscape);
    ctrl('K');
    frames(2);
    type("portpost");
    key(kKeyEnter);
    frames(2);
    EXPECT_EQ(app().document().marks.focus, &lane("port.post"));
}

TEST_F(Panels, MarkersRangesAndBookmarksAreKeptAndGoneBackTo) {
    open_few();
    move(lanes().x + 200, lanes().y + 60);
    type("m");
    move(lanes().x + 400, lanes().y + 60);
    type("m");
    ASSERT_EQ(app().document().marks.annotations.markers.size(), 2u);
    EXPECT_EQ(app().document().marks.annotations.markers[1].name, "M2");
    app().document().marks.cursors.a = timeline::Cursor{2'000'000, false};
    app().document().marks.cursors.b = timeline::Cursor{3'000'000, false};
    type("M");
    ASSERT_EQ(app().document().marks.annotations.ranges.size(), 1u);
    key(kKeyF1 + 6);
    frames(2);
    EXPECT_EQ(app().document().panels.bottom_tab, BottomTab::kMarkers);
    keep("markers");
    const auto here = port();
    ctrl('4');
    type("ww");
    type("4");
    frames(2);
    EXPECT_NEAR(port().ticks_per_pixel(), here.ticks_per_pixel(), 0.01 * here.ticks_per_pixel());
}

TEST_F(Panels, TimesAreCountedFromWhereT0IsSet) {
    open_few();
    const store::Lane& rx = lane("net.rx");
    move(x_of(rx.tick(10)), y_of("net.rx"));
    type("o");
    ASSERT_EQ(app().document().marks.annotations.zero, rx.tick(10));
    EXPECT_EQ(app().document().marks.zero_ps(app().source().session()), app().source().session().clock().to_ps(rx.tick(10)));
    EXPECT_EQ(*parse_place("0", app().source().session(), app().document().marks.zero_ps(app().source().session())),
              rx.tick(10));
    keep("zero");
    act("zero-at-start");
    EXPECT_FALSE(app().document().marks.annotations.zero);
}

TEST_F(Panels, TheTriggerEditorPointsAtTheColumnThatIsWrong) {
    open_bench(1280, 800);
    store::Health health;
    health.known = true;
    health.triggers.push_back({"slow", "width pipe.compress > 50us", "armed", 3, 1, 0, "", nullptr});
    app().source().session().set_health(health);
    ctrl('T');
    frames(3);
    TriggerPanel& panel = app().panels().inspector.trigger();
    type("pipe.queue >");
    frames(3);
    EXPECT_EQ(panel.draft().text, "pipe.queue >");
    EXPECT_FALSE(panel.draft().check().ok());
    keep("trigger-wrong");
    type(" 3");
    EXPECT_TRUE(panel.draft().check().ok());
    frames(3);
    keep("trigger");
    panel.draft().text = "level a\n  if pipe.queue > 3 trigger\n";
    EXPECT_TRUE(panel.draft().is_sequencer());
    EXPECT_TRUE(panel.draft().check().ok());
    panel.draft().window = "soon";
    EXPECT_FALSE(panel.draft().check().ok());
}

TEST_F(Panels, TheAgentsHealthAndTheClocksAreReported) {
    open_bench();
    store::Health health;
    health.known = true;
    health.agent_cpu = 0.031;
    health.agent_bytes = 60'000'000;
    health.clock.known = true;
    health.clock.invariant = true;
    health.clock.cores = 2;
    health.clock.skew = {120};
    app().source().session().set_health(health);
    act("agent");
    frames(2);
    EXPECT_EQ(app().document().panels.inspector_tab, InspectorTab::kAgent);
    keep("agent");
}

TEST_F(Panels, OfANarrowAgentPanelNoNumberPartsFromItsUnit) {
    open_bench();
    store::Health health;
    health.known = true;
    health.retained_bytes = 123'456'789;
    health.retained_limit = 536'870'912;
    app().source().session().set_health(health);
    app().settings().splits.inspector = 0;  // as narrow as it may be
    act("agent");
    frames(3);
    keep("agent-narrow");
    const float line = item("reading readers").height;
    ASSERT_GT(line, 0);
    for (const char* name : {"reading rate", "reading of it history", "reading a stamp costs"})
        EXPECT_EQ(item(name).height, line) << name;
    EXPECT_LE(item("reading rate").right(), app().layout().inspector.right());
}

TEST_F(Panels, LossesAreReportedUntilDismissedAndLeadToTheGaps) {
    open_bench();
    const Rect bar = app().layout().error_bar;
    ASSERT_GT(bar.height, 0.0F);
    keep("losses");
    click_item("more");
    EXPECT_EQ(app().document().panels.bottom_tab, BottomTab::kGaps);
    keep("gaps");
    click_item("gaps 0");
    ASSERT_TRUE(app().document().marks.selection);
    EXPECT_EQ((*app().document().marks.selection->lane)[app().document().marks.selection->index].kind(), wire::Kind::kGap);
    click_item("dismiss");
    EXPECT_EQ(app().layout().error_bar.height, 0.0F);
}

TEST_F(Panels, ExportsFromTheBoxAreWhatTheCommandWrites) {
    open_bench();
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / ("sla-box-test-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    ExportDialog& box = app().export_dialog();
    app().document().panels.export_path = (folder / "box.vcd").string();
    box.format = formats::ExportFormat::kVcd;
    ctrl('E');
    frames(2);
    keep("export");
    key(kKeyEnter);
    frames_until([&] { return app().document().job && app().document().job->result(); });
    ASSERT_TRUE(app().document().job && app().document().job->result());
    ASSERT_TRUE(app().document().job->result()->ok());
    keep("exported");
    formats::ExportOptions options;
    options.format = formats::ExportFormat::kVcd;
    const std::string once = (folder / "once.vcd").string();
    ASSERT_TRUE(
        formats::export_capture(app().source().session(), *analysis::select(app().source().session(), {}), options, once)
            .ok());
    const auto bytes = [](const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    };
    EXPECT_EQ(bytes(app().document().panels.export_path), bytes(once));
    std::filesystem::remove_all(folder);
}

TEST_F(Panels, TextAndControlsGrowWithTheScale) {
    open_few();
    const float names = app().layout().names.width;
    act("larger");
    frames(2);
    EXPECT_NEAR(app().layout().scale, 1.25F, 0.001F);
    EXPECT_GT(app().layout().names.width, names);
    keep("larger");
    act("smaller");
    frames(2);
    EXPECT_NEAR(app().layout().scale, 1.0F, 0.001F);
}

TEST_F(Panels, SeveralCapturesAreOpenAndWalkedThrough) {
    open_few();
    app().open(std::make_unique<StillSource>(support::add_bench_scene));
    frames(3);
    ASSERT_EQ(app().documents(), 2u);
    EXPECT_NE(app().source().session().lane_named("port.post"), nullptr);
    act("open");
    frames(2);
    keep("sources");
    key(kKeyEscape);
    act("next-source");
    EXPECT_EQ(app().source().session().lane_named("port.post"), nullptr);
    act("close-source");
    EXPECT_EQ(app().documents(), 1u);
    act("close-source");
    EXPECT_EQ(app().documents(), 1u);
    EXPECT_TRUE(app().source().session().lanes().empty());
    frames(3);
    keep("welcome");
}

TEST_F(Panels, SettingsAndMenuOpenAndClose) {
    const auto is_open = [] { return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup); };
    open_bench();
    act("settings");
    EXPECT_TRUE(is_open());
    keep("settings");
    key(kKeyEscape);
    frames(2);
    EXPECT_FALSE(is_open());
    click(app().layout().toolbar.x + 24, app().layout().toolbar.y + 20);
    EXPECT_TRUE(is_open());
    keep("menu");
    key(kKeyEscape);
    frames(2);
    EXPECT_FALSE(is_open());
}

TEST_F(Panels, ATextThatEndedLeavesNoMarkAtTheEdgeOfALaterView) {
    open([](support::CaptureBuilder& capture) { capture.text(capture.channel("log"), 2'000'000, "odd"); });
    const timeline::TickRange all = app().view().extent();
    app().view().show({all.last + 1'000'000'000, all.last + 2'000'000'000});
    frames(2);
    const Pixels pixels = screen_->pixels();
    const int edge = static_cast<int>(lanes().x);
    for (int y = static_cast<int>(lanes().y); y < static_cast<int>(lanes().y) + 30; ++y)
        EXPECT_EQ(colour_at(pixels, edge, y), colour_at(pixels, edge + 20, y)) << y;
}

}  // namespace
}  // namespace sla::ui
