#include "proto/capture/chunk_index.h"

#include "proto/capture/chunk.h"
#include "proto/capture/file.h"
#include "proto/capture/file_format.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

namespace sla::capture {
namespace {

constexpr std::uint32_t kIndexVersion = 1;

std::optional<ClosingMark> read_closing_mark(const File& file) {
    if (file.bytes() < kFileHeaderBytes + kClosingMarkBytes) return std::nullopt;
    std::array<char, kClosingMarkBytes> bytes;
    const std::size_t got = file.read_at(file.bytes() - bytes.size(), bytes.data(), bytes.size());
    return decode_closing_mark({bytes.data(), got});
}

std::optional<Index> read_index_chunk(const File& file, std::uint64_t offset) {
    std::array<char, kChunkHeaderBytes> record;
    const auto header = decode_chunk_header({record.data(), file.read_at(offset, record.data(), record.size())});
    if (!header || header->kind != ChunkKind::kIndex) return std::nullopt;
    std::string stored(header->stored_bytes, '\0');
    if (file.read_at(offset + kChunkHeaderBytes, stored.data(), stored.size()) != stored.size()) return std::nullopt;
    std::string raw;
    Index index;
    if (!ChunkUnpacker().unpack(*header, stored, raw) || !wire::parse_message(raw, index)) return std::nullopt;
    return index;
}

}  // namespace

void IndexCollector::add_frame(const FrameFacts& facts) {
    ++frames_;
    if (facts.events == 0) {
        ++other_frames_;
        return;
    }
    const auto [at, is_new] = channels_.try_emplace(facts.channel);
    Index::Channel& channel = at->second;
    channel.set_channel(facts.channel);
    channel.set_first_tick(is_new ? facts.first_tick : std::min<std::uint64_t>(channel.first_tick(), facts.first_tick));
    channel.set_last_tick(std::max<std::uint64_t>(channel.last_tick(), facts.last_tick));
    channel.set_events(channel.events() + facts.events);
}

void IndexCollector::close_chunk(std::uint64_t offset) {
    Index::Chunk& chunk = *index_.add_chunks();
    chunk.set_offset(offset);
    chunk.set_frames(std::exchange(frames_, 0));
    chunk.set_other_frames(std::exchange(other_frames_, 0));
    for (const auto& [id, channel] : channels_) *chunk.add_channels() = channel;
    channels_.clear();
}

std::string IndexCollector::take(std::uint64_t previous) {
    index_.set_version(kIndexVersion);
    index_.set_previous(previous);
    std::string bytes = index_.SerializeAsString();
    index_.Clear();
    return bytes;
}

Result<std::vector<Index::Chunk>> read_index(const std::string& path) {
    const Result<File> file = File::open(path);
    if (!file) return file.error();
    const std::optional<ClosingMark> mark = read_closing_mark(*file);
    if (!mark) return damaged("'" + path + "' has no closing mark: its recording was not finished; read it in order");

    std::vector<Index::Chunk> chunks;
    std::uint64_t below = file->bytes();
    for (std::uint64_t offset = mark->index_offset; offset != 0;) {
        // Each link must lead towards the front, so that a forged chain ends.
        std::optional<Index> index;
        if (offset < below) index = read_index_chunk(*file, offset);
        if (!index) return damaged("the index of '" + path + "' is damaged; read it in order");
        chunks.insert(chunks.end(), std::make_move_iterator(index->mutable_chunks()->rbegin()),
                      std::make_move_iterator(index->mutable_chunks()->rend()));
        below = offset;
        offset = index->previous();
    }
    std::reverse(chunks.begin(), chunks.end());
    return chunks;
}

}  // namespace sla::capture
