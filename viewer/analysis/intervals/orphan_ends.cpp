#include "viewer/analysis/intervals/orphan_ends.h"

#include "viewer/analysis/intervals/loss_reach.h"

#include <algorithm>

namespace sla::analysis {

void OrphanEnds::lose(std::uint32_t thread, std::uint64_t tick) {
    if (thread == 0) {
        if (!all_since_) all_since_ = tick;
    } else {
        threads_.try_emplace(thread, Thread{all_since_.value_or(tick), 0});
    }
}

OrphanEnds::Thread* OrphanEnds::find(std::uint32_t thread) {
    if (all_since_) return &threads_.try_emplace(thread, Thread{*all_since_, 0}).first->second;
    const auto found = threads_.find(thread);
    return found == threads_.end() ? nullptr : &found->second;
}

// What is open in its thread is cut there.
void OrphanEnds::pass_gap(const store::Lane& lane, std::uint64_t row, std::uint32_t thread, std::uint64_t tick) {
    for (auto& [of, one] : threads_) {
        if (thread == 0 || of == thread) one.open = 0;
    }
    const store::Gap* const gap = lane.gap_at(row);  // null: the row cannot be read
    if (gap == nullptr || gap->lost > 0 || gap->is_uncounted()) lose(thread, tick);
}

void OrphanEnds::go_on(const store::Lane& lane, std::uint64_t first, std::uint64_t end, Hidden& hidden) {
    if (threads_.empty() && !all_since_) {
        const auto [from, until] = gaps_among(lane, first, end);
        first = from == until ? end : lane.gaps()[from].index;
    }
    while (first < end) {
        const store::Columns rows = lane.columns_from(first);
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(rows.rows, end - first));
        for (std::size_t i = 0; i < count; ++i) {
            if (rows.codes[i] == SLA_CODE_GAP) {
                pass_gap(lane, first + i, rows.threads[i], rows.ticks[i]);
                continue;
            }
            const wire::Kind kind = wire::kind_of(rows.codes[i]);
            if (kind != wire::Kind::kBegin && kind != wire::Kind::kEnd) continue;
            Thread* const thread = find(rows.threads[i]);
            if (thread == nullptr) continue;
            if (kind == wire::Kind::kBegin) {
                ++thread->open;
            } else if (thread->open > 0) {
                --thread->open;
            } else {
                hidden.most += hidden.most == store::kNever ? 0 : 1;
                hidden.longest = std::max(hidden.longest, rows.ticks[i] - thread->lost_since);
            }
        }
        first += count;
    }
}

}  // namespace sla::analysis
