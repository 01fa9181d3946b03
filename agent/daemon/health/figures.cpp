#include "agent/daemon/health/figures.h"

#include "agent/daemon/health/resident.h"
#include "proto/wire/capture.pb.h"

#include <sys/resource.h>

#include <chrono>

namespace sla::daemon {
namespace {

const auto started_at = std::chrono::system_clock::now();
const auto started = std::chrono::steady_clock::now();

void fill_triggers(const shots::TriggerWatch& watch, service::Metrics& metrics) {
    wire::Status status;
    watch.fill(status);
    for (const wire::TriggerStatus& trigger : status.triggers()) {
        const bool armed = trigger.state() != wire::TRIGGER_NONE && trigger.state() != wire::TRIGGER_STOPPED;
        metrics.triggers.push_back({trigger.name(), armed, trigger.shots(), trigger.cannot_tell()});
    }
}

void fill_clock(ClockWatch& watch, service::Metrics::Clock& clock) {
    constexpr double kBillion = 1e9;
    const time::ClockHealth& health = watch.health();
    clock.good = health.problem().empty();
    clock.tsc = health.clock == time::StampClock::kTsc;
    clock.ticks_per_second = watch.ticks_per_second();
    clock.error_ratio = watch.error_ppb() / kBillion;
    clock.skew_seconds = static_cast<double>(health.skew.bound.ticks) / watch.ticks_per_second();
    clock.drift_ratio = health.drift_ppb / kBillion;
    clock.backward_steps = health.backward_steps;
    clock.offset_changes = health.offset_changes;
    clock.rate_changes = health.rate_changes;
}

void fill_publishing(const publish::Figures& figures, service::Metrics::Publishing& out) {
    out = {true,          figures.is_connected, figures.published,      figures.dropped,     figures.left,
           figures.bytes, figures.resent,       figures.unacknowledged, figures.spool_bytes, figures.spool_limit};
}

}  // namespace

service::Metrics metrics_of(const StatusInput& input) {
    service::Metrics metrics;
    const drain::LossLedger sum = input.table.total();
    metrics.events = sum.events;
    metrics.filtered = sum.filtered;
    metrics.lost = {{"overrun", sum.overrun},
                    {"late", sum.late},
                    {"torn", sum.torn},
                    {"no_ring", sum.no_ring},
                    {"damaged", sum.damaged}};
    const retain::Retention::Usage usage = input.retention.usage();
    metrics.memory = {{"history", usage.history},
                      {"names", usage.names},
                      {"open_batches", usage.beside.open_batches},
                      {"programs", usage.beside.programs},
                      {"readers", usage.readers},
                      {"recorders", usage.recorders},
                      {"shots", usage.shots},
                      {"rings", resident().ring_bytes}};
    metrics.memory_limit = usage.limits.total_bytes;
    metrics.programs = input.programs.size();
    metrics.channels = input.table.size();
    metrics.readers = input.readers;
    if (input.publishing != nullptr) fill_publishing(*input.publishing, metrics.publishing);
    fill_triggers(input.triggers, metrics);
    fill_clock(input.clock, metrics.clock);
    return metrics;
}

void add_process(service::Metrics& metrics) {
    using Seconds = std::chrono::duration<double>;
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    for (const timeval& part : {usage.ru_utime, usage.ru_stime}) {
        metrics.cpu_seconds += static_cast<double>(part.tv_sec) + static_cast<double>(part.tv_usec) * 1e-6;
    }
    metrics.resident_bytes = resident().bytes;
    metrics.start_time = Seconds(started_at.time_since_epoch()).count();
    metrics.uptime = Seconds(std::chrono::steady_clock::now() - started).count();
}

}  // namespace sla::daemon
