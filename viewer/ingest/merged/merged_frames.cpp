#include "viewer/ingest/merged/merged_frames.h"

#include "viewer/ingest/frame_item.h"
#include "viewer/ingest/merged/merged_chunks.h"

#include <algorithm>
#include <utility>

namespace sla::ingest {

Result<std::unique_ptr<MergedFrames>> MergedFrames::open(std::shared_ptr<const MergedParts> parts) {
    std::unique_ptr<MergedFrames> frames(new MergedFrames(std::move(parts)));
    for (const MergedPart& part : frames->parts_->parts()) {
        Result<capture::CaptureReader> reader = part.of.store->open_frames();
        if (!reader) return reader.error();
        const std::uint64_t reached = part.translation.tick(part.first_tick);
        frames->order_.emplace(reached, frames->inputs_.size());
        frames->inputs_.push_back({&part, std::move(*reader), reached, 0});
    }
    return frames;
}

void MergedFrames::step_furthest_behind() {
    auto first = order_.extract(order_.begin());
    Input& input = inputs_[first.value().second];
    step(input);
    first.value().first = input.reached;
    order_.insert(std::move(first));
}

void MergedFrames::take_damage(Input& input) {
    const std::vector<capture::Damage>& reported = input.reader.damage();
    for (; input.reported_damage < reported.size(); ++input.reported_damage) {
        damage_.push_back(reported[input.reported_damage]);
        const bool is_of_chunk = damage_.back().chunk && damage_.back().bytes == 0;
        const bool is_at_its_end = damage_.back().offset + damage_.back().bytes >= input.reader.file_bytes();
        if (is_at_its_end && !is_of_chunk) damage_.back().offset = bytes();
        input.part->translate(damage_.back());
    }
}

void MergedFrames::step(Input& input) {
    const auto frame = input.reader.next();
    take_damage(input);
    if (!frame) {
        input.reached = store::kNever;
        return;
    }
    const FrameItem item = decode_frame(*frame);
    const bool is_message = item.what == FrameItem::What::kMessage;
    if (is_message && item.message.has_watermark())
        input.reached = std::max(input.reached, input.part->translation.tick(item.message.watermark().tick()));
    if (auto moved = moved_frame(*input.part, item)) ready_.push_back(std::move(*moved));
}

void MergedFrames::report_watermark() {
    const std::uint64_t reached = order_.begin()->first;
    wire::Frame frame;
    if (reached == store::kNever && !std::exchange(has_ended_, true)) {
        frame.mutable_end()->set_tick(watermark_);
        frame.mutable_end()->set_reason("the captures of all hosts end here");
        ready_.push_back(frame.SerializeAsString());
    }
    if (reached == store::kNever || reached <= watermark_) return;
    watermark_ = reached;
    frame.mutable_watermark()->set_tick(watermark_);
    ready_.push_back(frame.SerializeAsString());
}

std::optional<std::string_view> MergedFrames::next() {
    while (ready_.empty() && !has_ended_) {
        step_furthest_behind();
        report_watermark();
    }
    if (ready_.empty()) return std::nullopt;
    frame_ = std::move(ready_.front());
    ready_.pop_front();
    return frame_;
}

bool MergedFrames::finished() const {
    return std::all_of(inputs_.begin(), inputs_.end(), [](const Input& one) { return one.reader.finished(); });
}

std::uint64_t MergedFrames::bytes() const {
    std::uint64_t sum = 0;
    for (const Input& one : inputs_) sum += one.reader.file_bytes();
    return sum;
}

std::uint64_t MergedFrames::position() const {
    std::uint64_t sum = 0;
    for (const Input& one : inputs_) sum += one.reader.position();
    return sum;
}

}  // namespace sla::ingest
