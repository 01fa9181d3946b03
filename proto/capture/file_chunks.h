// The chunk stores that are files: one, or several that follow each other.
#pragma once

#include "proto/capture/chunk_store.h"
#include "proto/capture/file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::capture {

// ChunkPlace::offset is the place in the file.
class FileChunks final : public ChunkStore {
public:
    explicit FileChunks(File file) : file_(std::move(file)) {}
    static Result<FileChunks> open(const std::string& path);

    Result<ChunkHeader> fetch_frames(const ChunkPlace& place, std::string& stored) override;
    Result<ChunkHeader> fetch_summary(const ChunkPlace& place, std::string& stored) override;
    [[nodiscard]] std::string describe(const ChunkPlace& place) const override;

private:
    Result<ChunkHeader> fetch(std::uint64_t offset, std::string& stored);

    File file_;
};

// Files as if they lay end to end:
//
//   rec-0001.sla ─────── rec-0002.sla ──────────── rec-0003.sla ───
//   begins[0] = 0        begins[1]        offset ──┼─► of that file: offset - begins[2]
//                                                  begins[2]
struct FileRow {
    std::vector<std::string> files;
    std::vector<std::uint64_t> begins;  // one for each file

    // Which file it is in.
    [[nodiscard]] std::size_t file_of(std::uint64_t offset) const;
};

// One file is open at a time; what was removed meanwhile cannot be read any more.
class FileRowChunks final : public ChunkStore {
public:
    explicit FileRowChunks(std::shared_ptr<const FileRow> row) : row_(std::move(row)) {}

    Result<ChunkHeader> fetch_frames(const ChunkPlace& place, std::string& stored) override;
    Result<ChunkHeader> fetch_summary(const ChunkPlace& place, std::string& stored) override;
    [[nodiscard]] std::string describe(const ChunkPlace& place) const override;

private:
    Result<void> turn_to(std::size_t file);

    std::shared_ptr<const FileRow> row_;
    std::optional<FileChunks> open_;
    std::size_t number_ = 0;  // of the file that is open
};

}  // namespace sla::capture
