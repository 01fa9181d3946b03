#include "proto/capture/capture_index.h"

#include "proto/capture/chunk_scanner.h"
#include "proto/capture/closing.h"
#include "proto/capture/index_assembler.h"
#include "proto/capture/index_chain.h"
#include "proto/capture/summary.pb.h"
#include "proto/capture/summary/summary_collector.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace sla::capture {
namespace {

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
        if (read_index_chain(*file, *mark, assembler)) return assembler.finish(true);
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
