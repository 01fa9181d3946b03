#include "proto/capture/chunk_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace sla::capture {
namespace {

constexpr std::size_t kFirstSearchWindow = std::size_t{4} << 10;  // small: damage is mostly short
constexpr std::size_t kLastSearchWindow = std::size_t{256} << 10;
constexpr std::size_t kLongestLandmark = kChunkHeaderBytes;
constexpr std::size_t kMaxDamages = 10000;  // a file of nothing but damage must not fill memory

}  // namespace

ChunkScanner::ChunkScanner(File file, std::uint64_t start)
    : file_(std::move(file)), position_(start), reread_budget_(4 * file_.bytes()) {}

void ChunkScanner::add_damage(std::uint64_t offset, std::uint64_t bytes, std::string what) {
    expected_sequence_.reset();
    if (damage_.size() < kMaxDamages) {
        damage_.push_back({offset, bytes, std::move(what), {}, {}, false});
        return;
    }
    const std::uint64_t begin = damage_.back().offset;
    damage_.back() = {begin, offset + bytes - begin, "very many damaged places, counted as one", {}, {}, false};
    is_crowded_ = true;
}

std::optional<ChunkScanner::Chunk> ChunkScanner::next(std::string& raw, Contents wanted) {
    while (position_ < file_.bytes()) {
        Chunk chunk{position_, {}};
        switch (look_at(position_, &chunk.header)) {
            case Landmark::kChunk:
                if (may_pass(chunk.header, wanted)) {
                    raw.clear();
                    check_sequence(position_, chunk.header);
                    position_ += kChunkHeaderBytes + chunk.header.stored_bytes;
                    return chunk;
                }
                if (take_chunk(chunk.header, raw)) return chunk;
                break;
            case Landmark::kClosingMark:
                position_ += kClosingMarkBytes;
                if (position_ < file_.bytes()) add_damage(position_, 0, "the file goes on behind its closing mark");
                break;
            case Landmark::kNothing: skip_unknown(); break;
        }
    }
    return std::nullopt;
}

ChunkScanner::Landmark ChunkScanner::look_at(std::uint64_t offset, ChunkHeader* header) const {
    std::array<char, kLongestLandmark> bytes;
    const std::string_view record(bytes.data(), file_.read_at(offset, bytes.data(), bytes.size()));
    if (const std::optional<ChunkHeader> found = decode_chunk_header(record)) {
        if (header != nullptr) *header = *found;
        return Landmark::kChunk;
    }
    return decode_closing_mark(record) ? Landmark::kClosingMark : Landmark::kNothing;
}

// The next place that is a landmark, or the file's end.
std::uint64_t ChunkScanner::find_landmark(std::uint64_t from) const {
    std::string window(kFirstSearchWindow, '\0');
    while (from < file_.bytes()) {
        const std::string_view bytes(window.data(), file_.read_at(from, window.data(), window.size()));
        for (std::size_t at = bytes.find(kLandmarkPrefix); at != bytes.npos; at = bytes.find(kLandmarkPrefix, at + 1)) {
            const std::string_view record = bytes.substr(at);
            if (decode_chunk_header(record) || decode_closing_mark(record)) return from + at;
        }
        if (bytes.size() < window.size()) break;
        from += bytes.size() - kLongestLandmark + 1;  // a landmark may lie across the window's end
        window.resize(std::min(2 * window.size(), kLastSearchWindow));
    }
    return file_.bytes();
}

bool ChunkScanner::may_pass(const ChunkHeader& header, Contents wanted) const {
    if (wanted == Contents::kAll || header.kind != ChunkKind::kFrames) return false;
    return look_at(position_ + kChunkHeaderBytes + header.stored_bytes) != Landmark::kNothing;
}

Result<void> ChunkScanner::read(const Chunk& chunk, std::string& raw) {
    stored_.resize(chunk.header.stored_bytes);
    if (file_.read_at(chunk.offset + kChunkHeaderBytes, stored_.data(), stored_.size()) != stored_.size()) {
        return damaged("a chunk cannot be read");
    }
    return unpacker_.unpack(chunk.header, stored_, raw);
}

bool ChunkScanner::take_chunk(const ChunkHeader& header, std::string& raw) {
    const std::uint64_t start = position_;
    const std::uint64_t left = file_.bytes() - start - kChunkHeaderBytes;
    if (header.stored_bytes > left) {
        skip_to(find_landmark(start + kChunkHeaderBytes), "cut off in the middle of a chunk");
        return false;
    }
    stored_.resize(header.stored_bytes);
    errno = 0;
    if (file_.read_at(start + kChunkHeaderBytes, stored_.data(), stored_.size()) != stored_.size()) {
        const int why = errno;
        const std::string reason = why != 0 ? std::generic_category().message(why) : "the file became shorter";
        skip_to(file_.bytes(), "reading failed: " + reason);
        return false;
    }
    const std::uint64_t end = start + kChunkHeaderBytes + header.stored_bytes;
    if (const Result<void> unpacked = unpacker_.unpack(header, stored_, raw); !unpacked) {
        skip_bad_contents(header, end, unpacked.error().message);
        return false;
    }
    check_sequence(start, header);
    position_ = end;
    return true;
}

void ChunkScanner::skip_unknown() {
    const std::uint64_t next = find_landmark(position_ + 1);
    const bool tail = next == file_.bytes() && next - position_ < kLongestLandmark;
    skip_to(next, tail ? "cut off or damaged at the end" : "these bytes are no chunk");
}

// When the chunk's end is a sound place, only its contents changed. Otherwise bytes are missing or too many, and the next
// chunk may begin anywhere behind the header.
void ChunkScanner::skip_bad_contents(const ChunkHeader& header, std::uint64_t end, std::string what) {
    const std::uint64_t bytes = end - position_;
    if (end == file_.bytes() || look_at(end) != Landmark::kNothing || bytes > reread_budget_) {
        skip_to(end, std::move(what));
        if (header.kind != ChunkKind::kFrames) {
            set_newest_harmless();
        } else if (Damage* const newest = newest_damage()) {
            newest->chunk = header.sequence;
        }
        return;
    }
    reread_budget_ -= bytes;
    skip_to(find_landmark(position_ + kChunkHeaderBytes), std::move(what));
}

void ChunkScanner::skip_to(std::uint64_t offset, std::string what) {
    add_damage(position_, offset - position_, std::move(what));
    position_ = offset;
}

void ChunkScanner::check_sequence(std::uint64_t offset, const ChunkHeader& header) {
    if (expected_sequence_ && header.sequence != *expected_sequence_) {
        add_damage(offset, 0,
                   header.sequence > *expected_sequence_
                       ? fmt::format("{} chunks are missing here", header.sequence - *expected_sequence_)
                       : std::string("chunks are out of order from here"));
    }
    expected_sequence_ = header.sequence + 1;
}

}  // namespace sla::capture
