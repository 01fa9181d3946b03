// What a marker costs, as a ratio to a bare RDTSC in the same run: with an agent draining live on the other core, and with
// none.
//
// Batches of 1000, the kinds in turns, so that whatever else the machine does hits all alike. A turn is followed by a pause
// that lets the agent keep up, and the rings are as big as a fast program's from the start: the common path is measured, not
// how rings grow. What was lost all the same is reported.
#include "tests/bench/marker/marked_object.h"
#include "tests/bench/percentiles.h"

#include <sla/marker.h>

#include <sys/time.h>
#include <unistd.h>
#include <x86intrin.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <semaphore>
#include <thread>

SLA_CHANNEL(tick_channel, "bench.tick");
SLA_CHANNEL(span_channel, "bench.span");
SLA_CHANNEL(value_channel, "bench.value");
SLA_CHANNEL(single_channel, "bench.single");
SLA_CHANNEL(others_channel, "bench.others");
SLA_CHANNEL(text_channel, "bench.text");
SLA_CHANNEL_WITH(rdtscp_channel, "bench.rdtscp", "", SLA_DROP_NEWEST, 0, SLA_RDTSCP);
SLA_CHANNEL_WITH(lfence_channel, "bench.lfence", "", SLA_DROP_NEWEST, 0, SLA_LFENCE_RDTSC);

namespace {

using sla::bench::Percentiles;
using sla::bench::percentiles;

constexpr int kBatch = 1000;
constexpr int kBatches = 1500;
constexpr int kSingles = 1'000'000;

std::uint64_t sink;

void bare(int times) {
    for (int i = 0; i < times; i++) sink = __rdtsc();
}
void tick(int times) {
    for (int i = 0; i < times; i++) SLA_TICK(tick_channel, i);
}
void value(int times) {
    for (int i = 0; i < times; i++) SLA_VALUE(value_channel, static_cast<double>(i));
}
void others(int times) {
    for (int i = 0; i < times; i++) SLA_TICK(others_channel, i);
}
void others_span(int times) {
    for (int i = 0; i < times; i++) SLA_SPAN(others_channel, static_cast<std::uint64_t>(i));
}
void text(int times) {
    for (int i = 0; i < times; i++) SLA_TEXT(text_channel, "twenty bytes of text");
}
const char* volatile unknown = "twenty bytes of text";
void unknown_text(int times) {
    for (int i = 0; i < times; i++) SLA_TEXT(text_channel, unknown);
}
void bare_rdtscp(int times) {
    for (int i = 0; i < times; i++) sink = sla_read_tsc(SLA_RDTSCP);
}
void bare_lfence(int times) {
    for (int i = 0; i < times; i++) sink = sla_read_tsc(SLA_LFENCE_RDTSC);
}
void tick_rdtscp(int times) {
    for (int i = 0; i < times; i++) SLA_TICK(rdtscp_channel, i);
}
void tick_lfence(int times) {
    for (int i = 0; i < times; i++) SLA_TICK(lfence_channel, i);
}
void span(int times) {
    for (int i = 0; i < times; i++) SLA_SPAN(span_channel, static_cast<std::uint64_t>(i));
}

struct Kind {
    const char* name;
    std::function<void(int)> run;
    bool after_other_work = false;
    std::vector<double> samples{};
};

// As a program that does something else between its markers: nothing of the ring is in the core's own caches.
void push_out_of_caches() {
    constexpr std::size_t kLine = 64;
    static std::vector<std::uint8_t> bytes(std::size_t{4} << 20);
    for (std::size_t at = 0; at < bytes.size(); at += kLine) bytes[at]++;
}

void print(const char* name, const Percentiles& p, double base) {
    std::printf("%-34s %8.1f %8.1f %8.1f %10.0f   %5.2f\n", name, p.p50, p.p99, p.p999, p.max, p.p50 / base);
}

void batches(const char* title, bool pause) {
    std::vector<Kind> kinds{{"RDTSC, stored", bare},
                            {"SLA_TICK with a value", tick},
                            {"SLA_VALUE, a double", value},
                            {"SLA_SPAN, both of its events", span},
                            {"SLA_TICK in a shared object", sla::bench::mark_in_shared_object},
                            {"SLA_TICK, another thread's channel", others},
                            {"SLA_SPAN, another thread's channel", others_span},
                            {"SLA_TEXT, a literal of 20 bytes", text},
                            {"SLA_TEXT, 20 bytes, no literal", unknown_text},
                            {"SLA_TICK after other work", tick, true},
                            {"SLA_TEXT after other work", text, true},
                            {"RDTSCP, stored", bare_rdtscp},
                            {"SLA_TICK stamped by RDTSCP", tick_rdtscp},
                            {"LFENCE;RDTSC, stored", bare_lfence},
                            {"SLA_TICK by LFENCE;RDTSC", tick_lfence}};
    for (Kind& kind : kinds) kind.run(kBatch);
    for (int batch = 0; batch < kBatches; batch++) {
        for (Kind& kind : kinds) {
            if (kind.after_other_work) push_out_of_caches();
            std::uint64_t begin = __rdtsc();
            kind.run(kBatch);
            kind.samples.push_back(static_cast<double>(__rdtsc() - begin) / kBatch);
        }
        if (pause) usleep(1000);
    }
    std::printf("\n%s: ticks per call in batches of %d\n%-34s %8s %8s %8s %10s   %s\n", title, kBatch, "", "p50", "p99",
                "p99.9", "max", "ratio");
    std::uint64_t lost = 0;
    for (const sla_channel* channel : {tick_channel, value_channel, span_channel}) lost += channel->own.ring->lost;
    if (lost > 0)
        std::printf("(full rings: %llu events lost, this is not the common path)\n", static_cast<unsigned long long>(lost));
    double base = 0;
    for (Kind& kind : kinds) {
        Percentiles p = percentiles(kind.samples);
        if (base == 0) base = p.p50;
        print(kind.name, p, base);
    }
}

// One call between two RDTSCs; the bare loop has nothing between them.
template <typename Call>
Percentiles singles(Call call) {
    std::vector<double> samples;
    samples.reserve(kSingles);
    for (int i = 0; i < kSingles; i++) {
        std::uint64_t begin = __rdtsc();
        call(i);
        samples.push_back(static_cast<double>(__rdtsc() - begin));
        if (i % 4096 == 4095) usleep(200);
    }
    return percentiles(samples);
}

void single_calls(const char* title) {
    Percentiles nothing = singles([](int) {});
    Percentiles marker = singles([](int i) { SLA_TICK(single_channel, i); });
    std::printf("\n%s: ticks of a single call, with the RDTSCs around it\n%-34s %8s %8s %8s %10s\n", title, "", "p50", "p99",
                "p99.9", "max");
    std::printf("%-34s %8.0f %8.0f %8.0f %10.0f\n", "nothing", nothing.p50, nothing.p99, nothing.p999, nothing.max);
    std::printf("%-34s %8.0f %8.0f %8.0f %10.0f\n", "SLA_TICK with a value", marker.p50, marker.p99, marker.p999,
                marker.max);
}

void off_cost() {
    std::vector<double> samples;
    for (int batch = 0; batch < kBatches; batch++) {
        std::uint64_t begin = __rdtsc();
        tick(kBatch);
        samples.push_back(static_cast<double>(__rdtsc() - begin) / kBatch);
    }
    Percentiles p = percentiles(samples);
    std::printf("\nwithout an agent: %.2f ticks per marker (p99 %.2f)\n", p.p50, p.p99);
}

}  // namespace

int main() {
    setenv("SLA_RING_SLOTS", "65536", 1);
    std::printf("machine: %s\n", sla::bench::machine().c_str());
    std::binary_semaphore is_owned{0};
    std::binary_semaphore is_done{0};
    if (!sla::bench::pin_to(0)) std::printf("(not pinned to a core: not allowed here)\n");
    {
        sla::bench::BenchAgent agent(SLA_BINARIES, {"--quiet"});
        if (!sla_attach()) {
            std::fprintf(stderr, "marker_bench: no agent: %s\n", agent.process().errors().c_str());
            return 3;
        }
        std::thread owner([&] {  // its first mark makes it the channel's owner for as long as it lives
            SLA_TICK(others_channel);
            is_owned.release();
            is_done.acquire();
        });
        is_owned.acquire();
        batches("agent draining live", true);
        is_done.release();
        owner.join();
        single_calls("agent draining live");
    }
    usleep(300'000);  // the attach thread notices that the agent is gone
    off_cost();
    return 0;
}
