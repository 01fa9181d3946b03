#include "tests/bench/synthetic_stream.h"

#include "proto/base/check.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/version.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace sla::bench {
namespace {

constexpr std::uint64_t kStart = 1'000'000'000;
constexpr std::uint64_t kHz = 2'700'000'000;
constexpr std::array<std::string_view, 9> kNames = {"regular", "jittered", "spans", "nested", "levels",
                                                    "values",  "mixed",    "exits", "texts"};
constexpr std::array kNest = {SLA_CODE_BEGIN_VALUE, SLA_CODE_BEGIN_VALUE, SLA_CODE_END, SLA_CODE_END};

// xorshift64*: fast, and random enough to be incompressible.
std::uint64_t next_random(std::uint64_t& state) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545f4914f6cdd1dULL;
}

}  // namespace

std::optional<Shape> shape_named(std::string_view name) {
    const auto at = std::find(kNames.begin(), kNames.end(), name);
    if (at == kNames.end()) return std::nullopt;
    return static_cast<Shape>(at - kNames.begin());
}

SyntheticStream::SyntheticStream(const StreamPlan& plan) : plan_(plan) {
    SLA_CHECK(plan.channels > 0 && plan.batch_rows > 0 && plan.batch_rows < wire::kMaxBatchEvents);
    if (plan_.spread == 0) plan_.spread = plan_.channels;
    for (std::uint32_t i = 0; i < plan_.channels; ++i) {
        Lane& lane = lanes_.emplace_back();
        lane.shape =
            plan_.shape == Shape::kMixed ? static_cast<Shape>(i % static_cast<unsigned>(Shape::kMixed)) : plan_.shape;
        lane.tick = kStart + 100 * i;
        lane.random = 0x9e3779b97f4a7c15ULL * (i + 1);
    }
}

void SyntheticStream::send(const Emit& emit) {
    bytes_.clear();
    SLA_CHECK(frame_.AppendToString(&bytes_));
    emit(bytes_);
}

void SyntheticStream::begin(const Emit& emit) {
    wire::Hello& hello = *frame_.mutable_hello();
    hello.set_version(wire::kWireVersion);
    hello.set_agent("synthetic");
    hello.set_capture_id(1);
    hello.set_start_tick(kStart);
    send(emit);
    frame_.mutable_source()->set_id(1);
    frame_.mutable_source()->set_kind(wire::SOURCE_PROGRAM);
    frame_.mutable_source()->set_name("synthetic");
    send(emit);
    frame_.mutable_thread()->set_id(1);
    frame_.mutable_thread()->set_source(1);
    frame_.mutable_thread()->set_name("main");
    send(emit);
    for (std::uint64_t second = 0; second < 3; ++second) {
        wire::Clock& clock = *frame_.mutable_clock();
        clock.set_tick(kStart + second * kHz);
        clock.set_monotonic_raw_ns(static_cast<std::int64_t>(second) * 1'000'000'000);
        clock.set_realtime_ns(1'700'000'000'000'000'000 + static_cast<std::int64_t>(second) * 1'000'000'000);
        clock.set_error_ticks(50);
        clock.set_stamp_ticks(34);
        send(emit);
    }
    for (std::uint32_t i = 0; i < plan_.channels; ++i) {
        wire::Channel& channel = *frame_.mutable_channel();
        channel.set_id(i + 1);
        channel.set_source(1);
        channel.set_name(std::string(kNames[static_cast<std::size_t>(lanes_[i].shape)]) + "." + std::to_string(i));
        send(emit);
    }
}

std::uint64_t SyntheticStream::step(Lane& lane) const {
    if (lane.shape != Shape::kRegular) return plan_.spread * (60 + next_random(lane.random) % 200);
    const std::uint64_t luck = next_random(lane.random);
    return plan_.spread * (luck % 50 == 0 ? 110 + (luck >> 32) % 390 : 100);
}

void SyntheticStream::add_one(Lane& lane) {
    lane.tick += step(lane);
    const std::uint64_t row = lane.row++;
    switch (lane.shape) {
        case Shape::kRegular: return batch_.add(lane.tick, SLA_CODE_TICK_VALUE, row, 1);
        case Shape::kJittered: return batch_.add(lane.tick, SLA_CODE_TICK_VALUE, next_random(lane.random) % 100, 1);
        case Shape::kSpans:
            if (row % 2 == 1) return batch_.add(lane.tick, SLA_CODE_END, 0, 1);
            return batch_.add(lane.tick, SLA_CODE_BEGIN_VALUE, static_cast<std::uint32_t>(next_random(lane.random)), 1);
        case Shape::kNestedSpans: {
            const auto code = static_cast<std::uint8_t>(kNest[row % kNest.size()]);
            return batch_.add(lane.tick, code, code == SLA_CODE_END ? 0 : ++lane.id, 1);
        }
        case Shape::kExits:
            batch_.add(lane.tick, row % 2 == 0 ? SLA_CODE_BEGIN : SLA_CODE_END, 0, 1);
            if (row % 2 == 0) batch_.set_details(batch_.size() - 1, {0xf000'0000 + next_random(lane.random) % 16, 0x80});
            return;
        case Shape::kTexts: {
            batch_.add(lane.tick, SLA_CODE_TEXT, 0, 1);
            const std::string number = std::to_string(next_random(lane.random) % 1'000'000);
            return batch_.texts.add(batch_.size() - 1, "a text of 20: " + std::string(6 - number.size(), '0') + number);
        }
        case Shape::kLevels: return batch_.add(lane.tick, SLA_CODE_LEVEL, row % 2, 1);
        case Shape::kValues:
        case Shape::kMixed:
            return batch_.add(lane.tick, SLA_CODE_VALUE_FLOAT, wire::as_bits(std::sin(static_cast<double>(row) / 1e4)), 1);
    }
}

void SyntheticStream::fill(Lane& lane) {
    batch_.clear();
    batch_.first_index = lane.row;
    if (plan_.loss_every != 0 && batches_ % plan_.loss_every == plan_.loss_every - 1) {
        wire::Extra extra;
        extra.cause = wire::LossCause::kOverrun;
        batch_.add(lane.tick += plan_.spread, SLA_CODE_GAP, 1 + next_random(lane.random) % 1000, 1);
        batch_.extras.push_back(extra);
        ++lane.row;
    }
    while (batch_.size() < plan_.batch_rows) add_one(lane);
}

std::uint64_t SyntheticStream::round(const Emit& emit) {
    std::uint64_t watermark = ~std::uint64_t{0};
    for (std::uint32_t i = 0; i < plan_.channels; ++i) {
        batch_.channel.value = i + 1;
        fill(lanes_[i]);
        encode_batch(batch_, *frame_.mutable_batch());
        send(emit);
        watermark = std::min(watermark, lanes_[i].tick);
    }
    ++batches_;
    frame_.mutable_watermark()->set_tick(watermark);
    send(emit);
    return std::uint64_t{plan_.channels} * plan_.batch_rows;
}

void SyntheticStream::end(const Emit& emit) {
    frame_.mutable_end()->set_reason("made");
    send(emit);
}

}  // namespace sla::bench
