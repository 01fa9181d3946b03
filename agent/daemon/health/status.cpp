#include "agent/daemon/health/status.h"

#include "agent/daemon/health/cpu_share.h"
#include "agent/daemon/health/resident.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/filter_text.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/utf8.h"

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

constexpr std::size_t kPageBytes = std::size_t{48} << 10;  // of channels in one frame: a capture's index keeps it still

void fill_channel(const OpenChannel& channel, retain::Retention& retention, const ChannelPolicy& channel_policy,
                  std::uint64_t now, wire::ChannelStatus& status) {
    const drain::LossLedger& ledger = channel.ledger;
    status.set_id(channel.id.value);
    status.set_events(ledger.events);
    status.set_overrun(ledger.overrun);
    status.set_late(ledger.late);
    status.set_torn(ledger.torn);
    status.set_no_ring(ledger.no_ring);
    status.set_damaged(ledger.damaged);
    retain::Retention::Held held = retention.held(channel.id);
    status.set_retained_bytes(held.bytes);
    status.set_retained_events(held.rows);
    status.set_retained_from_tick(held.first_tick);
    status.set_keep_ns(static_cast<std::uint64_t>(channel.settings.keep_ns.value_or(0)));
    status.set_capped(channel_policy.is_capped(channel.settings, held, now));
    status.set_off(!channel.settings.enabled);
    status.set_filter(wire::filter_text(channel.settings.filter));
    status.set_filtered(ledger.filtered);
    status.set_not_kept(held.given_up.rows);
    status.set_not_kept_from_tick(held.given_up.first_tick);
    status.set_not_kept_until_tick(held.given_up.last_tick);
}

void fill_retired(const RetiredLedger& retired, wire::RetiredStatus& out) {
    out.set_sources(retired.sources);
    out.set_channels(retired.channels);
    out.set_events(retired.ledger.events);
    out.set_overrun(retired.ledger.overrun);
    out.set_late(retired.ledger.late);
    out.set_torn(retired.ledger.torn);
    out.set_no_ring(retired.ledger.no_ring);
    out.set_damaged(retired.ledger.damaged);
    out.set_filtered(retired.ledger.filtered);
}

// Fills `list` with one channel after the other, and calls close() whenever that is a page.
template <typename List, typename Fill, typename Close>
void in_pages(const std::vector<const OpenChannel*>& channels, List list, Fill fill, Close close) {
    std::size_t bytes = 0;
    for (const OpenChannel* channel : channels) {
        wire::ChannelStatus& one = *list();
        fill(*channel, one);
        bytes += one.ByteSizeLong() + 4;
        if (bytes < kPageBytes) continue;
        close();
        bytes = 0;
    }
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

void fill_publish(const publish::Figures& figures, wire::PublishStatus& out) {
    out.set_servers(figures.servers);
    out.set_fleet(figures.fleet);
    out.set_host(figures.host);
    out.set_capture(figures.capture);
    out.set_connected(figures.is_connected);
    out.set_problem(wire::to_utf8(figures.problem));
    out.set_produced(figures.produced);
    out.set_published(figures.published);
    out.set_dropped(figures.dropped);
    out.set_left(figures.left);
    out.set_spool_bytes(figures.spool_bytes);
    out.set_spool_limit(figures.spool_limit);
    out.set_unacknowledged(figures.unacknowledged);
    out.set_messages(figures.messages);
    out.set_bytes(figures.bytes);
    out.set_resent(figures.resent);
    out.set_earlier_runs(figures.earlier_runs);
}

}  // namespace

std::vector<std::string> status_frames(const StatusInput& input) {
    wire::Frame frame;
    wire::Status& status = *frame.mutable_status();
    status.set_tick(input.now);
    for (const auto& program : input.programs) {
        wire::SourceStatus& source = *status.add_sources();
        source.set_id(program->facts().id.value);
        source.set_rings(static_cast<std::uint32_t>(program->drain().ring_count()));
        source.set_ended(program->facts().ended);
    }
    status.set_readers(static_cast<std::uint32_t>(input.readers));
    status.set_agent_cpu(cpu_share());
    const Resident memory = resident();
    status.set_agent_bytes(memory.bytes);
    status.set_ring_bytes(memory.ring_bytes);
    const retain::Retention::Usage usage = input.retention.usage();
    status.set_retained_bytes(usage.counted);
    wire::MemoryParts& parts = *status.mutable_memory();
    parts.set_batches(usage.history);
    parts.set_names(usage.names);
    parts.set_open_batches(usage.beside.open_batches);
    parts.set_programs(usage.beside.programs);
    parts.set_readers(usage.readers);
    parts.set_recorders(usage.recorders);
    status.set_retained_limit(usage.limits.total_bytes);
    status.set_keep_ns(static_cast<std::uint64_t>(input.channel_policy.keep_ns()));
    status.set_ticks_per_second(input.clock.ticks_per_second());
    status.set_shot_bytes(usage.shots);
    status.set_shot_limit(usage.limits.shot_bytes);
    input.triggers.fill(status);
    for (wire::TriggerStatus& trigger : *status.mutable_triggers())
        trigger.set_shots_lacking(input.retention.shots_lacking(trigger.id()));
    status.set_clock_error_ppb(input.clock.error_ppb());
    fill_clock(input.clock.health(), *status.mutable_clock_health());
    fill_retired(input.table.retired(), *status.mutable_retired());
    if (input.publishing != nullptr) fill_publish(*input.publishing, *status.mutable_publish());
    std::vector<std::string> pages;
    in_pages(
        input.channels, [&] { return status.add_channels(); },
        [&](const OpenChannel& channel, wire::ChannelStatus& one) {
            fill_channel(channel, input.retention, input.channel_policy, input.now, one);
        },
        [&] {
            pages.push_back(wire::encode_frame(frame));
            status.clear_channels();
        });
    if (pages.empty() || status.channels_size() > 0) pages.push_back(wire::encode_frame(frame));
    return pages;
}

std::vector<std::string> ledger_frames(const std::vector<const OpenChannel*>& channels, retain::Retention& retention,
                                       const ChannelPolicy& channel_policy, std::uint64_t now) {
    wire::Frame frame;
    wire::Ledgers& ledgers = *frame.mutable_ledgers();
    std::vector<std::string> pages;
    const auto close = [&] {
        pages.push_back(wire::encode_frame(frame));
        ledgers.clear_channels();
    };
    in_pages(
        channels, [&] { return ledgers.add_channels(); },
        [&](const OpenChannel& channel, wire::ChannelStatus& one) {
            fill_channel(channel, retention, channel_policy, now, one);
        },
        close);
    if (ledgers.channels_size() > 0) close();
    return pages;
}

}  // namespace sla::daemon
