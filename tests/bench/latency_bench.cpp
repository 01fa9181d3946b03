// From a marker to the viewer's store: how old an event is when a viewer on the same machine has it. The agent is idle but
// for it.
#include "tests/bench/follower.h"
#include "tests/bench/percentiles.h"

#include <sla/marker.h>

#include <unistd.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

SLA_CHANNEL(latency_channel, "bench.latency");

namespace {

constexpr int kEvents = 4000;
constexpr unsigned kIdleSeconds = 20;

void mark_now_and_then(std::atomic<bool>& done) {
    unsigned seed = 1;
    for (int i = 0; i < kEvents; i++) {
        SLA_TICK(latency_channel, i);
        usleep(1000 + static_cast<unsigned>(rand_r(&seed)) % 4000);
    }
    done = true;
}

}  // namespace

int main() {
    std::printf("machine: %s\n", sla::bench::machine().c_str());
    sla::bench::BenchAgent agent(SLA_BINARIES, {"--quiet"});
    sla::bench::Follower follower(agent.address(), "bench.latency");
    std::atomic<bool> done{false};
    std::thread program([&] { mark_now_and_then(done); });
    double cpu_before = agent.cpu_seconds();
    auto begin = std::chrono::steady_clock::now();
    for (int rounds_after = 0; rounds_after < 50; rounds_after += done) follower.take();
    program.join();
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    follower.print_ages("marker to viewer's store");
    std::printf("agent meanwhile: %.2f %% of a core\n", 100 * (agent.cpu_seconds() - cpu_before) / seconds);
    cpu_before = agent.cpu_seconds();
    sleep(kIdleSeconds);
    std::printf("agent with this program attached and a viewer connected, nothing marked: %.2f %% of a core\n",
                100 * (agent.cpu_seconds() - cpu_before) / kIdleSeconds);
    return follower.aged() == kEvents ? 0 : 1;
}
