// How the agent and its channels are: what of a stream is said again and again.
#include "proto/wire/trigger_state.h"
#include "viewer/ingest/applier_state.h"

#include <memory>
#include <utility>

namespace sla::ingest {

namespace {

store::ClockHealth clock_from(const wire::ClockHealth& in) {
    store::ClockHealth clock;
    clock.known = true;
    clock.invariant = in.invariant();
    clock.monotonic_raw = in.clock() == wire::STAMP_MONOTONIC_RAW;
    clock.cores = in.cores();
    clock.skew = {in.skew_ticks(), in.synchronized()};
    clock.drift_ppb = in.drift_ppb();
    clock.backward_steps = in.backward_steps();
    clock.offset_changes = in.offset_changes();
    clock.rate_changes = in.rate_changes();
    clock.problem = in.problem();
    clock.text = in.text();
    return clock;
}

store::Publishing publishing_of(const wire::PublishStatus& in) {
    store::Publishing out;
    out.wanted = true;
    out.servers = in.servers();
    out.fleet = in.fleet();
    out.host = in.host();
    out.capture = in.capture();
    out.connected = in.connected();
    out.problem = in.problem();
    out.produced = in.produced();
    out.published = in.published();
    out.dropped = in.dropped();
    out.left = in.left();
    out.spool_bytes = in.spool_bytes();
    out.spool_limit = in.spool_limit();
    out.unacknowledged = in.unacknowledged();
    out.earlier_runs = in.earlier_runs();
    return out;
}

}  // namespace

void FrameApplier::State::on_ledgers(const Ledgers& ledgers) {
    for (const auto& one : ledgers) {
        if (!channels.knows(one.id())) continue;
        session.set_ledger(channels[one.id()],
                           {one.events(), one.overrun(), one.late(), one.torn(), one.no_ring(), one.damaged(),
                            one.retained_bytes(), one.retained_events(), one.retained_from_tick(), one.keep_ns(),
                            one.capped(), one.off(), one.filter(), one.filtered(), one.not_kept(), false});
    }
}

// What is here of them stays; the agent holds nothing of it any more.
void FrameApplier::State::on_retired(const wire::Retired& in) {
    for (const std::uint32_t id : in.channels()) {
        const store::Ledger* known = channels.knows(id) ? session.ledger(channels[id]) : nullptr;
        if (known == nullptr) continue;
        store::Ledger ledger = *known;
        ledger.retained_bytes = ledger.retained_events = ledger.retained_from_tick = 0;
        ledger.retired = true;
        session.set_ledger(channels[id], ledger);
    }
}

void FrameApplier::State::on_status(const wire::Status& in) {
    on_ledgers(in.channels());
    store::Health health;
    health.known = true;
    health.tick = in.tick();
    health.readers = in.readers();
    health.agent_cpu = in.agent_cpu();
    health.agent_bytes = in.agent_bytes();
    health.retained_bytes = in.retained_bytes();
    health.retained_limit = in.retained_limit();
    const wire::MemoryParts& memory = in.memory();
    health.memory = {memory.batches(),  memory.names(),   memory.open_batches(),
                     memory.programs(), memory.readers(), memory.recorders()};
    if (in.has_publish()) health.publishing = publishing_of(in.publish());
    health.shot_bytes = in.shot_bytes();
    health.shot_limit = in.shot_limit();
    health.ring_bytes = in.ring_bytes();
    health.ticks_per_second = in.ticks_per_second();
    health.clock_error_ppb = in.clock_error_ppb();
    health.trigger_state = in.trigger_state();
    for (const wire::TriggerStatus& one : in.triggers()) {
        health.triggers.push_back({one.name(), one.expression(), wire::trigger_state_name(one.state()), one.shots(),
                                   one.cannot_tell(), one.stage(), one.problem(),
                                   one.has_asked() ? std::make_shared<wire::SetTrigger>(one.asked()) : nullptr,
                                   one.shots_lacking()});
    }
    const wire::RetiredStatus& retired = in.retired();
    health.retired_channels = retired.channels();
    health.retired_events = retired.events();
    health.retired_lost = retired.overrun() + retired.late() + retired.torn() + retired.no_ring() + retired.damaged();
    if (in.has_clock_health()) health.clock = clock_from(in.clock_health());
    session.set_health(std::move(health));
}

}  // namespace sla::ingest
