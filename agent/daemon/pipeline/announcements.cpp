#include "agent/daemon/pipeline/announcements.h"

#include "proto/wire/capture.pb.h"
#include "proto/wire/clock_codec.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/one_line.h"
#include "proto/wire/utf8.h"
#include "proto/wire/version.h"

#include <unistd.h>

#include <array>
#include <fstream>

namespace sla::daemon {
namespace {

// Another one after every boot, the same in all containers; empty: the kernel does not say.
std::string boot_id() {
    std::ifstream in("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(in, id);
    return id;
}

}  // namespace

Machine this_machine() {
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) != 0) host.front() = 0;
    return {wire::to_utf8(host.data()), boot_id()};
}

std::string hello_frame(std::uint64_t capture_id, std::uint64_t start_tick, const std::string& host) {
    wire::Frame frame;
    wire::Hello& hello = *frame.mutable_hello();
    hello.set_version(wire::kWireVersion);
    hello.set_agent("sla-agent " + std::string(wire::kProductVersion));
    hello.set_capture_id(capture_id);
    hello.set_start_tick(start_tick);
    const Machine machine = this_machine();
    hello.set_host(host.empty() ? machine.host : host);
    hello.set_agent_pid(static_cast<std::uint32_t>(getpid()));
    hello.set_boot_id(machine.boot_id);
    return wire::encode_frame(frame);
}

std::string source_frame(const SourceFacts& facts) {
    wire::Frame frame;
    wire::Source& source = *frame.mutable_source();
    source.set_id(facts.id.value);
    source.set_kind(wire::SourceKind_IsValid(static_cast<int>(facts.kind)) ? static_cast<wire::SourceKind>(facts.kind)
                                                                           : wire::SOURCE_UNKNOWN);
    source.set_name(wire::one_line(facts.name));
    source.set_pid(facts.pid);
    source.set_command(wire::one_line(facts.command));
    source.set_ended(facts.ended);
    source.set_section_ticks(facts.section_ticks);
    source.set_cgroup(wire::one_line(facts.cgroup));
    source.set_clock_domain(facts.clock_domain);
    if (facts.own_pid != facts.pid) source.set_own_pid(facts.own_pid);
    return wire::encode_frame(frame);
}

std::string channel_frame(ChannelId id, SourceId source, const ring::ChannelDescription& description) {
    wire::Frame frame;
    wire::Channel& channel = *frame.mutable_channel();
    channel.set_id(id.value);
    channel.set_source(source.value);
    channel.set_name(wire::one_line(description.name));
    channel.set_format(wire::one_line(description.format));
    channel.set_overwrite(description.overwrite);
    channel.set_stamping(static_cast<wire::Channel::Stamping>(description.stamping));  // both count alike
    channel.set_section_ticks(description.section_ticks);
    return wire::encode_frame(frame);
}

std::string thread_frame(ThreadId id, SourceId source, std::uint32_t tid, const std::string& name) {
    wire::Frame frame;
    wire::Thread& thread = *frame.mutable_thread();
    thread.set_id(id.value);
    thread.set_source(source.value);
    thread.set_tid(tid);
    thread.set_name(wire::one_line(name));
    return wire::encode_frame(frame);
}

std::string clock_frame(const time::ClockSnapshot& snapshot) {
    wire::Frame frame;
    wire::fill_clock(snapshot, *frame.mutable_clock());
    return wire::encode_frame(frame);
}

std::string shot_frame(const wire::Shot& shot) {
    wire::Frame frame;
    *frame.mutable_shot() = shot;
    return wire::encode_frame(frame);
}

std::string notice_frame(std::uint64_t tick, const std::string& text, SourceId source) {
    wire::Frame frame;
    frame.mutable_notice()->set_tick(tick);
    frame.mutable_notice()->set_text(wire::one_line(text));
    frame.mutable_notice()->set_source(source.value);
    return wire::encode_frame(frame);
}

}  // namespace sla::daemon
