// The same marker by SLA and by LTTng-UST, with both recording, on the same machine in the same run. run.sh sets LTTng up.
//   lttng_bench marker                    batches of 1000 in turns, ratios to RDTSC
//   lttng_bench sustain sla|lttng S M/S   one producer for S seconds at so many M events/s; prints how many it offered
#include "tests/bench/lttng/tracepoints.h"
#include "tests/bench/percentiles.h"

#include <sla/marker.h>

#include <unistd.h>
#include <x86intrin.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

SLA_CHANNEL(tick_channel, "bench.lttng");

namespace {

constexpr int kBatch = 1000;
constexpr int kBatches = 2000;
using Run = void (*)(std::uint64_t first, int times);

volatile std::uint64_t sink;

void bare(std::uint64_t, int times) {
    for (int i = 0; i < times; i++) sink = __rdtsc();
}
void sla_tick(std::uint64_t first, int times) {
    for (int i = 0; i < times; i++) SLA_TICK(tick_channel, first + static_cast<std::uint64_t>(i));
}
void lttng_tick(std::uint64_t first, int times) {
    for (int i = 0; i < times; i++) lttng_ust_tracepoint(sla_bench, tick, first + static_cast<std::uint64_t>(i));
}

int marker() {
    struct {
        const char* name;
        Run run;
        std::vector<double> samples;
    } kinds[] = {
        {"RDTSC, stored", bare, {}}, {"SLA_TICK with a value", sla_tick, {}}, {"LTTng-UST, one u64 field", lttng_tick, {}}};
    for (int batch = 0; batch < kBatches; batch++) {
        for (auto& kind : kinds) {
            std::uint64_t begin = __rdtsc();
            kind.run(0, kBatch);
            kind.samples.push_back(static_cast<double>(__rdtsc() - begin) / kBatch);
        }
        if (batch % 4 == 3) usleep(1000);  // both consumers keep up
    }
    double base = 0;
    std::printf("%-28s %8s %8s %8s   ratio\n", "ticks an event", "p50", "p99", "p99.9");
    for (auto& kind : kinds) {
        sla::bench::Percentiles p = sla::bench::percentiles(kind.samples);
        if (base == 0) base = p.p50;
        std::printf("%-28s %8.1f %8.1f %8.1f   %5.2f\n", kind.name, p.p50, p.p99, p.p999, p.p50 / base);
    }
    return 0;
}

int sustain(Run run, double seconds, double events_per_second) {
    using Clock = std::chrono::steady_clock;
    auto begin = Clock::now();
    std::uint64_t offered = 0;
    double elapsed = 0;
    while (elapsed < seconds) {
        run(offered, kBatch);
        offered += kBatch;
        do {
            elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
        } while (static_cast<double>(offered) > elapsed * events_per_second);
    }
    std::printf("%llu\n", static_cast<unsigned long long>(offered));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    sla::bench::pin_to(0);
    std::string what = argc > 1 ? argv[1] : "";
    if (what == "marker") return sla_attach() ? marker() : 3;
    if (what == "sustain" && argc == 5)
        return sustain(argv[2] == std::string("sla") ? sla_tick : lttng_tick, std::atof(argv[3]), std::atof(argv[4]) * 1e6);
    std::fprintf(stderr, "lttng_bench marker | lttng_bench sustain sla|lttng SECONDS M_EVENTS_PER_SECOND\n");
    return 2;
}
