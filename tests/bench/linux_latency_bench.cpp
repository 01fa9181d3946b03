// From a kernel event to the viewer's store: how old it is when a viewer on the same machine has it; and what the agent uses
// meanwhile and when nothing happens. Needs root.
#include "proto/time/tick_clock.h"
#include "tests/bench/percentiles.h"
#include "viewer/ingest/stream_client.h"
#include "viewer/store/session.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <thread>

namespace {

constexpr int kCalls = 2000;
constexpr unsigned kIdleSeconds = 10;
constexpr const char* kEvents = "raw_syscalls:sys_enter if id==110";

void call_now_and_then(std::atomic<bool>& done) {
    unsigned seed = 1;
    for (int i = 0; i < kCalls; i++) {
        syscall(SYS_getppid);
        usleep(1000 + static_cast<unsigned>(rand_r(&seed)) % 4000);
    }
    done = true;
}

}  // namespace

int main() {
    std::printf("machine: %s\n", sla::bench::machine().c_str());
    sla::bench::BenchAgent agent(SLA_BINARIES, {"--quiet", "--linux", kEvents});
    sla::ingest::StreamOptions options;
    auto address = sla::wire::parse_address(agent.address());
    if (!address) return 3;
    options.address = *address;
    sla::store::Session session;
    sla::ingest::FrameApplier applier(session);
    sla::ingest::StreamClient client(options);
    client.start();
    sleep(1);
    std::atomic<bool> done{false};
    std::thread program([&] { call_now_and_then(done); });
    std::vector<double> ages;
    std::uint64_t seen = 0;
    for (int rounds_after = 0; rounds_after < 50; rounds_after += done) {
        client.wait(std::chrono::milliseconds(20));
        client.poll(applier, std::chrono::milliseconds(10));
        const std::uint64_t now = sla::time::read_tsc();
        const sla::store::Lane* lane = session.lane_named("linux.syscall.getppid");
        for (; lane && seen < lane->size(); seen++) {
            ages.push_back(
                static_cast<double>(session.clock().ticks_to_ps(static_cast<std::int64_t>(now - lane->tick(seen)))) / 1e9);
        }
    }
    program.join();
    const auto p = sla::bench::percentiles(ages);
    std::printf("kernel event to viewer's store, %zu events: p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, max %.2f ms\n",
                ages.size(), p.p50, p.p99, p.p999, p.max);
    const double cpu_before = agent.cpu_seconds();
    sleep(kIdleSeconds);
    std::printf("agent with the source on and a viewer connected, no event: %.2f %% of a core\n",
                100 * (agent.cpu_seconds() - cpu_before) / kIdleSeconds);
    return ages.size() >= kCalls ? 0 : 1;
}
