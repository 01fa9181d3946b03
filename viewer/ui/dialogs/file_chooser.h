// Chooses a file for a path that may be typed as well: says the folder it lies in, and shows what stands there. The desktop's
// own dialog does that where there is one.
#pragma once

#include "viewer/ui/widgets/context.h"
#include "viewer/workspace/files/folder_list.h"
#include "viewer/workspace/files/native_file_dialog.h"

#include <string>
#include <vector>

namespace sla::ui {

class FileChooser {
public:
    explicit FileChooser(FileDialogKind kind) : kind_(kind) {}

    // The button beside the field. True: `path` was chosen in the desktop's dialog.
    bool draw_button(Context& context, std::string& path);
    // Below the field: the folder, and the list while it is wanted. True: a file was clicked, and is `path`.
    bool draw_folder(Context& context, std::string& path);
    void close() { is_listing_ = false; }
    [[nodiscard]] bool is_listing() const { return is_listing_; }

private:
    bool draw_list(Context& context, std::string& path);
    void look(const std::string& folder);

    const FileDialogKind kind_;
    NativeFileDialog native_;
    bool is_listing_ = false;
    std::string folder_;  // whose entries these are
    double looked_at_ = 0;
    std::vector<FolderEntry> entries_;
    std::string problem_;
};

}  // namespace sla::ui
