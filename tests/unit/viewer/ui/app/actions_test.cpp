// Whatever a key, a menu or the palette offers does something that can be seen, or says why it cannot.
#include "viewer/ui/commands/actions.h"
#include "tests/unit/viewer/ui/panels_fixture.h"

#include <imgui_internal.h>

#include <cstring>
#include <set>
#include <string>

namespace sla::ui {
namespace {

class EveryAction : public Panels {
protected:
    // What is drawn above the status bar, which changes by itself.
    std::uint64_t seen() {
        const float foot = app().layout().status.y;
        std::uint64_t hash = 14'695'981'039'346'656'037U;
        const ImDrawData& all = *ImGui::GetDrawData();
        for (int i = 0; i < all.CmdListsCount; ++i) {
            for (const ImDrawVert& vertex : all.CmdLists[i]->VtxBuffer) {
                if (vertex.pos.y >= foot) continue;
                std::array<std::uint8_t, sizeof vertex> bytes{};
                std::memcpy(bytes.data(), &vertex, sizeof vertex);
                for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 1'099'511'628'211U;
            }
        }
        return hash;
    }
    void build(int frames) {
        for (int i = 0; i < frames; ++i) ASSERT_TRUE(screen_->build_frame());
    }
    void close_popups() {
        ImGui::ClosePopupsOverWindow(ImGui::FindWindowByName("sla"), false);
        if (app().help_open()) app().run("help");
        app().errors().notice("");
        build(2);
    }
    // Somewhere inside, with all that can be placed in its place.
    void stand_inside() {
        PanelState& panels = app().document().panels;
        panels.bottom_tab = BottomTab::kEvents;
        panels.inspector_tab = InspectorTab::kMeasure;
        const store::Lane& spans = lane("pipe.compress");
        Marks& marks = app().document().marks;
        marks.focus = &spans;
        marks.selection = Selection{&spans, 40, spans.tick(40)};
        marks.cursors = {timeline::Cursor{spans.tick(38), true}, timeline::Cursor{spans.tick(44), true}};
        app().view().show({spans.tick(30), spans.tick(60)});
        app().view().set_follow(false);
        app().view().lane_scroll = 0;
        close_popups();
    }
    // All of it, with nothing placed.
    void stand_outside() {
        PanelState& panels = app().document().panels;
        panels.bottom_tab = BottomTab::kGaps;
        panels.inspector_tab = InspectorTab::kTrigger;
        Marks& marks = app().document().marks;
        marks.focus = &lane("irq.0");
        marks.selection.reset();
        marks.cursors = {};
        app().view().show(app().view().extent());
        app().view().lane_scroll = 120;
        close_popups();
    }
    bool changes_something(const Action& action) {
        ImGui::SetClipboardText("");
        const std::uint64_t before = seen();
        const Settings settings = app().settings();
        app().run(action.id);
        build(3);
        const Settings& now = app().settings();
        return seen() != before || *ImGui::GetClipboardText() != '\0' || now.mouse != settings.mouse ||
               now.motion != settings.motion || now.link_sources != settings.link_sources;
    }
};

TEST_F(EveryAction, ChangesWhatIsSeenOrSaysWhyItCannot) {
    open_bench();
    add_shots();
    move(lanes().x + 300, y_of("pipe.compress"));
    const std::set<std::string> elsewhere{"quit", "demo",                    // of the whole program: integration/demo
                                          "close-source", "reopen-source"};  // SeveralCapturesAreOpenAndWalkedThrough
    std::size_t tried = 0;
    for (const Action& action : actions()) {
        if (elsewhere.contains(action.id)) continue;
        stand_inside();
        bool changed = changes_something(action);
        if (!changed) {
            stand_outside();
            changed = changes_something(action);
        }
        EXPECT_TRUE(changed) << action.id << ": " << action.title;
        ++tried;
    }
    EXPECT_GT(tried, 100u);
}

}  // namespace
}  // namespace sla::ui
