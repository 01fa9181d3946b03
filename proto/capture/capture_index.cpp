#include "proto/capture/capture_index.h"

#include "proto/capture/chunk_scanner.h"
#include "proto/capture/closing.h"
#include "proto/capture/index_assembler.h"
#include "proto/capture/summary.pb.h"
#include "proto/capture/summary/summary_collector.h"
#include "proto/wire/frame_codec.h"

#include <google/protobuf/arena.h>

#include <algorithm>
#include <array>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace sla::capture {
namespace {

constexpr std::uint32_t kIndexVersion = 2;
constexpr std::size_t kEnoughToGuess = 128;  // chunks
constexpr std::uint64_t kKindsOfChunks = 2;  // frames and their summary: an index is hardly ever one

// Reads index chunks, each while the one before it is looked at: on a thread beside, into one of two places by turns. What
// they need in memory is used again and again; of a large file, taking it anew costs as much as all else.
class IndexChunks {
public:
    explicit IndexChunks(const File& file) : file_(file) {}

    void begin(std::uint64_t offset) {
        Place& place = places_[turn_ ^= 1U];
        ahead_ =
            std::async(std::launch::async | std::launch::deferred, [this, &place, offset] { return read(offset, place); });
    }
    // Of the last begin(), until the one after the next; null: there is none.
    const Index* get() { return ahead_.get(); }

private:
    struct Place {
        std::string stored;
        std::string raw;
        ChunkUnpacker unpacker;
        std::unique_ptr<char[]> block = std::make_unique_for_overwrite<char[]>(kBlockBytes);  // what the arena keeps
        google::protobuf::Arena arena{block.get(), kBlockBytes};
    };
    static constexpr std::size_t kBlockBytes = std::size_t{4} << 20;  // 256 chunks of some 20 channels take half of it

    const Index* read(std::uint64_t offset, Place& place) const {
        std::array<char, kChunkHeaderBytes> record;
        const auto header = decode_chunk_header({record.data(), file_.read_at(offset, record.data(), record.size())});
        if (!header || header->kind != ChunkKind::kIndex) return nullptr;
        place.stored.resize(header->stored_bytes);
        const std::size_t read = file_.read_at(offset + kChunkHeaderBytes, place.stored.data(), place.stored.size());
        if (read != place.stored.size()) return nullptr;
        place.arena.Reset();
        Index& index = *google::protobuf::Arena::CreateMessage<Index>(&place.arena);
        const bool is_read =
            place.unpacker.unpack(*header, place.stored, place.raw) && wire::parse_message(place.raw, index);
        return is_read && index.version() == kIndexVersion ? &index : nullptr;
    }

    const File& file_;
    std::array<Place, 2> places_;
    unsigned turn_ = 0;
    std::future<const Index*> ahead_;  // waits for its end before the places go
};

// Last chunk first. False when an index chunk does not make sense.
bool add_index_chunk(const Index& index, std::uint64_t& below, IndexAssembler& assembler) {
    ChunkDetail detail;
    for (auto chunk = index.chunks().rbegin(); chunk != index.chunks().rend(); ++chunk) {
        const ChunkPlace place = place_of(*chunk);
        const bool is_before = place.offset < below && kChunkHeaderBytes + place.stored_bytes <= below - place.offset;
        if (place.offset < kFileHeaderBytes || !is_before) return false;
        if (!decode_detail(*chunk, detail)) return false;
        std::reverse(detail.crossed.begin(), detail.crossed.end());
        std::reverse(detail.gaps.begin(), detail.gaps.end());
        if (!assembler.add(detail)) return false;
        for (auto frame = chunk->lasting().rbegin(); frame != chunk->lasting().rend(); ++frame) {
            if (!assembler.add_lasting(*frame)) return false;
        }
        below = place.offset;
    }
    return true;
}

// Follows the chain from the file's end. Each link must lead towards the front, so that a forged chain ends.
bool read_chain(const File& file, const ClosingMark& mark, IndexAssembler& assembler) {
    IndexChunks chunks(file);
    std::uint64_t below = file.bytes();
    std::uint64_t offset = mark.index_offset;
    if (offset != 0) chunks.begin(offset);
    for (bool is_expected = false; offset != 0;) {
        if (offset >= below) return false;
        below = offset;
        const Index* const index = chunks.get();
        if (index == nullptr) return false;
        offset = index->previous();
        if (offset != 0) chunks.begin(offset);
        if (!add_index_chunk(*index, below, assembler)) return false;
        if (!is_expected && assembler.chunks() >= kEnoughToGuess) {
            is_expected = true;
            assembler.expect(mark.chunks / kKindsOfChunks / assembler.chunks() + 1);
        }
    }
    assembler.turn_round();
    return mark.index_offset != 0;
}

// A chunk of frames whose summary is gone: made anew from its events, as if nothing had been open before.
Result<ChunkDetail> summarize(ChunkScanner& scanner, const ChunkScanner::Chunk& chunk) {
    std::string raw;
    if (Result<void> read = scanner.read(chunk, raw); !read) return read.error();
    SummaryCollector collector;
    std::string_view contents = raw;
    while (const auto frame = take_frame(contents)) collector.add_frame(*frame, {});
    return collector.close_chunk({chunk.header.sequence, chunk.offset, chunk.header.stored_bytes, chunk.header.frames});
}

// Walks over all chunks, reading the summaries.
class IndexMaker {
public:
    IndexMaker(File file, IndexAssembler& assembler) : scanner_(std::move(file), kFileHeaderBytes), assembler_(assembler) {}

    // False when `progress` said so, or when the file claims more than it can hold.
    bool walk(const std::function<bool(double)>& progress) {
        std::string raw;
        const auto bytes = static_cast<double>(scanner_.file().bytes());
        while (const auto chunk = scanner_.next(raw, ChunkScanner::Contents::kNoFrames)) {
            if (chunk->header.kind == ChunkKind::kFrames) begin_frames(*chunk);
            if (chunk->header.kind == ChunkKind::kSummary) take_summary(raw);
            if (progress && !progress(static_cast<double>(scanner_.position()) / bytes)) return false;
            if (!fits_) return false;
        }
        settle();
        return fits_;
    }
    [[nodiscard]] const std::vector<Damage>& damage() const { return scanner_.damage(); }

private:
    void begin_frames(const ChunkScanner::Chunk& chunk) {
        settle();
        waiting_ = chunk;
    }
    // The newest chunk of frames has no summary: a look at its events.
    void settle() {
        if (!waiting_) return;
        const ChunkScanner::Chunk chunk = *std::exchange(waiting_, std::nullopt);
        if (Result<ChunkDetail> made = summarize(scanner_, chunk)) {
            assembler_.set_states_unknown();
            add(std::move(*made));
        } else {
            scanner_.add_damage(chunk.offset, kChunkHeaderBytes + chunk.header.stored_bytes, made.error().message);
        }
    }
    void take_summary(const std::string& raw) {
        ChunkSummary message;
        ChunkDetail detail;
        if (!wire::parse_message(raw, message) || !decode_detail(message, detail)) return;
        const bool of_waiting = waiting_ && waiting_->header.sequence == detail.place.sequence;
        if (!of_waiting) {  // its chunk is gone; the names in it are not
            add_lasting(detail);
            return;
        }
        detail.place.offset = waiting_->offset;
        detail.place.stored_bytes = waiting_->header.stored_bytes;
        waiting_.reset();
        add(std::move(detail));
    }
    void add(ChunkDetail detail) {
        add_lasting(detail);
        fits_ = fits_ && assembler_.add(detail);
    }

    void add_lasting(ChunkDetail& detail) {
        for (std::string& frame : detail.lasting) fits_ = fits_ && assembler_.add_lasting(std::move(frame));
    }

    ChunkScanner scanner_;
    IndexAssembler& assembler_;
    std::optional<ChunkScanner::Chunk> waiting_;  // a chunk of frames, until its summary comes
    bool fits_ = true;
};

}  // namespace

std::size_t CaptureIndex::Lane::lower_bound(std::uint64_t tick) const {
    return summaries.first_until(tick);
}

const CaptureIndex::Lane* CaptureIndex::lane(ChannelId channel) const {
    const auto at = std::lower_bound(lanes_.begin(), lanes_.end(), channel,
                                     [](const Lane& lane, ChannelId wanted) { return lane.channel < wanted; });
    return at == lanes_.end() || at->channel != channel ? nullptr : &*at;
}

Result<CaptureIndex> CaptureIndex::of_file(const std::string& path, const std::function<bool(double)>& progress) {
    Result<File> file = File::open(path);
    if (!file) return file.error();
    if (const auto version = check_file_header(*file); !version) return version.error();
    const std::optional<ClosingMark> mark = read_closing_mark(*file);
    if (mark) {
        IndexAssembler assembler(file->bytes());
        if (read_chain(*file, *mark, assembler)) return assembler.finish(true);
    }
    IndexAssembler assembler(file->bytes());
    IndexMaker maker(std::move(*file), assembler);
    if (!maker.walk(progress)) {
        return damaged("no index can be made of '" + path +
                       "': stopped, or it claims more than it can hold; read it in order");
    }
    assembler.set_made_anew(maker.damage());
    return assembler.finish(mark.has_value());
}

}  // namespace sla::capture
