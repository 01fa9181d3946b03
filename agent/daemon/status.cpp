#include "agent/daemon/status.h"

#include "agent/daemon/cpu_share.h"
#include "agent/daemon/resident.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/filter_text.h"
#include "proto/wire/frame_codec.h"

#include <sys/resource.h>

#include <chrono>

namespace sla::daemon {
namespace {

double cpu_share() {
    static CpuShare share;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return share.observe(std::chrono::duration<double>(now).count(), seconds(usage.ru_utime) + seconds(usage.ru_stime));
}

void fill_channel(const Lane& lane, const StatusInput& input, wire::ChannelStatus& status) {
    const drain::LossLedger& ledger = lane.channel.ledger;
    status.set_id(lane.channel.id.value);
    status.set_events(ledger.events);
    status.set_overrun(ledger.overrun);
    status.set_late(ledger.late);
    status.set_torn(ledger.torn);
    status.set_no_ring(ledger.no_ring);
    status.set_damaged(ledger.damaged);
    retain::Retention::Held held = input.retention.held(lane.channel.id);
    status.set_retained_bytes(held.bytes);
    status.set_retained_events(held.rows);
    status.set_retained_from_tick(held.first_tick);
    status.set_keep_ns(static_cast<std::uint64_t>(lane.settings.keep_ns.value_or(0)));
    status.set_capped(input.switchboard.is_capped(lane.settings, held, input.now));
    status.set_off(!lane.settings.enabled);
    status.set_filter(wire::filter_text(lane.settings.filter));
    status.set_filtered(ledger.filtered);
    status.set_not_kept(held.given_up.rows);
    status.set_not_kept_from_tick(held.given_up.first_tick);
    status.set_not_kept_until_tick(held.given_up.last_tick);
}

void fill_clock(const time::ClockHealth& health, wire::ClockHealth& out) {
    out.set_invariant(health.invariant);
    out.set_synchronized(health.skew.bound.synchronized);
    out.set_skew_ticks(health.skew.bound.ticks);
    out.set_drift_ppb(health.drift_ppb);
    out.set_backward_steps(health.backward_steps);
    out.set_offset_changes(health.offset_changes);
    out.set_stamp_ticks(health.stamp_ticks);
    out.set_problem(health.problem());
    out.set_cores(health.skew.cores);
    out.set_rate_changes(health.rate_changes);
    out.set_clock(health.clock == time::StampClock::kTsc ? wire::STAMP_TSC : wire::STAMP_MONOTONIC_RAW);
    out.set_text(health.text());
}

}  // namespace

// From the lines "VmRSS:  1234 kB" and "RssShmem: ...", which are there since Linux 4.5.
ResidentMemory resident_memory() {
    std::ifstream file("/proc/self/status");
    ResidentMemory memory;
    for (std::string line; std::getline(file, line);) {
        const auto bytes = [&](const char* name) {
            return line.starts_with(name) ? std::strtoull(line.c_str() + std::strlen(name), nullptr, 10) * 1024 : 0;
        };
        memory.bytes += bytes("VmRSS:");
        memory.ring_bytes += bytes("RssShmem:");
    }
    return memory;
}

std::string status_frame(const StatusInput& input) {
    wire::Frame frame;
    wire::Status& status = *frame.mutable_status();
    status.set_tick(input.now);
    for (const auto& lane : input.lanes) {
        if (lane) fill_channel(*lane, input, *status.add_channels());
    }
    for (const auto& program : input.programs) {
        wire::SourceStatus& source = *status.add_sources();
        source.set_id(program->facts().id.value);
        source.set_rings(static_cast<std::uint32_t>(program->drain().ring_count()));
        source.set_ended(program->facts().ended);
    }
    status.set_readers(static_cast<std::uint32_t>(input.readers));
    status.set_agent_cpu(cpu_share());
    const ResidentMemory memory = resident_memory();
    status.set_agent_bytes(memory.bytes);
    status.set_ring_bytes(memory.ring_bytes);
    status.set_retained_bytes(input.retention.held_bytes());
    status.set_retained_limit(input.retention.limits().total_bytes);
    status.set_keep_ns(static_cast<std::uint64_t>(input.switchboard.keep_ns()));
    status.set_ticks_per_second(input.clock.ticks_per_second());
    status.set_shot_bytes(input.retention.shot_bytes());
    status.set_shot_limit(input.retention.limits().shot_bytes);
    input.triggers.fill(status);
    for (wire::TriggerStatus& trigger : *status.mutable_triggers())
        trigger.set_shots_lacking(input.retention.shots_lacking(trigger.id()));
    status.set_clock_error_ppb(input.clock.error_ppb());
    fill_clock(input.clock.health(), *status.mutable_clock_health());
    return wire::encode_frame(frame);
}

}  // namespace sla::daemon
