#include "proto/capture/file_chunks.h"

#include "proto/capture/closing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sla::capture {
namespace {

ChunkPlace within(const ChunkPlace& place, std::uint64_t begin) {
    ChunkPlace own = place;
    own.offset -= begin;
    return own;
}

}  // namespace

Result<FileChunks> FileChunks::open(const std::string& path) {
    Result<File> file = File::open(path);
    if (!file) return file.error();
    if (const auto version = check_file_header(*file); !version) return version.error();
    return FileChunks(std::move(*file));
}

Result<ChunkHeader> FileChunks::fetch(std::uint64_t offset, std::string& stored) {
    const auto wrong = [&](const char* what) {
        return damaged(fmt::format("'{}': {} (chunk at {})", file_.path(), what, offset));
    };
    std::array<char, kChunkHeaderBytes> record;
    const auto header = decode_chunk_header({record.data(), file_.read_at(offset, record.data(), record.size())});
    if (!header) return wrong("these bytes are no chunk");
    if (offset + kChunkHeaderBytes + header->stored_bytes > file_.bytes()) return wrong("cut off in the middle of a chunk");
    stored.resize(header->stored_bytes);
    if (file_.read_at(offset + kChunkHeaderBytes, stored.data(), stored.size()) != stored.size()) {
        return wrong("reading failed");
    }
    return *header;
}

Result<ChunkHeader> FileChunks::fetch_frames(const ChunkPlace& place, std::string& stored) {
    return fetch(place.offset, stored);
}

Result<ChunkHeader> FileChunks::fetch_summary(const ChunkPlace& place, std::string& stored) {
    return fetch(place.offset + kChunkHeaderBytes + place.stored_bytes, stored);
}

std::string FileChunks::describe(const ChunkPlace& place) const {
    return fmt::format("'{}' (chunk at {})", file_.path(), place.offset);
}

std::size_t FileRow::file_of(std::uint64_t offset) const {
    const auto behind = std::upper_bound(begins.begin(), begins.end(), offset);
    return static_cast<std::size_t>(behind - begins.begin()) - 1;
}

Result<void> FileRowChunks::turn_to(std::size_t file) {
    if (open_ && number_ == file) return {};
    open_.reset();
    Result<FileChunks> opened = FileChunks::open(row_->files[file]);
    if (!opened) return opened.error();
    open_.emplace(std::move(*opened));
    number_ = file;
    return {};
}

Result<ChunkHeader> FileRowChunks::fetch_frames(const ChunkPlace& place, std::string& stored) {
    const std::size_t file = row_->file_of(place.offset);
    if (Result<void> turned = turn_to(file); !turned) return turned.error();
    return open_->fetch_frames(within(place, row_->begins[file]), stored);
}

Result<ChunkHeader> FileRowChunks::fetch_summary(const ChunkPlace& place, std::string& stored) {
    const std::size_t file = row_->file_of(place.offset);
    if (Result<void> turned = turn_to(file); !turned) return turned.error();
    return open_->fetch_summary(within(place, row_->begins[file]), stored);
}

std::string FileRowChunks::describe(const ChunkPlace& place) const {
    const std::size_t file = row_->file_of(place.offset);
    return fmt::format("'{}' (chunk at {})", row_->files[file], place.offset - row_->begins[file]);
}

}  // namespace sla::capture
