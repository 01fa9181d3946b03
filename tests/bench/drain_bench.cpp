// What an event costs on its way through the rooms, one room at a time: out of the ring, through the merge, into bytes, into
// the viewer's store.
#include "agent/drain/channel_merge.h"
#include "agent/drain/ring_feed.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "tests/support/test_segment.h"
#include "viewer/store/lane.h"

#include <benchmark/benchmark.h>

#include <random>

namespace {

using namespace sla;

constexpr std::uint32_t kSlots = 65536;

struct Ring {
    Ring() : number(segment.add_ring(segment.add_channel("bench"), kSlots)), view(segment.view()), reader(view, number) {
        if (!reader.open().ok()) std::abort();
    }
    // As if `count` markers had run: slots are filled once, then published again and again with later ticks.
    void publish(std::uint64_t count) {
        sla_ring_header& header = segment.ring(number);
        auto* slots = reinterpret_cast<sla_slot_plain*>(segment.at(header.offset));
        for (std::uint64_t i = 0; i < count; i++) {
            std::uint64_t position = header.head + i;
            tick += 30 + position % 13;
            slots[position % kSlots] = {std::uint64_t{SLA_CODE_TICK_VALUE} << SLA_TICK_BITS | tick, position};
        }
        header.reserve = header.head + count;
        header.head += count;
    }
    support::TestSegment segment;
    std::uint32_t number;
    ring::SegmentView view;
    ring::RingReader reader;
    std::uint64_t tick = 1;
};

wire::EventBatch batch_of(std::size_t count, bool jitter) {
    std::mt19937 random(1);
    wire::EventBatch batch;
    batch.channel = {1};
    std::uint64_t tick = 1'000'000;
    for (std::size_t i = 0; i < count; i++) {
        tick += jitter ? 60 + random() % 200 : 100;
        batch.add(tick, SLA_CODE_TICK_VALUE, jitter ? random() % 100 : i, 3);
    }
    return batch;
}

void OutOfTheRing(benchmark::State& state) {
    Ring ring;
    drain::RingFeed feed(std::move(ring.reader));
    drain::Run run(1);
    drain::LossLedger ledger;
    wire::EventBatch out;
    for (auto _ : state) {
        state.PauseTiming();
        ring.publish(kSlots / 2);
        out.clear();
        state.ResumeTiming();
        do {
            if (!feed.drain(drain::StepClock(ring.tick + 1), 0, run, ledger).ok()) std::abort();
            run.give(run.size(), out);
        } while (feed.has_more());
    }
    state.SetItemsProcessed(state.iterations() * (kSlots / 2));
}

void Merge(benchmark::State& state) {
    auto runs = static_cast<std::size_t>(state.range(0));
    auto turn = static_cast<std::size_t>(state.range(1));
    constexpr std::size_t kEach = 8192;
    drain::DrainedChannel channel;
    for (std::size_t r = 0; r < runs; r++)
        channel.runs.push_back(std::make_shared<drain::Run>(static_cast<std::uint32_t>(r)));
    std::vector<std::shared_ptr<drain::Run>> kept = channel.runs;
    wire::EventBatch out;
    std::uint64_t tick = 0;
    for (auto _ : state) {
        state.PauseTiming();
        for (std::size_t i = 0; i < kEach * runs; i++) kept[i / turn % runs]->add(++tick, SLA_CODE_TICK_VALUE, i);
        out.clear();
        state.ResumeTiming();
        drain::merge_up_to(tick, kEach * runs, channel, out);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kEach * runs));
}

void Encode(benchmark::State& state) {
    wire::EventBatch batch = batch_of(8192, state.range(0) != 0);
    std::size_t bytes = 0;
    for (auto _ : state) {
        wire::Batch message;
        wire::encode_batch(batch, message);
        bytes = message.ByteSizeLong();
        benchmark::DoNotOptimize(message);
    }
    state.SetItemsProcessed(state.iterations() * 8192);
    state.counters["bytes/event"] = static_cast<double>(bytes) / 8192;
}

void DecodeAndStore(benchmark::State& state) {
    wire::Batch message;
    wire::encode_batch(batch_of(8192, state.range(0) != 0), message);
    auto lane = std::make_unique<store::Lane>(store::Channel{});
    wire::EventBatch batch;
    std::uint64_t shift = 0;
    for (auto _ : state) {
        if (!wire::decode_batch(message, batch).ok()) state.SkipWithError("decode failed");
        for (std::uint64_t& tick : batch.ticks) tick += shift;
        lane->append(batch);
        shift += 3'000'000;
        if (lane->size() > 20'000'000) {
            state.PauseTiming();
            lane = std::make_unique<store::Lane>(store::Channel{});
            state.ResumeTiming();
        }
    }
    state.SetItemsProcessed(state.iterations() * 8192);
}

BENCHMARK(OutOfTheRing);
BENCHMARK(Merge)->ArgsProduct({{1, 2, 4, 8, 16, 64}, {1, 16, 64}})->ArgNames({"runs", "turn"});
BENCHMARK(Encode)->Arg(0)->Arg(1)->ArgName("jitter");
BENCHMARK(DecodeAndStore)->Arg(0)->Arg(1)->ArgName("jitter");

}  // namespace

BENCHMARK_MAIN();
