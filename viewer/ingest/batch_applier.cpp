// Batches: what is here already, what is missing, what cannot be.
#include "proto/base/how_many.h"
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
        append_missing(stream, batch.channel, stream.next_ordinal, first, until, explained);
    }
    return 0;
}

void FrameApplier::State::append_loss(store::Lane& lane, const capture::GapRow& loss, std::uint64_t until_tick) {
    const std::uint64_t from = std::max(lane.last_tick(), std::min(loss.tick, until_tick));
    const std::uint64_t until = std::max(from, std::min(loss.until_tick, SLA_TICK_MASK));
    lane.append_gap(from, until, loss.lost, loss.thread == 0 ? 0 : threads[loss.thread].value, loss.cause);
}

void FrameApplier::State::append_missing(ChannelStream& stream, ChannelId channel, std::uint64_t first, std::uint64_t end,
                                         std::uint64_t until_tick, std::uint64_t explained) {
    KnownRows::Missing missing;
    if (had_other_agent) {  // whose numbers mean something else
        missing.unknown_rows = end - first;
    } else {
        missing = told.missing(channel, first, end);
    }
    for (const capture::GapRow& loss : missing.losses) {
        if (!wire::explains_missing_rows(loss.cause)) continue;
        explained += loss.lost == 0 ? missing.unknown_rows : std::min(loss.lost, missing.unknown_rows);
    }
    const std::uint64_t unknown = missing.unknown_rows - std::min(missing.unknown_rows, explained);
    store::Lane& lane = *stream.lane;
    const auto extent = told.extents().find(channel);
    const bool is_first = lane.empty() && extent != told.extents().end();
    const std::uint64_t from = is_first ? std::min(extent->second.first_tick, until_tick) : lane.last_tick();
    const std::string name = "'" + lane.channel().name + "': ";
    if (unknown > 0) {
        lane.append_gap(from, std::max(from, until_tick), 0, 0, wire::LossCause::kDamaged);
        damage(name + how_many(unknown, "row") +
                   " are missing, and nobody knows how many events they stand for; a gap stands "
                   "in their place",
               from);
    }
    std::uint64_t events = 0;
    for (const capture::GapRow& loss : missing.losses) {
        append_loss(lane, loss, until_tick);
        if (loss.cause == wire::LossCause::kDamaged) events += loss.lost;
    }
    if (events > 0) damage(name + how_many(events, "event") + " are missing; a gap stands in their place", from);
}

void FrameApplier::State::begin(ChannelStream& stream, const wire::EventBatch& batch) {
    const auto found = told.extents().find(batch.channel);
    const bool is_known = found != told.extents().end() && !had_other_agent;
    const std::uint64_t due = is_known ? found->second.first_ordinal : batch.first_index;
    if (std::min(due, batch.first_index) > 0) {
        if (session.origin().begin_tick == 0) session.set_begins_late();  // a part says itself where it begins
        stream.lane->set_begins_late();
    }
    if (batch.first_index <= due) return;
    append_missing(stream, batch.channel, due, batch.first_index,
                   std::min<std::uint64_t>(batch.ticks.front(), SLA_TICK_MASK));
}

void FrameApplier::State::end(ChannelStream& stream, ChannelId channel, const KnownRows::Extent& extent) {
    const std::uint64_t here = stream.started ? stream.next_ordinal + stream.explained : extent.first_ordinal;
    if (extent.next_ordinal <= here) return;
    append_missing(stream, channel, here, extent.next_ordinal, std::min(extent.last_tick, SLA_TICK_MASK));
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
    const std::uint64_t rows = batch.size() - skip;
    const std::uint64_t at = stream.lane->last_tick();
    std::uint64_t lost = 0;
    bool are_all_counted = true;
    for (std::size_t row = skip; row < batch.size(); ++row) {
        const bool is_loss = batch.codes[row] == SLA_CODE_GAP;
        lost += is_loss ? batch.values[row] : 1;
        are_all_counted = are_all_counted && (!is_loss || batch.values[row] > 0);
    }
    if (lost > 0) stream.lane->append_gap(at, at, lost, 0, wire::LossCause::kDamaged);
    if (!are_all_counted) stream.lane->append_gap(at, at, 0, 0, wire::LossCause::kDamaged);
    stream.next_ordinal = batch.first_index + batch.size();
    stream.explained = 0;
    dropped_events += rows;
    damage("'" + stream.lane->channel().name + "': " + how_many(rows, "row") + " were dropped: " + why, at);
}

}  // namespace sla::ingest
