#include "viewer/timeline/pictures/value_picture.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sla::timeline {

namespace {

constexpr std::uint64_t kExactValues = 8;

// The newest value among the events before `index`, unless a loss or too many others lie between.
std::optional<std::uint64_t> value_before(const store::Lane& lane, std::uint64_t index, std::uint64_t oldest) {
    while (index > oldest) {
        --index;
        if (lane[index].kind() == wire::Kind::kValue) return index;
    }
    return std::nullopt;
}

void add_column(const store::Lane& lane, const Viewport& view, const Column& column, LanePicture& out) {
    if (column.last - column.first > kExactValues) {
        const store::Summary all = lane.summarize_indices(column.first, column.last);
        const auto last = value_before(lane, column.last, std::max(column.first, column.last - kExactValues));
        if (!all.has_value) return;
        const double value = last ? lane[*last].number() : all.max;
        out.values.push_back({static_cast<float>(column.x), value, all.min, all.max, all.events});
        return;
    }
    ValueStep step;
    step.count = 0;
    for (std::uint64_t i = column.first; i < column.last; ++i) {
        if (lane[i].kind() != wire::Kind::kValue) continue;
        const double value = lane[i].number();
        if (step.count++ == 0) {
            step.x = static_cast<float>(view.x_of(lane.tick(i)));
            step.min = step.max = value;
        }
        step.value = value;
        step.min = std::fmin(step.min, value);  // of those that are numbers
        step.max = std::fmax(step.max, value);
    }
    if (step.count > 0) out.values.push_back(step);
}

}  // namespace

void picture_values(const store::Lane& lane, const Viewport& view, LanePicture& out) {
    const std::uint64_t first = lane.lower_bound(view.first_tick_from(0.0));
    if (const auto before = value_before(lane, first, first - std::min(first, kValueLookBack))) {
        const double value = lane[*before].number();
        out.values.push_back({-1.0F, value, value, value, 1});
    }
    visit_columns(lane, view, [&](const Column& column) { add_column(lane, view, column, out); });
    fit_value_scale(out);
}

}  // namespace sla::timeline
