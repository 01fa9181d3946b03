// One page (sub-buffer) of the kernel's trace ring, as a read of trace_pipe_raw gives it.
//
//   │ u64 time │ u64 commit │ events ...                 │ [u64 events lost before this page] │
//                 bits 0-19: bytes of events     bit 31: events were lost   bit 30: their number stands behind the events
//
//   event: u32 head = type (5 bits) │ time since the one before (27 bits), then by type
//     1-28  data of 4*type bytes               29  padding: u32 length; time 0: nothing follows in this page
//     0     u32 length, data                   30  time extend: u32 upper bits of a time difference
//                                              31  absolute time: u32 upper bits, its top 5 bits from the page's time
//
// Source: the kernel's ring_buffer.c, and events/header_event of tracefs. Trusts nothing: a page that breaks its own rules
// ends there and says so. No allocation; about 2 ns an event (tests/bench/linux_bench).
#pragma once

#include <sla/ring_abi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace sla::linux {

struct TraceRecord {
    std::uint64_t tick = 0;
    std::span<const std::byte> data;  // from common_type on
};

class TracePage {
public:
    static constexpr std::size_t kHeaderBytes = 16;

    TracePage() = default;
    // `bytes`: what one read() gave; they must outlive this.
    explicit TracePage(std::span<const std::byte> bytes);

    // Where the next event begins, and the time of the one before.
    struct Place {
        std::size_t at = 0;
        std::uint64_t tick = 0;
    };
    [[nodiscard]] Place place() const { return place_; }
    void go(Place place) { place_ = place; }

    // The next event; false at the end of the page, or where it is damaged: then the record stays as it was.
    bool next(TraceRecord& record) { return next_usual(place_, record) || next_unusual(record); }

    // The same from a place the caller keeps (in registers, where a member could not be); false also for whatever is no
    // event of 4 to 112 bytes: go() there and ask next().
    bool next_usual(Place& place, TraceRecord& record) const {
        if (events_.size() - place.at < sizeof(std::uint32_t)) return false;
        const std::uint32_t head = word(place.at);
        const std::uint32_t type = head & kTypeMask;
        const std::size_t begin = place.at + sizeof(std::uint32_t);
        const std::size_t length = std::size_t{type} * sizeof(std::uint32_t);
        if (type - 1 >= kPadding - 1 || length > events_.size() - begin) return false;
        place.tick += head >> kTypeBits;
        place.at = begin + length;
        record.tick = place.tick & SLA_TICK_MASK;
        record.data = {events_.data() + begin, length};
        __builtin_prefetch(events_.data() + place.at + kPrefetchBytes);
        return true;
    }

    // Time of the page's first event.
    [[nodiscard]] std::uint64_t first_tick() const { return first_tick_; }
    [[nodiscard]] std::size_t length() const { return events_.size(); }
    [[nodiscard]] bool lost_any() const { return lost_any_; }
    // How many were lost just before this page; nothing when the kernel found no space for the number.
    [[nodiscard]] std::optional<std::uint64_t> lost() const { return lost_; }
    // The page broke its own rules: what stands behind that place is not known.
    [[nodiscard]] bool damaged() const { return damaged_; }

private:
    static constexpr std::uint32_t kPadding = 29;
    static constexpr std::uint32_t kAbsoluteTime = 31;
    static constexpr unsigned kTypeBits = 5;
    static constexpr std::size_t kPrefetchBytes = 256;  // some five events: what a second-level cache needs
    static constexpr std::uint32_t kTypeMask = (1u << kTypeBits) - 1;

    // Whatever is no event of 4 to 112 bytes, until there is one.
    bool next_unusual(TraceRecord& record);
    bool fail();
    bool take_time(std::uint32_t type, std::uint32_t delta);
    bool take_padding(std::uint32_t delta);
    std::uint32_t word(std::size_t at) const {
        std::uint32_t value = 0;
        std::memcpy(&value, events_.data() + at, sizeof value);
        return value;
    }

    std::span<const std::byte> events_;
    Place place_;
    std::uint64_t first_tick_ = 0;
    std::optional<std::uint64_t> lost_;
    bool lost_any_ = false;
    bool damaged_ = false;
};

}  // namespace sla::linux
