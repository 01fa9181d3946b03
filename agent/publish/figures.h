// What the agent reports of its publishing.
#pragma once

#include <cstdint>
#include <string>

namespace sla::publish {

// How it goes, for the status. Events: produced = published + dropped + left.
struct Figures {
    std::string servers;
    std::string fleet;
    std::string host;
    std::string capture;
    bool is_connected = false;
    std::string problem;  // the newest; empty: none
    std::uint64_t produced = 0;
    std::uint64_t published = 0;
    std::uint64_t dropped = 0;
    std::uint64_t left = 0;
    std::uint64_t spool_bytes = 0;
    std::uint64_t spool_limit = 0;
    std::uint64_t unacknowledged = 0;  // messages on their way
    std::uint64_t messages = 0;        // acknowledged
    std::uint64_t bytes = 0;           // of these
    std::uint64_t resent = 0;
    std::uint64_t earlier_runs = 0;  // whose pieces are still in the spool
};

}  // namespace sla::publish
