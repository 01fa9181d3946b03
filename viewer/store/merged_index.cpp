#include "viewer/store/merged.h"
#include "viewer/store/session.h"

#include <algorithm>

namespace sla::store {

MergedIndex::MergedIndex(const Session& session) : session_(&session) {
    refresh();
}

MergedIndex::MergedIndex(const Session& session, std::vector<ChannelId> channels)
    : session_(&session), wanted_(std::move(channels)), all_(false) {
    std::sort(wanted_.begin(), wanted_.end());
    refresh();
}

void MergedIndex::refresh() {
    until_ = session_->final_tick();
    lanes_.clear();
    rows_ = 0;
    for (const Lane* lane : session_->lanes()) {
        if (!all_ && !std::binary_search(wanted_.begin(), wanted_.end(), lane->channel().id)) continue;
        lanes_.push_back(lane);
        rows_ += lane->upper_bound(until_);
    }
    steps_.refresh(lanes_);
}

std::uint64_t MergedIndex::row_at(std::uint64_t tick) const {
    std::uint64_t row = 0;
    for (const Lane* lane : lanes_) row += lane->lower_bound(tick);
    return std::min(row, rows_);
}

std::uint64_t MergedIndex::row_of(const Lane& lane, std::uint64_t index) const {
    const std::uint64_t tick = lane.tick(index);
    std::uint64_t row = index;
    for (const Lane* other : lanes_) {
        if (other == &lane) continue;
        row += other->channel().id < lane.channel().id ? other->upper_bound(tick) : other->lower_bound(tick);
    }
    return row;
}

namespace {

// A lane during the bisection: how many of its events lie before the low, the high and the middle tick.
struct Range {
    const Lane* lane;
    std::uint64_t low, high, middle;
};

}  // namespace

MergedIndex::Window MergedIndex::window_of(std::uint64_t row) const {
    const bool grows = std::any_of(lanes_.begin(), lanes_.end(), [](const Lane* lane) { return !lane->tail().empty(); });
    if (!grows && !steps_.empty()) return {steps_.first_that_may_hold(row), steps_.last_that_may_hold(row) + 1};
    return bisected_window(row);
}

MergedIndex::Window MergedIndex::bisected_window(std::uint64_t row) const {
    Window window{kNever, 0};
    for (const Lane* lane : lanes_) {
        if (lane->empty()) continue;
        window.low = std::min(window.low, lane->first_tick());
        window.high = std::max(window.high, lane->last_tick());
    }
    window.high = window.high == kNever ? kNever : window.high + 1;
    if (steps_.empty()) return window;
    const auto tails_before = [&](std::uint64_t tick) {
        std::uint64_t rows = 0;
        for (const Lane* lane : lanes_) {
            const Run& tail = lane->tail();
            if (!tail.empty()) rows += tail.lower_bound(tick, tail.first_index()) - tail.first_index();
        }
        return rows;
    };
    const auto narrowed = [&](bool at_most) {  // the first tick before which more than `row` rows may, or must, lie
        std::uint64_t low = window.low;
        std::uint64_t high = window.high;
        while (high - low > 1) {
            const std::uint64_t middle = low + (high - low) / 2;
            const std::uint64_t paged = at_most ? steps_.most_before(middle) : steps_.least_before(middle);
            (paged + tails_before(middle) <= row ? low : high) = middle;
        }
        return std::pair(low, high);
    };
    const std::uint64_t low = narrowed(true).first;
    window.high = narrowed(false).second;
    window.low = low;
    return window;
}

bool MergedIndex::is_here(std::uint64_t row, std::uint64_t count) const {
    if (rows_ == 0) return true;
    row = std::min(row, rows_ - 1);
    const std::uint64_t low = window_of(row > 0 ? row - 1 : 0).low;
    const std::uint64_t high = window_of(std::min(row + count, rows_ - 1)).high;
    bool all = true;
    for (const Lane* lane : lanes_) all = lane->is_here(low, high) && all;
    return all;
}

bool MergedIndex::is_tick_here(std::uint64_t tick) const {
    bool all = true;
    for (const Lane* lane : lanes_) all = (lane->are_rows_known_at(tick) || lane->is_here(tick, tick)) && all;
    return all;
}

// The largest tick with no more than `row` events before it holds the row; bisected, with every lane's range narrowing
// along.
std::optional<RowRef> MergedIndex::place(std::uint64_t row) const {
    if (row >= rows_) return std::nullopt;
    std::vector<Range> ranges;
    auto [low, high] = window_of(row);
    for (const Lane* lane : lanes_) {
        if (lane->empty()) continue;
        ranges.push_back({lane, lane->lower_bound(low), lane->lower_bound(high), 0});
    }
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        std::uint64_t before = 0;
        for (Range& range : ranges) {
            range.middle =
                range.low == range.high ? range.low : std::min(range.high, range.lane->lower_bound(middle, range.low));
            before += range.middle;
        }
        const bool right = before <= row;
        (right ? low : high) = middle;
        for (Range& range : ranges) (right ? range.low : range.high) = range.middle;
    }
    for (const Range& range : ranges) row -= range.low;
    for (const Range& range : ranges) {
        const std::uint64_t here = range.lane->upper_bound(low) - range.low;
        if (row < here) return RowRef{range.lane, range.low + row, low};
        row -= here;
    }
    return std::nullopt;
}

MergedCursor MergedIndex::cursor(std::uint64_t row) const {
    MergedCursor cursor(lanes_, until_);
    if (const auto at = place(row)) {
        cursor.seek(*at);
    } else {
        cursor.seek(kNever);
    }
    return cursor;
}

MergedCursor MergedIndex::cursor_at(std::uint64_t tick) const {
    MergedCursor cursor(lanes_, until_);
    cursor.seek(tick);
    return cursor;
}

}  // namespace sla::store
