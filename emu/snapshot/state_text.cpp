#include "emu/snapshot/state_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace sla::snapshot {

bool StateText::begin(std::string_view section, bool) {
    seen_.emplace_back(section);
    is_wanted_ = wanted_.empty() || std::find(wanted_.begin(), wanted_.end(), section) != wanted_.end();
    if (is_wanted_) fmt::format_to(std::back_inserter(text_), "[{}]\n", section);
    return true;
}

void StateText::number(std::string_view name, std::uint64_t& value, unsigned bits) {
    constexpr unsigned kBitsOfDigit = 4;
    if (!is_wanted_) return;
    const unsigned digits = (bits + kBitsOfDigit - 1) / kBitsOfDigit;
    fmt::format_to(std::back_inserter(text_), "{} {:0{}x}\n", name, value, digits);
}

void StateText::signed_number(std::string_view name, std::uint64_t& value) {
    if (is_wanted_) fmt::format_to(std::back_inserter(text_), "{} {}\n", name, static_cast<std::int64_t>(value));
}

void StateText::bytes(std::string_view name, std::span<std::uint8_t> values) {
    if (!is_wanted_) return;
    auto out = std::back_inserter(text_);
    const auto shown = values.first(std::min(values.size(), kMaxBytes));
    fmt::format_to(out, "{} {:02x}", name, fmt::join(shown, " "));
    if (shown.size() < values.size()) fmt::format_to(out, " and {} more", values.size() - shown.size());
    text_ += '\n';
}

}  // namespace sla::snapshot
