// What a spool says of one run of an agent: whose capture it is, and how much of it is done with. A file of 1 KiB in the capture's
// folder; the next one is written over the one before it, and they change places: that takes no space, and a crash leaves one of them.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>

namespace sla::publish {

inline constexpr const char* kRunFile = "run.json";
inline constexpr const char* kSpareRunFile = "run.json.new";

// One run of an agent.
struct Run {
    std::string capture;
    std::string host;
    std::string boot;
    std::string agent;
    std::uint32_t pid = 0;
    std::int64_t started_ns = 0;
    std::int64_t ended_ns = 0;  // 0: it was not asked to
    // Of the pieces that are gone.
    std::uint64_t pieces_done = 0;
    std::uint64_t events_done = 0;
    std::uint64_t missed_done = 0;  // events that gaps in them stand for, as the spool was full
    std::uint64_t lost_done = 0;    // events in pieces that are gone and were not published: removed, or not to be read
    std::uint64_t dropped = 0;      // once it has ended: all that did not get into the spool
    std::uint64_t lost_at_end = 0;  // then: of that, what is behind the last row and in no gap
    std::string secret;             // of the messages' keys; empty: of an older agent, whose messages had none

    [[nodiscard]] std::string json() const;
};
Result<Run> parse_run_file(const std::string& text);
// Into the capture's folder; 0, or the errno.
int write_run_file(const std::string& folder, const Run& run);

}  // namespace sla::publish
