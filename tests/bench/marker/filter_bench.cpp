// What a marker costs on a channel that is filtered or switched off, as a ratio to a bare RDTSC in the same run, with an
// agent draining live. The kinds take turns in batches of 1000, so that whatever else the machine does hits all alike.
#include "tests/bench/percentiles.h"

#include <sla/marker.h>

#include <unistd.h>
#include <x86intrin.h>
#include <cstdio>
#include <functional>
#include <vector>

SLA_CHANNEL(plain_channel, "filter.none");
SLA_CHANNEL(reject_channel, "filter.rejects");
SLA_CHANNEL(real_channel, "filter.rejects_real");
SLA_CHANNEL(pass_channel, "filter.passes");
SLA_CHANNEL(every_channel, "filter.every1000");
SLA_CHANNEL(span_channel, "filter.span");
SLA_CHANNEL(off_channel, "filter.off");

namespace {

constexpr int kBatch = 1000;
constexpr int kBatches = 2000;

std::uint64_t sink;

struct Kind {
    const char* name;
    std::function<void(int)> run;
    std::vector<double> samples;
};

void measure(std::vector<Kind>& kinds) {
    for (int batch = 0; batch < kBatches; batch++) {
        for (Kind& kind : kinds) {
            std::uint64_t begin = __rdtsc();
            kind.run(kBatch);
            kind.samples.push_back(static_cast<double>(__rdtsc() - begin) / kBatch);
        }
        if (batch % 4 == 3) usleep(200);
    }
}

void print(std::vector<Kind>& kinds) {
    std::printf("\nticks per marker in batches of %d\n%-38s %8s %8s %8s   %s\n", kBatch, "", "p50", "p99", "p99.9", "ratio");
    double base = 0;
    for (Kind& kind : kinds) {
        sla::bench::Percentiles p = sla::bench::percentiles(kind.samples);
        if (base == 0) base = p.p50;
        std::printf("%-38s %8.1f %8.1f %8.1f   %5.2f\n", kind.name, p.p50, p.p99, p.p999, p.p50 / base);
    }
}

}  // namespace

int main() {
    std::printf("machine: %s\n", sla::bench::machine().c_str());
    if (!sla::bench::pin_to(0)) std::printf("(not pinned to a core: not allowed here)\n");
    sla::bench::BenchAgent agent(
        SLA_BINARIES, {"--quiet", "--no-config", "--channel", "filter.rejects: filter value > 1000000", "--channel",
                       "filter.rejects_real: filter value > 1000000.5", "--channel", "filter.passes: filter value >= 0",
                       "--channel", "filter.every1000: every 1000", "--channel", "filter.span: filter value > 1000000",
                       "--channel", "filter.off: off"});
    std::vector<Kind> kinds{{"RDTSC, stored",
                             [](int n) {
                                 for (int i = 0; i < n; i++) sink = __rdtsc();
                             },
                             {}},
                            {"SLA_VALUE, not filtered",
                             [](int n) {
                                 for (int i = 0; i < n; i++) SLA_VALUE(plain_channel, i);
                             },
                             {}},
                            {"turned away: value > N",
                             [](int n) {
                                 for (int i = 0; i < n; i++) SLA_VALUE(reject_channel, i);
                             },
                             {}},
                            {"turned away: a double > N.5",
                             [](int n) {
                                 for (int i = 0; i < n; i++) SLA_VALUE(real_channel, i * 0.5);
                             },
                             {}},
                            {"turned away: 999 of 1000 by every 1000",
                             [](int n) {
                                 for (int i = 0; i < n; i++) SLA_VALUE(every_channel, i);
                             },
                             {}},
                            {"turned away: a span, per event",
                             [](int n) {
                                 for (int i = 0; i < n; i += 2) SLA_SPAN(span_channel, static_cast<std::uint64_t>(i));
                             },
                             {}},
                            {"passes a filter",
                             [](int n) {
                                 for (int i = 0; i < n; i++) SLA_VALUE(pass_channel, i);
                             },
                             {}},
                            {"switched off",
                             [](int n) {
                                 for (int i = 0; i < n; i++) SLA_TICK(off_channel, i);
                             },
                             {}}};
    if (!sla_attach()) {
        std::fprintf(stderr, "filter_bench: no agent: %s\n", agent.process().errors().c_str());
        return 3;
    }
    for (Kind& kind : kinds) kind.run(1);
    usleep(300'000);  // the agent sees the channels, and the program receives what it wants of them
    measure(kinds);
    print(kinds);
    return 0;
}
