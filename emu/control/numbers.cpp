#include "emu/control/numbers.h"

#include <charconv>
#include <string_view>

namespace sla::control {

namespace {

std::optional<std::uint64_t> digits(std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

Result<std::uint64_t> parse_number(const std::string& text, std::uint64_t most) {
    std::string_view rest = text;
    std::optional<std::uint64_t> value;
    if (rest.starts_with("0x") || rest.starts_with("0X")) {
        value = digits(rest.substr(2), 16);
    } else if (rest.ends_with('h') || rest.ends_with('H')) {
        value = digits(rest.substr(0, rest.size() - 1), 16);
    } else {
        value = digits(rest, 10);
    }
    if (!value) return invalid_input("\"" + text + "\" is no number; write 11h, 0x11 or 17");
    if (*value > most) return invalid_input(text + " is too large here");
    return *value;
}

Result<TypedAddress> parse_address(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        const auto linear = parse_number(text, 0xFFFFFFFF);
        if (!linear) return linear.error();
        return TypedAddress{std::nullopt, static_cast<std::uint32_t>(*linear)};
    }
    const auto selector = digits(std::string_view(text).substr(0, colon), 16);
    const auto offset = digits(std::string_view(text).substr(colon + 1), 16);
    if (!selector || !offset || *selector > 0xFFFF || *offset > 0xFFFFFFFF) {
        return invalid_input("\"" + text + "\" is no address; write f000:e05b, or a number for a linear one");
    }
    return TypedAddress{static_cast<std::uint16_t>(*selector), static_cast<std::uint32_t>(*offset)};
}

Result<bus::Width> parse_width(const std::string& text) {
    if (text == "b") return bus::Width::kByte;
    if (text == "w") return bus::Width::kWord;
    if (text == "d") return bus::Width::kDword;
    return invalid_input("\"" + text + "\" is no width; write b, w or d");
}

}  // namespace sla::control
