#include "proto/common/clock/core_skew.h"

#include "proto/time/tick_clock.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <utility>

namespace sla::time {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxCores = 64;
constexpr int kRounds = 600;
constexpr int kSpins = 2000;  // about a microsecond or two before looking whether to give up

std::vector<int> usable_cores() {
    std::vector<int> cores;
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return cores;
    for (int core = 0; core < CPU_SETSIZE && cores.size() < kMaxCores; ++core) {
        if (CPU_ISSET(core, &allowed)) cores.push_back(core);
    }
    return cores;
}

bool pin_to(int core) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    return pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0;
}

// The shared line: odd turns are questions, even ones answers, `kOver` ends it for both.
struct Line {
    static constexpr std::uint64_t kOver = ~std::uint64_t{0};
    alignas(128) std::atomic<std::uint64_t> turn{0};
    alignas(128) std::uint64_t answered = 0;  // written before an answer, read after it

    // False when it is over.
    bool await(std::uint64_t wanted, Clock::time_point until) {
        for (;;) {
            for (int spin = 0; spin < kSpins; ++spin) {
                const std::uint64_t now = turn.load(std::memory_order_acquire);  // pairs with the releases of both ends
                if (now == wanted) return true;
                if (now == kOver) return false;
                __builtin_ia32_pause();
            }
            if (Clock::now() > until) return false;
            sched_yield();  // the other one may be waiting for this core's neighbour
        }
    }
    void hang_up() { turn.store(kOver, std::memory_order_release); }  // pairs with await's acquire
};

void answer(Line& line, int core, Clock::time_point until) {
    if (pin_to(core)) {
        for (std::uint64_t round = 0; round < kRounds && line.await(2 * round + 1, until); ++round) {
            line.answered = read_tsc_in_order();
            line.turn.store(2 * round + 2, std::memory_order_release);  // pairs with ask's await: it sees `answered`
        }
    }
}

void ask(Line& line, int core, Clock::time_point until, SkewInterval& interval) {
    if (pin_to(core)) {
        for (std::uint64_t round = 0; round < kRounds; ++round) {
            const std::uint64_t sent = read_tsc_in_order();
            line.turn.store(2 * round + 1, std::memory_order_release);  // pairs with answer's await
            if (!line.await(2 * round + 2, until)) break;
            interval.narrow(sent, line.answered, read_tsc_in_order());
        }
    }
    line.hang_up();
}

// False: no thread is to be had. Then nothing is known of a core.
template <typename Run>
bool start(std::thread& thread, Run run) {
    try {
        thread = std::thread(std::move(run));
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

SkewInterval compare(int reference, int other, Clock::time_point until) {
    Line line;
    SkewInterval interval;
    std::thread partner;
    std::thread asker;
    const bool both =
        start(partner, [&] { answer(line, other, until); }) && start(asker, [&] { ask(line, reference, until, interval); });
    if (!both) line.hang_up();
    for (std::thread* thread : {&partner, &asker}) {
        if (thread->joinable()) thread->join();
    }
    return interval;
}

std::uint64_t distance(std::int64_t from, std::int64_t to) {
    return to <= from ? 0 : static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

}  // namespace

void SkewInterval::narrow(std::uint64_t sent, std::uint64_t answered, std::uint64_t received) {
    low = std::max(low, static_cast<std::int64_t>(answered - received));
    high = std::min(high, static_cast<std::int64_t>(answered - sent));
}

bool SkewInterval::is_known() const {
    return low != std::numeric_limits<std::int64_t>::min() && high != std::numeric_limits<std::int64_t>::max();
}

CoreSkew skew_of(const std::vector<SkewInterval>& intervals) {
    CoreSkew skew;
    const SkewInterval reference{0, 0};
    std::vector<const SkewInterval*> cores{&reference};
    for (const SkewInterval& interval : intervals) {
        if (!interval.is_known()) continue;
        cores.push_back(&interval);
        skew.bound.synchronized = skew.bound.synchronized && interval.is_steady() && interval.holds_zero();
    }
    skew.cores = static_cast<std::uint32_t>(cores.size());
    for (const SkewInterval* a : cores) {
        for (const SkewInterval* b : cores) {
            if (a == b) continue;
            // a - b is at most what a may be ahead, less what b is ahead for certain; crossed bounds count either way.
            const std::uint64_t apart = distance(std::min(b->low, b->high), std::max(a->low, a->high));
            skew.bound.ticks = std::max(skew.bound.ticks, apart);
        }
    }
    return skew;
}

CoreSkew measure_core_skew(std::chrono::milliseconds budget) {
    const Clock::time_point until = Clock::now() + budget;
    const std::vector<int> cores = usable_cores();
    std::vector<SkewInterval> intervals;
    for (std::size_t i = 1; i < cores.size() && Clock::now() < until; ++i) {
        intervals.push_back(compare(cores.front(), cores[i], until));
    }
    return skew_of(intervals);
}

}  // namespace sla::time
