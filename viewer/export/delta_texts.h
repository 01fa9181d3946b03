// DeltaTexts: times between rows as text, "1234.567" in ns. In a stream that does something over and over the same distances
// come back, so the text of each is kept where the next of its low bits will be looked for: some 10 instructions instead of
// 70 to scale and divide. 64 KB.
#pragma once

#include "proto/time/clock_map.h"
#include "viewer/export/digits.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace sla::exporting {

class DeltaTexts {
public:
    explicit DeltaTexts(const time::ClockMap& clock) : clock_(clock), texts_(kTexts) {}

    static constexpr std::size_t kRoom = 24;

    // Into room for kRoom; gives the end.
    char* put(char* at, std::uint64_t ticks) {
        const Text& known = texts_[ticks % kTexts];
        if (known.ticks != ticks) return make(at, ticks);
        std::memcpy(at, known.digits, sizeof known.digits);
        return at + known.length;
    }

private:
    static constexpr std::size_t kTexts = 2048;
    struct Text {
        std::uint64_t ticks = ~std::uint64_t{0};  // no time that two ticks are apart
        char digits[23] = {};
        std::uint8_t length = 0;
    };
    static_assert(sizeof(Text) == 32);

    // Of a walk times do not go back.
    [[gnu::noinline]] char* make(char* at, std::uint64_t ticks) {
        const auto ps = static_cast<std::uint64_t>(clock_.ticks_to_ps(static_cast<std::int64_t>(ticks)));
        char* const end = put_nanoseconds(at, ps);
        Text& text = texts_[ticks % kTexts];
        text.ticks = ticks;
        text.length = static_cast<std::uint8_t>(end - at);
        std::memcpy(text.digits, at, sizeof text.digits);
        return end;
    }

    time::ClockMap clock_;
    std::vector<Text> texts_;
};

}  // namespace sla::exporting
