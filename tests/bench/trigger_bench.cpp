// What a trigger costs per event, in batches as the agent's steps bring them.
//
//   three stages, 64 channels      events of 64 channels in turn, three of which the trigger looks at: all 64 are divided by
//   three stages, their channels   the same trigger, events of its own three channels only, in runs and in turn
//   every channel                  a pattern that matches all 64, in turn: each event is merged and tested
//   too late each time             every row takes it a stage on, and its time is over before the next row
//   gap, rate, delta, and          conditions that remember, on one channel or two
#include "proto/common/trigger/engine.h"
#include "proto/common/trigger/parser.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace {

using namespace sla;

constexpr std::size_t kStepEvents = 32'768;  // 1 ms at 30 M events/s

constexpr std::size_t kSteps = 8;  // made beforehand; then their stamps go on from where they ended

struct Stream {
    std::vector<std::vector<wire::EventBatch>> steps;
    std::uint64_t length = 0;  // of all steps, in ticks
};

// `run` events of each channel before the next one's turn; values 0..9 999.
Stream stream_of(std::uint32_t channels, std::size_t run) {
    Stream stream;
    std::size_t i = 0;
    for (std::size_t step = 1; step <= kSteps; ++step) {
        std::vector<wire::EventBatch> batches(channels);
        for (std::uint32_t id = 0; id < channels; ++id) batches[id].channel = ChannelId{id};
        for (; i < step * kStepEvents; ++i) {
            batches[i / run % channels].add(1000 + i * 90, SLA_CODE_TICK_VALUE, i * 7919 % 10'000, 1);
        }
        stream.steps.push_back(std::move(batches));
    }
    stream.length = i * 90;
    return stream;
}

void go_on(Stream& stream) {
    for (auto& batches : stream.steps) {
        for (wire::EventBatch& batch : batches) {
            for (std::uint64_t& tick : batch.ticks) tick += stream.length;
        }
    }
}

void run(benchmark::State& state, const std::string& text, std::uint32_t channels, std::size_t in_a_run) {
    const auto expression = trigger::parse_expression(text);
    if (!expression.ok()) return state.SkipWithError(expression.error().message.c_str());
    std::uint64_t hits = 0;
    trigger::Engine engine(*expression, 2.7e9, [&](const trigger::Hit&) {
        ++hits;
        return std::uint64_t{0};
    });
    for (std::uint32_t id = 0; id < channels; ++id) engine.add_channel(ChannelId{id}, "ch." + std::to_string(id));
    Stream stream = stream_of(channels, in_a_run);
    std::vector<trigger::Rows> rows;
    std::uint64_t fed = 0;
    std::uint64_t last = 1000;
    for (auto round : state) {
        for (const auto& batches : stream.steps) {
            rows.clear();
            for (const wire::EventBatch& batch : batches) {
                if (engine.wants(batch.channel)) rows.push_back(trigger::Rows::of(batch));
            }
            last += kStepEvents * 90;
            engine.feed(rows, last - 90);
            fed += kStepEvents;
        }
        state.PauseTiming();
        go_on(stream);
        state.ResumeTiming();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(fed));
    state.counters["ns_per_event"] =
        benchmark::Counter(static_cast<double>(fed) * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["hits"] = static_cast<double>(hits);
}

const char* const kThreeStages = "ch.0 > 9990 then ch.1 > 9990 then 3 x ch.2 < 10";

}  // namespace

BENCHMARK_CAPTURE(run, three_stages_64_channels, kThreeStages, 64u, 1u);
BENCHMARK_CAPTURE(run, three_stages_their_channels_in_turn, kThreeStages, 3u, 1u);
BENCHMARK_CAPTURE(run, three_stages_their_channels_in_runs, kThreeStages, 3u, 100u);
BENCHMARK_CAPTURE(run, three_stages_within_64_channels, "ch.0 > 9000 then ch.1 > 9000 within 1ms then ch.2 < 100 within 1ms",
                  64u, 1u);
BENCHMARK_CAPTURE(run, other_channels_64, "nobody > 5", 64u, 1u);
BENCHMARK_CAPTURE(run, every_channel_in_turn, "ch.* > 9990 then ch.* > 9990 then 3 x ch.* < 10", 64u, 1u);
BENCHMARK_CAPTURE(run, every_channel_in_runs, "ch.* > 9990 then ch.* > 9990 then 3 x ch.* < 10", 64u, 100u);
BENCHMARK_CAPTURE(run, too_late_each_time_one_channel, "ch.0 then ch.0 within 1ns then ch.0 within 1ns", 1u, 1u);
BENCHMARK_CAPTURE(run, gap_one_channel, "gap ch.0 > 1ms", 1u, 1u);
BENCHMARK_CAPTURE(run, rate_one_channel, "rate ch.0 > 100000000/s over 1ms", 1u, 1u);
BENCHMARK_CAPTURE(run, delta_two_channels, "delta ch.0 -> ch.1 > 1ms", 2u, 1u);
BENCHMARK_CAPTURE(run, and_two_channels, "ch.0 > 9990 and ch.1 > 9990", 2u, 1u);

BENCHMARK_MAIN();
