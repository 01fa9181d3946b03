#include "viewer/timeline/viewport.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sla::timeline {

namespace {

constexpr double kFarAway = 4.0e18;  // beyond any tick, within int64

}  // namespace

std::int64_t Viewport::place_of(std::uint64_t tick) const {
    const auto at = static_cast<std::int64_t>(tick);
    return folds_ == nullptr ? at : folds_->place_of(at - shift_);
}

std::uint64_t Viewport::tick_of(std::int64_t place) const {
    const std::int64_t tick = folds_ == nullptr ? place : folds_->tick_at(place) + shift_;
    return tick < 0 ? 0 : static_cast<std::uint64_t>(tick);
}

double Viewport::x_of(std::uint64_t tick) const {
    return (static_cast<double>(place_of(tick) - start_) - fraction_) / ticks_per_pixel_ - skipped_;
}

std::uint64_t Viewport::tick_at(double x) const {
    const double offset = std::clamp(fraction_ + (x + skipped_) * ticks_per_pixel_, -kFarAway, kFarAway);
    return tick_of(start_ + static_cast<std::int64_t>(std::llround(offset)));
}

std::uint64_t Viewport::first_tick_from(double x) const {
    const double offset = std::clamp(fraction_ + (x + skipped_) * ticks_per_pixel_, -kFarAway, kFarAway);
    return tick_of(start_ + static_cast<std::int64_t>(std::ceil(offset)));
}

TickRange Viewport::visible() const {
    const double first = std::ceil(fraction_ + skipped_ * ticks_per_pixel_);
    const double last = std::floor(fraction_ + (skipped_ + width_) * ticks_per_pixel_);
    return {tick_of(start_ + static_cast<std::int64_t>(first)), tick_of(start_ + static_cast<std::int64_t>(last))};
}

void Viewport::set_folds(std::shared_ptr<const Folds> folds) {
    const std::uint64_t middle = tick_at(width_ / 2);
    folds_ = folds == nullptr || folds->empty() ? nullptr : std::move(folds);
    shift_ = 0;
    place(middle, width_ / 2);
}

void Viewport::stand(std::uint64_t tick, double ticks_per_pixel) {
    ticks_per_pixel_ = std::clamp(ticks_per_pixel, kMinTicksPerPixel, kMaxTicksPerPixel);
    place(tick, 0);
}

Viewport Viewport::strip(int begin, double width) const {
    Viewport part = *this;
    part.skipped_ += begin;
    part.width_ = width;
    return part;
}

void Viewport::set_width(double pixels) {
    width_ = std::max(pixels, 1.0);
}

void Viewport::zoom_at(double x, double factor) {
    const double zoomed = std::clamp(ticks_per_pixel_ * factor, kMinTicksPerPixel, kMaxTicksPerPixel);
    move_start(x * (ticks_per_pixel_ - zoomed));
    ticks_per_pixel_ = zoomed;
}

void Viewport::pan(double pixels) {
    move_start(pixels * ticks_per_pixel_);
}

void Viewport::show(TickRange range, double margin) {
    const double inside = width_ * (1.0 - 2.0 * margin);
    const std::int64_t first = place_of(range.first);
    const double length = std::max(static_cast<double>(place_of(std::max(range.last, range.first)) - first), 1.0);
    ticks_per_pixel_ = std::clamp(length / std::max(inside, 1.0), kMinTicksPerPixel, kMaxTicksPerPixel);
    start_ = first;
    fraction_ = 0.0;
    // A range too short for the deepest zoom stands in the middle.
    const double spare = width_ - length / ticks_per_pixel_;
    move_start(-spare / 2.0 * ticks_per_pixel_);
}

void Viewport::place(std::uint64_t tick, double x) {
    start_ = place_of(tick);
    fraction_ = 0.0;
    move_start(-x * ticks_per_pixel_);
}

Viewport Viewport::shifted(std::int64_t ticks) const {
    Viewport result = *this;
    (folds_ == nullptr ? result.start_ : result.shift_) += ticks;
    return result;
}

void Viewport::keep_near(TickRange extent) {
    const auto length = static_cast<double>(place_of(std::max(extent.last, extent.first)) - place_of(extent.first));
    const double longest = std::max(length * 2.0, width_ * kMinTicksPerPixel);
    if (width_ * ticks_per_pixel_ > longest) zoom_at(width_ / 2.0, longest / (width_ * ticks_per_pixel_));
    const double half = width_ / 2.0;
    const double first_x = x_of(extent.first);
    const double last_x = x_of(extent.last);
    if (first_x > half) pan(first_x - half);
    if (last_x < half) pan(last_x - half);
}

Viewport Viewport::between(const Viewport& from, const Viewport& to, double t) {
    Viewport result = to;
    if (t >= 1.0 || from.folds_ != to.folds_) return result;
    const double start_distance = static_cast<double>(to.start_ - from.start_) + (to.fraction_ - from.fraction_);
    const double ratio = to.ticks_per_pixel_ / from.ticks_per_pixel_;
    double share = t;
    if (std::abs(ratio - 1.0) > 1e-6) {
        result.ticks_per_pixel_ = from.ticks_per_pixel_ * std::pow(ratio, t);
        share = (result.ticks_per_pixel_ - from.ticks_per_pixel_) / (to.ticks_per_pixel_ - from.ticks_per_pixel_);
    }
    result.start_ = from.start_;
    result.fraction_ = from.fraction_;
    result.move_start(start_distance * share);
    return result;
}

void Viewport::move_start(double ticks) {
    fraction_ += std::clamp(ticks, -kFarAway, kFarAway);
    normalize();
}

void Viewport::normalize() {
    const double whole = std::floor(fraction_);
    const double reached = std::clamp(static_cast<double>(start_) + whole, -kFarAway, kFarAway);
    const bool outside = std::abs(reached) >= kFarAway;
    start_ = outside ? static_cast<std::int64_t>(reached) : start_ + static_cast<std::int64_t>(whole);
    fraction_ -= whole;
    if (fraction_ < 0.0 || fraction_ >= 1.0) fraction_ = 0.0;
}

}  // namespace sla::timeline
