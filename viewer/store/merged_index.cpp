#include "viewer/store/merged.h"
#include "viewer/store/session.h"

#include <algorithm>
#include <utility>

namespace sla::store {

MergedIndex::MergedIndex(const Session& session) : session_(&session) {
    refresh();
}

MergedIndex::MergedIndex(const Session& session, std::vector<ChannelId> channels)
    : session_(&session), wanted_(std::move(channels)), all_(false) {
    std::sort(wanted_.begin(), wanted_.end());
    refresh();
}

namespace {

// Where a page begins or ends it is known without its rows.
std::uint64_t known_tick(const Lane& lane, std::uint64_t index) {
    if (index < lane.tail().first_index()) {
        const Page page = lane.pages()->pages()[lane.pages()->page_of(index)];
        if (index == page.first) return page.first_tick;
        if (index + 1 == page.end()) return page.last_tick;
    }
    return lane.tick(index);
}

}  // namespace

void MergedIndex::refresh() {
    const LaneChanges& changes = session_->changes();
    const std::uint64_t until_before = std::exchange(until_, session_->final_tick());
    const bool are_lanes_known = all_ && !lanes_.empty() && lanes_.size() == session_->lanes().size();  // none ever goes
    if (!are_lanes_known || until_ < until_before) {
        count_all();
    } else {
        const auto end = std::partition(with_more_.begin(), with_more_.end(),
                                        [&](std::size_t place) { return next_ticks_[place] > until_; });
        const std::vector<std::size_t> reached(end, with_more_.end());
        with_more_.erase(end, with_more_.end());
        for (const std::size_t place : reached) next_ticks_[place] = kNever;
        for (const std::size_t place : reached) count(place, until_before);
        changes.visit_since(seen_changes_, [&](const Lane& lane) {
            if (next_ticks_[lane.place()] == kNever) count(lane.place(), until_before);  // else more came behind that row
        });
    }
    seen_changes_ = changes.newest();
}

void MergedIndex::count_all() {
    lanes_.clear();
    for (const Lane* lane : session_->lanes()) {
        if (all_ || std::binary_search(wanted_.begin(), wanted_.end(), lane->channel().id)) lanes_.push_back(lane);
    }
    rows_ = 0;
    with_more_.clear();
    counts_.assign(lanes_.size(), 0);
    last_ticks_.assign(lanes_.size(), 0);
    next_ticks_.assign(lanes_.size(), kNever);
    for (std::size_t place = 0; place < lanes_.size(); ++place) count(place, 0);
    ++order_revision_;
}

// Rows that came since must lie behind what was final before.
void MergedIndex::count(std::size_t place, std::uint64_t until_before) {
    const Lane& lane = *lanes_[place];
    const std::uint64_t before = counts_[place];
    const std::uint64_t now = until_ == kNever ? lane.size() : lane.lower_bound(until_ + 1, before);
    if (now < lane.size() && next_ticks_[place] == kNever) {
        next_ticks_[place] = known_tick(lane, now);
        with_more_.push_back(place);
    }
    if (now == before) return;
    const bool is_in_memory = before >= lane.tail().first_index();  // who asks for a row of a page may have to wait
    if (now < before || !is_in_memory || lane.tick(before) <= until_before) ++order_revision_;
    rows_ += now - before;
    counts_[place] = now;
    last_ticks_[place] = now == 0 ? 0 : now == lane.size() ? lane.last_tick() : known_tick(lane, now - 1);
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
    steps_.refresh(lanes_);
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
    if (const std::uint64_t before = row > 0 ? row - 1 : 0; is_near_end(before)) {
        const std::uint64_t last = rows_ - before;
        bool are_here = true;
        for (const std::size_t place : lanes_of_last(last)) {
            const std::uint64_t end = counts_[place];
            are_here = lanes_[place]->are_rows_here(end - std::min(end, last), end) && are_here;
        }
        return are_here;
    }
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
    if (is_near_end(row)) return rows_from(row, 1).front();
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
