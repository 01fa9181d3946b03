// sla-soak-program THREADS RATE: each thread marks 0, 1, 2 ... on a channel of its own, RATE a second altogether, until
// SIGTERM; then says, for each thread, how many it made, how many of those while no agent listened, and how often it was so
// that none did.
#include <sla/marker.h>

#include <time.h>
#include <unistd.h>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<bool> stop_asked{false};  // alone: nothing is ordered by it

struct Made {
    std::uint64_t all = 0;
    std::uint64_t unheard = 0;
    std::uint64_t silences = 0;
};

void mark(unsigned long thread, std::uint64_t each_millisecond, Made& made) {
    sla_channel* channel = sla_channel_open(("soak." + std::to_string(thread)).c_str());
    timespec next{};
    clock_gettime(CLOCK_MONOTONIC, &next);
    Made count;
    bool was_off = false;
    while (!stop_asked.load(std::memory_order_relaxed)) {
        for (std::uint64_t i = 0; i < each_millisecond; i++) {
            const bool off = !sla_on(channel);
            count.unheard += off;
            SLA_VALUE(channel, count.all++);
            const bool is_off = off || !sla_on(channel);  // no silence is as short as a marker
            count.silences += is_off && !was_off;
            was_off = is_off;
        }
        next.tv_nsec += 1'000'000;
        next.tv_sec += next.tv_nsec / 1'000'000'000;
        next.tv_nsec %= 1'000'000'000;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr);
    }
    made = count;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const unsigned long threads = std::stoul(argv[1]);
    const std::uint64_t rate = std::stoull(argv[2]);
    std::signal(SIGTERM, [](int) { stop_asked.store(true, std::memory_order_relaxed); });
    std::vector<Made> made(threads);
    std::vector<std::thread> running;
    for (unsigned long t = 0; t < threads; t++) running.emplace_back([&, t] { mark(t, rate / threads / 1000, made[t]); });
    for (std::thread& thread : running) thread.join();
    for (unsigned long t = 0; t < threads; t++) {
        std::printf("%llu %llu %llu\n", static_cast<unsigned long long>(made[t].all),
                    static_cast<unsigned long long>(made[t].unheard), static_cast<unsigned long long>(made[t].silences));
    }
    return 0;
}
