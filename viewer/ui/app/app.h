// The window's contents: one call draws a whole frame, the same for a window on a display and for a picture in memory.
//
// Owner: the window's thread, between ImGui::NewFrame and ImGui::Render. Holds no graphics; takes whatever size
// io.DisplaySize says. Data is taken from the sources within a budget each frame; nothing here waits.
#pragma once

#include "viewer/ui/app/demo.h"
#include "viewer/ui/app/panels.h"
#include "viewer/ui/app/surface.h"
#include "viewer/ui/app/toolbar.h"
#include "viewer/ui/commands/go_to.h"
#include "viewer/ui/commands/help_overlay.h"
#include "viewer/ui/commands/keymap.h"
#include "viewer/ui/commands/palette.h"
#include "viewer/ui/dialogs/close_dialog.h"
#include "viewer/ui/dialogs/error_bar.h"
#include "viewer/ui/dialogs/export_dialog.h"
#include "viewer/ui/dialogs/settings_dialog.h"
#include "viewer/ui/widgets/context.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sla::ui {

class App {
public:
    // `scale` is that of the fonts given.
    App(std::unique_ptr<DataSource> source, Settings settings, const Fonts& fonts, float scale);
    ~App();

    void frame();
    // While one lives nobody looks at the documents: what comes is taken in beside the window's thread. Between frames.
    class Rest {
    public:
        explicit Rest(App& app);
        ~Rest();
        Rest(const Rest&) = delete;
        Rest& operator=(const Rest&) = delete;

    private:
        App& app_;
    };

    // The one that was opened first is shown.
    void show_first() { shown_ = 0; }
    // Another capture or agent beside those that are open; it is shown. A document into which nothing comes gives way to it.
    void open(std::unique_ptr<DataSource> source);
    // What cannot be opened is reported and leaves nothing behind.
    void open(const std::string& target);
    // New fonts at another scale, between frames.
    void set_fonts(const Fonts& fonts, float scale);
    // Runs an action in the next frame, as its key does.
    void run(std::string_view action) { asked_.emplace_back(action); }
    // What frames take is not shown: of one capture a picture is always the same.
    void hide_frame_time() { shows_frame_time_ = false; }
    // For a window that closes: writes what is to be kept of all that is open, and ends logs. What cannot be written is for who
    // asked: nobody would read it here.
    std::vector<Error> keep();

    [[nodiscard]] Document& document() { return *documents_[shown_]; }
    [[nodiscard]] DocumentPanels& panels() { return panels_of(document()); }
    // The document that is drawn below or above the one that is shown; null: none is.
    [[nodiscard]] Document* beside() { return beside_; }
    // The one that shows this source, in front or not; null: none does any more.
    [[nodiscard]] Document* document_of(const DataSource* source) const;
    [[nodiscard]] std::size_t documents() const { return documents_.size(); }
    [[nodiscard]] View& view() { return document().view(); }
    [[nodiscard]] DataSource& source() { return *document().source; }
    [[nodiscard]] Settings& settings() { return settings_; }
    [[nodiscard]] Keymap& keys() { return keys_; }
    [[nodiscard]] Errors& errors() { return errors_; }
    [[nodiscard]] ExportDialog& export_dialog() { return export_; }
    [[nodiscard]] const Layout& layout() const { return layout_; }
    [[nodiscard]] bool help_open() const { return help_; }
    // What a person asked of the window itself; 0: nothing. -1: the display's own scale.
    [[nodiscard]] float take_wanted_scale() { return std::exchange(wanted_scale_, 0.0F); }
    // Nothing comes and nothing is being worked on: the next frame shows the same unless a person does something.
    [[nodiscard]] bool is_still() const { return activity() == Activity::kNone; }
    [[nodiscard]] Activity activity() const;
    [[nodiscard]] bool wants_to_quit() const { return quit_; }
    // Arrangements are kept in files beside captures; tests and pictures do without.
    void set_keeping(bool on) { keeping_ = on; }

private:
    void take_data();
    // Of the agent, to what panels ask of it.
    void report_answer(Document& document);
    void report_problems(Document& document);
    void report_export(Document& document);
    void keep_now_and_then(double seconds);
    // Of a document that is closed: writes what is to be kept of it and ends its log.
    std::vector<Error> end(Document& document) const;
    void draw(Context& context);
    DocumentPanels& panels_of(Document& document);
    Context context_of(Document& document, ImDrawList& list);
    void advance_views(Document& document);
    void settle_beside();
    void link_views();
    [[nodiscard]] std::size_t pane_of_shown() const;
    Layout active_layout();
    void draw_panes(Context& context);
    void draw_sources(Context& context, Document& other);
    void draw_pane(Context& context, std::size_t part, std::size_t pane);
    void draw_pane_borders(Context& context, std::size_t active_pane) const;
    void draw_dialogs(Context& context);
    void draw_help_window(Context& context);
    void drag_splitters(Context& context);
    void handle_commands();
    void handle(const command::RunAction& command);
    void handle(const command::OpenDialog& command);
    void handle(const command::ToggleHelp& command);
    void handle(const command::FocusSearch& command);
    void handle(const command::SetTheme& command);
    void handle(const command::SetScale& command);
    void handle(const command::Undo& command);
    void handle(const command::Redo& command);
    void handle(const command::ToggleRun& command);
    void handle(const command::OpenSource& command);
    void handle(const command::ShowDocument& command);
    void handle(const command::StepDocuments& command);
    void handle(const command::CloseDocument& command);
    void handle(const command::ReopenDocument& command);
    void handle(const command::ToggleBeside& command);
    void handle(const command::StartDemo& command);
    void handle(const command::Quit& command);
    bool show_open(const std::string& target);
    void report_unopened(const std::string& typed, const std::string& again, const std::string& why);
    void end_trials();
    void take_older(std::size_t at);
    void forget(const Document* document);
    void remove(std::size_t at);
    void close_shown();

    Settings settings_;
    Keymap keys_;
    Fonts fonts_;
    float scale_;
    Layout layout_;
    Errors errors_;
    std::vector<std::unique_ptr<Document>> documents_;                             // never empty
    std::unordered_map<const Document*, std::unique_ptr<DocumentPanels>> panels_;  // of those that were shown
    std::size_t shown_ = 0;
    Document* beside_ = nullptr;                 // of documents_, never the one that is shown
    Document* last_shown_ = nullptr;             // in the frame before; may be gone
    const Document* linked_document_ = nullptr;  // whose view the other one was moved along with, and how far
    std::uint64_t linked_moves_ = 0;
    std::vector<std::string> closed_;  // what opens them again, the last one closed last
    std::unique_ptr<Demo> demo_;
    Toolbar toolbar_;
    ErrorBar error_bar_;
    GoTo go_to_;
    ExportDialog export_;
    Palette palette_;
    SettingsDialog settings_dialog_;
    SourcesDialog sources_dialog_;
    CloseDialog close_dialog_;
    HelpOverlay help_overlay_;
    bool help_ = false;
    bool quit_ = false;
    bool keeping_ = false;
    float wanted_scale_ = 0;
    CommandQueue commands_;           // of this frame
    std::vector<std::string> asked_;  // actions of the next frame
    double since_kept_ = 0;           // seconds
    double shown_frame_ms_ = 0;
    bool shows_frame_time_ = true;
};

}  // namespace sla::ui
