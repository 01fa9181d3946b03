#include "viewer/fleet/fleet_frames.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sla::fleet {

FleetFrames::FleetFrames(std::shared_ptr<const capture::CaptureIndex> index, capture::ChunkReader chunks, bool names_first,
                         const std::string& head)
    : index_(std::move(index)), chunks_(std::move(chunks)) {
    for (const capture::Damage& one : index_->damage()) {
        if (one.chunk) {
            gone_.emplace(one.offset, one);
        } else {
            damage_.push_back(one);
        }
    }
    if (names_first) {
        std::copy_if(index_->lasting().rbegin(), index_->lasting().rend(), std::back_inserter(rescued_),
                     [](const std::string& frame) { return capture::is_name_frame(frame); });
    }
    if (!head.empty()) rescued_.push_back(head);
}

void FleetFrames::load_next() {
    const capture::ChunkPlace& place = index_->chunks()[begun_++];
    position_ += place.stored_bytes;
    Result<void> loaded = chunks_.load(place);
    if (loaded) return;
    if (const auto gone = gone_.find(place.offset); gone != gone_.end()) {
        damage_.push_back(gone->second);
    } else {
        damage_.push_back({place.offset, place.stored_bytes, loaded.error().message, place.sequence, {}, false});
    }
    if (Result<capture::ChunkDetail> detail = chunks_.detail(place)) rescued_ = std::move(detail->lasting);
    std::reverse(rescued_.begin(), rescued_.end());
}

std::optional<std::string_view> FleetFrames::next_of_chunk() {
    if (rescued_.empty()) return chunks_.next();
    frame_ = std::move(rescued_.back());
    rescued_.pop_back();
    return frame_;
}

// A piece ends with an End that says where the capture goes on: only the last one is its end.
std::optional<std::string_view> FleetFrames::next() {
    for (;;) {
        const auto frame = next_of_chunk();
        if (!frame) {
            if (begun_ == index_->chunks().size()) return std::nullopt;
            load_next();
            continue;
        }
        const bool is_known = !capture::is_batch_frame(*frame) && names_.is_known(*frame);
        const bool goes_on = capture::is_end_frame(*frame) && begun_ < index_->chunks().size();
        if (!is_known && !goes_on) return frame;
    }
}

}  // namespace sla::fleet
