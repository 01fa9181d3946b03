// The desktop's own dialog for files, where zenity is installed and there is a display; elsewhere the window has a list of
// its own.
// Owner: the window's thread. Nothing waits: the dialog is another program, asked for its answer once a frame.
#pragma once

#include "proto/base/result.h"
#include "viewer/process/child.h"

#include <optional>
#include <string>

namespace sla::workspace {

enum class FileDialogKind { kOpen, kSave };

class NativeFileDialog {
public:
    NativeFileDialog() = default;
    ~NativeFileDialog() { close(); }
    NativeFileDialog(const NativeFileDialog&) = delete;
    NativeFileDialog& operator=(const NativeFileDialog&) = delete;

    [[nodiscard]] static bool is_there();
    // Shows it at that path, in place of one that is still open.
    Result<void> ask(FileDialogKind kind, const std::string& path);
    [[nodiscard]] bool is_open() const { return child_.has_value(); }
    // The path that was chosen, once; nothing while nobody chose, or when it was closed without a choice.
    std::optional<std::string> take_answer();

private:
    void close();

    std::optional<process::Child> child_;
    int answer_ = -1;  // a file in memory that the dialog writes the path to
};

}  // namespace sla::workspace
