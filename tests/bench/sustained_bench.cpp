// One producer for some seconds, paced (a number of M events/s) or as fast as it can (0), with the agent on the other core.
//   sustained_bench [SECONDS [M_EVENTS_PER_SECOND [CAPTURE_FILE]]]
#include "tests/bench/percentiles.h"

#include <sla/marker.h>

#include <sys/stat.h>
#include <unistd.h>
#include <x86intrin.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <chrono>

SLA_CHANNEL(sustained_channel, "bench.sustained");

namespace {

using Clock = std::chrono::steady_clock;

// A thousand markers at a time, then waiting for their time to be up.
std::uint64_t produce(double seconds, double events_per_second) {
    auto begin = Clock::now();
    std::uint64_t offered = 0;
    for (;;) {
        for (int i = 0; i < 1000; i++) SLA_TICK(sustained_channel, offered + static_cast<std::uint64_t>(i));
        offered += 1000;
        double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
        if (elapsed >= seconds) return offered;
        while (events_per_second > 0 && static_cast<double>(offered) > elapsed * events_per_second) {
            _mm_pause();
            elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
        }
    }
}

std::uint64_t number_after(const std::string& text, const std::string& word_before) {
    std::size_t at = text.find(word_before);
    return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + word_before.size(), nullptr, 10);
}

}  // namespace

int main(int argc, char** argv) {
    double seconds = argc > 1 ? std::atof(argv[1]) : 5;
    double rate = argc > 2 ? std::atof(argv[2]) * 1e6 : 0;
    std::string file = argc > 3 ? argv[3] : "";
    std::printf("machine: %s\n", sla::bench::machine().c_str());
    std::vector<std::string> options{"--channel-memory", "64MiB"};
    if (!file.empty()) options.insert(options.end(), {"--record", file});
    sla::bench::BenchAgent agent(SLA_BINARIES, options);
    if (!sla_attach()) return 3;
    double cpu = agent.cpu_seconds();
    auto begin = Clock::now();
    std::uint64_t offered = produce(seconds, rate);
    double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    usleep(100'000);
    double used = agent.cpu_seconds() - cpu;
    std::uint64_t memory = agent.resident_bytes();
    agent.process().signal(SIGTERM);
    agent.process().wait();
    std::string said = agent.process().errors();
    std::uint64_t recorded = number_after(said.substr(said.rfind("info: ")), "info: ");
    std::uint64_t lost = number_after(said.substr(said.rfind("info: ")), "recorded, ");
    std::printf("offered %.1f M in %.1f s = %.1f M/s; recorded %llu, lost %llu, %s\n", static_cast<double>(offered) / 1e6,
                elapsed, static_cast<double>(offered) / elapsed / 1e6, static_cast<unsigned long long>(recorded),
                static_cast<unsigned long long>(lost), recorded + lost == offered ? "exact" : "NOT EXACT");
    std::printf("agent: %.2f ns of CPU an event, %.0f MiB resident\n", used * 1e9 / static_cast<double>(recorded),
                static_cast<double>(memory) / (1 << 20));
    struct stat info {};
    if (!file.empty() && stat(file.c_str(), &info) == 0) {
        std::printf("capture file: %.2f bytes an event\n",
                    static_cast<double>(info.st_size) / static_cast<double>(recorded));
    }
    return recorded + lost == offered ? 0 : 1;
}
