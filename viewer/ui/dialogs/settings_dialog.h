// The settings, and the box of sources: what is open, what was open before, and where else to connect.
#pragma once

#include "viewer/ui/dialogs/file_chooser.h"
#include "viewer/ui/widgets/context.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sla::ui {

class SettingsDialog {
public:
    void open() { opening_ = true; }
    void draw(Context& context);

private:
    static void draw_memory(Context& context);

    bool opening_ = false;
};

class SourcesDialog {
public:
    void open() { opening_ = true; }
    // Stands in the field when it opens next.
    void suggest(std::string target) { typed_ = std::move(target); }
    void draw(Context& context, const std::vector<std::unique_ptr<Document>>& documents, std::size_t shown);

private:
    void draw_documents(Context& context, const std::vector<std::unique_ptr<Document>>& documents, std::size_t shown);
    void draw_recent(Context& context, const std::vector<std::unique_ptr<Document>>& documents);

    bool opening_ = false;
    std::string typed_;
    FileChooser chooser_{FileDialogKind::kOpen};
};

}  // namespace sla::ui
