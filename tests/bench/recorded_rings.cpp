#include "tests/bench/recorded_rings.h"

#include "proto/wire/event.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

namespace sla::bench {
namespace {

constexpr std::size_t kTextBytes = 20;

std::uint32_t capacity_for(std::uint64_t events, std::size_t rings, std::uint64_t turn) {
    std::uint32_t capacity = 256;
    while (capacity < events / rings + 2 * turn) capacity *= 2;
    return capacity;
}

}  // namespace

std::string_view name_of(Pattern pattern) {
    switch (pattern) {
        case Pattern::kRegular: return "regular";
        case Pattern::kJittered: return "jittered";
        case Pattern::kBursts: return "bursts";
        case Pattern::kLogNormal: return "pauses";
        case Pattern::kSpans: return "spans";
        case Pattern::kDoubles: return "doubles";
        case Pattern::kTexts: return "texts";
        case Pattern::kPorts: return "ports";
        case Pattern::kExits: return "exits";
    }
    return "";
}

RecordedRings::RecordedRings(Pattern pattern, std::uint32_t channels, std::uint32_t threads, std::uint64_t events_at_once)
    : pattern_(pattern), events_(events_at_once), turn_(pattern == Pattern::kBursts ? 64 : 1) {
    const bool both = pattern == Pattern::kExits;
    const std::uint32_t capacity = capacity_for(events_, std::size_t{channels} * threads * (both ? 2 : 1), turn_);
    const sla_width width = pattern == Pattern::kTexts           ? SLA_WIDTH_TEXT
                            : pattern == Pattern::kPorts || both ? SLA_WIDTH_WIDE
                                                                 : SLA_WIDTH_PLAIN;
    for (std::uint32_t channel = 0; channel < channels; channel++) {
        const std::uint32_t index = segment_.add_channel("bench." + std::to_string(channel));
        for (std::uint32_t thread = 0; thread < threads; thread++) {
            add_ring(index, thread, width, capacity);
            if (both) add_ring(index, thread, SLA_WIDTH_PLAIN, capacity);
        }
    }
}

void RecordedRings::add_ring(std::uint32_t channel, std::uint32_t thread, sla_width width, std::uint32_t capacity) {
    sla_ring_header& header = segment_.ring(segment_.add_ring(channel, capacity, width));
    header.thread = 100 + thread;
    constexpr std::size_t kSlotBytes[] = {sizeof(sla_slot_plain), sizeof(sla_slot_wide), sizeof(sla_slot_text)};
    rings_.push_back({&header, segment_.at(header.offset), kSlotBytes[width]});
}

std::size_t RecordedRings::ring_bytes() const {
    std::size_t bytes = 0;
    for (const Ring& ring : rings_) bytes += (ring.header->head - ring.published) * ring.slot_bytes;
    return bytes;
}

// Of a tight loop on a core that is interrupted now and then; of a loop that does some work; of one that waits for others.
std::uint64_t RecordedRings::distance() {
    const std::uint64_t luck = random_();
    switch (pattern_) {
        case Pattern::kRegular: return luck % 50 == 0 ? 110 + (luck >> 32) % 390 : 100;
        case Pattern::kBursts: return 34 + 2 * (luck % 6) + (luck >> 32) % 4096 / 4095 * 900;
        case Pattern::kLogNormal: return 30 + static_cast<std::uint64_t>(pauses_(random_));
        default: return 60 + luck % 200;
    }
}

void RecordedRings::put(Ring& ring) {
    sla_ring_header& header = *ring.header;
    auto* slot = ring.slots + (header.head & (header.capacity - 1)) * ring.slot_bytes;
    header.reserve = ++header.head;
    if (ring.slot_bytes == sizeof(sla_slot_wide)) return put_wide(ring, slot);
    const auto stamp = [this](std::uint64_t code) { return code << SLA_TICK_BITS | tick_; };
    sla_slot_plain plain{};
    switch (pattern_) {
        case Pattern::kRegular:
        case Pattern::kBursts: plain = {stamp(SLA_CODE_TICK_VALUE), made_}; break;
        case Pattern::kJittered:
        case Pattern::kLogNormal: plain = {stamp(SLA_CODE_TICK_VALUE), random_() % 100}; break;
        case Pattern::kSpans:
            plain = ring.marked % 2 == 0 ? sla_slot_plain{stamp(SLA_CODE_BEGIN_VALUE), static_cast<std::uint32_t>(random_())}
                                         : sla_slot_plain{stamp(SLA_CODE_END), 0};
            break;
        case Pattern::kDoubles: {
            const double wave = std::sin(static_cast<double>(ring.marked) / 1e4);
            plain = {stamp(SLA_CODE_VALUE_FLOAT), wire::as_bits(wave)};
            break;
        }
        case Pattern::kTexts: {
            auto* text = reinterpret_cast<sla_slot_text*>(slot);
            text->stamp = stamp(SLA_CODE_TEXT);
            text->bytes = kTextBytes;
            std::snprintf(text->text, sizeof text->text, "block %014llu", static_cast<unsigned long long>(made_));
            break;
        }
        case Pattern::kPorts:
        case Pattern::kExits: plain = {stamp(SLA_CODE_END), 0}; break;
    }
    if (pattern_ != Pattern::kTexts) std::memcpy(slot, &plain, sizeof plain);
    ring.marked++;
}

// One of eight instructions in a loop writes some byte to port 80h.
void RecordedRings::put_wide(Ring& ring, void* slot) {
    constexpr std::uint64_t kOutToPort = 0x40080;
    const bool is_port = pattern_ == Pattern::kPorts;
    const std::uint64_t code = is_port ? SLA_CODE_TICK_VALUE : SLA_CODE_BEGIN;
    const std::uint64_t place = 0xF000'0000'F080ULL + 7 * (ring.marked % 8);
    const sla_slot_wide wide{
        code << SLA_TICK_BITS | tick_, is_port ? random_() % 256 : 0, {is_port ? kOutToPort : 0, place}};
    std::memcpy(slot, &wide, sizeof wide);
    ring.marked++;
}

std::uint64_t RecordedRings::publish(std::uint64_t tick) {
    tick_ = std::max(tick_, tick);
    for (Ring& ring : rings_) ring.published = ring.header->head;
    for (std::uint64_t i = 0; i < events_; i++, made_++) {
        tick_ += distance();
        put(rings_[made_ / turn_ % rings_.size()]);
    }
    return tick_;
}

void RecordedRings::copy_out(std::vector<char>& to) const {
    to.resize(ring_bytes());
    char* at = to.data();
    for (const Ring& ring : rings_) {
        for (std::uint64_t position = ring.published; position < ring.header->head;) {
            const std::uint64_t place = position & (ring.header->capacity - 1);
            const std::uint64_t count = std::min(ring.header->head - position, ring.header->capacity - place);
            std::memcpy(at, ring.slots + place * ring.slot_bytes, count * ring.slot_bytes);
            at += count * ring.slot_bytes;
            position += count;
        }
    }
}

}  // namespace sla::bench
