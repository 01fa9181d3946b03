// Producers for some seconds, paced or as fast as they can, with the agent on what cores are left: recorded + lost =
// offered, the agent's CPU an event, its memory over time, and bytes on disk.
#include "proto/common/command_line.h"
#include "tests/bench/percentiles.h"

#include <sla/marker.h>

#include <sys/stat.h>
#include <unistd.h>
#include <x86intrin.h>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <chrono>

namespace {

using Clock = std::chrono::steady_clock;

struct Plan {
    double seconds = 5;
    double rate = 0;  // M events/s of all producers together
    std::string file;
    int producers = 1;
    int channels = 1;
    std::vector<std::string> triggers;
    std::string window;  // memory of a window that looks on; empty: none does
};

// A thousand markers at a time, of one channel after the other, then waiting for their time to be up.
std::uint64_t produce(const std::vector<sla_channel*>& channels, double seconds, double events_per_second) {
    auto begin = Clock::now();
    std::uint64_t offered = 0;
    for (;;) {
        sla_channel* channel = channels[offered / 1000 % channels.size()];
        for (int i = 0; i < 1000; i++) SLA_TICK(channel, offered + static_cast<std::uint64_t>(i));
        offered += 1000;
        double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
        if (elapsed >= seconds) return offered;
        while (events_per_second > 0 && static_cast<double>(offered) > elapsed * events_per_second) {
            _mm_pause();
            elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
        }
    }
}

std::uint64_t produce_all(const Plan& plan) {
    std::atomic<std::uint64_t> offered{0};
    std::vector<std::thread> threads;
    for (int producer = 0; producer < plan.producers; producer++) {
        threads.emplace_back([&plan, &offered, producer] {
            std::vector<sla_channel*> channels;
            for (int i = 0; i < plan.channels; i++) {
                channels.push_back(
                    sla_channel_open(("bench." + std::to_string(producer) + "." + std::to_string(i)).c_str()));
            }
            offered += produce(channels, plan.seconds, plan.rate * 1e6 / plan.producers);
        });
    }
    for (std::thread& thread : threads) thread.join();
    return offered;
}

// Looks at the agent's memory four times a run.
class MemoryWatch {
public:
    MemoryWatch(const sla::bench::BenchAgent& agent, double seconds)
        : thread_([this, &agent, seconds] {
              for (int look = 0; look < 4; look++) {
                  std::this_thread::sleep_for(std::chrono::duration<double>(seconds / 4.5));
                  seen_.push_back(static_cast<double>(agent.resident_bytes()) / (1 << 20));
              }
          }) {}
    std::string text() {
        thread_.join();
        std::string text;
        for (double mebibytes : seen_) text += (text.empty() ? "" : ", ") + std::to_string(static_cast<int>(mebibytes));
        return text;
    }

private:
    std::vector<double> seen_;
    std::thread thread_;
};

std::uint64_t number_after(const std::string& text, const std::string& word_before) {
    std::size_t at = text.find(word_before);
    return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + word_before.size(), nullptr, 10);
}

std::vector<std::string> options_of(const Plan& plan) {
    std::vector<std::string> options{"--channel-memory", "64MiB"};
    if (!plan.file.empty()) options.insert(options.end(), {"--record", plan.file});
    for (const std::string& trigger : plan.triggers) options.insert(options.end(), {"--trigger", trigger});
    return options;
}

int run(const Plan& plan) {
    std::printf("machine: %s\n", sla::bench::machine().c_str());
    sla::bench::BenchAgent agent(SLA_BINARIES, options_of(plan));
    if (!sla_attach()) return 3;
    double cpu = agent.cpu_seconds();
    MemoryWatch memory(agent, plan.seconds);
    const auto window =
        plan.window.empty() ? nullptr : sla::bench::open_window(SLA_BINARIES, agent, plan.seconds, plan.window);
    auto begin = Clock::now();
    std::uint64_t offered = produce_all(plan);
    double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    usleep(100'000);
    double used = agent.cpu_seconds() - cpu;
    std::string megabytes = memory.text();
    if (window != nullptr) {
        window->wait();
        std::printf("window: %s%s", window->output().c_str(), window->errors().c_str());
    }
    agent.process().signal(SIGTERM);
    agent.process().wait();
    std::string said = agent.process().errors();
    std::string sum = said.substr(said.rfind("info: "));
    std::uint64_t recorded = number_after(sum, "info: ");
    std::uint64_t lost = number_after(sum, "recorded, ");
    std::printf("offered %.1f M in %.1f s = %.1f M/s; recorded %llu (%.1f M/s), lost %llu, %s\n",
                static_cast<double>(offered) / 1e6, elapsed, static_cast<double>(offered) / elapsed / 1e6,
                static_cast<unsigned long long>(recorded), static_cast<double>(recorded) / elapsed / 1e6,
                static_cast<unsigned long long>(lost), recorded + lost == offered ? "exact" : "NOT EXACT");
    std::printf("agent: %.2f ns of CPU an event, %s MiB resident over the run\n", used * 1e9 / static_cast<double>(recorded),
                megabytes.c_str());
    struct stat info {};
    if (!plan.file.empty() && stat(plan.file.c_str(), &info) == 0) {
        std::printf("capture file: %.2f bytes an event\n",
                    static_cast<double>(info.st_size) / static_cast<double>(recorded));
    }
    return recorded + lost == offered ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    sla::common::Command app("sustained_bench", "One or more producers, and what became of their events.");
    Plan plan;
    app.add_option("seconds", plan.seconds, "How long (5)");
    app.add_option("rate", plan.rate, "M events/s of all producers together (0: as fast as they can)");
    app.add_option("file", plan.file, "A capture file to record to");
    app.add_option("--producers", plan.producers, "Threads that mark (1)").range(1, 64);
    app.add_option("--channels", plan.channels, "Of each producer (1)").range(1, 1024);
    app.add_option("--window", plan.window, "A window looks on, with so much memory for live rows: 512MiB")
        .value_name("SIZE");
    app.add_option("--trigger", plan.triggers, "As `sla-agent --trigger`");
    app.action([&plan] { return run(plan); });
    return app.run(argc, argv);
}
