// One axis for two hosts against a truth that is known: clocks that are off, drift, wander, are set, get leap seconds and jump,
// pings that are delayed unlike both ways, or lost. SLA_AXIS_SCENARIOS makes more of them than the usual thousand.
#include "proto/common/clock/peer_window.h"
#include "tests/unit/proto/time/simulated_host.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace sla::time {
namespace {

constexpr int kQuestions = 100;  // of a scenario
constexpr double kUntil = 300;

int scenarios() {
    const char* text = std::getenv("SLA_AXIS_SCENARIOS");
    return text == nullptr ? 1000 : std::atoi(text);
}

struct Tally {
    std::uint64_t asked = 0;
    std::uint64_t held = 0;
    std::vector<double> widths;  // the bound against the ideal one

    void add(double off, double bound) {
        ++asked;
        if (off <= bound) ++held;
    }
    [[nodiscard]] double share() const { return static_cast<double>(held) / static_cast<double>(asked); }
    [[nodiscard]] double median_width() {
        std::sort(widths.begin(), widths.end());
        return widths[widths.size() / 2];
    }
};

class Scenario {
public:
    explicit Scenario(std::uint64_t seed) : random_(seed) {
        make(a_);
        make(b_);
        if (chance(0.1)) a_.leap_at = b_.leap_at = between(20, kUntil - 20);
        one_way_ns_ = between(30'000, 200'000);
        asymmetry_ns_ = between(0, 300'000);
        loss_ = between(0, 0.4);
        snapshots_a_ = a_.snapshots(kUntil, 10, random_);
        snapshots_b_ = b_.snapshots(kUntil, 10, random_);
        clock_a_ = ClockMap::fit(snapshots_a_, a_.tick(0));
        clock_b_ = ClockMap::fit(snapshots_b_, b_.tick(0));
        exchange_pings();
    }

    int kept_too_small = 0;  // errors that were kept for a whole interval, and are less than there

    void ask(Tally& pings, Tally& walls, Tally& utc) {
        const WallAxis wall_a = WallAxis::of(snapshots_a_, clock_a_);
        const WallAxis wall_b = WallAxis::of(snapshots_b_, clock_b_);
        const auto by_pings = HostAxis::by_pings(readings_, clock_b_, clock_a_);
        const auto by_walls = HostAxis::by_wall_clocks(wall_b, clock_b_, wall_a, clock_a_);
        const HostErrors kept = by_pings ? by_pings->errors(b_.tick(1), b_.tick(kUntil)) : HostErrors();
        for (int i = 0; i < kQuestions; ++i) {
            const double at = between(1, kUntil);
            if (by_pings) {
                pings.add(off_ps(*by_pings, at), static_cast<double>(by_pings->error_ps(b_.tick(at))));
                pings.widths.push_back(static_cast<double>(by_pings->error_ps(b_.tick(at))) / 1e3 / ideal_ns(at));
            }
            if (by_pings && kept.error_ps(by_pings->to_reference(b_.tick(at)), clock_a_) < by_pings->error_ps(b_.tick(at)))
                ++kept_too_small;
            if (by_walls && by_walls->is_bounded())
                walls.add(off_ps(*by_walls, at), static_cast<double>(by_walls->error_ps(b_.tick(at))));
            if (!wall_b.is_bounded()) continue;
            const double off = std::abs(static_cast<double>(wall_b.utc_ns(b_.tick(at)) - b_.utc_ns(at)));
            utc.add(off, static_cast<double>(wall_b.error_ns(b_.tick(at))));
        }
    }

private:
    double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
    bool chance(double share) { return between(0, 1) < share; }

    void make(SimulatedHost& host) {
        host.hz = between(1e9, 4e9);
        host.first_tick = between(1e9, 1e15);
        host.drift_ppb = between(-80'000, 80'000);
        host.wander_ppb = between(0, 250);
        host.wander_period = between(60, 1200);
        host.wall_offset_ns = between(0, 5e6);
        host.wall_period = between(100, 1000);
        host.margin_ns = between(10'000, 2e7);
        if (chance(0.4)) {
            host.set_at = between(10, kUntil - 10);
            host.set_by_ns = between(-1, 1) * std::pow(10, between(5, 9.5));
            // Of a kernel that is wrong, only what contradicts what it says can be found out.
            host.kernel_knows = std::abs(host.set_by_ns) < 3 * (host.margin_ns + host.wall_offset_ns) + 2e7 || !chance(0.3);
        }
        if (chance(0.2)) {
            host.moved_at = between(10, kUntil - 10);
            host.moved_by_ns = std::pow(10, between(5, 10));
        }
        if (chance(0.1)) host.synchronised_from = between(0, kUntil);
    }

    void exchange_pings() {
        PeerWindow window;
        for (double at = 1; at < kUntil; at += between(1, 3)) {
            if (chance(loss_)) {
                window.on_lost();
            } else {
                const double there = at + delay_s(asymmetry_ns_);
                const double answered = there + between(1, 50) * 1e-6;
                const double back = answered + delay_s(0);
                window.on_exchange({b_.tick(at), a_.tick(there), a_.tick(answered), b_.tick(back)}, clock_b_,
                                   clock_a_.ticks_per_second());
            }
            if (const auto report = window.due(b_.tick(at), clock_b_)) readings_.push_back(report->reading);
        }
    }
    double delay_s(double more_ns) {
        const double queue = std::exponential_distribution<double>(1 / 100e3)(random_);
        const double spike = chance(0.05) ? between(0, 2e7) : 0;
        return (one_way_ns_ + more_ns + queue + spike) * 1e-9;
    }

    [[nodiscard]] double off_ps(const HostAxis& axis, double at) const {
        const auto ticks = static_cast<std::int64_t>(axis.to_reference(b_.tick(at)) - a_.tick(at));
        return std::abs(static_cast<double>(clock_a_.ticks_to_ps(ticks)));
    }
    // Half the nearest round trip, and what drifts by a millionth until then.
    [[nodiscard]] double ideal_ns(double at) const {
        double ideal = SimulatedHost::kNever;
        for (const PeerReading& one : readings_) {
            const auto ticks = static_cast<double>(static_cast<std::int64_t>(one.tick - b_.tick(at)));
            ideal = std::min(ideal, static_cast<double>(one.error_ns) + std::abs(ticks) / b_.hz * 1e9 * 1e-6);
        }
        return ideal;
    }

    std::mt19937_64 random_;
    SimulatedHost a_;
    SimulatedHost b_;
    double one_way_ns_ = 0;
    double asymmetry_ns_ = 0;
    double loss_ = 0;
    std::vector<ClockSnapshot> snapshots_a_;
    std::vector<ClockSnapshot> snapshots_b_;
    ClockMap clock_a_;
    ClockMap clock_b_;
    std::vector<PeerReading> readings_;
};

TEST(OneAxis, ItsBoundsHoldTheTruthAndAreNotWide) {
    Tally pings;
    Tally walls;
    Tally utc;
    int kept_too_small = 0;
    for (int seed = 0; seed < scenarios(); ++seed) {
        Scenario scenario(static_cast<std::uint64_t>(seed));
        scenario.ask(pings, walls, utc);
        kept_too_small += scenario.kept_too_small;
    }
    EXPECT_EQ(kept_too_small, 0);
    RecordProperty("ping_bounds", std::to_string(pings.held) + "/" + std::to_string(pings.asked));
    RecordProperty("wall_bounds", std::to_string(walls.held) + "/" + std::to_string(walls.asked));
    RecordProperty("utc_bounds", std::to_string(utc.held) + "/" + std::to_string(utc.asked));
    EXPECT_GE(pings.asked, static_cast<std::uint64_t>(scenarios()) * kQuestions * 9 / 10);
    EXPECT_GE(pings.share(), 0.9999) << pings.held << " of " << pings.asked;
    EXPECT_GE(walls.share(), 0.9999) << walls.held << " of " << walls.asked;
    EXPECT_GE(utc.share(), 0.9999) << utc.held << " of " << utc.asked;
    RecordProperty("ping_width", std::to_string(pings.median_width()));
    EXPECT_LE(pings.median_width(), 3) << "against half the nearest round trip and a drift of a millionth";
}

}  // namespace
}  // namespace sla::time
