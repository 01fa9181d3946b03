#include "proto/capture/pieces/series_frames.h"

#include "proto/capture/pieces/capture_pieces.h"
#include "proto/capture/pieces/hole_losses.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/missing_rows.h"

#include <filesystem>
#include <utility>

namespace sla::capture {
namespace {

std::string loss_frame(const GapRow& loss) {
    wire::EventBatch row = wire::gap_row(loss.channel, loss.cause, loss.lost, loss.tick, loss.until_tick);
    row.first_index = loss.index;
    wire::Frame frame;
    wire::encode_batch(row, *frame.mutable_batch());
    return frame.SerializeAsString();
}

}  // namespace

Result<std::unique_ptr<SeriesFrames>> SeriesFrames::open(std::shared_ptr<const FileRow> row, std::uint64_t bytes) {
    std::unique_ptr<SeriesFrames> frames(new SeriesFrames(std::move(row), bytes));
    if (frames->open_next()) return frames;
    auto first = FileFrames::open(frames->row_->files.front());
    return first ? damaged("'" + frames->row_->files.front() + "' changes while it is read") : first.error();
}

void SeriesFrames::add_missing(std::size_t number, std::string what) {
    damage_.push_back({row_->begins[number], 0, std::move(what), {}, {}, false});
    if (!losses_) losses_ = losses_in_holes(*row_);
}

bool SeriesFrames::open_next() {
    while (opened_ < row_->files.size()) {
        const std::size_t number = opened_++;
        const std::string& file = row_->files[number];
        const std::string missing = number == 0 ? std::string() : missing_between(row_->files[number - 1], file);
        if (!missing.empty()) add_missing(number, missing);
        auto frames = FileFrames::open(file);
        if (!frames) {
            if (gone_ == number && has_gone(file)) {
                ++gone_;
                continue;
            }
            add_missing(number, frames.error().message);
            continue;
        }
        if (losses_) {
            for (const GapRow& loss : (*losses_)[number]) due_.push_back(loss_frame(loss));
        }
        own_ = damage_.size();
        number_ = number;
        now_ = std::move(*frames);
        return true;
    }
    return false;
}

// The file's newest word of its damage: what it said of an earlier one may have been mended since.
void SeriesFrames::take_damage() {
    const std::vector<Damage>& its = now_->damage();
    if (its.empty()) return;
    damage_.resize(own_);
    const std::string name = std::filesystem::path(row_->files[number_]).filename().string();
    for (const Damage& one : its) {
        damage_.push_back(one);
        damage_.back().offset += row_->begins[number_];
        damage_.back().what = name + ": " + one.what;
    }
}

std::string_view SeriesFrames::take_due() {
    loss_ = std::move(due_.front());
    due_.pop_front();
    return loss_;
}

// The names that a file begins with come first: channels of the losses may be among them.
std::optional<std::string_view> SeriesFrames::next() {
    if (due_.empty()) return held_ ? std::exchange(held_, std::nullopt) : next_frame();
    if (held_) return take_due();
    const auto frame = next_frame();
    if (due_.empty() || (frame && is_name_frame(*frame))) return frame;
    held_ = frame;
    return take_due();
}

std::optional<std::string_view> SeriesFrames::next_frame() {
    while (now_ != nullptr && !is_over_) {
        const auto frame = now_->next();
        if (frame && is_batch_frame(*frame)) return frame;
        take_damage();
        if (!frame) {
            is_over_ = !open_next();
            continue;
        }
        if (names_.is_known(*frame) || (is_end_frame(*frame) && !is_last())) continue;
        return frame;
    }
    return std::nullopt;
}

std::uint64_t SeriesFrames::position() const {
    return now_ == nullptr ? 0 : row_->begins[number_] + now_->position();
}

}  // namespace sla::capture
