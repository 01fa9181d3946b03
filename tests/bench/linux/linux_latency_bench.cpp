// From a kernel event to the viewer's store: how old it is when a viewer on the same machine has it; and what the agent uses
// meanwhile and when nothing happens. Needs root.
#include "proto/time/tick_clock.h"
#include "tests/bench/follower.h"
#include "tests/bench/percentiles.h"

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
    sla::bench::Follower follower(agent.address(), "linux.syscall.getppid");
    sleep(1);
    follower.count_since(sla::time::read_tsc());
    std::atomic<bool> done{false};
    std::thread program([&] { call_now_and_then(done); });
    for (int rounds_after = 0; rounds_after < 50; rounds_after += done) follower.take();
    program.join();
    follower.print_ages("kernel event to viewer's store");
    const double cpu_before = agent.cpu_seconds();
    sleep(kIdleSeconds);
    std::printf("agent with the source on and a viewer connected, no event: %.2f %% of a core\n",
                100 * (agent.cpu_seconds() - cpu_before) / kIdleSeconds);
    return follower.aged() >= kCalls ? 0 : 1;
}
