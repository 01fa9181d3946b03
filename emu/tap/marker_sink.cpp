#include "emu/tap/marker_sink.h"

#include <sla/moment.h>

namespace sla::tap {

namespace {

constexpr std::uint32_t kRingSlots = 0;  // the library chooses

}  // namespace

MarkerSink::MarkerSink(const bus::Clock* virtual_clock)
    : ways_(virtual_clock == nullptr ? nullptr : &time_.emplace(*virtual_clock)) {
    sla_describe_source("emulated PC", SLA_SOURCE_PC);
}

ChannelId MarkerSink::open(const std::string& name, const char* format) {
    channels_.push_back(sla_channel_open_with(name.c_str(), format, SLA_DROP_NEWEST, kRingSlots));
    return static_cast<ChannelId>(channels_.size() - 1);
}

void MarkerSink::plain(ChannelId channel, sla_code code, std::uint64_t value) {
    sla_channel* to = channels_[channel];
    if (sla_on(to) == 0) return;
    if (time_) return sla_record_at(to, code, time_->take(1), value, 0, 0);
    sla_record(to, code, value);
}

// All of a channel into one ring, those without details too: what is lost of a span is lost at one place.
void MarkerSink::wide(ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) {
    sla_channel* to = channels_[channel];
    if (sla_on(to) == 0) return;
    const sla_event event{to, code, value, detail0, detail1, SLA_WIDTH_WIDE};
    sla_record_moment(&event, 1, time_ ? time_->take(1) : 0);
}

void MarkerSink::text(ChannelId channel, const std::string& text) {
    sla_channel* to = channels_[channel];
    if (sla_on(to) == 0) return;
    if (time_) static_cast<void>(time_->take(1));  // what the library stamps with
    SLA_TEXT(to, text.c_str());
}

}  // namespace sla::tap
