#include "viewer/timeline/viewport.h"

#include <algorithm>
#include <cmath>

namespace sla::timeline {

namespace {

constexpr double kFarAway = 4.0e18;  // beyond any tick, within int64

double signed_distance(std::uint64_t tick, std::int64_t start) {
    return static_cast<double>(static_cast<std::int64_t>(tick) - start);
}

}  // namespace

double Viewport::x_of(std::uint64_t tick) const {
    return (signed_distance(tick, start_) - fraction_) / ticks_per_pixel_ - skipped_;
}

std::uint64_t Viewport::tick_at(double x) const {
    const double offset = std::clamp(fraction_ + (x + skipped_) * ticks_per_pixel_, -kFarAway, kFarAway);
    const std::int64_t tick = start_ + static_cast<std::int64_t>(std::llround(offset));
    return tick < 0 ? 0 : static_cast<std::uint64_t>(tick);
}

std::uint64_t Viewport::first_tick_from(double x) const {
    const double offset = std::clamp(fraction_ + (x + skipped_) * ticks_per_pixel_, -kFarAway, kFarAway);
    const std::int64_t tick = start_ + static_cast<std::int64_t>(std::ceil(offset));
    return tick < 0 ? 0 : static_cast<std::uint64_t>(tick);
}

TickRange Viewport::visible() const {
    const double first = std::ceil(fraction_ + skipped_ * ticks_per_pixel_);
    const double last = std::floor(fraction_ + (skipped_ + width_) * ticks_per_pixel_);
    return {static_cast<std::uint64_t>(std::max<std::int64_t>(start_ + static_cast<std::int64_t>(first), 0)),
            static_cast<std::uint64_t>(std::max<std::int64_t>(start_ + static_cast<std::int64_t>(last), 0))};
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
    const double length = std::max<double>(static_cast<double>(range.length()), 1.0);
    ticks_per_pixel_ = std::clamp(length / std::max(inside, 1.0), kMinTicksPerPixel, kMaxTicksPerPixel);
    start_ = static_cast<std::int64_t>(range.first);
    fraction_ = 0.0;
    // A range too short for the deepest zoom stands in the middle.
    const double spare = width_ - length / ticks_per_pixel_;
    move_start(-spare / 2.0 * ticks_per_pixel_);
}

void Viewport::place(std::uint64_t tick, double x) {
    start_ = static_cast<std::int64_t>(tick);
    fraction_ = 0.0;
    move_start(-x * ticks_per_pixel_);
}

Viewport Viewport::shifted(std::int64_t ticks) const {
    Viewport result = *this;
    result.start_ += ticks;
    return result;
}

void Viewport::keep_near(TickRange extent) {
    const double longest = std::max(static_cast<double>(extent.length()) * 2.0, width_ * kMinTicksPerPixel);
    if (width_ * ticks_per_pixel_ > longest) zoom_at(width_ / 2.0, longest / (width_ * ticks_per_pixel_));
    const double half = width_ / 2.0;
    const double first_x = x_of(extent.first);
    const double last_x = x_of(extent.last);
    if (first_x > half) pan(first_x - half);
    if (last_x < half) pan(last_x - half);
}

Viewport Viewport::between(const Viewport& from, const Viewport& to, double t) {
    Viewport result = to;
    if (t >= 1.0) return result;
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
