#include "proto/capture/file_frames.h"

#include "proto/capture/chunk.h"
#include "proto/capture/closing.h"
#include "proto/capture/summary.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sla::capture {
namespace {

constexpr std::size_t kMaxLostRows = 256;  // of one damage; a forged file must not fill memory

LostRows lost_rows(const LaneSummary& lane, const ChunkDetail& detail) {
    LostRows lost{lane.channel, lane.first_index, lane.rows, lane.first_tick, lane.last_tick, {}, false};
    std::copy_if(detail.gaps.begin(), detail.gaps.end(), std::back_inserter(lost.losses),
                 [&](const GapRow& row) { return row.channel == lane.channel; });
    lost.are_losses_known = !lane.opaque && lost.losses.size() == lane.gap_rows;
    return lost;
}

}  // namespace

FileFrames::FileFrames(File file, std::optional<ClosingMark> mark, bool has_summaries)
    : scanner_(std::move(file), kFileHeaderBytes), mark_(mark), has_summaries_(has_summaries) {}

Result<std::unique_ptr<FileFrames>> FileFrames::open(const std::string& path) {
    Result<File> file = File::open(path);
    if (!file) return file.error();
    const auto version = check_file_header(*file);
    if (!version) return version.error();
    const std::optional<ClosingMark> mark = read_closing_mark(*file);
    const bool has_summaries = *version && **version >= kFirstWithSummaries;
    std::unique_ptr<FileFrames> frames(new FileFrames(std::move(*file), mark, has_summaries));
    if (!*version) {
        frames->scanner_.add_damage(0, kFileHeaderBytes, "the file's header is damaged");
        frames->scanner_.set_newest_harmless();
    }
    return frames;
}

void FileFrames::look_at(const ChunkScanner::Chunk& next) {
    chunk_ = next;
    if (next.header.kind == ChunkKind::kSummary) {
        look_at_summary();
    } else {
        judge_damage(next.header.sequence);
    }
    judged_ = scanner_.damage().size();
    next_sequence_ = next.header.sequence + 1;
    if (next.header.kind != ChunkKind::kFrames) return;
    newest_frames_ = next.header.sequence;
    summarized_ = false;
    contents_ = raw_;
}

// If a single chunk is missing before one that is no summary, it was a summary or an index itself: behind lost frames
// their summary would have come. But not where a sound header says that it was frames, nor in files that have no summaries.
void FileFrames::judge_damage(std::uint64_t next_sequence) {
    if (scanner_.damage().size() == judged_ || !newest_frames_ || !has_summaries_) return;
    const Damage* const newest = scanner_.newest_damage();
    const std::uint64_t expected = *newest_frames_ + (summarized_ ? 2 : 1);
    if (newest != nullptr && !newest->chunk && next_sequence == expected + 1) scanner_.set_newest_harmless();
}

// Between the newest sound chunk and these lost frames more is missing than a summary and an index.
bool FileFrames::hides_more(std::uint64_t sequence) const {
    const std::uint64_t harmless = !newest_frames_ ? 0 : summarized_ ? 1 : 2;
    return sequence > next_sequence_ + harmless;
}

// A summary whose chunk did not come says what the damage before it took.
void FileFrames::look_at_summary() {
    ChunkSummary message;
    ChunkDetail detail;
    if (!wire::parse_message(raw_, message) || !decode_detail(message, detail)) {
        scanner_.add_damage(chunk_.offset, kChunkHeaderBytes + chunk_.header.stored_bytes, "a summary does not make sense");
        scanner_.set_newest_harmless();
        return;
    }
    if (newest_frames_ == detail.place.sequence) {
        summarized_ = true;
    } else {
        rescue(detail);
    }
}

// Hands out what nobody can do without: names, clocks, the end.
void FileFrames::rescue(const ChunkDetail& detail) {
    Damage* const damage = scanner_.damage().empty() ? nullptr : scanner_.newest_damage();
    if (damage != nullptr) {
        damage->chunk = detail.place.sequence;
        damage->has_more = damage->has_more || hides_more(detail.place.sequence) || detail.lanes.size() > kMaxLostRows;
        for (const LaneSummary& lane : detail.lanes) {
            if (damage->lost.size() == kMaxLostRows) break;
            damage->lost.push_back(lost_rows(lane, detail));
        }
    }
    raw_.clear();
    for (const std::string& frame : detail.lasting) append_frame(frame, raw_);
    contents_ = raw_;
}

std::optional<std::string_view> FileFrames::next() {
    for (;;) {
        if (const std::optional<std::string_view> frame = take_frame(contents_)) return frame;
        if (!contents_.empty()) {
            scanner_.add_damage(chunk_.offset, kChunkHeaderBytes + chunk_.header.stored_bytes,
                                "a chunk is not made of frames to its end");
            contents_ = {};
        }
        const std::optional<ChunkScanner::Chunk> chunk = scanner_.next(raw_);
        if (!chunk) {
            if (mark_) judge_damage(mark_->chunks);
            return std::nullopt;
        }
        look_at(*chunk);
    }
}

}  // namespace sla::capture
