// Frames that say who and what: each function makes one, with its stream header.
#pragma once

#include "proto/base/strong_id.h"
#include "proto/ring/segment_view.h"
#include "proto/time/clock_map.h"

#include <cstdint>
#include <string>

namespace sla::wire {
class Shot;
}

namespace sla::daemon {

struct SourceFacts {
    SourceId id;
    std::uint32_t kind = 0;  // wire::SourceKind
    std::string name;
    std::uint32_t pid = 0;
    std::string command;
    bool ended = false;
    std::uint32_t section_ticks = 0;
    std::string cgroup = {};         // of a program that is elsewhere; empty: not known
    std::uint32_t own_pid = 0;       // as the program itself sees it
    std::uint32_t clock_domain = 0;  // 0: the machine's; 1: a time that the program makes up
    bool is_elsewhere = false;       // in a pid namespace of its own
};

// As the hello says it.
struct Machine {
    std::string host;
    std::string boot_id;
};
Machine this_machine();

// `host`: empty: the machine's name.
std::string hello_frame(std::uint64_t capture_id, std::uint64_t start_tick, const std::string& host);
std::string source_frame(const SourceFacts& facts);
std::string channel_frame(ChannelId id, SourceId source, const ring::ChannelDescription& description);
std::string thread_frame(ThreadId id, SourceId source, std::uint32_t tid, const std::string& name);
std::string clock_frame(const time::ClockSnapshot& snapshot);
std::string shot_frame(const wire::Shot& shot);
std::string notice_frame(std::uint64_t tick, const std::string& text, SourceId source);

}  // namespace sla::daemon
