#include "viewer/timeline/pictures/value_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace sla::timeline {

namespace {

constexpr std::uint64_t kExactValues = 8;
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

ValueStep hole_at(double x) {
    return {static_cast<float>(x), kNoNumber, kNoNumber, kNoNumber};
}

// Behind the others.
void add_number(double number, ValueStep& step) {
    step.value = number;
    step.has_above |= number == kInfinity;
    step.has_below |= number == -kInfinity;
    if (!std::isfinite(number)) return;
    step.min = std::fmin(step.min, number);  // a number beside none is the number
    step.max = std::fmax(step.max, number);
}

// What the newest values of some rows say.
struct Newest {
    std::optional<double> number;
    bool is_hole = false;  // the very newest is no number
};

// Of the rows from `oldest` to the one before `index`: not behind the newest number.
Newest newest_before(const store::Lane& lane, std::uint64_t index, std::uint64_t oldest) {
    Newest newest;
    while (index > oldest && !newest.number) {
        const store::Event event = lane[--index];
        if (event.kind() != wire::Kind::kValue) continue;
        if (std::isnan(event.number()))
            newest.is_hole = true;
        else
            newest.number = event.number();
    }
    return newest;
}

void add_dense_column(const store::Lane& lane, const Column& column, LanePicture& out) {
    const store::Summary all = lane.summarize_indices(column.first, column.last);
    const Newest newest = newest_before(lane, column.last, std::max(column.first, column.last - kExactValues));
    const auto x = static_cast<float>(column.x);
    const bool has_number = all.has_value || all.has_above || all.has_below;
    if (has_number) {
        const double any = all.has_value ? all.max : all.has_above ? kInfinity : -kInfinity;
        const double min = all.has_value ? all.min : kNoNumber;
        const double max = all.has_value ? all.max : kNoNumber;
        out.values.push_back({x, newest.number.value_or(any), min, max, all.events, all.has_above, all.has_below});
    }
    if (newest.is_hole) out.values.push_back(hole_at(has_number ? x + 1 : x));
}

void add_column(const store::Lane& lane, const Viewport& view, const Column& column, LanePicture& out) {
    if (column.last - column.first > kExactValues) return add_dense_column(lane, column, out);
    ValueStep step = hole_at(0);
    step.count = 0;
    bool is_hole = false;
    double hole_x = 0;
    for (std::uint64_t i = column.first; i < column.last; ++i) {
        const store::Event event = lane[i];
        if (event.kind() != wire::Kind::kValue) continue;
        if (std::isnan(event.number())) {
            if (!std::exchange(is_hole, true)) hole_x = view.x_of(event.tick);
            continue;
        }
        is_hole = false;
        if (step.count++ == 0) step.x = static_cast<float>(view.x_of(event.tick));
        add_number(event.number(), step);
    }
    if (step.count > 0) out.values.push_back(step);
    if (is_hole) out.values.push_back(hole_at(step.count > 0 ? column.x + 1 : hole_x));
}

}  // namespace

void picture_values(const store::Lane& lane, const Viewport& view, LanePicture& out) {
    constexpr float kBeforeTheEdge = -1;
    const std::uint64_t first = lane.lower_bound(view.first_tick_from(0.0));
    const Newest before = newest_before(lane, first, first - std::min(first, kValueLookBack));
    ValueStep step = hole_at(kBeforeTheEdge);
    if (!before.is_hole && before.number) add_number(*before.number, step);
    if (before.is_hole || before.number) out.values.push_back(step);
    visit_columns(lane, view, [&](const Column& column) { add_column(lane, view, column, out); });
    fit_value_scale(out);
}

}  // namespace sla::timeline
