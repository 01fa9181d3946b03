// Texts that the rows of a table are made of, made fast.
#pragma once

#include "proto/time/clock_map.h"
#include "viewer/formats/digits.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace sla::formats {

// DeltaTexts: times between rows as text, "1234.567" in ns. In a stream that does something over and over the same distances
// come back, so the text of each is kept where the next of its low bits will be looked for: some 10 instructions instead of
// 70 to scale and divide. 64 KB.
class DeltaTexts {
public:
    explicit DeltaTexts(const time::ClockMap& clock) : clock_(clock), texts_(kTexts) {}

    static constexpr std::size_t kCapacity = 24;

    // Into space for kCapacity; gives the end.
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

// A short text that is copied very often: its bytes stand padded to whole words of 16, three at least, so that copying is a
// move or two without a call.
class PaddedText {
public:
    static constexpr std::size_t kWord = 16;
    static constexpr std::size_t kMin = 3 * kWord;

    PaddedText() : PaddedText(std::string_view()) {}
    explicit PaddedText(std::string_view text) : bytes_(text), length_(text.size()) {
        bytes_.resize(std::max(kMin, (length_ + kWord - 1) / kWord * kWord));
    }

    [[nodiscard]] std::size_t length() const { return length_; }
    // Space that put() may write to.
    [[nodiscard]] std::size_t capacity() const { return bytes_.size(); }
    // Gives the end of the text; what lies behind it, up to capacity(), is overwritten.
    char* put(char* at) const {
        const char* const from = bytes_.data();
        std::memcpy(at, from, kMin);
        for (std::size_t i = kMin; i < length_; i += kWord) std::memcpy(at + i, from + i, kWord);
        return at + length_;
    }

private:
    std::string bytes_;
    std::size_t length_ = 0;
};

// RowHead: what each row of a table begins with, "index,tick,time_ns". From row to row only the lowest digits change: the
// rest is copied as it stands, 64 bytes at a time, and the digits are put over it. Some 60 instructions a row.
class RowHead {
public:
    explicit RowHead(char separator) : separator_(separator) {}

    static constexpr std::size_t kCapacity = 80;

    // The next row is that one.
    void go_on_at(std::uint64_t index) {
        index_ = index;
        until_ = 0;
    }
    // The next row's, into space for kCapacity; gives its end.
    char* put(char* at, std::uint64_t tick, std::int64_t ps) {
        const std::uint64_t tick_low = tick - tick_base_;
        const std::uint64_t ps_low = static_cast<std::uint64_t>(ps) - ps_base_;
        if (index_ >= until_ || tick_low >= kTenTo9 || ps_low >= kTenTo9) return put_anew(at, tick, ps);
        std::memcpy(at, text_, kCopied);
        put_group(at + index_end_ - 3, static_cast<std::uint32_t>(index_++ - index_base_));
        char* const tick_at = at + tick_end_ - 9;
        put_upper_six(tick_at, static_cast<std::uint32_t>(tick_low));
        put_group(tick_at + 6, static_cast<std::uint32_t>(tick_low) % kThousand);
        char* const ps_at = at + length_ - 10;
        put_upper_six(ps_at, static_cast<std::uint32_t>(ps_low));
        put_decimals(ps_at + 6, static_cast<std::uint32_t>(ps_low) % kThousand);
        return at + length_;
    }

private:
    static constexpr std::uint32_t kThousand = 1000;
    static constexpr std::uint64_t kTenTo9 = 1'000'000'000;

    // Three digits and a separator.
    void put_group(char* at, std::uint32_t below_1000) const {
        const std::uint32_t text = kThreeDigits.padded[below_1000] >> 8 | static_cast<std::uint32_t>(separator_) << 24;
        std::memcpy(at, &text, sizeof text);
    }
    // Of nine digits.
    static void put_upper_six(char* at, std::uint32_t below_ten_to_9) {
        put_padded(put_padded(at, below_ten_to_9 / (kThousand * kThousand)), below_ten_to_9 / kThousand % kThousand);
    }

    // Any row; the next ones follow its upper digits, when all three numbers have some.
    [[gnu::noinline]] char* put_anew(char* at, std::uint64_t tick, std::int64_t ps) {
        char* end = put_number(text_, index_);
        index_end_ = static_cast<std::size_t>(end - text_);
        *end++ = separator_;
        end = put_number(end, tick);
        tick_end_ = static_cast<std::size_t>(end - text_);
        *end++ = separator_;
        end = put_signed_nanoseconds(end, ps);
        length_ = static_cast<std::size_t>(end - text_);
        std::memcpy(at, text_, sizeof text_);

        index_base_ = index_ - index_ % kThousand;
        tick_base_ = tick - tick % kTenTo9;
        const auto size = static_cast<std::uint64_t>(ps);  // of use where it is positive
        ps_base_ = size - size % kTenTo9;
        const bool may_follow = index_base_ > 0 && tick_base_ > 0 && ps > 0 && ps_base_ > 0 && length_ <= kCopied;
        ++index_;
        until_ = may_follow ? index_base_ + kThousand : 0;
        return at + length_;
    }

    static constexpr std::size_t kCopied = 64;

    char separator_;
    std::uint64_t index_ = 0;  // of the next row
    std::uint64_t until_ = 0;  // the first one that does not follow the text
    std::uint64_t index_base_ = 0;
    std::uint64_t tick_base_ = 0;
    std::uint64_t ps_base_ = 0;
    // Where the three end in the text. Its lower digits do not matter.
    std::size_t index_end_ = 0;
    std::size_t tick_end_ = 0;
    std::size_t length_ = 0;
    char text_[kCapacity] = {};
};

}  // namespace sla::formats
