#include "agent/example/file_ring.h"

#include <fmt/format.h>
#include <sla/marker.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace sla::example {

namespace fs = std::filesystem;

FileRing::FileRing(fs::path folder, bool keep)
    : folder_(std::move(folder)), keep_(keep), opened_(sla_channel_open("pipeline.file")) {
    if (folder_.empty()) {
        std::string name = (fs::temp_directory_path() / "sla-pipeline-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            throw std::system_error(errno, std::generic_category(), fmt::format("cannot make a folder '{}'", name));
        }
        folder_ = name;
        made_folder_ = true;
    } else {
        made_folder_ = fs::create_directories(folder_);
    }
}

FileRing::~FileRing() {
    out_.close();
    if (keep_) return;
    std::error_code ignored;
    for (std::size_t file = 0; file < std::min(kFiles, started_); ++file) fs::remove(path_of(file), ignored);
    if (made_folder_) fs::remove(folder_, ignored);
}

fs::path FileRing::path_of(std::size_t file) const {
    return folder_ / fmt::format("log-{}.zst", file);
}

void FileRing::start_file() {
    const fs::path path = path_of(frames_ / kFramesPerFile % kFiles);
    out_.close();
    out_.clear();
    out_.open(path, std::ios::binary | std::ios::trunc);
    ++started_;
    SLA_TEXT(opened_, path.filename().c_str());
}

bool FileRing::append(std::string_view frame) {
    if (frames_ % kFramesPerFile == 0) start_file();
    ++frames_;
    out_.write(frame.data(), static_cast<std::streamsize>(frame.size()));
    out_.flush();
    return out_.good();
}

}  // namespace sla::example
