#include "emu/tap/marker_sink.h"

#include <algorithm>
#include <ctime>

namespace sla::tap {

namespace {

constexpr std::uint32_t kRingSlots = 0;  // the library chooses

std::int64_t machine_nanoseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

struct Reading {
    std::uint64_t tick = 0;
    std::int64_t nanoseconds = 0;
};

// The narrowest of some pairs of ticks around a reading of the clock.
Reading read_both() {
    Reading best;
    std::uint64_t narrowest = ~std::uint64_t{0};
    for (int round = 0; round < 64; ++round) {
        const std::uint64_t before = sla_machine_now();
        const std::int64_t nanoseconds = machine_nanoseconds();
        const std::uint64_t width = sla_machine_now() - before;
        if (width >= narrowest) continue;
        narrowest = width;
        best = {before + width / 2, nanoseconds};
    }
    return best;
}

// Over 30 ms, to some parts of a million.
double measure_ticks_per_nanosecond() {
    constexpr timespec kSpan{0, 30'000'000};
    const Reading first = read_both();
    ::nanosleep(&kSpan, nullptr);
    const Reading last = read_both();
    return static_cast<double>(last.tick - first.tick) / static_cast<double>(last.nanoseconds - first.nanoseconds);
}

}  // namespace

MarkerSink::MarkerSink(const bus::Clock* virtual_clock) : virtual_clock_(virtual_clock) {
    sla_describe_source("emulated PC", SLA_SOURCE_PC);
    if (virtual_clock_ != nullptr) sla_own_clock(sla_machine_now());
}

// The guest's present is the machine's when somebody listens for the first time.
void MarkerSink::begin_own_clock() {
    if (sla_attach() == 0) return;
    begun_ = true;
    ticks_per_nanosecond_ = measure_ticks_per_nanosecond();
    const std::uint64_t now = sla_machine_now();
    const auto passed = static_cast<std::uint64_t>(static_cast<double>(virtual_clock_->now()) * ticks_per_nanosecond_);
    start_tick_ = now - std::min(now, passed);
}

void MarkerSink::clock_was_set() {
    if (!begun_) return;
    const auto passed = static_cast<std::uint64_t>(static_cast<double>(virtual_clock_->now()) * ticks_per_nanosecond_);
    start_tick_ = last_tick_ - passed;  // may wrap, and back
}

// The library stamps what follows with it.
void MarkerSink::stamp(const sla_channel* channel) {
    if (virtual_clock_ == nullptr || sla_on(channel) == 0) return;
    if (!begun_) begin_own_clock();
    if (!begun_) return;
    const auto passed = static_cast<std::uint64_t>(static_cast<double>(virtual_clock_->now()) * ticks_per_nanosecond_);
    last_tick_ = std::max(start_tick_ + passed, last_tick_ + 1);
    sla_own_clock(last_tick_);
}

ChannelId MarkerSink::open(const std::string& name, const char* format) {
    channels_.push_back(sla_channel_open_with(name.c_str(), format, SLA_DROP_NEWEST, kRingSlots));
    return static_cast<ChannelId>(channels_.size() - 1);
}

void MarkerSink::plain(ChannelId channel, sla_code code, std::uint64_t value) {
    stamp(channels_[channel]);
    sla_mark(channels_[channel], code, value);
}

void MarkerSink::wide(ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) {
    sla_channel* to = channels_[channel];
    if (sla_on(to) == 0) return;
    stamp(to);
    sla_record_wide(to, code, value, detail0, detail1);
}

void MarkerSink::text(ChannelId channel, const std::string& text) {
    stamp(channels_[channel]);
    SLA_TEXT(channels_[channel], text.c_str());
}

}  // namespace sla::tap
