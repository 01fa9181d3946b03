#include "viewer/analysis/intervals/pair_table.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sla::analysis {

PairTable::PairTable(std::size_t lanes, const PairRoles& roles, std::vector<Overhead> overheads, Take take)
    : take_(std::move(take)),
      overheads_(std::move(overheads)),
      begin_of_lane_(lanes, kNone),
      end_of_lane_(lanes, kNone),
      begins_(roles.begins.size() + 1),
      ends_(roles.ends.size()),
      order_(roles.begins.size() + 1) {
    for (std::size_t i = 0; i < roles.begins.size(); ++i) begin_of_lane_[roles.begins[i]] = static_cast<std::uint32_t>(i);
    for (std::size_t i = 0; i < roles.ends.size(); ++i) {
        end_of_lane_[roles.ends[i]] = static_cast<std::uint32_t>(i);
        ends_[i].same = begin_of_lane_[roles.ends[i]];
    }
    std::iota(order_.begin(), order_.end(), 0U);
    const std::size_t cells = begins_.size() * ends_.size();
    buffers_.resize(cells * kBuffered);
    filled_.resize(cells);
    whole_.resize(cells);
    lossy_.resize(cells);
    marks_.resize(cells);
}

void PairTable::flush(std::size_t cell) {
    const std::size_t filled = std::exchange(filled_[cell], 0);
    if (filled == 0) return;
    whole_[cell] += filled;
    take_(cell % begins_.size(), cell / begins_.size(), {buffers_.data() + cell * kBuffered, filled});
}

void PairTable::take(const StartBlock& block) {
    const std::vector<LaneStart>& starts = block.starts;
    for (std::size_t at = 0, next = 0; at < starts.size(); at = next) {
        for (next = at + 1; next < starts.size() && starts[next].tick == starts[at].tick;) ++next;
        const bool is_plain = next == at + 1 && starts[at].is_plain() && marked_begins_ == 0 && overheads_.empty();
        if (is_plain) {
            take_plain(starts[at]);
        } else {
            take_tick(std::span(starts).subspan(at, next - at), block);
        }
    }
}

// Of a tick of its own, with no losses about: what nearly all starts are.
void PairTable::take_plain(const LaneStart& start) {
    const std::uint64_t stamp = start.tick + 1;
    const std::uint32_t begin = begin_of_lane_[start.lane];
    const std::uint32_t end = end_of_lane_[start.lane];
    std::size_t at = 0;
    if (end != kNone) {
        const std::uint64_t before = std::exchange(ends_[end].stamp, stamp);
        const std::size_t first = cell(0, end);
        for (; begins_[order_[at]].stamp > before; ++at) put(first + order_[at], stamp - begins_[order_[at]].stamp);
        ends_[end].thread = start.thread;
        if (begin != kNone && before != 0 && !ends_[end].is_marked) put(first + begin, stamp - before);
        if (begin != kNone && before != 0 && ends_[end].is_marked) ++lossy_[first + begin];
        ends_[end].is_marked = false;
    }
    if (begin == kNone) return;
    to_front(begin, at);
    begins_[begin].stamp = stamp;
    begins_[begin].thread = start.thread;
    ++begins_[begin].starts;
}

// It does not stand before that place.
void PairTable::to_front(std::uint32_t begin, std::size_t from) {
    const auto at = std::find(order_.begin() + static_cast<std::ptrdiff_t>(from), order_.end(), begin);
    std::copy_backward(order_.begin(), at, at + 1);
    order_.front() = begin;
}

// Of a pair the begins of a tick come before its ends.
void PairTable::take_tick(std::span<const LaneStart> starts, const StartBlock& block) {
    for (const LaneStart& start : starts) {
        const std::uint32_t begin = begin_of_lane_[start.lane];
        if (begin == kNone) continue;
        if (start.is(LaneStart::kGap)) {
            mark_all(begin);
        } else {
            open(begin, start, block);
        }
    }
    for (const LaneStart& start : starts) {
        const std::uint32_t end = end_of_lane_[start.lane];
        if (end == kNone) continue;
        if (start.is(LaneStart::kGap)) {
            for (std::uint32_t begin = 0; begin + 1 < begins_.size(); ++begin) mark(begin, end);
            ends_[end].is_marked = true;
            continue;
        }
        close_others(end, start);
        close_same(end, start);
        ends_[end].stamp = start.tick + 1;
        ends_[end].thread = start.thread;
    }
}

void PairTable::open(std::uint32_t begin, const LaneStart& start, const StartBlock& block) {
    settle_marks(begin);
    to_front(begin, 0);
    begins_[begin].stamp = start.tick + 1;
    begins_[begin].thread = start.thread;
    ++begins_[begin].starts;
    if (start.is(LaneStart::kLossy) || start.is(LaneStart::kUnsure)) {
        mark_all(begin);
    } else if (start.losses != 0) {
        for (const std::uint32_t lane : block.losses[start.losses - 1]) {
            if (end_of_lane_[lane] != kNone) mark(begin, end_of_lane_[lane]);
        }
    }
}

void PairTable::close_others(std::uint32_t end, const LaneStart& start) {
    for (const std::uint32_t begin : order_) {
        if (!is_waiting(begin, end)) break;
        if (begin == ends_[end].same) continue;
        const Begin& from = begins_[begin];
        if (marks_[cell(begin, end)] != 0 || start.is(LaneStart::kUnsure)) {
            ++lossy_[cell(begin, end)];
        } else {
            whole(cell(begin, end), start.tick + 1 - from.stamp, from.thread == start.thread);
        }
    }
}

// Of one lane each start ends what the one before began.
void PairTable::close_same(std::uint32_t end, const LaneStart& start) {
    End& of = ends_[end];
    if (of.same == kNone) return;
    if (of.stamp != 0) {
        if (of.is_marked || start.is(LaneStart::kUnsure)) {
            ++lossy_[cell(of.same, end)];
        } else {
            whole(cell(of.same, end), start.tick + 1 - of.stamp, of.thread == start.thread);
        }
    }
    of.is_marked = start.is(LaneStart::kLossy) || start.is(LaneStart::kUnsure);
}

void PairTable::whole(std::size_t cell, std::uint64_t width, bool one_thread) {
    put(cell, overheads_.empty() ? width : overheads_[cell].reduced({0, width, one_thread, IntervalState::kWhole}));
}

void PairTable::mark(std::uint32_t begin, std::uint32_t end) {
    marks_[cell(begin, end)] = 1;
    if (!std::exchange(begins_[begin].is_marked, true)) ++marked_begins_;
}

void PairTable::mark_all(std::uint32_t begin) {
    for (std::uint32_t end = 0; end < ends_.size(); ++end) mark(begin, end);
}

// What waits of that begin is given up, or has ended: of a lossy one nobody knows which.
void PairTable::settle_marks(std::uint32_t begin) {
    if (!std::exchange(begins_[begin].is_marked, false)) return;
    --marked_begins_;
    for (std::uint32_t end = 0; end < ends_.size(); ++end) {
        const bool is_marked = std::exchange(marks_[cell(begin, end)], 0) != 0;
        if (is_marked && is_waiting(begin, end) && ends_[end].same != begin) ++lossy_[cell(begin, end)];
    }
}

void PairTable::end() {
    for (std::uint32_t begin = 0; begin + 1 < begins_.size(); ++begin) settle_marks(begin);
    for (std::size_t cell = 0; cell < filled_.size(); ++cell) flush(cell);
}

// Each start of the one begins an interval, which is whole or lossy, or else had no end of its own.
std::uint64_t PairTable::unfinished(std::size_t begin, std::size_t end) const {
    if (ends_[end].same == begin) return 0;
    return begins_[begin].starts - whole_[cell(begin, end)] - lossy_[cell(begin, end)];
}

}  // namespace sla::analysis
