// What pings between two agents say of another host's clock. Pure: whoever sends pings hands their four stamps in.
//
//   own ticks    sent ──────►                                ──► returned
//   peer ticks            ──► received ── held ── answered ──┘
//
// The peer's clock stood in the middle of [received, answered] at some moment of [sent + held / 2, returned - held / 2]: a bound
// that needs no belief in delays being alike both ways. Of every window of time the tightest exchange is kept as it was
// measured, so that each is evidence by itself; readers put them together (time::HostAxis), with all of them before their eyes.
//
// Memory is bounded: a window's best, and the kept ones of the last kHistory windows, for the drift. Owner: one thread.
#pragma once

#include "proto/time/host_axis.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace sla::time {

struct PeerExchange {
    std::uint64_t sent = 0;      // own ticks
    std::uint64_t received = 0;  // the peer's
    std::uint64_t answered = 0;
    std::uint64_t returned = 0;  // own
};

// Nothing when the stamps make no sense: a clock went back meanwhile, or the peer held it longer than it was away.
std::optional<PeerReading> reading_of(const PeerExchange& exchange, const ClockMap& own, double peer_ticks_per_second);

// What is reported of a peer once in a window.
struct PeerReport {
    PeerReading reading;
    std::int64_t round_trip_ns = 0;
    std::uint64_t exchanges = 0;
    std::uint64_t lost = 0;
    double drift_ppb = 0;        // of the peer's clock against this one's
    double drift_error_ppb = 0;  // 0: not known yet
    std::string problem;         // for people; empty: none
};

class PeerWindow {
public:
    static constexpr double kFirstSeconds = 1.25;  // a short capture has a bound too
    static constexpr double kSeconds = 10;         // each window is twice as long as the one before, up to this
    static constexpr std::size_t kHistory = 64;

    void on_exchange(const PeerExchange& exchange, const ClockMap& own, double peer_ticks_per_second);
    void on_lost() { ++lost_; }
    // The window's report when it is over and an exchange came through; then the next one begins.
    std::optional<PeerReport> due(std::uint64_t now, const ClockMap& own);
    // The tightest of the last kHistory windows since the clocks jumped last, and of this one so far.
    [[nodiscard]] std::vector<PeerReading> readings() const;

private:
    PeerReport finish(const ClockMap& own);

    double seconds_ = kFirstSeconds;
    std::optional<std::uint64_t> begun_;
    std::optional<PeerReading> best_;
    std::int64_t round_trip_ns_ = 0;  // of the best
    std::uint64_t exchanges_ = 0;
    std::uint64_t lost_ = 0;
    std::uint64_t nonsense_ = 0;
    double peer_ticks_per_second_ = 0;
    std::deque<PeerReading> kept_;
};

}  // namespace sla::time
