#include "viewer/timeline/ruler.h"

#include "proto/base/text.h"
#include "proto/time/picoseconds.h"
#include "viewer/timeline/readable.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sla::timeline {

namespace {

constexpr std::size_t kLongestFullLabel = 12;  // characters, gaps not counted
constexpr double kLabelGapCharacters = 3.0;
constexpr std::int64_t kLongestStep = 1'000'000'000'000'000'000;

std::int64_t floor_to(std::int64_t ps, std::int64_t step) {
    const std::int64_t rest = ps % step;
    const std::int64_t above = rest < 0 ? rest + step : rest;
    return ps < std::numeric_limits<std::int64_t>::min() + above ? ps : ps - above;
}

std::size_t characters(const std::string& label) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < label.size(); ++i) {
        const bool gap = label.compare(i, kThinGap.size(), kThinGap) == 0;
        if (gap)
            i += kThinGap.size() - 1;
        else if (begins_character(label[i]))
            ++count;
    }
    return count;
}

std::int64_t leading_digit(std::int64_t number) {
    while (number >= 10) number /= 10;
    return number;
}

struct Labels {
    bool relative = false;
    TimeUnit unit{"ns", 1'000};
    int decimals = 0;
    std::int64_t round = 1;  // relative marks count from multiples of this
};

std::string label_of(std::int64_t ps, const Labels& labels) {
    if (!labels.relative) return in_unit(ps, labels.unit, labels.decimals) + " " + labels.unit.name;
    const std::int64_t offset = ps - floor_to(ps, labels.round);
    if (offset == 0) return readable_time(ps, labels.round);
    return "+" + in_unit(offset, labels.unit, labels.decimals) + " " + labels.unit.name;
}

// Times end at +-106 days, as ClockMap's do; a view may reach further.
std::int64_t last_time(const RulerScale& scale) {
    return time::saturated(static_cast<long double>(scale.first_ps) +
                           static_cast<long double>(scale.ps_per_pixel) * static_cast<long double>(scale.width));
}

Labels choose_labels(const RulerScale& scale, std::int64_t step) {
    const std::uint64_t furthest = std::max(time::magnitude(scale.first_ps), time::magnitude(last_time(scale)));
    const auto largest = static_cast<std::int64_t>(std::min<std::uint64_t>(furthest, time::kMaxPs));
    Labels full;
    full.unit = unit_for(largest);
    full.decimals = decimals_for(full.unit, step);
    const std::string longest = label_of(largest, full);
    if (characters(longest) <= kLongestFullLabel) return full;

    Labels relative;
    relative.relative = true;
    relative.round = 1'000;
    while (relative.round < step * 50) relative.round *= 1'000;
    relative.unit = unit_for(relative.round / 1'000 * 999);
    if (relative.unit.ps > step * 1'000) relative.unit = unit_for(step);
    relative.decimals = decimals_for(relative.unit, step);
    return relative;
}

}  // namespace

std::int64_t nice_step(double ps) {
    std::int64_t decade = 1;
    while (decade < kLongestStep / 10) {
        for (const std::int64_t digit : {1, 2, 5}) {
            if (static_cast<double>(decade * digit) >= ps) return decade * digit;
        }
        decade *= 10;
    }
    return decade;
}

Ruler make_ruler(const RulerScale& scale, double character_pixels) {
    Ruler ruler;
    // A longer step may shorten the labels and never lengthens them: two rounds settle it.
    double wanted = 8.0 * character_pixels;
    Labels labels;
    for (int round = 0; round < 3; ++round) {
        ruler.step_ps = nice_step(wanted * scale.ps_per_pixel);
        labels = choose_labels(scale, ruler.step_ps);
        const auto seventh = time::saturated(static_cast<long double>(scale.first_ps) + ruler.step_ps * 7.0L);
        const std::size_t longest = labels.relative ? 9 : characters(label_of(seventh, labels)) + 1;
        wanted = std::max(wanted, (static_cast<double>(longest) + kLabelGapCharacters) * character_pixels);
    }
    const std::int64_t last_ps = last_time(scale);
    const std::int64_t minor =
        ruler.step_ps >= 10 ? ruler.step_ps / (leading_digit(ruler.step_ps) == 2 ? 4 : 5) : ruler.step_ps;
    bool is_behind = false;
    for (std::int64_t ps = floor_to(scale.first_ps, ruler.step_ps); !is_behind && ps <= last_ps;) {
        RulerMark mark;
        const auto from_left = static_cast<long double>(ps) - static_cast<long double>(scale.first_ps);  // beyond 64 bits
        mark.x = static_cast<double>(from_left) / scale.ps_per_pixel;
        mark.major = floor_to(ps, ruler.step_ps) == ps;
        mark.base = mark.major && labels.relative && floor_to(ps, labels.round) == ps;
        if (mark.major) mark.label = label_of(ps, labels);
        ruler.marks.push_back(std::move(mark));
        is_behind = __builtin_add_overflow(ps, minor, &ps);
    }
    if (labels.relative) ruler.base = readable_time(floor_to(scale.first_ps, labels.round), labels.round);
    return ruler;
}

}  // namespace sla::timeline
