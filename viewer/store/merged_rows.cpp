#include "viewer/store/merged_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

namespace sla::store {
namespace {

constexpr std::uint64_t kWantedRows = 8192;  // of an interval: with their order they fit the second cache
constexpr std::uint64_t kMaxAhead = Run::kChunkEvents;
constexpr std::uint64_t kMinAhead = 2;  // with one row of each lane no interval would have more than a tick
constexpr unsigned kDigitBits = 11;
constexpr unsigned kMaxDigits = 4;  // beyond it comparing is cheaper

// Rows of a lane that may be looked at, so that all of them find a place.
std::uint64_t most_ahead(std::uint64_t places, std::size_t lanes) {
    return std::clamp<std::uint64_t>(places / std::max<std::size_t>(lanes, 1), 1, kMaxAhead);
}

}  // namespace

MergedRows::MergedRows(std::vector<const Lane*> lanes, std::uint64_t from, std::uint64_t until)
    : lanes_(std::move(lanes)), columns_(lanes_.size()), are_unknown_(lanes_.size()) {
    const auto by_channel = [](const Lane* a, const Lane* b) { return a->channel().id < b->channel().id; };
    SLA_CHECK(std::is_sorted(lanes_.begin(), lanes_.end(), by_channel));
    SLA_CHECK(lanes_.size() < kPlaceMask);
    for (const Lane* lane : lanes_) {
        ends_.push_back(lane->upper_bound(until));
        next_.push_back(std::min(ends_.back(), lane->lower_bound(from)));
    }
    const std::uint64_t wanted = kWantedRows / std::max<std::size_t>(lanes_.size(), 1);
    ahead_ = std::min(std::max(wanted, kMinAhead), most_ahead(kPlaceMask + 1, lanes_.size()));
}

// A lane that may have more rows than are looked at is in hand below the last tick looked at.
MergedRows::Interval MergedRows::look(Unknown& first) {
    Interval interval;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        columns_[i] = {};
        Chosen::Candidate candidate{next_[i]};
        if (chosen_) candidate = chosen_->glance(i, next_[i], ends_[i]);
        next_[i] = candidate.row;
        are_unknown_[i] = !candidate.is_known;
        const std::uint64_t left = ends_[i] - next_[i];
        if (left == 0) continue;
        interval.any = true;
        if (!candidate.is_known) {
            if (candidate.tick < first.tick) first = {i, candidate.tick};
            continue;
        }
        columns_[i] = lanes_[i]->columns_from(next_[i]);
        columns_[i].rows = std::min({std::uint64_t{columns_[i].rows}, left, ahead_});
        interval.begin = std::min(interval.begin, columns_[i].ticks[0]);
        if (columns_[i].rows == left) continue;
        const std::uint64_t last = columns_[i].ticks[columns_[i].rows - 1];
        if (last >= interval.end) continue;
        interval.end = last;
        interval.is_cut_short = columns_[i].rows == ahead_;
    }
    return interval;
}

bool MergedRows::look_on() {
    count_ = 0;
    given_ = 0;
    if (equal_) {
        fill_with_equal();
        return true;
    }
    Unknown first;
    Interval interval = look(first);
    if (!interval.any) return false;
    // What is not known yet is looked through when its turn comes, and not before: then nobody holds much of it.
    if (first.tick <= interval.begin && first.tick != kNever) {
        chosen_->look_through(first.lane, next_[first.lane]);
        return true;
    }
    interval.end = std::min(interval.end, first.tick);
    if (interval.begin == interval.end) {
        equal_ = true;
        equal_tick_ = interval.begin;
        equal_lane_ = 0;
        return true;
    }
    std::uint64_t looked_at = 0;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const std::uint64_t* ticks = columns_[i].ticks;
        const auto count =
            static_cast<std::uint64_t>(std::lower_bound(ticks, ticks + columns_[i].rows, interval.end) - ticks);
        copy(i, columns_[i], count);
        looked_at += count;
    }
    put_in_order(interval.begin);
    adapt(looked_at, interval);
    return true;
}

// Rows that were there before stay as they are until they are written over: no time goes into clearing them.
MergedRows::Row* MergedRows::space_for(std::uint64_t rows) {
    const std::size_t first = std::exchange(count_, count_ + rows);
    if (rows_.size() < count_) rows_.resize(std::max<std::size_t>(count_, 2 * rows_.size()));
    return rows_.data() + first;
}

void MergedRows::copy(std::size_t lane, const Columns& columns, std::uint64_t count) {
    if (count == 0) return;
    if (columns.codes[0] == SLA_CODE_GAP && copy_unreadable(lane, columns, count)) return;
    const std::uint64_t first = std::exchange(next_[lane], next_[lane] + count);
    const auto order = static_cast<std::uint32_t>(lane);
    const auto row_at = [&](std::uint64_t at) {
        return Row{columns.ticks[at], first + at, columns.values[at], columns.threads[at], order, columns.codes[at]};
    };
    if (!chosen_) {
        Row* const to = space_for(count);
        for (std::uint64_t at = 0; at < count; ++at) to[at] = row_at(at);
        return;
    }
    const std::uint64_t end = first + count;
    for (std::uint64_t index = chosen_->skip(lane, first, end); index < end; index = chosen_->skip(lane, index + 1, end))
        *space_for(1) = row_at(index - first);
}

bool MergedRows::copy_unreadable(std::size_t lane, const Columns& columns, std::uint64_t count) {
    const Lane& of = *lanes_[lane];
    const std::uint64_t first = next_[lane];
    if (of.pages() == nullptr || first >= of.pages()->rows()) return false;
    const std::size_t page = of.pages()->page_of(first);
    const std::optional<Gap> lost = of.unreadable_page(page, PageSource::Look::kKnown);
    if (!lost) return false;
    const std::uint64_t end = first + count;
    const auto next = [&](std::uint64_t from) { return chosen_ ? chosen_->skip(lane, from, end) : from; };
    for (std::uint64_t index = next(first); index < end; index = next(index + 1)) {
        const Gap* const gap = index == lost->index ? &*lost : of.gap_at(index);
        if (gap == nullptr) continue;
        const std::uint64_t at = index - first;
        *space_for(1) = {columns.ticks[at], index, gap->lost, columns.threads[at], static_cast<std::uint32_t>(lane),
                         SLA_CODE_GAP};
    }
    next_[lane] = end;
    return true;
}

void MergedRows::fill_with_equal() {
    for (; equal_lane_ < lanes_.size(); ++equal_lane_) {
        const std::size_t i = equal_lane_;
        while (next_[i] < ends_[i] && !are_unknown_[i]) {
            if (count_ >= kWantedRows) return put_in_order(equal_tick_);
            const Columns columns = lanes_[i]->columns_from(next_[i]);
            const std::uint64_t rows = std::min({std::uint64_t{columns.rows}, ends_[i] - next_[i], kMaxAhead});
            const auto equal = static_cast<std::uint64_t>(
                std::upper_bound(columns.ticks, columns.ticks + rows, equal_tick_) - columns.ticks);
            copy(i, columns, equal);
            if (equal < rows) break;
        }
    }
    equal_ = false;
    put_in_order(equal_tick_);
}

// Sorted from the lowest digit up, each pass keeping the order of the one before, as the lanes' own order stands.
void MergedRows::put_in_order(std::uint64_t begin) {
    if (order_.size() < count_) {
        order_.resize(count_);
        scratch_.resize(count_);
    }
    std::uint64_t all = 0;
    bool is_sorted = true;
    for (std::size_t i = 0; i < count_; ++i) {
        const std::uint64_t since = rows_[i].tick - begin;
        all |= since;
        is_sorted &= i == 0 || rows_[i - 1].tick <= rows_[i].tick;
        order_[i] = since << kPlaceBits | i;
    }
    if (is_sorted) return;
    const unsigned digits = (static_cast<unsigned>(std::bit_width(all)) + kDigitBits - 1) / kDigitBits;
    if (digits > kMaxDigits) {  // the tick may not fit beside the place
        const auto earlier = [this](std::uint64_t a, std::uint64_t b) {
            const Row& one = rows_[a & kPlaceMask];
            const Row& other = rows_[b & kPlaceMask];
            return one.tick < other.tick;
        };
        std::stable_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(count_), earlier);
        return;
    }
    for (unsigned digit = 0; digit < digits; ++digit) {
        const unsigned shift = kPlaceBits + digit * kDigitBits;
        std::array<std::uint32_t, 1 << kDigitBits> places{};
        const auto of = [shift](std::uint64_t key) { return key >> shift & ((1 << kDigitBits) - 1); };
        const std::span<const std::uint64_t> keys(order_.data(), count_);
        for (const std::uint64_t key : keys) ++places[of(key)];
        std::uint32_t sum = 0;
        for (std::uint32_t& place : places) sum += std::exchange(place, sum);
        for (const std::uint64_t key : keys) scratch_[places[of(key)]++] = key;
        order_.swap(scratch_);
    }
}

// Lanes of very different rates end an interval early: the busy one's rows are few then. Where an interval ends with what
// lies together in memory, looking further would not help: the next one would only be too large. When the busy one falls
// silent, all the others may give as many at once as are looked at: their places must fit.
void MergedRows::adapt(std::uint64_t looked_at, const Interval& interval) {
    if (looked_at < kWantedRows / 2 && interval.is_cut_short)
        ahead_ = std::min(2 * ahead_, most_ahead(kPlaceMask + 1, lanes_.size()));
    if (looked_at > 2 * kWantedRows) ahead_ = std::max(ahead_ / 2, std::min(ahead_, kMinAhead));
}

}  // namespace sla::store
