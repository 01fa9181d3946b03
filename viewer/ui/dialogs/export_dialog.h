// Asks what goes where and writes it aside, byte for byte what `sla export` writes of the same: everything, what is in view,
// or what lies between the cursors; all channels, those of some patterns or those that are not hidden; with the table's filter.
#pragma once

#include "proto/base/result.h"
#include "viewer/formats/catalog/export.h"
#include "viewer/formats/table/format.h"
#include "viewer/ui/dialogs/file_chooser.h"
#include "viewer/ui/widgets/context.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sla::ui {

// All rows, in that form, else in the one that the file's ending names; returns how many. At once, for programs without a
// window.
Result<std::uint64_t> export_table(const store::Session& session, const analysis::Selection& rows, const std::string& path,
                                   std::optional<formats::Format> format = std::nullopt);

enum class ExportRange { kEverything, kInView, kBetween };

// The file's name belongs to the document, as PanelState::export_path; all else is the same for the next one.
class ExportDialog {
public:
    void open() { opening_ = true; }
    void draw(Context& context);
    // Begins what the box says; what is wrong with it stays to be read.
    void start(Context& context);

    [[nodiscard]] const std::string& problem() const { return problem_; }
    // As of the last frame: what becomes of the shown document's export stands there.
    [[nodiscard]] bool is_shown() const { return is_shown_; }

    std::string channels;  // patterns; none: all
    formats::ExportFormat format = formats::ExportFormat::kCsv;
    ExportRange range = ExportRange::kEverything;
    bool only_shown = false;
    bool only_filtered = false;

private:
    void draw_choices(Context& context);
    void draw_channels(Context& context);
    void draw_moved(Context& context, const analysis::Selection& chosen) const;
    void refuse(const Error& why);
    void draw_progress(Context& context);
    [[nodiscard]] Result<analysis::Selection> selection(const Context& context) const;

    bool opening_ = false;
    bool is_shown_ = false;
    bool again_ = false;          // what failed is to be mended: the path takes the keyboard once more
    bool awaits_result_ = false;  // of the export that was begun last
    std::string problem_;
    FileChooser chooser_{FileDialogKind::kSave};
};

// While an export runs: how far it is, in the status bar's place.
std::string export_words(const Context& context);

}  // namespace sla::ui
