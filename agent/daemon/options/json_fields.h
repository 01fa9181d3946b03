// What becomes of the value of a key: a text, a number, or what a text is parsed to. What is wrong gets the key's path.
#pragma once

#include "agent/daemon/options/json_reader.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace sla::daemon {

using Fields = std::map<std::string, JsonReader::Take, std::less<>>;

// parse(text) goes to set(value); a number is taken as its text: "bytes": 4096.
template <typename Parse, typename Set>
JsonReader::Take parsed_field(Parse parse, Set set) {
    return [parse, set](const JsonReader& at) -> Result<void> {
        Result<std::string> text = at.text_or_number();
        if (!text) return text.error();
        auto value = parse(*text);
        if (!value) return at.wrong(value.error().message);
        set(*value);
        return {};
    };
}

// Names, of files too, are texts: a number there was meant for another key.
inline JsonReader::Take text_into(std::string& to) {
    return [&to](const JsonReader& at) -> Result<void> {
        Result<std::string> text = at.text();
        if (!text) return text.error();
        to = std::move(*text);
        return {};
    };
}

// A number as its text: what is a size or a time will be parsed later.
inline JsonReader::Take text_or_number_into(std::string& to) {
    return parsed_field([](std::string text) { return Result<std::string>(std::move(text)); },
                        [&to](const std::string& text) { to = text; });
}

inline JsonReader::Take texts_into(std::vector<std::string>& to) {
    return [&to](const JsonReader& list) {
        return list.each([&to](const JsonReader& at) { return text_into(to.emplace_back())(at); });
    };
}

template <typename Number>
JsonReader::Take number_into(Number& to, std::uint64_t most = std::numeric_limits<Number>::max()) {
    return [&to, most](const JsonReader& at) -> Result<void> {
        Result<std::uint64_t> number = at.number();
        if (!number) return number.error();
        if (*number > most) return at.wrong("a whole number up to " + std::to_string(most) + " is expected");
        to = static_cast<Number>(*number);
        return {};
    };
}

}  // namespace sla::daemon
