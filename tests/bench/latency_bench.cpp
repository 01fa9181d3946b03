// From a marker to the viewer's store: how old an event is when a viewer on the same machine has it. The agent is idle but
// for it.
#include "proto/time/tick_clock.h"
#include "tests/bench/percentiles.h"
#include "viewer/ingest/stream_client.h"
#include "viewer/store/session.h"

#include <sla/marker.h>

#include <unistd.h>
#include <atomic>
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
    sla::ingest::StreamOptions options;
    auto address = sla::wire::parse_address(agent.address());
    if (!address) return 3;
    options.address = *address;
    sla::store::Session session;
    sla::ingest::FrameApplier applier(session);
    sla::ingest::StreamClient client(options);
    client.start();
    std::atomic<bool> done{false};
    std::thread program([&] { mark_now_and_then(done); });
    std::vector<double> ages;
    std::uint64_t seen = 0;
    double cpu_before = agent.cpu_seconds();
    auto begin = std::chrono::steady_clock::now();
    for (int rounds_after = 0; rounds_after < 50; rounds_after += done) {
        client.wait(std::chrono::milliseconds(20));
        client.poll(applier, std::chrono::milliseconds(10));
        std::uint64_t now = sla::time::read_tsc();
        const sla::store::Lane* lane = session.lane_named("bench.latency");
        for (; lane && seen < lane->size(); seen++) {
            ages.push_back(
                static_cast<double>(session.clock().ticks_to_ps(static_cast<std::int64_t>(now - lane->tick(seen)))) / 1e9);
        }
    }
    program.join();
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    auto p = sla::bench::percentiles(ages);
    std::printf("marker to viewer's store, %zu events: p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, max %.2f ms\n", ages.size(),
                p.p50, p.p99, p.p999, p.max);
    std::printf("agent meanwhile: %.2f %% of a core\n", 100 * (agent.cpu_seconds() - cpu_before) / seconds);
    cpu_before = agent.cpu_seconds();
    sleep(kIdleSeconds);
    std::printf("agent with this program attached and a viewer connected, nothing marked: %.2f %% of a core\n",
                100 * (agent.cpu_seconds() - cpu_before) / kIdleSeconds);
    return ages.size() == kEvents ? 0 : 1;
}
