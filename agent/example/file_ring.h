// The pipeline's end: a few .zst files written round and round, so that an endless run fills no disk.
//
// Each file is a row of zstd frames and unpacks with zstd -d. Owned by the writer thread; the files that it wrote, and the folder
// if it made it, go when it goes, unless kept.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string_view>

struct sla_channel;

namespace sla::example {

class FileRing {
public:
    static constexpr std::size_t kFiles = 8;
    static constexpr std::size_t kFramesPerFile = 64;

    // An empty folder name: a new folder below the system's temporary one. Throws when it cannot be made.
    FileRing(std::filesystem::path folder, bool keep);
    ~FileRing();
    FileRing(const FileRing&) = delete;
    FileRing& operator=(const FileRing&) = delete;

    // False when the disk did not take it.
    bool append(std::string_view frame);

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

private:
    void start_file();
    [[nodiscard]] std::filesystem::path path_of(std::size_t file) const;

    std::filesystem::path folder_;
    const bool keep_;
    bool made_folder_ = false;
    std::ofstream out_;
    std::size_t frames_ = 0;
    std::size_t started_ = 0;  // files, each anew when its turn comes again
    sla_channel* const opened_;
};

}  // namespace sla::example
