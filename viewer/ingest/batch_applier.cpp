// Batches: what is here already, what is missing, what cannot be.
#include "proto/wire/missing_rows.h"
#include "viewer/ingest/applier_state.h"

#include <algorithm>
#include <utility>

namespace sla::ingest {

void FrameApplier::State::on_batch(const wire::EventBatch& batch) {
    if (is_of_another_boot) {
        dropped_events += batch.size();
        return;
    }
    const auto found = streams.find(batch.channel.value);
    if (found == streams.end() || found->second.lane == nullptr) {
        dropped_events += batch.size();
        return damage("a batch of " + std::to_string(batch.size()) + " events was dropped: its channel " +
                          std::to_string(batch.channel.value) + " was never announced",
                      batch.ticks.front());
    }
    ChannelStream& stream = found->second;
    if (!session.has_origin()) {
        damage("the stream does not begin with a Hello; time counts from its first event");
        session.set_origin({"", "", 0, batch.ticks.front(), 0, 0});
    }
    const std::size_t known = reconcile(stream, batch);
    if (known == batch.size()) return;
    if (batch.ticks.back() > SLA_TICK_MASK) {
        refuse(stream, batch, known, "its ticks are beyond what a stamp can hold");
    } else if (batch.ticks[known] < stream.lane->last_tick()) {
        refuse(stream, batch, known, "its ticks go back");
    } else {
        append(stream, batch, known);
    }
    if (on_growth) on_growth(*stream.lane);
}

std::size_t FrameApplier::State::reconcile(ChannelStream& stream, const wire::EventBatch& batch) {
    const std::uint64_t first = batch.first_index;
    if (!stream.started || first == stream.next_ordinal) {
        if (!stream.started) begin(stream, batch);
        stream.started = true;
        stream.resumed = false;
        return 0;
    }
    const std::string& name = stream.lane->channel().name;
    if (first < stream.next_ordinal) {
        const std::uint64_t known = std::min<std::uint64_t>(stream.next_ordinal - first, batch.size());
        if (!stream.resumed) {
            damage("'" + name + "': " + std::to_string(known) + " events came twice; the second time they were dropped",
                   batch.ticks.front());
        }
        return static_cast<std::size_t>(known);
    }
    const std::uint64_t missing = first - stream.next_ordinal;
    const std::uint64_t explained = wire::explained_at_begin(batch, stream.explained);
    const bool resumed = std::exchange(stream.resumed, false);
    if (missing <= explained) return 0;
    const std::uint64_t from = stream.lane->last_tick();
    const std::uint64_t until = std::max(from, std::min<std::uint64_t>(batch.ticks.front(), SLA_TICK_MASK));
    if (resumed) {
        stream.lane->append_gap(from, until, missing - explained, 0, wire::LossCause::kLagged);
    } else {
        append_missing(stream, from, until, missing - explained);
    }
    return 0;
}

void FrameApplier::State::append_missing(ChannelStream& stream, std::uint64_t from, std::uint64_t until,
                                         std::uint64_t events) {
    stream.lane->append_gap(from, until, events, 0, wire::LossCause::kDamaged);
    damage("'" + stream.lane->channel().name + "': " + std::to_string(events) +
               " events are missing; a gap stands in their place",
           from);
}

void FrameApplier::State::begin(ChannelStream& stream, const wire::EventBatch& batch) {
    const auto found = expected.find(batch.channel.value);
    const std::uint64_t due = found == expected.end() || had_other_agent ? batch.first_index : found->second.first_ordinal;
    if (std::min(due, batch.first_index) > 0) {
        session.set_begins_late();
        stream.lane->set_begins_late();
    }
    if (batch.first_index <= due) return;
    const std::uint64_t until = std::min<std::uint64_t>(batch.ticks.front(), SLA_TICK_MASK);
    append_missing(stream, std::min(found->second.first_tick, until), until, batch.first_index - due);
}

void FrameApplier::State::end(ChannelStream& stream, const Extent& extent) {
    const std::uint64_t here = stream.started ? stream.next_ordinal + stream.explained : extent.first_ordinal;
    if (extent.next_ordinal <= here) return;
    const std::uint64_t from = stream.started ? stream.lane->last_tick() : std::min(extent.first_tick, SLA_TICK_MASK);
    append_missing(stream, from, std::max(from, std::min(extent.last_tick, SLA_TICK_MASK)), extent.next_ordinal - here);
    stream.next_ordinal = extent.next_ordinal;
    stream.started = true;
}

void FrameApplier::State::append(ChannelStream& stream, const wire::EventBatch& batch, std::size_t skip) {
    stream.explained = wire::explained_at_end(batch);
    stream.next_ordinal = batch.first_index + batch.size();
    session.touch();
    if (!threads.renumbers()) return stream.lane->append(batch, skip);
    wire::EventBatch renumbered = batch;
    for (std::uint32_t& thread : renumbered.threads) thread = threads[thread].value;
    stream.lane->append(renumbered, skip);
}

void FrameApplier::State::refuse(ChannelStream& stream, const wire::EventBatch& batch, std::size_t skip,
                                 const std::string& why) {
    const std::uint64_t lost = batch.size() - skip;
    const std::uint64_t at = stream.lane->last_tick();
    stream.lane->append_gap(at, at, lost, 0, wire::LossCause::kDamaged);
    stream.next_ordinal = batch.first_index + batch.size();
    stream.explained = 0;
    dropped_events += lost;
    damage("'" + stream.lane->channel().name + "': " + std::to_string(lost) + " events were dropped: " + why, at);
}

}  // namespace sla::ingest
