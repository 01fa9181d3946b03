// What a PagedCapture does with its file's damage, and what people are told of it.
#include "proto/capture/file.h"
#include "proto/capture/newest_watermark.h"
#include "viewer/ingest/merged/merged_capture.h"
#include "viewer/ingest/pages/paged_capture.h"

#include <unordered_set>

namespace sla::ingest {

namespace {

// Where the file stops in the middle is damage that nothing comes after.
bool is_at_the_end(const capture::Damage& damage, std::uint64_t file_bytes) {
    return damage.offset + damage.bytes >= file_bytes;
}

// Of one chunk, which the index has: its rows are loss rows, as if they had been looked at (a fleet's).
bool is_known_chunk(const capture::Damage& damage) {
    return damage.chunk && damage.bytes == 0;
}

}  // namespace

store::Note skipped_note(const std::string& name, const capture::Damage& damage, std::uint64_t tick) {
    const std::string skipped =
        " (" + std::to_string(damage.bytes) + " bytes at " + std::to_string(damage.offset) + " skipped)";
    return {tick, name + ": " + damage.what + (damage.bytes > 0 ? skipped : ""), true};
}

store::Note unfinished_note(const std::string& name, std::uint64_t tick) {
    const char* const why = capture::File::is_written(name)
                                ? ": it is still being written; what there was of it is here"
                                : ": the recorder did not finish this file; what it had written is here";
    return {tick, name + why, true};
}

Result<void> PagedCapture::check_damage(const capture::CaptureIndex& index) {
    for (const capture::Damage& damage : index.damage()) {
        if (!is_known_chunk(damage) && !is_at_the_end(damage, index.file_bytes()))
            return unavailable("it is damaged: " + damage.what);
    }
    return {};
}

void PagedCapture::note_damage(const capture::CaptureIndex& index) {
    std::unordered_set<std::uint64_t> gone;
    std::vector<capture::Damage> at_end;
    for (const capture::Damage& damage : index.damage()) {
        if (is_known_chunk(damage)) {
            gone.insert(damage.offset);
        } else {
            at_end.push_back(damage);
            lost_ends_.insert(lost_ends_.end(), damage.lost.begin(), damage.lost.end());
        }
    }
    if (!gone.empty()) are_gone_.resize(chunks_.size());
    for (std::size_t i = 0; i < are_gone_.size(); ++i) are_gone_[i] = gone.contains(chunks_[i].offset);
    if (index.finished() && at_end.empty()) return;
    watermark_ = newest_watermark();
    for (const capture::Damage& damage : at_end) notes_.push_back(skipped_note(path(), damage, watermark_));
    if (!index.finished()) notes_.push_back(unfinished_note(path(), watermark_));
}

std::uint64_t PagedCapture::newest_watermark() const {
    if (is_merged(*store_)) return 0;
    auto reader = store_->open_chunks();
    return reader ? capture::newest_watermark(*reader, chunks_) : 0;
}

}  // namespace sla::ingest
