// What the agent knows of itself, as numbers, and as the text that Prometheus reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sla::service {

// Sums over all channels: their number is not bounded, that of these is. Counters only ever go up.
struct Metrics {
    std::uint64_t events = 0;
    std::uint64_t filtered = 0;
    std::vector<std::pair<std::string, std::uint64_t>> lost;    // by cause
    std::vector<std::pair<std::string, std::uint64_t>> memory;  // bytes by part
    std::uint64_t memory_limit = 0;                             // of history
    std::uint64_t resident_bytes = 0;
    double cpu_seconds = 0;
    double start_time = 0;  // seconds since 1970
    double uptime = 0;      // seconds
    std::uint64_t programs = 0;
    std::uint64_t channels = 0;
    std::uint64_t readers = 0;
    // Of publishing to a fleet; events = published + dropped + left.
    struct Publishing {
        bool wanted = false;
        bool connected = false;
        std::uint64_t published = 0;
        std::uint64_t dropped = 0;
        std::uint64_t left = 0;
        std::uint64_t bytes = 0;
        std::uint64_t resent = 0;
        std::uint64_t unacknowledged = 0;
        std::uint64_t spool_bytes = 0;
        std::uint64_t spool_limit = 0;
    };
    Publishing publishing;
    std::optional<bool> recording;                              // it is written on; nothing: none was asked for
    std::vector<std::pair<std::string, std::uint64_t>> logins;  // over TLS, by what came of them

    struct Trigger {
        std::string name;
        bool armed = false;  // it can fire, or is firing
        std::uint64_t shots = 0;
        std::uint64_t cannot_tell = 0;
    };
    std::vector<Trigger> triggers;

    struct Clock {
        bool good = false;  // nothing is known to be wrong with it
        bool tsc = false;   // else CLOCK_MONOTONIC_RAW
        double ticks_per_second = 0;
        double error_ratio = 0;
        double skew_seconds = 0;
        double drift_ratio = 0;
        std::uint64_t backward_steps = 0;
        std::uint64_t offset_changes = 0;
        std::uint64_t rate_changes = 0;
    };
    Clock clock;
};

// The text format, version 0.0.4.
std::string metrics_text(const Metrics& metrics);

}  // namespace sla::service
