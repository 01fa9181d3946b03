// What a capture says about where its events come from. Plain values; the store owns them.
#pragma once

#include "proto/base/strong_id.h"
#include "proto/time/clock_map.h"
#include "proto/time/host_axis.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::wire {
class SetTrigger;
}

namespace sla::store {

enum class SourceKind : std::uint8_t { kUnknown, kProgram, kPc, kHost, kAgent };

struct Source {
    SourceId id;
    SourceKind kind = SourceKind::kUnknown;
    std::string name;
    std::uint32_t pid = 0;
    std::string command;
    std::uint32_t clock_domain = 0;  // 0: the host's TSC
    bool ended = false;
    std::uint32_t section_ticks = 0;  // width of an empty section as the program measured it; 0: not measured
    std::uint32_t host = 0;           // of a capture made of several hosts' captures: Host::id; 0: Origin's host
    time::HostErrors made_up = time::made_up_time();  // of its stamps, where the clock domain is not 0
};

// Another host than the origin's, whose stamps were moved onto the session's clock, and how well.
struct Host {
    std::uint32_t id = 0;
    std::string name;
    std::string boot_id;
    std::string placed_by;  // for people: "pings between the agents"
    time::HostErrors errors;
    time::WallClock wall;  // as that host reported it last
};

// What pings between two agents said of another host's clock.
struct PeerClock {
    std::string host;
    std::string boot_id;
    time::PeerReading reading;
    std::string problem;
};

// Which instruction stamps markers: RDTSC may run ahead of what stands before it, the others wait for that.
enum class Stamping : std::uint8_t { kRdtsc, kRdtscp, kLfenceRdtsc };

struct Channel {
    ChannelId id;
    SourceId source;
    std::string name;    // dotted: groups lanes
    std::string format;  // formatter of value and details (proto/wire/formatter.h); empty: none
    bool overwrite = false;
    Stamping stamping = Stamping::kRdtsc;
    std::uint32_t section_ticks = 0;  // as Source's, of a channel that is not stamped by RDTSC; 0: the source's holds
};

struct Thread {
    ThreadId id;
    SourceId source;
    std::uint32_t tid = 0;
    std::string name;
};

// From the stream's Hello.
struct Origin {
    std::string agent;
    std::string host;
    std::uint64_t capture_id = 0;
    std::uint64_t start_tick = 0;  // time_ns counts from here
    std::uint32_t agent_pid = 0;
    std::uint64_t begin_tick = 0;  // of a part that was cut out: rows before it only say what held then
    std::string boot_id = {};      // of the host; empty: not known
};

// The agent's own ledger of one channel, from its newest Status.
struct Ledger {
    std::uint64_t events = 0;  // recorded since the agent started, without gap rows
    std::uint64_t overrun = 0;
    std::uint64_t late = 0;
    std::uint64_t torn = 0;
    std::uint64_t no_ring = 0;
    std::uint64_t damaged = 0;
    std::uint64_t retained_bytes = 0;
    std::uint64_t retained_events = 0;
    std::uint64_t retained_from_tick = 0;  // of the oldest event held; 0: none is
    std::uint64_t keep_ns = 0;             // how long events are to be kept; 0: as long as there is space
    bool capped = false;                   // there was no space to keep them so long
    bool off = false;                      // switched off
    std::string filter;                    // what markers must say to be kept; empty: anything
    std::uint64_t filtered = 0;            // turned away by the filter; no loss
    std::uint64_t not_kept = 0;            // of `events`, no longer held; no loss of whoever read them in time
    bool retired = false;                  // the agent has forgotten it: it is in Health's sum now

    [[nodiscard]] std::uint64_t lost() const { return overrun + late + torn + no_ring + damaged; }
};

// One trigger of the agent, from its newest Status.
struct TriggerInfo {
    std::string name;
    std::string expression;
    std::string state;  // "armed", "pre-filling", "fired", "post-filling", "stopped"
    std::uint64_t shots = 0;
    std::uint64_t cannot_tell = 0;
    std::uint32_t stage = 0;
    std::string problem;
    std::shared_ptr<const wire::SetTrigger> asked;  // what sets it again; null: the agent did not say
    std::uint64_t shots_lacking = 0;                // whose window the agent does not hold whole
};

// One triggered capture: its window is [begin_tick, end_tick].
struct Shot {
    std::string trigger;
    std::uint64_t number = 0;
    std::uint64_t tick = 0;
    std::uint64_t begin_tick = 0;
    std::uint64_t end_tick = 0;
    std::string what;
    bool operator==(const Shot&) const = default;
};

// What the agent knows of the clock that stamps; see proto/common/clock/clock_health.h.
struct ClockHealth {
    bool known = false;
    bool invariant = false;
    bool monotonic_raw = false;  // stamps are CLOCK_MONOTONIC_RAW's nanoseconds, not the TSC
    std::uint32_t cores = 0;     // compared; below 2 the next line says nothing
    time::SkewBound skew;
    double drift_ppb = 0;
    std::uint64_t backward_steps = 0;
    std::uint64_t offset_changes = 0;
    std::uint64_t rate_changes = 0;
    std::string problem;  // for people; empty: none
    std::string text;     // all of it in a line
};

// What takes the agent's memory, in bytes; see MemoryParts in proto/wire/capture.proto.
struct MemoryParts {
    std::uint64_t batches = 0;
    std::uint64_t names = 0;
    std::uint64_t open_batches = 0;
    std::uint64_t programs = 0;
    std::uint64_t readers = 0;
    std::uint64_t recorders = 0;
};

// How the agent's publishing to a fleet goes; see PublishStatus in proto/wire/capture.proto.
struct Publishing {
    bool wanted = false;
    std::string servers;
    std::string fleet;
    std::string host;
    std::string capture;
    bool connected = false;
    std::string problem;  // empty: none
    std::uint64_t produced = 0;
    std::uint64_t published = 0;
    std::uint64_t dropped = 0;
    std::uint64_t left = 0;
    std::uint64_t spool_bytes = 0;
    std::uint64_t spool_limit = 0;
    std::uint64_t unacknowledged = 0;
    std::uint64_t earlier_runs = 0;
};

// The agent's health, from its newest Status.
struct Health {
    bool known = false;
    std::uint64_t tick = 0;
    std::uint32_t readers = 0;
    double agent_cpu = 0;  // share of one core
    std::uint64_t agent_bytes = 0;
    std::uint64_t retained_bytes = 0;
    std::uint64_t retained_limit = 0;  // most bytes that are held
    MemoryParts memory;                // of retained_bytes
    Publishing publishing;
    std::uint64_t shot_bytes = 0;  // held beside that, for shots' windows
    std::uint64_t shot_limit = 0;
    std::uint64_t ring_bytes = 0;  // of agent_bytes: programs' rings
    double ticks_per_second = 0;
    double clock_error_ppb = 0;
    std::string trigger_state;  // of the first trigger; empty: there is none
    std::vector<TriggerInfo> triggers;
    ClockHealth clock;
    std::uint64_t retired_channels = 0;  // that the agent has forgotten, with what they recorded and lost
    std::uint64_t retired_events = 0;
    std::uint64_t retired_lost = 0;
};

// Something a person should read: from the agent, or noted by ingest about what it received.
struct Note {
    std::uint64_t tick = 0;  // 0: not tied to a moment
    std::string text;
    bool damage = false;  // true: something that should have been here is not, or was not as promised
};

}  // namespace sla::store
