// The numbers of lanes, in order of their rows: levels and losses are none. Private to the room.
#pragma once

#include "viewer/analysis/chunk_walk.h"
#include "viewer/analysis/selection.h"
#include "viewer/store/lane.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace sla::analysis {

// visit(code, value) for each number among a lane's rows [first, last). How many rows cannot be read: they are in no table of
// losses.
template <typename Visit>
std::uint64_t each_number(const store::Lane& lane, std::uint64_t first, std::uint64_t last, Visit visit) {
    std::uint64_t unreadable = 0;
    while (first < last) {
        const store::Columns rows = lane.columns_from(first);
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(rows.rows, last - first));
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint8_t code = rows.codes[i];
            const bool counts = wire::has_value(code) && code != SLA_CODE_LEVEL && code != SLA_CODE_GAP;
            if (counts) visit(code, rows.values[i]);
            if (code == SLA_CODE_GAP && lane.gap_at(first + i) == nullptr) ++unreadable;
        }
        first += count;
    }
    return unreadable;
}

// One lane on a walk over many (walk_chunks): `values.add(code, value)` of each of its numbers.
template <typename Values>
struct ValueWalk {
    ValueWalk(const store::Lane& of, const Selection& range, Values start)
        : lane(&of),
          until(range.until),
          at(of.lower_bound(range.from)),
          inside(range.until == store::kNever ? of.size() : of.least_before(range.until)),
          values(std::move(start)) {}

    void pass(const store::Page& /*page*/, const IntervalSums& /*sums*/) {}  // which have no values
    void go_on(std::uint64_t row, std::uint64_t /*span*/) {
        if (row > inside) row = std::min(row, lane->lower_bound(until, at));
        unreadable +=
            each_number(*lane, at, row, [this](std::uint8_t code, std::uint64_t value) { values.add(code, value); });
        at = std::max(at, row);
    }

    const store::Lane* lane;
    std::uint64_t until;
    std::uint64_t at;
    std::uint64_t inside;  // rows below this one are not behind the range
    std::uint64_t unreadable = 0;
    Values values;
};

}  // namespace sla::analysis
