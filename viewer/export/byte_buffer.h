// ByteBuffer: bytes on their way to an Output; integers and times are written without formatting machinery. Hot: some 10 ns
// a field.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace sla::exporting {

class ByteBuffer {
public:
    void put(char c) { bytes_.push_back(c); }
    void put(std::string_view text) { bytes_.append(text.data(), text.data() + text.size()); }
    void put_unsigned(std::uint64_t number) {
        const fmt::format_int digits(number);
        bytes_.append(digits.data(), digits.data() + digits.size());
    }
    void put_signed(std::int64_t number) {
        const fmt::format_int digits(number);
        bytes_.append(digits.data(), digits.data() + digits.size());
    }
    // The shortest text that reads back as the same number.
    void put_float(double number) { fmt::format_to(fmt::appender(bytes_), "{}", number); }
    // Nanoseconds with three decimals.
    void put_ns(std::int64_t ps) {
        if (ps < 0) put('-');
        const std::uint64_t size =
            ps < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(ps) : static_cast<std::uint64_t>(ps);
        put_unsigned(size / 1000);
        const auto rest = static_cast<unsigned>(size % 1000);
        const char decimals[4] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                                  static_cast<char>('0' + rest % 10)};
        bytes_.append(decimals, decimals + 4);
    }
    void pad_to(std::size_t size) {
        while (bytes_.size() < size) put(' ');
    }

    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    [[nodiscard]] std::string_view view() const { return {bytes_.data(), bytes_.size()}; }
    void clear() { bytes_.clear(); }

private:
    fmt::memory_buffer bytes_;
};

}  // namespace sla::exporting
