#include "emu/tap/hash_sink.h"

namespace sla::tap {

namespace {

constexpr std::uint64_t kPrime = 0x100000001B3;
constexpr std::uint64_t kTextKind = SLA_CODE_TEXT;

}  // namespace

void HashSink::add(std::uint64_t word) {
    for (unsigned i = 0; i < 8; ++i) hash_ = (hash_ ^ (word >> (8 * i) & 0xFF)) * kPrime;
}

void HashSink::add(const std::string& text) {
    for (const char byte : text) hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * kPrime;
}

void HashSink::event(ChannelId channel, std::uint64_t kind) {
    ++events_;
    add(kind);
    add(channels_[channel]);
    add(static_cast<std::uint64_t>(clock_.now()));
}

ChannelId HashSink::open(const std::string& name, const char* format) {
    const ChannelId channel = behind_.open(name, format);
    const std::uint64_t so_far = hash_;
    hash_ = 0;
    add(name);
    if (channels_.size() <= channel) channels_.resize(channel + std::size_t{1});
    channels_[channel] = hash_;
    hash_ = so_far;
    return channel;
}

void HashSink::plain(ChannelId channel, sla_code code, std::uint64_t value) {
    event(channel, code);
    add(value);
    behind_.plain(channel, code, value);
}

void HashSink::wide(ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) {
    event(channel, code);
    add(value);
    add(detail0);
    add(detail1);
    behind_.wide(channel, code, value, detail0, detail1);
}

void HashSink::text(ChannelId channel, const std::string& text) {
    event(channel, kTextKind);
    add(text);
    behind_.text(channel, text);
}

void HashSink::visit_state(bus::StateVisitor& state) {
    begins_at_snapshot_ = !state.optional_section("hash");
    if (begins_at_snapshot_) {
        hash_ = kStart;
        events_ = 0;
        return;
    }
    state.field("hash", hash_);
    state.field("events", events_);
}

}  // namespace sla::tap
