// What a condition gets to see: one row of a channel, and what losses leave unknown about that channel.
#pragma once

#include "proto/wire/event.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace sla::trigger {

inline constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

// In this order `and` is the least and `or` the greatest of its parts.
enum class Truth : std::uint8_t { kNo, kUnknown, kYes };

constexpr Truth truth(bool yes) {
    return yes ? Truth::kYes : Truth::kNo;
}
constexpr Truth inverse(Truth t) {
    return t == Truth::kUnknown ? t : truth(t == Truth::kNo);
}

// Ticks from `from` to `to`; 0 when they come the wrong way round, as late rows may.
constexpr std::uint64_t distance(std::uint64_t from, std::uint64_t to) {
    return to > from ? to - from : 0;
}
// Nothing that sums up beyond the end of ticks ever comes.
constexpr std::uint64_t later(std::uint64_t tick, std::uint64_t by) {
    return tick > kNever - by ? kNever : tick + by;
}

// Where events of one channel may be missing, and what its last rows said.
//
//   rows     e  e  G        e   e      G without an end of its own reaches to the next row of its thread, which was lost
//   unknown        ├────────┤          before it; but not beyond kTimeout ticks, should that thread never speak again
struct ChannelState {
    struct OpenLoss {
        std::uint32_t thread;
        std::uint64_t limit;
    };
    static constexpr std::size_t kMaxOpenLosses = 64;

    std::vector<OpenLoss> open;
    std::uint64_t losses = 0;        // loss rows so far
    std::uint64_t closed_until = 0;  // the furthest end of those that are over

    bool level_known = false;  // false behind a loss, and where one that lasted may have changed what the last row said
    bool high = false;
    bool has_number = false;
    bool number_unsure = false;  // numbers may have come after the last one we saw
    std::uint8_t number_code = 0;
    std::uint64_t number_bits = 0;

    // May events with a later tick than this, and already due, be missing?
    [[nodiscard]] bool unsure_after(std::uint64_t tick) const {
        return closed_until > tick ||
               std::any_of(open.begin(), open.end(), [tick](const OpenLoss& loss) { return loss.limit > tick; });
    }
    // Whether a level row rises, by what was known before it. Nobody can tell where losses hide that; the first one of all does.
    [[nodiscard]] Truth rises(std::uint64_t level) const {
        if (level == 0) return Truth::kNo;
        if (level_known) return truth(!high);
        return losses > 0 ? Truth::kUnknown : Truth::kYes;
    }
    // Up to where events may be missing, as far as that is known.
    [[nodiscard]] std::uint64_t reach() const {
        std::uint64_t reach = closed_until;
        for (const OpenLoss& loss : open) reach = std::max(reach, loss.limit);
        return reach;
    }
};

struct Row {
    std::uint64_t tick = 0;
    std::uint64_t value = 0;
    std::uint64_t until = 0;  // losses: their end, 0 when nobody said
    std::uint32_t thread = 0;
    std::uint8_t code = 0;
    bool in_a = false;  // the row's channel is the condition's first, its second
    bool in_b = false;
    std::uint32_t channel = 0;            // of the engine's own numbering
    const ChannelState* state = nullptr;  // losses: this row counted already; levels and numbers: as before this row

    [[nodiscard]] bool is_loss() const { return code == SLA_CODE_GAP; }
    [[nodiscard]] bool has_number() const { return wire::has_value(code) && !is_loss(); }
};

}  // namespace sla::trigger
