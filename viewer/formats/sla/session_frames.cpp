#include "viewer/formats/sla/session_frames.h"

#include "proto/wire/clock_codec.h"
#include "proto/wire/version.h"

namespace sla::formats {

namespace {

void fill_health(const store::ClockHealth& from, wire::ClockHealth& to) {
    to.set_invariant(from.invariant);
    to.set_clock(from.monotonic_raw ? wire::STAMP_MONOTONIC_RAW : wire::STAMP_TSC);
    to.set_cores(from.cores);
    to.set_skew_ticks(from.skew.ticks);
    to.set_synchronized(from.skew.synchronized);
    to.set_drift_ppb(from.drift_ppb);
    to.set_backward_steps(from.backward_steps);
    to.set_offset_changes(from.offset_changes);
    to.set_rate_changes(from.rate_changes);
    to.set_problem(from.problem);
    to.set_text(from.text);
}

}  // namespace

wire::Frame frame_of(const store::Origin& origin) {
    wire::Frame frame;
    wire::Hello& out = *frame.mutable_hello();
    out.set_version(wire::kWireVersion);
    out.set_agent(origin.agent);
    out.set_host(origin.host);
    out.set_capture_id(origin.capture_id);
    out.set_start_tick(origin.start_tick);
    out.set_agent_pid(origin.agent_pid);
    out.set_begin_tick(origin.begin_tick);
    out.set_boot_id(origin.boot_id);
    return frame;
}

wire::Frame frame_of(const store::Host& host) {
    wire::Frame frame;
    wire::Host& out = *frame.mutable_host();
    out.set_id(host.id);
    out.set_name(host.name);
    out.set_boot_id(host.boot_id);
    out.set_placed_by(host.placed_by);
    wire::fill_errors(host.errors, out);
    wire::fill_wall(host.wall, *out.mutable_wall());
    return frame;
}

wire::Frame frame_of(const store::PeerClock& peer) {
    wire::Frame frame;
    wire::PeerClock& out = *frame.mutable_peer_clock();
    out.set_host(peer.host);
    out.set_boot_id(peer.boot_id);
    out.set_tick(peer.reading.tick);
    out.set_peer_tick(peer.reading.peer_tick);
    out.set_error_ns(static_cast<std::uint64_t>(peer.reading.error_ns));
    out.set_problem(peer.problem);
    return frame;
}

wire::Frame frame_of(const store::Source& source) {
    wire::Frame frame;
    wire::Source& out = *frame.mutable_source();
    out.set_id(source.id.value);
    out.set_kind(static_cast<wire::SourceKind>(source.kind));  // both count alike
    out.set_name(source.name);
    out.set_pid(source.pid);
    out.set_command(source.command);
    out.set_clock_domain(source.clock_domain);
    out.set_ended(source.ended);
    out.set_section_ticks(source.section_ticks);
    out.set_host(source.host);
    return frame;
}

wire::Frame frame_of(const store::Channel& channel) {
    wire::Frame frame;
    wire::Channel& out = *frame.mutable_channel();
    out.set_id(channel.id.value);
    out.set_source(channel.source.value);
    out.set_name(channel.name);
    out.set_format(channel.format);
    out.set_overwrite(channel.overwrite);
    out.set_stamping(static_cast<wire::Channel::Stamping>(channel.stamping));  // both count alike
    out.set_section_ticks(channel.section_ticks);
    return frame;
}

wire::Frame frame_of(const store::Thread& thread) {
    wire::Frame frame;
    wire::Thread& out = *frame.mutable_thread();
    out.set_id(thread.id.value);
    out.set_source(thread.source.value);
    out.set_tid(thread.tid);
    out.set_name(thread.name);
    return frame;
}

wire::Frame frame_of(const store::Health& health) {
    wire::Frame frame;
    wire::Status& out = *frame.mutable_status();
    out.set_tick(health.tick);
    out.set_ticks_per_second(health.ticks_per_second);
    out.set_clock_error_ppb(health.clock_error_ppb);
    if (health.clock.known) fill_health(health.clock, *out.mutable_clock_health());
    return frame;
}

wire::Frame frame_of(const store::Shot& shot) {
    wire::Frame frame;
    wire::Shot& out = *frame.mutable_shot();
    out.set_trigger_name(shot.trigger);
    out.set_number(shot.number);
    out.set_tick(shot.tick);
    out.set_begin_tick(shot.begin_tick);
    out.set_end_tick(shot.end_tick);
    out.set_what(shot.what);
    return frame;
}

wire::Frame frame_of(const store::Note& note) {
    wire::Frame frame;
    frame.mutable_notice()->set_tick(note.tick);
    frame.mutable_notice()->set_text(note.text);
    frame.mutable_notice()->set_damage(note.damage);
    return frame;
}

}  // namespace sla::formats
