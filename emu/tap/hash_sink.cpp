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

void HashSink::event(Lane lane, std::uint64_t kind) {
    ++events_;
    add(kind);
    add(channels_[lane]);
    add(static_cast<std::uint64_t>(clock_.now()));
}

Lane HashSink::open(const std::string& name, const char* format) {
    const Lane lane = behind_.open(name, format);
    const std::uint64_t so_far = hash_;
    hash_ = 0;
    add(name);
    if (channels_.size() <= lane) channels_.resize(lane + std::size_t{1});
    channels_[lane] = hash_;
    hash_ = so_far;
    return lane;
}

void HashSink::plain(Lane lane, sla_code code, std::uint64_t value) {
    event(lane, code);
    add(value);
    behind_.plain(lane, code, value);
}

void HashSink::wide(Lane lane, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) {
    event(lane, code);
    add(value);
    add(detail0);
    add(detail1);
    behind_.wide(lane, code, value, detail0, detail1);
}

void HashSink::text(Lane lane, const std::string& text) {
    event(lane, kTextKind);
    add(text);
    behind_.text(lane, text);
}

}  // namespace sla::tap
