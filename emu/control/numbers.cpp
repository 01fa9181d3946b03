#include "emu/control/numbers.h"

#include "proto/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace sla::control {

namespace {

bool is_hexadecimal(std::string_view text) {
    return text.starts_with("0x") || text.starts_with("0X") || text.ends_with('h') || text.ends_with('H');
}

// The number in the base that was typed.
std::string like(std::string_view text, std::uint64_t number) {
    return is_hexadecimal(text) ? fmt::format("{:x}h", number) : fmt::format("{}", number);
}

}  // namespace

Result<std::uint64_t> parse_number(const std::string& text, std::uint64_t most) {
    std::string_view rest = text;
    std::optional<std::uint64_t> value;
    if (rest.starts_with("0x") || rest.starts_with("0X")) {
        value = whole_number<std::uint64_t>(rest.substr(2), 16);
    } else if (rest.ends_with('h') || rest.ends_with('H')) {
        value = whole_number<std::uint64_t>(rest.substr(0, rest.size() - 1), 16);
    } else {
        value = whole_number<std::uint64_t>(rest, 10);
    }
    if (!value) return invalid_input("\"" + text + "\" is no number; write 11h, 0x11 or 17");
    if (*value > most) return invalid_input(fmt::format("{} is too large here: {} is the most", text, like(text, most)));
    return *value;
}

Result<TypedAddress> parse_address(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        const auto linear = parse_number(text, 0xFFFFFFFF);
        if (!linear) return linear.error();
        return TypedAddress{std::nullopt, static_cast<std::uint32_t>(*linear)};
    }
    const auto selector = whole_number<std::uint64_t>(std::string_view(text).substr(0, colon), 16);
    const auto offset = whole_number<std::uint64_t>(std::string_view(text).substr(colon + 1), 16);
    if (!selector || !offset || *selector > 0xFFFF || *offset > 0xFFFFFFFF) {
        return invalid_input("\"" + text + "\" is no address; write f000:e05b, or a number for a linear one");
    }
    return TypedAddress{static_cast<std::uint16_t>(*selector), static_cast<std::uint32_t>(*offset)};
}

Result<ExamineFormat> parse_examine(const std::string& text) {
    constexpr std::uint32_t kMax = 4096;
    const auto wrong = [&] {
        return invalid_input("\"" + text +
                             "\": write x/16xb ADDRESS: a count up to 4096, then x d u o t c s or i, then b, h or w");
    };
    ExamineFormat out;
    if (!text.starts_with('/')) return wrong();
    const std::size_t letters = std::min(text.find_first_not_of("0123456789", 1), text.size());
    if (letters > 1) {
        const auto count = whole_number<std::uint64_t>(std::string_view(text).substr(1, letters - 1), 10);
        if (!count || *count == 0 || *count > kMax) return wrong();
        out.count = static_cast<std::uint32_t>(*count);
    }
    bool has_format = false;
    unsigned bytes = 0;
    for (const char letter : std::string_view(text).substr(letters)) {
        const bool is_size = letter == 'b' || letter == 'h' || letter == 'w';
        if (is_size ? bytes != 0 : has_format) return wrong();
        if (is_size) {
            bytes = letter == 'b' ? 1 : letter == 'h' ? 2 : 4;
        } else if (std::string_view("xduotcsi").find(letter) != std::string_view::npos) {
            out.format = letter;
            has_format = true;
        } else {
            return wrong();
        }
    }
    if (bytes != 0) out.bytes = bytes;
    if (bytes == 0 && (out.format == 'c' || out.format == 's')) out.bytes = 1;
    if (out.bytes != 1 && (out.format == 'c' || out.format == 's')) return wrong();
    return out;
}

Result<std::uint64_t> assigned(const std::string& sign, std::uint64_t before, std::uint64_t value) {
    if (sign == "=") return value;
    if (sign == "|=") return before | value;
    if (sign == "&=") return before & value;
    return invalid_input("\"" + sign + "\" assigns nothing; write =, |= or &=");
}

Result<std::uint32_t> written_flags(std::uint32_t wanted, std::uint32_t before) {
    constexpr std::uint32_t kWritable = 0x003D7FD5;  // ID VIP VIF AC RF NT IOPL OF DF IF TF SF ZF AF PF CF
    constexpr std::uint32_t kOne = 2;
    const std::uint32_t refused = (wanted ^ before) & ~kWritable & ~kOne;
    if (refused == 0) return wanted | kOne;
    return invalid_input(
        fmt::format("eflags: bits {:x}h do not change: VM only the guest itself changes; others are reserved", refused));
}

Result<bus::Width> parse_width(const std::string& text) {
    if (text == "b") return bus::Width::kByte;
    if (text == "w") return bus::Width::kWord;
    if (text == "d") return bus::Width::kDword;
    return invalid_input("\"" + text + "\" is no width; write b, w or d");
}

}  // namespace sla::control
