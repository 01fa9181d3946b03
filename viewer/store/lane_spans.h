// LaneSpans: all spans of a lane, over its pages and the run that grows. Spans that lie within a page that is not here are
// read from the file when they are asked for. A view of a Lane: as cheap as a pointer, lives no longer than the lane.
#pragma once

#include "viewer/store/rows/span_table.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace sla::store {

class Lane;

class LaneSpans {
public:
    explicit LaneSpans(const Lane& lane) : lane_(&lane) {}

    [[nodiscard]] std::uint64_t size() const;
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] Span operator[](std::uint64_t id) const;
    [[nodiscard]] std::uint64_t unmatched_ends() const;
    // Rows ever needed side by side: the lane's height in rows.
    [[nodiscard]] std::uint16_t rows() const;

    // The span that begins or ends with this event of the lane, if any.
    [[nodiscard]] std::optional<std::uint64_t> span_of_begin(std::uint64_t index) const;
    [[nodiscard]] std::optional<std::uint64_t> span_of_end(std::uint64_t index) const;
    // First span whose begin_tick >= tick; size() when none. `from`: not before that one, which begins before or at the
    // tick.
    [[nodiscard]] std::uint64_t lower_bound(std::uint64_t tick, std::uint64_t from = kNever) const;

    // visit(id, span) -> bool for every span that touches [from, until) and is at least min_ticks wide (open ones always);
    // false stops. Pages too short to hold such a span are not read. In order of begin within the pages and within those
    // that cross pages, which come first.
    using Visit = std::function<bool(std::uint64_t id, const Span& span)>;
    void visit_overlapping(std::uint64_t from, std::uint64_t until, std::uint64_t min_ticks, const Visit& visit) const;

private:
    const Lane* lane_;
};

}  // namespace sla::store
