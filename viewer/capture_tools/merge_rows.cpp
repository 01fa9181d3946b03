#include "viewer/capture_tools/merge_rows.h"

#include "proto/wire/batch_cut.h"
#include "viewer/capture_tools/edge_state.h"

#include <algorithm>
#include <utility>

namespace sla::capture_tools {

MergeRows::MergeRows(const MergeInputs& inputs, const MergedRecordings& recordings, capture::CaptureWriter& writer)
    : inputs_(inputs),
      recordings_(recordings),
      sender_(writer, [this](ChannelId channel, std::uint64_t first, std::uint64_t end) {
          return missing_of(channel, first, end);
      }) {}

Result<void> MergeRows::send(MergeInput& input, const MergeInput::Item& item) {
    const wire::EventBatch& batch = item.frame.batch;
    if (batch.ticks.back() > SLA_TICK_MASK) {
        return damaged("'" + input.path() + "': its ticks do not fit into the other capture's time");
    }
    if (!item.counts) return send_held(batch, 0, batch.size());
    if (batch.first_index > 0 && !whole_.contains(batch.channel)) sender_.begin_late(batch.channel);
    std::size_t begin = item.begin;
    if (input.held_until() > begin_) {
        const auto held = std::lower_bound(batch.ticks.begin(), batch.ticks.end(), input.held_until()) - batch.ticks.begin();
        begin = std::max(begin, std::min(static_cast<std::size_t>(held), item.end));
        if (Result<void> sent = send_held(batch, item.begin, begin); !sent) return sent;
    }
    const std::uint64_t missing = sender_.missing();
    source_ = &input;
    Result<void> sent = sender_.send(batch, begin, item.end, input.numbering());
    missing_in_[&input] += sender_.missing() - missing;
    return sent;
}

// Rows [begin, end), which only told what held where their part begins. Where the whole begins before it they would count as
// events: of these only losses and the begins of spans stay, which count as they are.
Result<void> MergeRows::send_held(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    const auto is_left_out = [&](std::size_t row) {
        return batch.ticks[row] >= begin_ && holds_until_next(wire::kind_of(batch.codes[row]));
    };
    for (std::size_t row = begin; row < end; ++row) {
        if (is_left_out(row)) sender_.begin_late(batch.channel);
    }
    for (std::size_t row = begin; row < end; ++row) {
        if (is_left_out(row)) continue;
        if (Result<void> sent = sender_.send_states(wire::rows_at(batch, row, row + 1)); !sent) return sent;
    }
    return {};
}

// Some other file of the same numbers is not known to come behind it.
bool MergeRows::may_have_others_before(const MergeInput& input) const {
    return std::ranges::any_of(inputs_, [&](const auto& other) {
        if (other.get() == &input || other->numbering() != input.numbering()) return false;
        const auto behind = recordings_.behind.find(other.get());
        return behind == recordings_.behind.end() || std::ranges::count(behind->second, &input) == 0;
    });
}

// The first rows of its channels may be damaged.
void MergeRows::expect(MergeInput& input) {
    if (!expected_.insert(&input).second || may_have_others_before(input)) return;
    for (const auto& [channel, extent] : input.extents()) {
        sender_.begin_at(channel, extent.first_ordinal, extent.first_tick, input.numbering());
        if (extent.first_ordinal == 0) whole_.insert(channel);
    }
}

// Of rows between two files of a recording either may know.
ingest::KnownRows::Missing MergeRows::missing_of(ChannelId channel, std::uint64_t first, std::uint64_t end) const {
    ingest::KnownRows::Missing best = source_->missing(channel, first, end);
    for (const auto& other : inputs_) {
        const bool may_know = other->is_damaged() && other.get() != source_ && other->numbering() == source_->numbering();
        if (best.unknown_rows == 0 || !may_know) continue;
        ingest::KnownRows::Missing known = other->missing(channel, first, end);
        if (known.unknown_rows < best.unknown_rows) best = std::move(known);
    }
    return best;
}

Result<void> MergeRows::send_end_of(MergeInput& input, const RowSender::Promised& promised) {
    const std::uint64_t missing = sender_.missing();
    source_ = &input;
    Result<void> sent = sender_.end(promised, input.numbering());
    missing_in_[&input] += sender_.missing() - missing;
    return sent;
}

Result<void> MergeRows::end_damaged(MergeInput& input) {
    for (const auto& [channel, extent] : input.extents()) {
        sender_.begin_at(channel, extent.first_ordinal, extent.first_tick, input.numbering());  // of which no row came
        const RowSender::Promised promised{channel, extent.next_ordinal, extent.first_tick, extent.last_tick};
        if (Result<void> sent = send_end_of(input, promised); !sent) return sent;
    }
    return {};
}

// What others of the same numbers have is not missing: of these the last one to end tells it for all.
Result<void> MergeRows::end(MergeInput& input) {
    for (const RowSender::Promised& promised : input.promised()) {
        if (Result<void> sent = send_end_of(input, promised); !sent) return sent;
    }
    const auto is_same = [&](const auto& other) { return !other->is_part() && other->numbering() == input.numbering(); };
    const auto goes_on = [&](const auto& other) { return is_same(other) && other->reached() != store::kNever; };
    if (std::ranges::any_of(inputs_, goes_on)) return {};
    for (const auto& other : inputs_) {
        if (!is_same(other) || !other->is_damaged()) continue;
        if (Result<void> sent = end_damaged(*other); !sent) return sent;
    }
    return {};
}

// What another file of the same recording has is not gone.
bool MergeRows::leaves_pending(const MergeInput& input) const {
    const auto same = [&](const auto& other) { return other->numbering() == input.numbering(); };
    const bool alone = std::count_if(inputs_.begin(), inputs_.end(), same) == 1;
    std::uint64_t gone = 0;
    for (const capture::Damage& damage : input.reader().damage()) {
        if (damage.is_pending()) return true;
        for (const capture::LostRows& lost : damage.lost) gone += lost.rows;
    }
    const auto reported = missing_in_.find(&input);
    return alone && gone > (reported == missing_in_.end() ? 0 : reported->second);
}

}  // namespace sla::capture_tools
