// What one kernel event costs between a page of the kernel's trace and an encoded batch, without the kernel: pages from
// memory, as a storm of system calls writes them. Needs no permission; linux_bench measures the whole.
#include "agent/linux/events/translator.h"
#include "agent/linux/tracefs/trace_stream.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "tests/bench/counting_sink.h"
#include "tests/unit/agent/linux/formats.h"
#include "tests/unit/agent/linux/page_builder.h"

#include <benchmark/benchmark.h>

#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace sla;
using linux::event_data;

constexpr std::uint32_t kInside = 310;  // ticks from entry to exit, and to the next entry
constexpr std::uint32_t kBetween = 530;
constexpr std::size_t kPageBytes = 4096;
constexpr std::int32_t kTid = 1 << 30;  // nobody's
constexpr std::int64_t kCall = 110;

std::vector<std::byte> make_page() {
    const std::vector<std::byte> enter = event_data(20, kTid, kCall, std::int64_t{0x7ffd1234}, std::int64_t{1},
                                                    std::int64_t{2}, std::int64_t{3}, std::int64_t{4}, std::int64_t{5});
    const std::vector<std::byte> exit = event_data(21, kTid, kCall, std::int64_t{81234});
    linux::PageBuilder page(1'000'000'000);
    std::size_t bytes = linux::TracePage::kHeaderBytes;
    while (bytes + enter.size() + exit.size() + 8 <= kPageBytes) {
        page.event(kBetween, enter).event(kInside, exit);
        bytes += enter.size() + exit.size() + 8;
    }
    return page.bytes();
}

void pages_to_rows(benchmark::State& state) {
    std::vector<std::byte> page = make_page();
    std::uint64_t time = 1'000'000'000;
    linux::TraceStream stream;
    stream.add(linux::CpuReader(
        0,
        [&](std::byte* buffer, std::size_t) {
            time += kPageBytes * (kInside + kBetween);
            std::memcpy(page.data(), &time, sizeof time);
            std::memcpy(buffer, page.data(), page.size());
            return static_cast<long>(page.size());
        },
        kPageBytes));
    bench::CountingSink sink;
    linux::Translator translator(sink,
                                 {[](std::int32_t) { return std::string("storm"); }, [](std::int32_t tid) { return tid; }});
    translator.add_event(linux::sys_enter());
    translator.add_event(linux::sys_exit());
    for (auto _ : state) {
        const auto filled = stream.fill(time + (std::uint64_t{1} << 40), 8, linux::TraceStream::Reach::kToTheEnd);
        stream.take(filled.bound, [&](int cpu, const auto& what) { translator.take(cpu, what); });
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(translator.events()));
}
BENCHMARK(pages_to_rows);

void rows_to_batch(benchmark::State& state) {
    constexpr std::size_t kRows = 8192;
    wire::EventBatch batch;
    batch.channel = ChannelId{1};
    std::uint64_t tick = 1'000'000'000;
    for (std::size_t i = 0; i < kRows; i++) {
        const bool is_begin = i % 2 == 0;
        tick += (is_begin ? kBetween : kInside) + i % 7;
        batch.add(tick, is_begin ? SLA_CODE_BEGIN_VALUE : SLA_CODE_END_VALUE, is_begin ? 0x7ffd1234 : 81234, 3);
    }
    wire::Batch out;
    for (auto _ : state) {
        wire::encode_batch(batch, out);
        benchmark::DoNotOptimize(out.packed_ticks().data());
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kRows));
}
BENCHMARK(rows_to_batch);

}  // namespace

BENCHMARK_MAIN();
