#include "agent/linux/tracefs/trace_page.h"

namespace sla::linux {
namespace {

constexpr std::uint64_t kLengthMask = 0xfffff;
constexpr std::uint64_t kLostAny = std::uint64_t{1} << 31;
constexpr std::uint64_t kLostCounted = std::uint64_t{1} << 30;
constexpr std::size_t kWord = 4;

constexpr unsigned kDeltaBits = 27;
constexpr std::uint64_t kAbsoluteTopBits = std::uint64_t{31} << 59;

std::uint64_t read_u64(std::span<const std::byte> bytes, std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

}  // namespace

TracePage::TracePage(std::span<const std::byte> bytes) {
    if (bytes.size() < kHeaderBytes) {
        damaged_ = true;
        return;
    }
    const std::uint64_t commit = read_u64(bytes, 8);
    const std::size_t length = commit & kLengthMask;
    first_tick_ = place_.tick = read_u64(bytes, 0);
    if (length > bytes.size() - kHeaderBytes) {
        damaged_ = true;
        return;
    }
    events_ = bytes.subspan(kHeaderBytes, length);
    lost_any_ = (commit & kLostAny) != 0;
    if (lost_any_ && (commit & kLostCounted) != 0) {
        const std::size_t at = kHeaderBytes + length;
        damaged_ = bytes.size() - at < sizeof(std::uint64_t);
        if (!damaged_) lost_ = read_u64(bytes, at);
    }
}

bool TracePage::fail() {
    damaged_ = true;
    place_.at = events_.size();
    return false;
}

// True: go on with the event behind it.
bool TracePage::take_time(std::uint32_t type, std::uint32_t delta) {
    if (events_.size() - place_.at < 2 * kWord) return fail();
    const std::uint64_t time = delta | std::uint64_t{word(place_.at + kWord)} << kDeltaBits;
    place_.tick = type == kAbsoluteTime ? (time & ~kAbsoluteTopBits) | (first_tick_ & kAbsoluteTopBits) : place_.tick + time;
    place_.at += 2 * kWord;
    return true;
}

bool TracePage::take_padding(std::uint32_t delta) {
    if (delta == 0) {
        place_.at = events_.size();
        return false;
    }
    if (events_.size() - place_.at < 2 * kWord) return fail();
    const std::uint64_t skip = std::uint64_t{kWord} + word(place_.at + kWord);
    if (skip > events_.size() - place_.at || skip % kWord != 0) return fail();
    place_.tick += delta;
    place_.at += skip;
    return true;
}

bool TracePage::next_unusual(TraceRecord& record) {
    while (events_.size() - place_.at >= kWord) {
        const std::uint32_t head = word(place_.at);
        const std::uint32_t type = head & kTypeMask;
        const std::uint32_t delta = head >> kTypeBits;
        std::size_t begin = place_.at + kWord;
        std::uint64_t length = std::uint64_t{type} * kWord;
        if (type >= kPadding) {
            if (!(type == kPadding ? take_padding(delta) : take_time(type, delta))) return false;
            continue;
        }
        if (type == 0) {
            if (events_.size() - place_.at < 2 * kWord) return fail();
            length = word(begin);  // counts itself
            if (length < kWord) return fail();
            begin += kWord;
            length -= kWord;
        }
        if (length > events_.size() - begin) return fail();
        place_.tick += delta;
        place_.at = begin + length;
        if (type == 0) place_.at = (place_.at + kWord - 1) / kWord * kWord;
        if (place_.at > events_.size()) place_.at = events_.size();
        record.tick = place_.tick & SLA_TICK_MASK;
        record.data = events_.subspan(begin, length);
        return true;
    }
    if (place_.at != events_.size()) return fail();
    return false;
}

}  // namespace sla::linux
