#include "viewer/timeline/pictures/rough_picture.h"

#include "viewer/timeline/pictures/span_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sla::timeline {

namespace {

constexpr std::size_t kColumnsPerPage = 2;  // more pages are taken together
constexpr std::uint32_t kMaxSliverRows = 8;

struct RoughColumn {
    double rows = 0;
    double begins = 0;
    double high = 0;           // ticks
    store::ValueRange values;  // the finite ones, as far as the sums say
    bool has_above = false;
    bool has_below = false;
    std::uint64_t index = 0;  // of the first row
    std::uint64_t span = 0;
    std::uint32_t deepest = 0;
};

// Beside infinite numbers the sums say one end of the finite ones, or nothing.
store::ValueRange known_finite(const store::ValueRange& values) {
    if (!values.any || values.is_finite()) return values;
    const double known = std::isfinite(values.min) ? values.min : values.max;
    return {known, known, std::isfinite(known)};
}

class Rough {
public:
    Rough(const Viewport& view) : view_(view), columns_(static_cast<std::size_t>(std::ceil(view.width()))) {}

    void add(const store::Page& page) {
        const auto width = static_cast<double>(columns_.size());
        const double x0 = std::floor(view_.x_of(page.first_tick));
        const double x1 = std::floor(view_.x_of(page.last_tick));
        if (x0 >= width || x1 < 0) return;
        const auto first = static_cast<std::size_t>(std::max(x0, 0.0));
        const auto last = static_cast<std::size_t>(std::min(x1, width - 1));
        const double share = 1.0 / (x1 - x0 + 1);
        const store::ValueRange values = page.values;
        const store::ValueRange finite = known_finite(values);
        for (std::size_t x = first; x <= last; ++x) {
            RoughColumn& column = columns_[x];
            if (column.rows == 0) {
                column.index = page.first;
                column.span = page.first_span;
            }
            column.rows += static_cast<double>(page.rows - page.gaps) * share;
            column.begins += static_cast<double>(page.begins) * share;
            column.high += static_cast<double>(page.high_ticks) * share;
            column.deepest = std::max(column.deepest, page.deepest);
            column.values.absorb(finite);
            column.has_above |= values.has_above();
            column.has_below |= values.has_below();
        }
    }
    // The level holds where no page is.
    void hold(std::uint64_t from, std::uint64_t until, store::Level level, LanePicture& out) const {
        const auto x0 = static_cast<float>(std::max(view_.x_of(from), 0.0));
        const auto x1 = static_cast<float>(std::min(view_.x_of(until), view_.width()));
        if (x1 - x0 >= 1.0F) out.levels.push_back({std::ceil(x0), x1, level, false});
    }
    [[nodiscard]] const std::vector<RoughColumn>& columns() const { return columns_; }

private:
    const Viewport& view_;
    std::vector<RoughColumn> columns_;
};

std::uint64_t whole(double count) {
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(count)));
}

void put_levels(const Rough& rough, const Viewport& view, LanePicture& out) {
    const auto& columns = rough.columns();
    for (std::size_t x = 0; x < columns.size(); ++x) {
        if (columns[x].rows == 0) continue;
        const auto share = static_cast<float>(std::min(columns[x].high / view.ticks_per_pixel(), 1.0));
        out.busy_levels.push_back({static_cast<float>(x), share, whole(columns[x].rows)});
    }
}

void put_values(const Rough& rough, LanePicture& out) {
    const auto& columns = rough.columns();
    for (std::size_t x = 0; x < columns.size(); ++x) {
        const RoughColumn& column = columns[x];
        store::ValueRange values = column.values;
        if (!values.any && !column.has_above && !column.has_below) continue;
        double value = values.max;
        if (!values.any) {
            constexpr double kInfinity = std::numeric_limits<double>::infinity();
            value = column.has_above ? kInfinity : -kInfinity;
            values.min = values.max = std::numeric_limits<double>::quiet_NaN();
        }
        out.values.push_back(
            {static_cast<float>(x), value, values.min, values.max, whole(column.rows), column.has_above, column.has_below});
    }
    fit_value_scale(out);
}

void put_spans(const Rough& rough, const store::Lane& lane, const Viewport& view, std::uint64_t now, LanePicture& out) {
    const TickRange visible = view.visible();
    const auto widest_hidden = static_cast<std::uint64_t>(std::ceil(kBarPixels * view.ticks_per_pixel()));
    const auto put_bar = [&](const store::NumberedSpan& one) {
        add_bar(one.id, one.span, view, now, out);
        return true;
    };
    lane.pages()->visit_crossing(visible.first, visible.last + 1, widest_hidden, put_bar);
    const store::SpanTable& newest = lane.tail().spans();
    newest.visit_overlapping(visible.first, visible.last + 1, widest_hidden, [&](std::uint64_t id) {
        return put_bar({id, newest[id]});
    });
    const auto& columns = rough.columns();
    for (std::size_t x = 0; x < columns.size(); ++x) {
        if (columns[x].begins == 0) continue;
        const std::uint32_t rows = std::clamp<std::uint32_t>(columns[x].deepest, 1, kMaxSliverRows);
        for (std::uint32_t row = 0; row < rows; ++row) {
            const std::uint64_t count = row == 0 ? whole(columns[x].begins) : 1;
            out.slivers.push_back({static_cast<float>(x), static_cast<std::uint16_t>(row), count, columns[x].span});
        }
    }
}

void put_ticks(const Rough& rough, LanePicture& out) {
    const auto& columns = rough.columns();
    for (std::size_t x = 0; x < columns.size(); ++x) {
        if (columns[x].rows == 0) continue;
        out.ticks.push_back({static_cast<float>(x), columns[x].index, whole(columns[x].rows)});
    }
}

}  // namespace

void fit_value_scale(LanePicture& out) {
    bool any = false;
    for (const ValueStep& step : out.values) {
        out.has_above |= step.has_above;
        out.has_below |= step.has_below;
        if (!std::isfinite(step.min) || !std::isfinite(step.max)) continue;
        out.value_min = any ? std::min(out.value_min, step.min) : step.min;
        out.value_max = any ? std::max(out.value_max, step.max) : step.max;
        any = true;
    }
}

void picture_roughly(const store::Lane& lane, const Viewport& view, std::uint64_t now, LanePicture& out) {
    const TickRange visible = view.visible();
    const auto columns = static_cast<std::size_t>(std::ceil(view.width()));
    const store::PageRange pages = lane.pages()->pages_between(visible.first, visible.last, columns / kColumnsPerPage + 1);
    Rough rough(view);
    std::uint64_t held_from = 0;
    store::Level held = store::Level::kUnknown;
    bool is_held = false;
    const auto add = [&](const store::Page& page) {
        rough.add(page);
        if (lane.has_levels() && is_held) rough.hold(held_from, page.first_tick, held, out);
        held_from = page.last_tick;
        held = page.level_after;
        is_held = true;
    };
    for (const store::Page& page : pages) add(page);
    const bool reaches_tail = visible.last > lane.pages()->last_tick();
    if (reaches_tail && !lane.tail().empty()) add(store::page_of(lane.tail()));
    if (lane.has_levels() && is_held) rough.hold(held_from, std::max(now, held_from), held, out);
    if (lane.has_levels()) put_levels(rough, view, out);
    if (lane.has(wire::Kind::kValue)) put_values(rough, out);
    if (!lane.spans().empty()) put_spans(rough, lane, view, now, out);
    const bool instants = lane.has(wire::Kind::kTick) || lane.has_texts() || lane.spans().unmatched_ends() > 0;
    if (instants && !lane.has_only(wire::Kind::kLevel) && !lane.has_only(wire::Kind::kValue)) put_ticks(rough, out);
}

}  // namespace sla::timeline
