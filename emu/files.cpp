#include "emu/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

namespace sla::emu {

namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace

Result<std::vector<std::uint8_t>> read_beginning(std::string_view what, const std::string& path, std::size_t most) {
    std::error_code status;
    if (std::filesystem::is_directory(path, status)) {
        return invalid_input(fmt::format("{} is a directory; give a file for {}", path, what));
    }
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file) return system_error(fmt::format("cannot open {} {}", what, path), errno);
    std::vector<std::uint8_t> bytes(most);
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
    if (std::ferror(file.get()) != 0) return system_error(fmt::format("cannot read {} {}", what, path), errno);
    if (bytes.empty()) return invalid_input(fmt::format("{} {} is empty", what, path));
    bytes.shrink_to_fit();
    return bytes;
}

Result<void> check_length(std::string_view what, const std::string& path, std::size_t bytes, std::size_t most,
                          std::string_view too_long) {
    if (bytes <= most) return {};
    return invalid_input(fmt::format("{} {} is longer than {} bytes; {}", what, path, most, too_long));
}

// One byte more than may be, so that a longer file is noticed without being read whole.
Result<std::vector<std::uint8_t>> read_file(std::string_view what, const std::string& path, std::size_t most,
                                            std::string_view too_long) {
    auto bytes = read_beginning(what, path, most + 1);
    if (!bytes) return bytes;
    if (auto fits = check_length(what, path, bytes->size(), most, too_long); !fits) return fits.error();
    return bytes;
}

Result<std::shared_ptr<std::FILE>> open_output(std::string_view what, const std::string& path) {
    if (path == "-") return std::shared_ptr<std::FILE>(stdout, [](std::FILE* file) { std::fflush(file); });
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return system_error(fmt::format("cannot write {} to {}", what, path), errno);
    return std::shared_ptr<std::FILE>(file, std::fclose);
}

Result<void> check_output(std::string_view what, const std::string& path) {
    if (path == "-") return {};
    std::error_code status;
    const bool is_directory = std::filesystem::is_directory(path, status);
    const bool exists = std::filesystem::exists(path, status);
    const std::string directory = std::filesystem::path(path).parent_path().string();
    const bool is_writable =
        exists ? ::access(path.c_str(), W_OK) == 0 : ::access(directory.empty() ? "." : directory.c_str(), W_OK | X_OK) == 0;
    if (is_writable && !is_directory) return {};
    return system_error(fmt::format("cannot write {} to {}", what, path), is_directory ? EISDIR : errno);
}

std::string find_firmware() {
    const char* set = std::getenv("XDG_DATA_DIRS");
    const std::string folders = set != nullptr && *set != '\0' ? set : "/usr/local/share:/usr/share";
    for (std::size_t at = 0; at <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', at), folders.size());
        const auto path = std::filesystem::path(folders.substr(at, end - at)) / "seabios" / "bios.bin";
        std::error_code status;
        if (std::filesystem::is_regular_file(path, status)) return path.string();
        at = end + 1;
    }
    return {};
}

std::string beside(const std::string& path, std::string_view name) {
    const auto wanted = std::filesystem::path(path).parent_path() / name;
    std::error_code status;
    return std::filesystem::is_regular_file(wanted, status) ? wanted.string() : std::string();
}

}  // namespace sla::emu
