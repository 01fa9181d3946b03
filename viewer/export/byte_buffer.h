// ByteBuffer: bytes on their way to an Output; integers and times are written in place, without formatting machinery. Hot:
// some 5 ns a field. One owner, one thread; grows as needed and keeps its memory.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace sla::exporting {

class ByteBuffer {
public:
    void put(char c) {
        room_for(1);
        memory_[size_++] = c;
    }
    void put(std::string_view text) {
        room_for(text.size());
        if (!text.empty()) std::memcpy(memory_.get() + size_, text.data(), text.size());
        size_ += text.size();
    }
    void put_unsigned(std::uint64_t number) {
        room_for(20);
        const unsigned digits = count_digits(number);
        char* at = memory_.get() + size_ + digits;
        for (; number >= 100; number /= 100) at = two_digits(at, static_cast<unsigned>(number % 100));
        if (number >= 10) {
            two_digits(at, static_cast<unsigned>(number));
        } else {
            at[-1] = static_cast<char>('0' + number);
        }
        size_ += digits;
    }
    void put_signed(std::int64_t number) {
        if (number < 0) put('-');
        put_unsigned(magnitude(number));
    }
    // The shortest text that reads back as the same number.
    void put_float(double number) {
        char text[32];
        const char* const end = fmt::format_to(text, "{}", number);
        put(std::string_view(text, static_cast<std::size_t>(end - text)));
    }
    // Nanoseconds with three decimals.
    void put_ns(std::int64_t ps) {
        if (ps < 0) put('-');
        const std::uint64_t size = magnitude(ps);
        put_unsigned(size / 1000);
        room_for(4);
        const auto rest = static_cast<unsigned>(size % 1000);
        char* at = memory_.get() + size_;
        at[0] = '.';
        at[1] = static_cast<char>('0' + rest / 100);
        two_digits(at + 4, rest % 100);
        size_ += 4;
    }

    // Room for so many bytes to be written in place; then say how many of them there are.
    char* reserve(std::size_t most) {
        room_for(most);
        return memory_.get() + size_;
    }
    void commit(std::ptrdiff_t written) { size_ += static_cast<std::size_t>(written); }
    // What stands at [from, from + length) once more.
    void repeat(std::size_t from, std::size_t length) {
        room_for(length);
        std::memcpy(memory_.get() + size_, memory_.get() + from, length);
        size_ += length;
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::string_view view() const { return {memory_.get(), size_}; }
    void clear() { size_ = 0; }

private:
    static std::uint64_t magnitude(std::int64_t number) {
        return number < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
    }
    // log10 from log2: 1233 / 4096 is just above log10(2).
    static unsigned count_digits(std::uint64_t number) {
        static constexpr std::array<std::uint64_t, 20> kPowers = [] {
            std::array<std::uint64_t, 20> powers{};
            std::uint64_t power = 1;
            for (std::uint64_t& one : powers) {
                one = power;
                power *= 10;
            }
            powers[0] = 0;  // 0 has a digit too
            return powers;
        }();
        const auto guess = static_cast<unsigned>(std::bit_width(number | 1)) * 1233 >> 12;
        return guess + (number >= kPowers[guess] ? 1 : 0);
    }
    // Writes them before `end`; returns where they begin.
    static char* two_digits(char* end, unsigned number) {
        end[-1] = static_cast<char>('0' + number % 10);
        end[-2] = static_cast<char>('0' + number / 10);
        return end - 2;
    }
    void room_for(std::size_t more) {
        if (capacity_ - size_ < more) grow(more);
    }
    void grow(std::size_t more) {
        const std::size_t wanted = std::max<std::size_t>({256, capacity_ * 2, size_ + more});
        auto larger = std::make_unique_for_overwrite<char[]>(wanted);
        if (size_ > 0) std::memcpy(larger.get(), memory_.get(), size_);
        memory_ = std::move(larger);
        capacity_ = wanted;
    }

    std::unique_ptr<char[]> memory_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace sla::exporting
