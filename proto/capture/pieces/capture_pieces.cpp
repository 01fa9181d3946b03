#include "proto/capture/pieces/capture_pieces.h"

#include "proto/capture/file_frames.h"
#include "proto/capture/pieces/capture_series.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/glob.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <glob.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>

namespace sla::capture {
namespace {

namespace fs = std::filesystem;

constexpr int kFramesBeforeHello = 64;  // a Hello comes first; damage may have put others there

void sort_by_number(std::vector<std::string>& files) {
    std::sort(files.begin(), files.end(),
              [](const std::string& a, const std::string& b) { return strverscmp(a.c_str(), b.c_str()) < 0; });
}

Result<std::vector<std::string>> captures_in(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator(); at.increment(failed)) {
        std::error_code unknown;
        if (at->path().extension() == ".sla" && at->is_regular_file(unknown)) files.push_back(at->path().string());
    }
    if (failed) return system_error("cannot look into the folder '" + folder + "'", failed.value());
    if (files.empty()) return invalid_input("'" + folder + "' is not a file, and as a folder holds no capture (*.sla)");
    sort_by_number(files);
    return files;
}

std::vector<std::string> matches_of(const std::string& pattern) {
    std::vector<std::string> files;
    glob_t found{};
    if (glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0)
        files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
    sort_by_number(files);
    return files;
}

// Of the run that a file is a piece of; nothing when it does not say, or cannot be read: opening it says why.
std::optional<std::uint64_t> run_of(const std::string& file) {
    auto frames = FileFrames::open(file);
    if (!frames) return std::nullopt;
    wire::Frame frame;
    for (int i = 0; i < kFramesBeforeHello; ++i) {
        const auto bytes = (*frames)->next();
        if (!bytes) return std::nullopt;
        if (wire::parse_message(*bytes, frame) && frame.has_hello()) return frame.hello().capture_id();
    }
    return std::nullopt;
}

std::string file_name(const std::string& path) {
    return fs::path(path).filename().string();
}

struct Numbered {
    std::string before;
    std::uint64_t number = 0;
    std::size_t digits = 0;
};

std::optional<Numbered> number_in(const std::string& path) {
    const std::string stem = fs::path(path).stem().string();
    const std::size_t at = stem.find_last_not_of("0123456789");
    if (at == std::string::npos || at + 1 == stem.size()) return std::nullopt;
    Numbered out{stem.substr(0, at + 1), 0, stem.size() - at - 1};
    const auto read = std::from_chars(stem.data() + at + 1, stem.data() + stem.size(), out.number);
    if (read.ec != std::errc()) return std::nullopt;
    return out;
}

}  // namespace

Result<std::vector<std::string>> find_pieces(const std::string& name) {
    std::error_code unknown;
    const fs::file_status there = fs::status(name, unknown);
    if (fs::is_directory(there)) return captures_in(name);
    if (fs::exists(there)) return std::vector<std::string>{name};
    if (wire::is_pattern(name)) {
        std::vector<std::string> files = matches_of(name);
        if (files.empty()) return unavailable("no capture is called as in '" + name + "'");
        return files;
    }
    std::vector<std::string> files = files_of_series(name);
    return files.empty() ? std::vector<std::string>{name} : files;
}

Result<void> check_one_run(const std::string& name, const std::vector<std::string>& files) {
    std::vector<std::string> runs;  // "rec-0001.sla to rec-0003.sla"
    std::optional<std::uint64_t> newest;
    std::size_t first = 0;
    const auto close = [&](std::size_t end) {
        const std::string from = file_name(files[first]);
        runs.push_back(end - first == 1 ? from : from + " to " + file_name(files[end - 1]));
        first = end;
    };
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::optional<std::uint64_t> run = run_of(files[i]);
        if (run && newest && *run != *newest) close(i);
        if (run) newest = run;
    }
    close(files.size());
    if (runs.size() == 1) return {};
    return invalid_input(fmt::format(
        "'{}' holds {} recordings: {}; name the files of one, with a pattern in quotes, or join all with sla merge", name,
        runs.size(), fmt::join(runs, ", ")));
}

bool has_gone(const std::string& file) {
    std::error_code unknown;
    return fs::status(file, unknown).type() == fs::file_type::not_found;
}

std::string missing_between(const std::string& file, const std::string& next) {
    const auto a = number_in(file);
    const auto b = number_in(next);
    if (!a || !b || a->before != b->before || b->number <= a->number + 1) return {};
    const std::string extension = fs::path(file).extension().string();
    const auto name = [&](std::uint64_t number) {
        return fmt::format("{}{:0{}}{}", a->before, number, a->digits, extension);
    };
    const std::string first = name(a->number + 1);
    if (b->number == a->number + 2) return first + " is missing";
    return first + " to " + name(b->number - 1) + " are missing";
}

}  // namespace sla::capture
