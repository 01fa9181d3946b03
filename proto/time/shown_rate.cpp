#include "proto/time/shown_rate.h"

#include <algorithm>
#include <cmath>

namespace sla::time {
namespace {

using Wide = unsigned __int128;

constexpr double kNotBelieved = 1e9;  // ppb: any rate is as good

Wide width_of(Wide rate, double error_ppb) {
    return static_cast<Wide>(std::floor(static_cast<long double>(rate) * (static_cast<long double>(error_ppb) / 1e9L)));
}

}  // namespace

bool ShownRate::binds(const ClockMap& clock) const {
    return any_ && clock.origin_ == origin_ && clock.breaks_.size() == breaks_;
}

void ShownRate::note(const ClockMap& clock) {
    if (clock.slope_error_ppb_ <= 0 || clock.slope_error_ppb_ >= kNotBelieved) return;  // 0: of no measured clock
    const Wide rate = (static_cast<Wide>(clock.scale_hi_) << 64) | clock.scale_lo_;
    const Wide width = width_of(rate, clock.slope_error_ppb_);
    if (!binds(clock)) {
        least_ = 0;
        greatest_ = ~Wide{0};
    }
    least_ = std::max(least_, rate - std::min(rate, width));
    greatest_ = std::min(greatest_, rate + width);
    any_ = true;
    origin_ = clock.origin_;
    breaks_ = clock.breaks_.size();
}

void ShownRate::limit(ClockMap& clock) const {
    if (!binds(clock) || clock.slope_error_ppb_ >= kNotBelieved) return;
    const Wide fitted = (static_cast<Wide>(clock.scale_hi_) << 64) | clock.scale_lo_;
    const Wide rate = std::clamp(fitted, least_, greatest_);
    if (rate == fitted) return;
    const Wide way = rate > fitted ? rate - fitted : fitted - rate;
    clock.scale_hi_ = static_cast<std::uint64_t>(rate >> 64);
    clock.scale_lo_ = static_cast<std::uint64_t>(rate);
    clock.slope_error_ppb_ +=
        static_cast<double>(static_cast<long double>(way) / static_cast<long double>(rate)) * 1e9 * (1 + 1e-12);
}

}  // namespace sla::time
