#include "viewer/workspace/files/native_file_dialog.h"

#include "viewer/process/programs.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>
#include <vector>

namespace sla::workspace {

namespace {

bool has_display() {
    for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"}) {
        const char* value = std::getenv(name);
        if (value != nullptr && *value != '\0') return true;
    }
    return false;
}

std::string text_in(int file) {
    std::string text(1 << 16, '\0');
    const ssize_t size = pread(file, text.data(), text.size(), 0);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
}

// The last line that is a path: the toolkit may have had warnings to print before.
std::optional<std::string> path_in(const std::string& text) {
    std::optional<std::string> path;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (text[at] == '/') path = text.substr(at, end - at);
        at = end + 1;
    }
    return path;
}

}  // namespace

bool NativeFileDialog::is_there() {
    return has_display() && process::program_exists("zenity");
}

void NativeFileDialog::close() {
    child_.reset();
    if (answer_ >= 0) ::close(answer_);
    answer_ = -1;
}

Result<void> NativeFileDialog::ask(FileDialogKind kind, const std::string& path) {
    close();
    answer_ = memfd_create("sla file dialog", MFD_CLOEXEC);
    if (answer_ < 0) return system_error("cannot keep a dialog's answer", errno);
    process::ChildOptions options;
    options.argv = {"zenity", "--file-selection", "--filename=" + path};
    if (kind == FileDialogKind::kSave) options.argv.emplace_back("--save");
    options.output = "/proc/self/fd/" + std::to_string(answer_);
    options.no_input = true;
    options.apart = true;
    auto started = process::Child::start(options);
    if (!started.ok()) return started.error();
    child_.emplace(std::move(*started));
    return {};
}

std::optional<std::string> NativeFileDialog::take_answer() {
    if (!child_) return std::nullopt;
    const auto ending = child_->wait(std::chrono::milliseconds(0));
    if (!ending) return std::nullopt;
    std::optional<std::string> path;
    if (ending->code == 0 && ending->signal == 0) path = path_in(text_in(answer_));
    close();
    return path;
}

}  // namespace sla::workspace
