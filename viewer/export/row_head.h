// RowHead: what each row of a table begins with, "index,tick,time_ns". From row to row only the lowest digits change: the
// rest is copied as it stands, 64 bytes at a time, and the digits are put over it. Some 60 instructions a row.
#pragma once

#include "viewer/export/digits.h"

#include <cstdint>

namespace sla::exporting {

class RowHead {
public:
    explicit RowHead(char separator) : separator_(separator) {}

    static constexpr std::size_t kRoom = 80;

    // Put so far.
    [[nodiscard]] std::uint64_t rows() const { return index_; }
    // The next row's, into room for kRoom; gives its end.
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
        const std::uint64_t size =
            ps < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(ps) : static_cast<std::uint64_t>(ps);
        char* end = put_number(text_, index_);
        index_end_ = static_cast<std::size_t>(end - text_);
        *end++ = separator_;
        end = put_number(end, tick);
        tick_end_ = static_cast<std::size_t>(end - text_);
        *end++ = separator_;
        *end = '-';
        end = put_nanoseconds(ps < 0 ? end + 1 : end, size);
        length_ = static_cast<std::size_t>(end - text_);
        std::memcpy(at, text_, sizeof text_);

        index_base_ = index_ - index_ % kThousand;
        tick_base_ = tick - tick % kTenTo9;
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
    char text_[kRoom] = {};
};

}  // namespace sla::exporting
