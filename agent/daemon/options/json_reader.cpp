#include "agent/daemon/options/json_reader.h"

namespace sla::daemon {

Result<std::string> JsonReader::text() const {
    if (!value_.is_string()) return wrong("a text in quotes is expected");
    return value_.get<std::string>();
}

Result<bool> JsonReader::truth() const {
    if (!value_.is_boolean()) return wrong("true or false is expected");
    return value_.get<bool>();
}

Result<std::uint64_t> JsonReader::number() const {
    if (!value_.is_number_unsigned()) return wrong("a whole number from 0 on is expected");
    return value_.get<std::uint64_t>();
}

Result<std::string> JsonReader::text_or_number() const {
    if (value_.is_number_unsigned()) return std::to_string(value_.get<std::uint64_t>());
    return text();
}

Result<void> JsonReader::each(const Take& take) const {
    if (!value_.is_array()) return wrong("a list in brackets is expected");
    for (std::size_t i = 0; i < value_.size(); i++) {
        Result<void> taken = take(JsonReader(value_[i], path_ + "[" + std::to_string(i) + "]"));
        if (!taken) return taken;
    }
    return {};
}

Result<void> JsonReader::fields(const std::map<std::string, Take, std::less<>>& takers) const {
    const auto known = [&] {
        std::string names;
        for (const auto& [name, unused] : takers) names += (names.empty() ? "" : ", ") + name;
        return names;
    };
    if (!value_.is_object()) return wrong("an object in braces is expected, with keys of " + known());
    for (const auto& [key, value] : value_.items()) {
        auto taker = takers.find(key);
        if (taker == takers.end()) return wrong("there is no key '" + key + "' here; there are " + known());
        Result<void> taken = taker->second(JsonReader(value, path_ + (is_top() ? "" : ".") + key));
        if (!taken) return taken;
    }
    return {};
}

}  // namespace sla::daemon
