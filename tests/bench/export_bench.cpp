// How many rows of the event table are written to a file in a second of CPU, per format, on however many cores. Captures are
// made in memory; reading is not in it.
#include "tests/support/capture_builder.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/formats/catalog/export.h"
#include "viewer/store/session.h"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>

namespace {

using namespace sla;

constexpr std::uint64_t kRows = 1'000'000;

// Ticks with values, spans and levels of two threads, as a program of `lanes` channels would give.
void fill(store::Session& session, std::size_t lanes) {
    support::CaptureBuilder names(5'000'000'000, 2.7e9, 70);
    for (std::size_t i = 0; i < lanes; ++i) names.channel("group." + std::to_string(i));
    names.fill(session);
    for (std::size_t i = 0; i < lanes; ++i) {
        wire::EventBatch batch;
        for (std::uint64_t row = i; row < kRows; row += lanes) {
            constexpr std::uint8_t kCodes[] = {SLA_CODE_TICK_VALUE, SLA_CODE_BEGIN, SLA_CODE_END, SLA_CODE_LEVEL};
            const std::uint8_t code = kCodes[row / lanes % 4];
            const std::uint64_t value = code == SLA_CODE_TICK_VALUE ? row % 5000
                                        : code == SLA_CODE_LEVEL    ? row / lanes / 4 % 2
                                                                    : 0;
            batch.add(5'000'300'000 + row * 190 + row * 7919 % 97, code, value, 1);
        }
        session.lane(ChannelId{static_cast<std::uint32_t>(i + 1)})->append(batch);
    }
    session.set_ended(session.last_tick(), "complete");
}

void export_to_file(benchmark::State& state, formats::ExportFormat format) {
    store::Session session;
    fill(session, static_cast<std::size_t>(state.range(0)));
    const auto selection = analysis::select(session, {});
    const std::string path = std::filesystem::temp_directory_path() / ("sla_export_bench_" + std::to_string(getpid()));
    std::uint64_t rows = 0;
    for ([[maybe_unused]] auto unused : state) {
        const auto report = formats::export_capture(session, *selection, {format, 0}, path);
        if (!report.ok()) return state.SkipWithError(report.error().message.c_str());
        rows += report->events;
    }
    state.counters["rows/cpu_s"] = benchmark::Counter(static_cast<double>(rows), benchmark::Counter::kIsRate);
    state.counters["bytes/row"] = static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(kRows);
    std::filesystem::remove(path);
}

// Rows that a filter looks at, of which it lets none or few through.
void filter_rows(benchmark::State& state, const char* text) {
    store::Session session;
    fill(session, 8);
    auto selection = analysis::select(session, {});
    selection->filter = *analysis::EventFilter::parse(text);
    const analysis::Progress no_progress;
    std::uint64_t rows = 0;
    for ([[maybe_unused]] auto unused : state) {
        analysis::EventWalk walk(session, *selection, no_progress);
        while (walk.next_row() != nullptr) {
        }
        rows += kRows;
    }
    state.counters["rows/cpu_s"] = benchmark::Counter(static_cast<double>(rows), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(filter_rows, value, "value == 4999.5");
BENCHMARK_CAPTURE(filter_rows, range, "value in 4990..4999");
BENCHMARK_CAPTURE(filter_rows, mixed, "value > 4990 and not kind == level or tick < 0 or thread == 12");

// The CPU of all threads counts.
void by_all_threads(benchmark::internal::Benchmark* one) {
    one->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(export_to_file, csv, formats::ExportFormat::kCsv)->Arg(1)->Arg(8)->Arg(64)->Apply(by_all_threads);
BENCHMARK_CAPTURE(export_to_file, tsv, formats::ExportFormat::kTsv)->Arg(8)->Apply(by_all_threads);
BENCHMARK_CAPTURE(export_to_file, json, formats::ExportFormat::kJson)->Arg(8)->Apply(by_all_threads);
BENCHMARK_CAPTURE(export_to_file, vcd, formats::ExportFormat::kVcd)->Arg(8)->Apply(by_all_threads);
BENCHMARK_CAPTURE(export_to_file, chrome, formats::ExportFormat::kChrome)->Arg(8)->Apply(by_all_threads);
BENCHMARK_CAPTURE(export_to_file, perfetto, formats::ExportFormat::kPerfetto)->Arg(8)->Apply(by_all_threads);

}  // namespace

BENCHMARK_MAIN();
