#include "agent/drain/slot_decoder.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace sla::drain {
namespace {

// For each code: all bits when a value belongs to it, else none.
constexpr std::array<std::uint64_t, 16> make_value_masks() {
    std::array<std::uint64_t, 16> masks{};
    for (std::uint8_t code = 0; code < 16; code++) masks[code] = wire::has_value(code) ? ~std::uint64_t{0} : 0;
    return masks;
}
constexpr std::array<std::uint64_t, 16> kValueMasks = make_value_masks();

// The marking core has just written these lines: fetching them from it takes long, so it begins early.
constexpr std::size_t kWordsAhead = 128;

// Two words at a time: no compiler finds this by itself in what must be loaded once.
using Two = std::uint64_t __attribute__((vector_size(16)));
using Slot =
    std::uint64_t __attribute__((vector_size(16), aligned(8), may_alias));  // wherever the program says that it lies
constexpr std::size_t kSlotsOfLine = 4;
constexpr std::size_t kTextWords = sizeof(sla_slot_text) / sizeof(std::uint64_t);
constexpr std::size_t kTextsAhead = 8;
constexpr std::size_t kWideWords = sizeof(sla_slot_wide) / sizeof(std::uint64_t);

Two load_slot(const std::uint64_t* words) {
    return *reinterpret_cast<const volatile Slot*>(words);
}

// Codes that stand for themselves in a plain slot; the others (gap, text, nonsense) take the slow way.
constexpr bool is_plain_code(std::uint64_t code) {
    return code >= SLA_CODE_TICK && code <= SLA_CODE_VALUE_FLOAT;
}

// All of one code, which is how most channels are used. Gives the last tick, or 0 when something is not as it should be.
std::uint64_t decode_uniform(const ring::ContiguousSlots& extent, std::uint64_t not_before, const Run::Columns& to) {
    const std::uint64_t code_bits = ring::RingReader::load(extent.words) & ~SLA_TICK_MASK;
    const std::uint64_t code = code_bits >> SLA_TICK_BITS;
    if (!is_plain_code(code)) return 0;
    Two before = {0, not_before};
    Two wrong_of_two = {0, 0};  // their top four bits: a code that differs, or a tick that goes backwards
    std::size_t i = 0;
    for (; i + kSlotsOfLine <= extent.count; i += kSlotsOfLine) {
        __builtin_prefetch(extent.words + 2 * i + kWordsAhead);
        for (std::size_t j = i; j < i + kSlotsOfLine; j += 2) {
            const Two first = load_slot(extent.words + 2 * j);
            const Two second = load_slot(extent.words + 2 * j + 2);
            const Two ticks = __builtin_shufflevector(first, second, 0, 2) ^ code_bits;
            const Two values = __builtin_shufflevector(first, second, 1, 3);
            wrong_of_two |= ticks | (ticks - __builtin_shufflevector(before, ticks, 1, 2));
            std::memcpy(to.ticks + j, &ticks, sizeof ticks);
            std::memcpy(to.values + j, &values, sizeof values);
            before = ticks;
        }
    }
    std::uint64_t previous = before[1];
    std::uint64_t wrong = wrong_of_two[0] | wrong_of_two[1];
    for (; i < extent.count; i++) {
        const std::uint64_t tick = ring::RingReader::load(extent.words + 2 * i) ^ code_bits;
        to.values[i] = ring::RingReader::load(extent.words + 2 * i + 1);
        to.ticks[i] = tick;
        wrong |= tick | (tick - previous);
        previous = tick;
    }
    if ((wrong & ~SLA_TICK_MASK) != 0) return 0;
    std::memset(to.codes, static_cast<int>(code), extent.count);
    if (kValueMasks[code] == 0) std::memset(to.values, 0, extent.count * sizeof *to.values);
    return previous;
}

std::uint64_t decode_mixed(const ring::ContiguousSlots& extent, std::uint64_t not_before, const Run::Columns& to) {
    std::uint64_t previous = not_before;
    bool usual = true;
    for (std::size_t i = 0; i < extent.count; i++) {
        std::uint64_t stamp = ring::RingReader::load(extent.words + 2 * i);
        std::uint64_t tick = stamp & SLA_TICK_MASK;
        std::uint64_t code = stamp >> SLA_TICK_BITS;
        usual &= is_plain_code(code) & (tick >= previous);
        previous = tick;
        to.ticks[i] = tick;
        to.codes[i] = static_cast<std::uint8_t>(code);
        to.values[i] = ring::RingReader::load(extent.words + 2 * i + 1) & kValueMasks[code];
    }
    return usual ? previous : 0;
}

}  // namespace

std::uint64_t value_mask(std::uint8_t code) {
    return kValueMasks[code];
}

// Two codes at the beginning, as begin and end of a span, show that all of one is not worth a try.
std::uint64_t decode_contiguous(const ring::ContiguousSlots& extent, std::uint64_t not_before, const Run::Columns& to) {
    const std::uint64_t first = ring::RingReader::load(extent.words);
    const std::uint64_t second = ring::RingReader::load(extent.words + (extent.count > 1 ? 2 : 0));
    if ((first ^ second) >> SLA_TICK_BITS != 0) return decode_mixed(extent, not_before, to);
    std::uint64_t newest = decode_uniform(extent, not_before, to);
    return newest != 0 ? newest : decode_mixed(extent, not_before, to);
}

// Two slots are a cache line.
std::uint64_t decode_wide(const ring::ContiguousSlots& extent, std::uint64_t not_before, const Run::Columns& to,
                          std::array<bool, 2>& used) {
    std::uint64_t previous = not_before;
    std::uint64_t any[2] = {0, 0};
    bool usual = true;
    for (std::size_t i = 0; i < extent.count; i++) {
        const std::uint64_t* const slot = extent.words + kWideWords * i;
        __builtin_prefetch(slot + kWordsAhead);
        const std::uint64_t stamp = ring::RingReader::load(slot);
        const std::uint64_t tick = stamp & SLA_TICK_MASK;
        const std::uint64_t code = stamp >> SLA_TICK_BITS;
        usual &= is_plain_code(code) & (tick >= previous);
        previous = tick;
        to.ticks[i] = tick;
        to.codes[i] = static_cast<std::uint8_t>(code);
        to.values[i] = ring::RingReader::load(slot + 1) & kValueMasks[code];
        any[0] |= to.details[0][i] = ring::RingReader::load(slot + 2);
        any[1] |= to.details[1][i] = ring::RingReader::load(slot + 3);
    }
    used = {any[0] != 0, any[1] != 0};
    return usual ? previous : 0;
}

std::uint64_t decode_texts(const ring::ContiguousSlots& extent, std::uint64_t not_before, const Run::Columns& to, Run& run) {
    std::uint64_t previous = not_before;
    std::array<std::uint64_t, SLA_TEXT_BYTES / sizeof(std::uint64_t)> text;
    for (std::size_t i = 0; i < extent.count; i++) {
        const std::uint64_t* const slot = extent.words + kTextWords * i;
        __builtin_prefetch(slot + kTextWords * kTextsAhead);
        const std::uint64_t stamp = ring::RingReader::load(slot);
        const std::uint64_t tick = stamp & SLA_TICK_MASK;
        if (stamp >> SLA_TICK_BITS != SLA_CODE_TEXT || tick < previous) return 0;
        previous = tick;
        to.ticks[i] = tick;
        to.codes[i] = SLA_CODE_TEXT;
        to.values[i] = 0;
        const std::size_t bytes = std::min<std::uint64_t>(ring::RingReader::load(slot + 1), SLA_TEXT_BYTES);
        for (std::size_t word = 0; word * sizeof text[0] < bytes; word++)
            text[word] = ring::RingReader::load(slot + 2 + word);
        run.attach_text(extent.count - i, {reinterpret_cast<const char*>(text.data()), bytes});
    }
    return previous;
}

std::string_view text_of(const std::uint64_t* slot) {
    const std::size_t bytes = std::min<std::uint64_t>(slot[1], SLA_TEXT_BYTES);
    return {reinterpret_cast<const char*>(slot + 2), bytes};
}

}  // namespace sla::drain
