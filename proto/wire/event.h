// Events as every room behind the rings sees them: plain columns, one run of one channel.
#pragma once

#include "proto/base/strong_id.h"
#include "proto/wire/texts.h"

#include <sla/ring_abi.h>

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::wire {

// The kinds of the product's words; a code (ring_abi.h) is a kind plus how its value is stored.
enum class Kind : std::uint8_t { kTick, kBegin, kEnd, kLevel, kValue, kText, kGap };

enum class ValueType : std::uint8_t { kNone, kSigned, kUnsigned, kFloat };

enum class LossCause : std::uint8_t {
    kNone,
    kOverrun,
    kLate,
    kTorn,
    kLagged,
    kNoRing,
    kDamaged,
    kLeftOut,
    kNoAgent,
    kNotKept
};
constexpr LossCause kLastLossCause = LossCause::kNotKept;

constexpr bool is_known_code(std::uint8_t code) {
    return (code >= SLA_CODE_TICK && code <= SLA_CODE_TEXT) || code == SLA_CODE_GAP;
}

constexpr Kind kind_of(std::uint8_t code) {
    switch (code) {
        case SLA_CODE_BEGIN:
        case SLA_CODE_BEGIN_VALUE: return Kind::kBegin;
        case SLA_CODE_END:
        case SLA_CODE_END_VALUE: return Kind::kEnd;
        case SLA_CODE_LEVEL: return Kind::kLevel;
        case SLA_CODE_VALUE_SIGNED:
        case SLA_CODE_VALUE_UNSIGNED:
        case SLA_CODE_VALUE_FLOAT: return Kind::kValue;
        case SLA_CODE_TEXT: return Kind::kText;
        case SLA_CODE_GAP: return Kind::kGap;
        default: return Kind::kTick;
    }
}

constexpr ValueType value_type_of(std::uint8_t code) {
    switch (code) {
        case SLA_CODE_TICK_VALUE:
        case SLA_CODE_BEGIN_VALUE:
        case SLA_CODE_END_VALUE:
        case SLA_CODE_VALUE_SIGNED: return ValueType::kSigned;
        case SLA_CODE_LEVEL:
        case SLA_CODE_VALUE_UNSIGNED:
        case SLA_CODE_GAP: return ValueType::kUnsigned;
        case SLA_CODE_VALUE_FLOAT: return ValueType::kFloat;
        default: return ValueType::kNone;
    }
}

constexpr bool has_value(std::uint8_t code) {
    return value_type_of(code) != ValueType::kNone;
}

// "tick", "begin", "end", "level", "value", "text", "gap".
const char* kind_name(Kind kind);
// "overrun", "late", "torn", "lagged", "no ring", "damaged", "left out", "no agent", "not kept".
const char* loss_cause_name(LossCause cause);
LossCause loss_cause_named(std::string_view name);  // kNone: there is no such

// Two words beside the value, which a formatter makes readable; 0: none.
using Details = std::array<std::uint64_t, 2>;

// What a gap row carries beside tick, thread and the number of its losses.
struct Extra {
    std::uint32_t position = 0;  // of its event within the batch; extras are ordered by it
    LossCause cause = LossCause::kNone;
    std::uint64_t until_tick = 0;  // the losses lie in [tick, until_tick]; 0: not known
};

// All that a single event may carry beside tick, code, thread and value, on its way into a batch.
struct RowExtra {
    [[nodiscard]] bool has_details() const { return (detail[0] | detail[1]) != 0; }
    [[nodiscard]] bool is_plain() const { return text.empty() && !has_details(); }

    std::string text;
    Details detail{};
    LossCause cause = LossCause::kNone;  // gaps only, as in Extra
    std::uint64_t until_tick = 0;
};

// A run of events of one channel in tick order (equal ticks keep their order of arrival).
// Invariant: ticks, codes, values and threads have one length; values[i] is 0 where codes[i] has none. A column of details may be
// shorter: the events behind its end have none of that word; details_of and set_details know.
struct EventBatch {
    ChannelId channel;
    std::uint64_t first_index = 0;  // ordinal of the first event within its channel
    std::vector<std::uint64_t> ticks;
    std::vector<std::uint8_t> codes;
    std::vector<std::uint64_t> values;
    std::vector<std::uint32_t> threads;
    std::array<std::vector<std::uint64_t>, 2> details;
    Texts texts;
    std::vector<Extra> extras;  // of gaps

    static constexpr std::size_t kRowBytes =
        2 * sizeof(std::uint64_t) + sizeof(std::uint32_t) + sizeof(std::uint8_t);  // without details, texts and extras

    [[nodiscard]] std::size_t size() const { return ticks.size(); }
    [[nodiscard]] bool empty() const { return ticks.empty(); }

    void add(std::uint64_t tick, std::uint8_t code, std::uint64_t value, std::uint32_t thread) {
        ticks.push_back(tick);
        codes.push_back(code);
        values.push_back(value);
        threads.push_back(thread);
    }
    void set_details(std::size_t position, const Details& words) {
        for (std::size_t word = 0; word < words.size(); word++) {
            if (words[word] == 0) continue;
            if (details[word].size() <= position) details[word].resize(position + 1);
            details[word][position] = words[word];
        }
    }
    [[nodiscard]] Details details_of(std::size_t position) const {
        Details words{};
        for (std::size_t word = 0; word < words.size(); word++) {
            if (position < details[word].size()) words[word] = details[word][position];
        }
        return words;
    }
    // What the event carries that was added last.
    void attach(const RowExtra& extra) {
        set_details(size() - 1, extra.detail);
        texts.add(size() - 1, extra.text);
        if (extra.cause == LossCause::kNone && extra.until_tick == 0) return;
        extras.push_back({static_cast<std::uint32_t>(size() - 1), extra.cause, extra.until_tick});
    }
    void clear() {
        ticks.clear();
        codes.clear();
        values.clear();
        threads.clear();
        for (auto& column : details) column.clear();
        texts.clear();
        extras.clear();
    }
};

inline double as_double(std::uint64_t bits) {
    return std::bit_cast<double>(bits);
}
inline std::uint64_t as_bits(double number) {
    return std::bit_cast<std::uint64_t>(number);
}

}  // namespace sla::wire
