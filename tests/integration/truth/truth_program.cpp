// truth_program DIRECTORY EVENTS: stamps EVENTS markers on 8 channels from 4 threads, at a pace that full-sized rings hold,
// and writes DIRECTORY/thread.N with its own two RDTSCs around every marker.
#include "tests/integration/truth/truth_log.h"

#include <sla/marker.h>

#include <unistd.h>
#include <x86intrin.h>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace {

using sla::truth::Entry;
using sla::truth::kChannels;
using sla::truth::kThreads;

constexpr unsigned kBurst = 1024;

void stamp(std::uint32_t thread, unsigned pause, std::vector<Entry>& log, const std::vector<sla_channel*>& channels) {
    std::uint64_t state = thread + 1;
    for (std::uint64_t i = 0; i < log.size(); i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        auto channel = static_cast<std::uint32_t>(state >> 33) % kChannels;
        std::uint64_t before = __rdtsc();
        SLA_TICK(channels[channel], std::uint64_t{thread} << 32 | i);
        std::uint64_t after = __rdtsc();
        log[i] = {before, after, channel, 0};
        if (i % kBurst == kBurst - 1) usleep(pause);
    }
}

bool save(const std::string& path, const std::vector<Entry>& log) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file) return false;
    bool written = std::fwrite(log.data(), sizeof(Entry), log.size(), file) == log.size();
    return std::fclose(file) == 0 && written;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    std::uint64_t events = std::stoull(argv[2]);
    auto pause = static_cast<unsigned>(std::stoul(argv[3]));
    std::vector<sla_channel*> channels;
    for (std::uint32_t c = 0; c < kChannels; c++)
        channels.push_back(sla_channel_open(("truth." + std::to_string(c)).c_str()));
    std::vector<std::vector<Entry>> logs(kThreads, std::vector<Entry>(events / kThreads));
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < kThreads; t++) threads.emplace_back([&, t] { stamp(t, pause, logs[t], channels); });
    for (std::thread& thread : threads) thread.join();
    for (std::uint32_t t = 0; t < kThreads; t++) {
        if (!save(std::string(argv[1]) + "/thread." + std::to_string(t), logs[t])) return 3;
    }
    return 0;
}
