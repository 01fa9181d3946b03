#include "viewer/formats/chrome/chrome_event.h"

#include "viewer/formats/number_text.h"

#include <algorithm>
#include <cmath>

namespace sla::formats {

const Json* member(const Json& object, const char* name) {
    if (!object.is_object()) return nullptr;
    const auto at = object.find(name);
    return at == object.end() ? nullptr : &*at;
}

std::string text_of(const Json& object, const char* name) {
    const Json* text = member(object, name);
    return text != nullptr && text->is_string() ? text->get<std::string>() : "";
}

std::uint64_t unsigned_of(const Json& object, const char* name) {
    const Json* number = member(object, name);
    return number != nullptr && number->is_number_unsigned() ? number->get<std::uint64_t>() : 0;
}

std::optional<__int128> picoseconds_of(const Json& us) {
    constexpr int kTenthsOfPs = 7;
    constexpr double kFarthest = 1e30;
    if (us.is_number_unsigned()) return static_cast<__int128>(us.get<std::uint64_t>()) * 1'000'000;
    if (us.is_number_integer()) return static_cast<__int128>(us.get<std::int64_t>()) * 1'000'000;
    if (!us.is_string()) return std::nullopt;
    const auto& text = us.get_ref<const std::string&>();
    if (const auto tenths = read_scaled_wide(text, kTenthsOfPs)) return (*tenths + (*tenths < 0 ? -5 : 5)) / 10;
    const auto number = read_number<double>(text);
    if (!number || std::isnan(*number)) return std::nullopt;
    return static_cast<__int128>(std::clamp(std::round(*number * 1e6), -kFarthest, kFarthest));
}

std::uint8_t valued(const Json* args, std::uint8_t without, std::uint8_t with, std::uint64_t& value) {
    const Json* number = args == nullptr ? nullptr : member(*args, "value");
    if (number == nullptr || !number->is_number_integer()) return without;
    value = static_cast<std::uint64_t>(number->get<std::int64_t>());
    return with;
}

wire::RowExtra extra_of(const Json& event) {
    wire::RowExtra extra;
    const Json* own = member(event, "sla");
    const Json* args = member(event, "args");
    if (own != nullptr) {
        extra.detail[0] = unsigned_of(*own, "detail0");
        extra.detail[1] = unsigned_of(*own, "detail1");
    }
    if (extra.has_details()) return extra;
    if (args != nullptr) extra.text = text_of(*args, "text");
    if (own != nullptr && extra.text.empty()) extra.text = text_of(*own, "text");
    return extra;
}

bool read_counter(const std::string& series, const Json& number, bool ours, SinkEvent& out) {
    if (ours && series == "float" && number.is_string()) {
        const auto word = number.get<std::string>();
        const double real = word == "inf" ? HUGE_VAL : word == "-inf" ? -HUGE_VAL : std::nan("");
        out.code = SLA_CODE_VALUE_FLOAT;
        out.value = wire::as_bits(real);
    } else if (number.is_number_float() || (ours && series == "float" && number.is_number())) {
        out.code = SLA_CODE_VALUE_FLOAT;
        out.value = wire::as_bits(number.get<double>());
    } else if (number.is_number_integer()) {
        out.code = ours && series == "level"      ? SLA_CODE_LEVEL
                   : ours && series == "unsigned" ? SLA_CODE_VALUE_UNSIGNED
                                                  : SLA_CODE_VALUE_SIGNED;
        out.value = number.is_number_unsigned() ? number.get<std::uint64_t>()
                                                : static_cast<std::uint64_t>(number.get<std::int64_t>());
    } else {
        return false;
    }
    return true;
}

}  // namespace sla::formats
