#include "viewer/sql/request.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>

namespace sla::sql {

namespace {

// Nothing near the ends of 64 bits is narrowed: times saturate there.
constexpr long double kFarPs = 9e18L;
constexpr long double kTwoTo63 = 9223372036854775808.0L;
constexpr std::uint64_t kTickMargin = 2;

// Where a bound lies, in ticks, give or take what rounding may do to the column. False: it says nothing.
struct Place {
    std::uint64_t low = 0;
    std::uint64_t high = store::kNever;
};

Place place_of_tick(long double number) {
    const bool is_rounded = std::isfinite(number) && std::fabs(number) >= kTwoTo63;
    const long double margin = is_rounded ? std::ldexp(std::fabs(number), -50) : 0;
    const auto tick = [](long double at) -> std::uint64_t {
        if (at <= 0) return 0;
        return at >= 2 * kTwoTo63 ? store::kNever : static_cast<std::uint64_t>(at);
    };
    return {tick(std::floor(number - margin)), tick(std::ceil(number + margin))};
}

bool place_of_time(const NamedCapture& capture, const TimeBound& bound, Place& place) {
    long double ps = bound.number;
    long double margin = 1;
    if (bound.role == Role::kNanoseconds) {
        ps *= 1000;
        margin += std::ldexp(std::fabs(ps), -50);
    } else if (bound.role == Role::kUtc) {
        if (capture.clock().origin_realtime_ns() == 0) return false;
        ps = (ps - static_cast<long double>(capture.clock().origin_realtime_ns())) * 1000;
        margin = 2001;
    }
    if (!(std::fabs(ps) < kFarPs)) return false;
    const std::uint64_t low = capture.clock().to_tick(static_cast<std::int64_t>(std::floor(ps - margin)));
    const std::uint64_t high = capture.clock().to_tick(static_cast<std::int64_t>(std::ceil(ps + margin)));
    place = {low - std::min(low, kTickMargin), high > store::kNever - kTickMargin ? store::kNever : high + kTickMargin};
    return true;
}

}  // namespace

bool comes_before(const std::vector<OrderTerm>& terms, const std::vector<std::string_view>& one,
                  const std::vector<std::string_view>& other) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
        if (one[i] != other[i]) return (one[i] < other[i]) != terms[i].is_descending;
    }
    return false;
}

bool NameTest::matches(const std::string& name) const {
    switch (test) {
        case Test::kGlob: return sqlite3_strglob(text.c_str(), name.c_str()) == 0;
        case Test::kLike: return sqlite3_strlike(text.c_str(), name.c_str(), 0) == 0;
        case Test::kOneOf: return std::find(texts.begin(), texts.end(), name) != texts.end();
        default: return text == name;
    }
}

bool Request::matches(Role role, const std::string& name) const {
    return std::all_of(names.begin(), names.end(),
                       [&](const NameTest& test) { return test.role != role || test.matches(name); });
}

bool Request::has(Role role) const {
    return std::any_of(names.begin(), names.end(), [&](const NameTest& test) { return test.role == role; });
}

std::string_view Request::text_of(Role role) const {
    const auto found = std::find_if(names.begin(), names.end(), [&](const NameTest& test) { return test.role == role; });
    return found == names.end() ? std::string_view() : std::string_view(found->text);
}

TickRange Request::ticks(const NamedCapture& capture) const {
    TickRange range;
    for (const TimeBound& bound : bounds) {
        Place place;
        if (bound.role == Role::kTick) {
            place = place_of_tick(bound.number);
        } else if (!place_of_time(capture, bound, place)) {
            continue;
        }
        const bool from_below = bound.test != Test::kLess && bound.test != Test::kLessEqual;
        const bool from_above = bound.test != Test::kGreater && bound.test != Test::kGreaterEqual;
        if (from_below) range.first = std::max(range.first, place.low);
        if (from_above) range.last = std::min(range.last, place.high);
        // No tick is below none.
        if (from_above && bound.role == Role::kTick && bound.number < 0) return {1, 0};
    }
    return range;
}

std::vector<const LaneTexts*> Request::lanes(const NamedCapture& capture) const {
    std::vector<const LaneTexts*> lanes;
    for (const LaneTexts& lane : capture.lanes()) {
        if (matches(Role::kChannel, lane.channel) && matches(Role::kSource, lane.source)) lanes.push_back(&lane);
    }
    return lanes;
}

}  // namespace sla::sql
