// What first markers cost: the first of a process, the first of each channel in each thread, and a program that marks at
// full rate from its first microsecond on, of which nothing may be lost.
//
// Every figure comes from a program of its own, which is this one again (`first_use_bench run ...`), beside an agent of its
// own on core 1.
#include "tests/bench/percentiles.h"

#include <sla/marker.h>

#include <sched.h>
#include <unistd.h>
#include <x86intrin.h>
#include <barrier>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <chrono>

SLA_CHANNEL(first_channel, "bench.first");

namespace {

using Clock = std::chrono::steady_clock;
using sla::bench::Percentiles;
using sla::bench::percentiles;

double ticks_per_microsecond() {
    static const double rate = [] {
        const auto begin = Clock::now();
        const std::uint64_t tick = __rdtsc();
        while (Clock::now() - begin < std::chrono::milliseconds(20)) _mm_pause();
        const double passed = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
        return static_cast<double>(__rdtsc() - tick) / passed;
    }();
    return rate;
}

double resident_mebibytes() {
    std::ifstream statm("/proc/self/statm");
    double size = 0;
    double resident = 0;
    statm >> size >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

std::vector<sla_channel*> open_channels(int count) {
    std::vector<sla_channel*> channels;
    for (int i = 0; i < count; i++) channels.push_back(sla_channel_open(("bench." + std::to_string(i)).c_str()));
    return channels;
}

// What one thread's first marker of each channel took, in microseconds.
void mark_each(const std::vector<sla_channel*>& channels, std::vector<double>& microseconds) {
    for (sla_channel* channel : channels) {
        const std::uint64_t begin = __rdtsc();
        SLA_TICK(channel, 1);
        microseconds.push_back(static_cast<double>(__rdtsc() - begin) / ticks_per_microsecond());
    }
}

int run_process() {
    ticks_per_microsecond();
    const std::uint64_t begin = __rdtsc();
    SLA_TICK(first_channel, 1);
    std::printf("%.1f\n", static_cast<double>(__rdtsc() - begin) / ticks_per_microsecond());
    return sla_attach() ? 0 : 3;
}

// The library's thread has settled when the first marker comes: a program that has been there for a while.
int run_channels(int count, int threads) {
    const std::vector<sla_channel*> channels = open_channels(count);
    ticks_per_microsecond();
    if (!sla_attach()) return 3;
    usleep(200'000);
    std::vector<std::vector<double>> taken(static_cast<std::size_t>(threads));
    for (std::vector<double>& of_thread : taken) of_thread.assign(channels.size(), 0);  // its pages are there afterwards
    for (std::vector<double>& of_thread : taken) of_thread.clear();
    const double before = resident_mebibytes();
    const auto begin = Clock::now();
    double after = 0;
    std::barrier all_marked(threads, [&]() noexcept { after = resident_mebibytes(); });  // rings go with their threads
    std::vector<std::thread> running;
    for (std::vector<double>& of_thread : taken) {
        running.emplace_back([&] {
            mark_each(channels, of_thread);
            all_marked.arrive_and_wait();
        });
    }
    for (std::thread& thread : running) thread.join();
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    std::vector<double> all;
    for (const std::vector<double>& of_thread : taken) all.insert(all.end(), of_thread.begin(), of_thread.end());
    const double rings = static_cast<double>(all.size());
    const Percentiles p = percentiles(all);
    std::printf("%8.1f %8.1f %8.1f %9.1f  %8.3f s  %8.1f MiB in all, %6.1f KiB a ring\n", p.p50, p.p99, p.p999, p.max,
                seconds, after, (after - before) * 1024 / rings);
    return 0;
}

// By turns on all channels; rate 0: as fast as it can. Says how many it marked.
int run_cold(int count, double rate, double seconds) {
    const std::vector<sla_channel*> channels = open_channels(count);
    const double per_tick = rate / ticks_per_microsecond();  // M events/s are events a microsecond
    const auto whole = static_cast<std::uint64_t>(seconds * 1e6 * ticks_per_microsecond());
    SLA_TICK(channels[0], 0);  // the first of the process; the clock runs from its end
    std::uint64_t offered = 1;
    const std::uint64_t begin = __rdtsc();
    for (std::uint64_t passed = 0; passed < whole; passed = __rdtsc() - begin) {
        if (rate > 0 && static_cast<double>(offered) > static_cast<double>(passed) * per_tick) continue;
        for (int i = 0; i < 64; i++) {
            SLA_TICK(channels[offered % channels.size()], offered);
            offered++;
        }
    }
    std::printf("%llu\n", static_cast<unsigned long long>(offered));
    return 0;
}

std::string run_self(const std::vector<std::string>& words) {
    std::vector<std::string> argv{"/proc/self/exe", "run"};
    argv.insert(argv.end(), words.begin(), words.end());
    sla::support::Process process(argv);
    const int code = process.wait(std::chrono::seconds(120)).code;
    if (code != 0) return "failed with " + std::to_string(code) + ": " + process.errors() + "\n";
    return process.output();
}

void show_process() {
    constexpr int kProcesses = 50;
    sla::bench::BenchAgent agent(SLA_BINARIES, {"--quiet"});
    std::vector<double> taken;
    for (int i = 0; i < kProcesses; i++) taken.push_back(std::strtod(run_self({"process"}).c_str(), nullptr));
    const Percentiles p = percentiles(taken);
    std::printf("\nfirst marker of a process (%d processes), us: p50 %.0f, max %.0f\n", kProcesses, p.p50, p.max);
}

void show_channels() {
    std::printf("\nfirst marker of a channel in a thread, us\n%-28s %8s %8s %8s %9s\n", "", "p50", "p99", "p99.9", "max");
    for (const char* channels : {"10", "100", "4000"}) {
        for (const char* threads : {"1", "4"}) {
            sla::bench::BenchAgent agent(SLA_BINARIES, {"--quiet"});
            std::printf("%5s channels, %s thread(s) %s", channels, threads,
                        run_self({"channels", channels, threads}).c_str());
        }
    }
}

// What the agent said at its end behind `word`.
unsigned long long number_behind(const std::string& text, const std::string& word) {
    const std::size_t at = text.rfind(word);
    return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + word.size(), nullptr, 10);
}

void show_cold(const char* channels, const char* rate, int runs) {
    unsigned long long offered = 0;
    unsigned long long lost = 0;
    bool exact = true;
    for (int run = 0; run < runs; run++) {
        sla::bench::BenchAgent agent(SLA_BINARIES, {"--channel-memory", "64MiB"});
        const unsigned long long made = std::strtoull(run_self({"cold", channels, rate, "0.5"}).c_str(), nullptr, 10);
        agent.process().signal(SIGTERM);
        agent.process().wait();
        const std::string said = agent.process().errors();
        const unsigned long long missing = number_behind(said, "recorded, ");
        exact = exact && made > 0 && number_behind(said.substr(0, said.rfind("recorded, ")), "info: ") + missing == made;
        offered += made;
        lost += missing;
    }
    std::printf("%5s channels by turns, %s M/s, 0.5 s from the first microsecond, %d times: %llu marked, lost %llu (%s)\n",
                channels, rate[0] == '0' ? "all it can" : rate, runs, offered, lost, exact ? "exact" : "NOT EXACT");
}

// A program's threads run wherever there is time, the library's too.
void run_on_every_core() {
    cpu_set_t every;
    CPU_ZERO(&every);
    for (int core = 0; core < CPU_SETSIZE; core++) CPU_SET(core, &every);
    sched_setaffinity(0, sizeof every, &every);
}

int run(const std::vector<std::string>& words) {
    run_on_every_core();
    if (words.at(0) == "process") return run_process();
    if (words.at(0) == "channels") return run_channels(std::stoi(words.at(1)), std::stoi(words.at(2)));
    return run_cold(std::stoi(words.at(1)), std::stod(words.at(2)), std::stod(words.at(3)));
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() > 1 && words[0] == "run") return run({words.begin() + 1, words.end()});
    std::printf("machine: %s\n", sla::bench::machine().c_str());
    const std::string only = words.empty() ? "" : words[0];
    if (only.empty() || only == "process") show_process();
    if (only.empty() || only == "channels") show_channels();
    if (only.empty() || only == "cold") {
        std::printf("\n");
        for (const char* channels : {"1", "8", "64", "1000"}) show_cold(channels, "30", 10);
        show_cold("1", "0", 10);
    }
    return 0;
}
