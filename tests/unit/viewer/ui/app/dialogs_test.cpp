// Boxes, menus and forms: what is typed into them, what they say, and that they keep out of the way.
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ui/panels_fixture.h"
#include "viewer/ui/widgets/state_style.h"
#include "viewer/workspace/files/native_file_dialog.h"

#include <imgui_internal.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

namespace sla::ui {
namespace {

bool is_tooltip_shown() {
    const ImGuiWindow* box = ImGui::FindWindowByName("##Tooltip_00");
    return box != nullptr && box->Active;
}

// As of an agent, which nobody asks anything.
class AgentsFeed final : public DataSource {
public:
    store::Session& session() override { return still_.session(); }
    [[nodiscard]] SourceStatus status() const override { return {SourceState::kLive, "test", {}, 1, 0}; }
    void poll(std::chrono::milliseconds) override {}
    [[nodiscard]] std::optional<wire::Address> address() const override { return *wire::parse_address("unix:test.sock"); }

private:
    StillSource still_{support::add_few};
};

// As several files that one quoted pattern names.
class FilesByPattern final : public DataSource {
public:
    store::Session& session() override { return still_.session(); }
    [[nodiscard]] SourceStatus status() const override { return {SourceState::kLoaded, "run.*.sla", {}, 1, 0}; }
    void poll(std::chrono::milliseconds) override {}
    [[nodiscard]] std::string target() const override { return "/no/such/folder/run.*.sla"; }

private:
    StillSource still_{support::add_few};
};

TEST_F(Panels, OfFilesByAPatternATableBesideThemIsSuggested) {
    open(std::make_unique<FilesByPattern>());
    ctrl('E');
    frames(2);
    EXPECT_EQ(app().document().panels.export_path, "/no/such/folder/table.csv");
}

TEST_F(Panels, APathThatCannotBeWrittenIsTypedAnewAtOnce) {
    open_few();
    const std::string missing = std::filesystem::path(testing::TempDir()) / "sla-no-such-folder" / "table.csv";
    app().document().panels.export_path = missing;
    ctrl('E');
    frames(2);
    key(kKeyEnter);
    const auto ended = [&] { return app().document().job && app().document().job->result(); };
    frames_until(ended);
    ASSERT_TRUE(ended());
    ASSERT_FALSE(app().document().job->result()->ok());
    frames(3);
    keep("export-failed");
    type("x");
    EXPECT_EQ(app().document().panels.export_path, "x");
}

TEST_F(Panels, AnExportUnderAFalseNameIsRefusedAndOneOfSomeChannelsWritten) {
    open_bench();
    const support::TemporaryPath folder("export_box");
    std::filesystem::create_directories(folder.path / "older");
    std::ofstream(folder.path / "before.csv") << "rows";
    ExportDialog& box = app().export_dialog();
    app().document().panels.export_path = folder.path / "run.yaml";
    box.channels = "irq.*";
    ctrl('E');
    frames(3);
    key(kKeyEnter);
    frames(3);
    EXPECT_NE(box.problem().find("would be a false name"), std::string::npos) << box.problem();
    EXPECT_FALSE(app().document().job);
    EXPECT_FALSE(std::filesystem::exists(folder.path / "run.yaml"));
    keep("export-false-name");
    type((folder.path / "run.tsv").c_str());  // over the one that was refused
    EXPECT_EQ(box.format, formats::ExportFormat::kTsv);
    key(kKeyEnter);
    const auto ended = [&] { return app().document().job && app().document().job->result(); };
    frames_until(ended);
    ASSERT_TRUE(ended());
    ASSERT_TRUE(app().document().job->result()->ok());
    frames(3);
    keep("export-done");
    std::ifstream written(folder.path / "run.tsv");
    std::size_t rows = 0;
    for (std::string line; std::getline(written, line); ++rows) {
        if (rows == 0) continue;
        EXPECT_NE(line.find("\tirq."), std::string::npos) << line;
    }
    EXPECT_EQ(rows, 1 + lane("irq.0").size() + lane("irq.0.isr").size());
}

// The table's filter "parse" is a text, though it may also be read as a channel's name.
TEST_F(Panels, AnExportTakesTheTablesFilterAsTheTableDoes) {
    open_few();
    const support::TemporaryPath folder("export_filter");
    std::filesystem::create_directories(folder.path);
    TableRows& rows = app().document().rows;
    ExportDialog& box = app().export_dialog();
    app().document().panels.export_path = folder.path / "run.csv";
    box.only_filtered = true;
    const auto export_with = [&](const char* filter) {
        rows.set_filter(filter);
        frames(5);
        app().document().job.reset();
        ctrl('E');
        frames(3);
        key(kKeyEnter);
        frames_until([&] { return !app().document().job || app().document().job->result(); });
        frames(2);
        key(kKeyEscape);
        frames(2);
    };
    export_with("parse");
    ASSERT_GT(rows.size(), 0u);
    EXPECT_FALSE(app().document().job) << "no rows were written in place of those that the table shows";
    EXPECT_NE(box.problem().find("is text"), std::string::npos) << box.problem();
    export_with(" channel == net.parse ");
    ASSERT_TRUE(app().document().job) << box.problem();
    ASSERT_TRUE(app().document().job->result()->ok());
    EXPECT_EQ((*app().document().job->result())->events, rows.size());
    export_with("value >");
    EXPECT_FALSE(box.problem().empty()) << "the table shows all, and says what is wrong";
}

TEST_F(Panels, WhatBecameOfAnExportIsSaidWhenItsDialogIsClosed) {
    open_few();
    const support::TemporaryPath folder("export_closed");
    const auto export_to = [&](const std::string& path) {
        app().document().job = std::make_unique<ExportJob>(
            app().source().session(), *analysis::select(app().source().session(), {}), formats::ExportOptions{}, path);
        frames_until([&] { return app().document().job->result() != nullptr; });
        frames(2);
    };
    export_to((folder.path / "no such folder" / "run.csv").string());
    ASSERT_TRUE(app().errors().any()) << "it was never written, and nobody is told";
    EXPECT_NE(app().errors().shown().text.find("run.csv"), std::string::npos) << app().errors().shown().text;
    app().errors().dismiss_all();
    frames(2);
    EXPECT_FALSE(app().errors().any()) << "once";
    std::filesystem::create_directories(folder.path);
    export_to((folder.path / "run.csv").string());
    EXPECT_NE(app().errors().notice().find("rows written to"), std::string::npos) << app().errors().notice();
}

TEST_F(Panels, EachDocumentIsExportedToAFileOfItsOwn) {
    open_few();
    app().document().panels.export_path = "first.csv";
    app().open(std::make_unique<StillSource>(support::add_few));
    frames(2);
    ASSERT_EQ(app().documents(), 2u);
    ctrl('E');
    frames(2);
    EXPECT_NE(app().document().panels.export_path, "first.csv");
    key(kKeyEscape);
    act("next-source");
    EXPECT_EQ(app().document().panels.export_path, "first.csv");
}

TEST_F(Panels, AnExportUnderANameThatNobodyChoseTakesNoFilesPlace) {
    const support::TemporaryPath folder("unchosen_exports");
    std::filesystem::create_directories(folder.path);
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path);
    for (const auto& [format, ending] : {std::pair(formats::ExportFormat::kCsv, std::string(".csv")),
                                         std::pair(formats::ExportFormat::kChrome, std::string(".chrome.json"))}) {
        open_few();
        std::ofstream("table" + ending) << "of yesterday";
        app().export_dialog().format = format;
        ctrl('E');
        frames(2);
        key(kKeyEnter);
        frames_until([&] { return app().document().job && app().document().job->result(); });
        EXPECT_EQ(std::filesystem::file_size("table" + ending), 12u);
        EXPECT_TRUE(std::filesystem::exists("table-2" + ending));
        EXPECT_EQ(app().export_dialog().format, format);
    }
    std::filesystem::current_path(before);
}

TEST_F(Panels, AFileIsChosenFromTheListOfItsFolder) {
    if (NativeFileDialog::is_there()) GTEST_SKIP() << "the desktop has a dialog of its own";
    open_few();
    const support::TemporaryPath folder("chooser");
    std::filesystem::create_directories(folder.path / "older");
    std::ofstream(folder.path / "before.csv") << "rows";
    app().document().panels.export_path = folder.path / "run.csv";
    ctrl('E');
    frames(3);
    const ImGuiWindow* dialog = ImGui::GetCurrentContext()->OpenPopupStack.back().Window;
    const auto is_listing = [&] { return dialog->DC.ChildWindows.Size > 0; };
    click_item("Browse\xE2\x80\xA6");
    frames(2);
    ASSERT_TRUE(is_listing());
    frames(3);
    keep("export-list");
    const ImGuiWindow* list = dialog->DC.ChildWindows[0];
    const float line = 15 + ImGui::GetStyle().ItemSpacing.y;  // of text at scale 1
    const float top = list->Pos.y + ImGui::GetStyle().WindowPadding.y;
    click(list->Pos.x + 40, top + 1.5F * line);  // behind "..": the folder
    EXPECT_EQ(app().document().panels.export_path, (folder.path / "older" / "run.csv").string());
    click(list->Pos.x + 40, top + 0.5F * line);  // ".."
    EXPECT_EQ(app().document().panels.export_path, (folder.path / "run.csv").string());
    click(list->Pos.x + 40, top + 2.5F * line);
    EXPECT_EQ(app().document().panels.export_path, (folder.path / "before.csv").string());
}

TEST_F(Panels, ControlLLeavesTheTriggerEditorForTheFilter) {
    open_bench();
    act("trigger-editor");
    frames(3);
    type("net.rx");
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    ctrl('L');
    frames(3);
    type("irq");
    EXPECT_EQ(app().document().rows.filter(), "irq");
    EXPECT_EQ(app().document().panels.bottom_tab, BottomTab::kEvents);
    keep("filter-from-trigger-editor");
    // What fields do with Ctrl stays theirs.
    ctrl('A');
    type("q");
    EXPECT_EQ(app().document().rows.filter(), "q");
}

TEST_F(Panels, EnterInALanesNameClosesItsMenu) {
    open_few();
    click(app().layout().names.x + 80, y_of("net.rx"), 1);
    keep("lane-menu-few");
    const ImGuiWindow* menu = ImGui::GetCurrentContext()->OpenPopupStack.back().Window;
    click(menu->Pos.x + 60, menu->Pos.y + 44);
    type("in");
    ASSERT_TRUE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    EXPECT_EQ(app().document().tree.title_of(lane("net.rx")), "in");
    key(kKeyEnter);
    frames(2);
    EXPECT_FALSE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    EXPECT_EQ(app().document().tree.title_of(lane("net.rx")), "in");
}

TEST_F(Panels, NothingCoversWhereALaneIsDropped) {
    open_few();
    const float x = app().layout().names.x + 80;
    move(x, y_of("net.rx"));
    frames(2);
    EXPECT_TRUE(is_tooltip_shown());
    press(0);
    move(x, y_of("net.rx") - 10);
    move(x, y_of("net.parse"));
    frames(2);
    EXPECT_FALSE(is_tooltip_shown());
    keep("lane-dragged");
    release(0);
    frames(3);
    EXPECT_TRUE(is_tooltip_shown());
}

TEST_F(Panels, EscapeLeavesTheTriggerEditorAndItsTextAsItIs) {
    open_bench();
    act("trigger-editor");
    frames(3);
    type("net.rx > 3");
    frames(2);
    const ImU32 understood = theme_of(ThemeName::kDark).live;
    ASSERT_TRUE(has_colour(screen_->pixels(), app().layout().inspector, understood));
    key(kKeyEscape);
    frames(3);
    EXPECT_FALSE(ImGui::GetIO().WantTextInput);
    EXPECT_TRUE(has_colour(screen_->pixels(), app().layout().inspector, understood));
}

TEST_F(Panels, ATriggersStateHasOneColourEverywhere) {
    open(std::make_unique<AgentsFeed>());
    act("trigger-editor");
    for (const char* state : {"armed", "pre-filling", "post-filling"}) {
        store::Health health;
        health.known = true;
        health.triggers.push_back({"slow", "net.rx > 3", state, 0, 0, 0, "", nullptr});
        app().source().session().set_health(health);
        frames(3);
        keep(std::string("trigger-") + state);
        const Theme& theme = theme_of(ThemeName::kDark);
        const ImU32 colour = trigger_colour(theme, state);
        const Rect& bar = app().layout().toolbar;
        const Rect& panel = app().layout().inspector;
        EXPECT_TRUE(has_colour(screen_->pixels(), {bar.x + 150, bar.y, 400, bar.height}, colour)) << state;
        EXPECT_TRUE(has_colour(screen_->pixels(), {panel.x, panel.y + 40, panel.width, 120}, colour)) << state;
    }
}

TEST_F(Panels, WithoutAnAgentOrACaptureNoClockIsShown) {
    open(no_source());
    act("agent");
    frames(2);
    keep("no-agent");
    // Two lines of words below the heading, and nothing else.
    const Rect& panel = app().layout().inspector;
    const Rect below{panel.x + 8, panel.y + 140, panel.width - 16, panel.height - 140};
    const Theme& theme = theme_of(ThemeName::kDark);
    EXPECT_FALSE(has_colour(screen_->pixels(), below, theme.text));
    EXPECT_FALSE(has_colour(screen_->pixels(), below, theme.dim));
}

TEST_F(Panels, ThePalettePutsTheNameThatWasMeantFirst) {
    open_few();
    act("gaps");
    ctrl('K');
    frames(2);
    type("shts");
    keep("palette-shots");
    key(kKeyEnter);
    frames(2);
    EXPECT_EQ(app().document().panels.bottom_tab, BottomTab::kShots);
}

TEST_F(Panels, ThePaletteFindsWhereToSave) {
    open_few();
    ctrl('K');
    frames(2);
    type("save");
    key(kKeyEnter);
    frames(2);
    item("Write");
}

}  // namespace
}  // namespace sla::ui
