#include "proto/capture/pieces/series_frames.h"

#include "proto/capture/pieces/capture_pieces.h"

#include <filesystem>
#include <utility>

namespace sla::capture {

Result<std::unique_ptr<SeriesFrames>> SeriesFrames::open(std::shared_ptr<const FileRow> row, std::uint64_t bytes) {
    std::unique_ptr<SeriesFrames> frames(new SeriesFrames(std::move(row), bytes));
    if (frames->open_next()) return frames;
    auto first = FileFrames::open(frames->row_->files.front());
    return first ? damaged("'" + frames->row_->files.front() + "' changes while it is read") : first.error();
}

bool SeriesFrames::open_next() {
    while (opened_ < row_->files.size()) {
        const std::size_t number = opened_++;
        const std::string& file = row_->files[number];
        const std::string missing = number == 0 ? std::string() : missing_between(row_->files[number - 1], file);
        if (!missing.empty()) damage_.push_back({row_->begins[number], 0, missing, {}, {}, false});
        auto frames = FileFrames::open(file);
        if (!frames) {
            if (gone_ == number && has_gone(file)) {
                ++gone_;
                continue;
            }
            damage_.push_back({row_->begins[number], 0, frames.error().message, {}, {}, false});
            continue;
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

std::optional<std::string_view> SeriesFrames::next() {
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
