#include "emu/cpu/stop_points.h"

#include <algorithm>
#include <utility>

namespace sla::cpu {

void StopPoints::remove_code(std::uint32_t linear) {
    if (const auto found = code_.find(linear); found != code_.end()) code_.erase(found);
}

void StopPoints::remove_watch(const Watch& watch) {
    const auto found =
        std::find_if(watches_.begin(), watches_.end(), [&](const Watched& watched) { return watched.watch == watch; });
    if (found != watches_.end()) watches_.erase(found);
}

std::vector<std::optional<std::uint8_t>> StopPoints::values_of(const Watch& watch, const ReadByte& read) {
    std::vector<std::optional<std::uint8_t>> values;
    for (std::uint32_t i = 0; i < watch.bytes; ++i) values.push_back(read(watch.first + i));
    return values;
}

void StopPoints::go_on(std::optional<std::uint32_t> linear, const ReadByte& read) {
    passed_ = linear;
    found_.reset();
    note_values(read);
}

void StopPoints::note_values(const ReadByte& read) {
    for (Watched& watched : watches_) watched.values = values_of(watched.watch, read);
}

bool StopPoints::has_code(std::uint32_t first, std::uint32_t bytes) const {
    const auto next = code_.lower_bound(first);
    return next != code_.end() && *next - first < bytes;
}

bool StopPoints::within(std::uint32_t first, std::uint32_t bytes) const {
    if (repeat_ != nullptr) {
        const Repeat::Wanted& wanted = repeat_->wanted();
        if (wanted.every_one || now_() >= wanted.until.moment) return true;
        return wanted.at_points && (!watches_.empty() || has_code(first, bytes));
    }
    if (stepping() || !watches_.empty() || found_) return true;
    return (moment_ && now_() >= block_) || has_code(first, bytes);
}

bool StopPoints::stops_repeat_at(std::uint32_t linear) {
    const bool at_point = repeat_->wanted().at_points && code_.contains(linear);
    if (repeat_->arrives(now_(), at_point)) return true;
    if (at_point) met_ = Found{Why::kCode, linear};
    return false;
}

bool StopPoints::ends_steps_at(std::uint32_t linear) {
    std::vector<std::uint64_t> ended;
    for (Step& step : steps_) {
        if (step.has_begun && --step.left == 0) ended.push_back(step.number);
        step.has_begun = true;
    }
    if (ended.empty()) return false;
    found_ = Found{Why::kStep, linear, false, false, std::move(ended)};
    return true;
}

bool StopPoints::stops_at(std::uint32_t linear) {
    if (repeat_ != nullptr) return stops_repeat_at(linear);
    if (found_) return true;
    if (moment_ && now_() >= *moment_) {
        found_ = Found{Why::kMoment, linear};
        moment_.reset();
        return true;
    }
    if (ends_steps_at(linear)) return true;
    if (passed_ == linear) {
        passed_.reset();
        return false;
    }
    if (!code_.contains(linear)) return false;
    found_ = Found{Why::kCode, linear};
    return true;
}

void StopPoints::find(const Watch& watch) {
    const Found found{Why::kData, watch.first, watch.on_read && !watch.on_write, watch.on_read && watch.on_write};
    if (repeat_ == nullptr) {
        if (!found_) found_ = found;
    } else if (repeat_->wanted().at_points) {
        repeat_->note_present();
        met_ = found;
    }
}

void StopPoints::accessed(std::uint32_t linear, unsigned bytes, bool write) {
    for (const Watched& watched : watches_) {
        const Watch& watch = watched.watch;
        const bool overlaps = linear - watch.first < watch.bytes || watch.first - linear < bytes;
        if (overlaps && (write ? watch.on_write : watch.on_read)) find(watch);
    }
}

void StopPoints::look_for_changes(const ReadByte& read) {
    for (Watched& watched : watches_) {
        auto values = values_of(watched.watch, read);
        if (values != watched.values) find(watched.watch);
        watched.values = std::move(values);
    }
}

std::optional<StopPoints::Found> StopPoints::take() {
    auto found = std::exchange(found_, std::nullopt);
    if (found && found->why != Why::kMoment) steps_.clear();
    return found;
}

}  // namespace sla::cpu
