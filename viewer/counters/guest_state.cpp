#include "viewer/counters/guest_state.h"

#include "proto/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sla::counters {

Result<std::vector<StateSection>> parse_guest_state(std::string_view text) {
    std::vector<StateSection> out;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (line.size() > 2 && line.front() == '[' && line.back() == ']') {
            out.push_back({std::string(line.substr(1, line.size() - 2)), {}});
            continue;
        }
        const std::size_t space = line.find(' ');
        if (out.empty() || space == 0 || space == std::string_view::npos) {
            return damaged(
                "what listens there gives no state of an emulated PC: is another version of sla-emu installed "
                "beside this one?");
        }
        out.back().fields.push_back({std::string(line.substr(0, space)), std::string(line.substr(space + 1))});
    }
    return out;
}

std::vector<CodeLine> parse_guest_code(std::string_view text) {
    std::vector<CodeLine> out;
    while (!text.empty()) {
        std::string_view line = take_line(text);
        const std::size_t gap = line.find("  ");
        if (gap == std::string_view::npos) continue;
        const std::string_view place = line.substr(0, gap);
        line = trimmed(line.substr(gap), " ");
        if (line.empty()) continue;
        const std::size_t space = place.find(' ');
        const std::string_view address = place.substr(0, space);
        if (address.find(':') == std::string_view::npos) continue;
        CodeLine one{std::string(address), {}, std::string(line)};
        if (space != std::string_view::npos && place.size() > space + 3)
            one.name = place.substr(space + 2, place.size() - space - 3);
        if (const std::size_t behind_bytes = line.find(' '); behind_bytes != std::string_view::npos)
            one.instruction = trimmed(line.substr(behind_bytes), " ");
        out.push_back(std::move(one));
    }
    return out;
}

const std::string* find_value(const std::vector<StateSection>& sections, std::string_view section, std::string_view field) {
    for (const StateSection& one : sections) {
        if (one.name != section) continue;
        const auto found =
            std::find_if(one.fields.begin(), one.fields.end(), [&](const StateField& f) { return f.name == field; });
        if (found != one.fields.end()) return &found->value;
    }
    return nullptr;
}

std::string readable_value(const StateField& field) {
    if (field.name != "cpl" || field.value.empty()) return field.value;
    return field.value.substr(std::min(field.value.find_first_not_of('0'), field.value.size() - 1));
}

std::string flags_in_words(std::uint32_t eflags) {
    using Named = std::pair<unsigned, const char*>;
    constexpr std::array kNames{Named{17, "VM"}, Named{16, "RF"}, Named{14, "NT"}, Named{11, "OF"}, Named{10, "DF"},
                                Named{9, "IF"},  Named{8, "TF"},  Named{7, "SF"},  Named{6, "ZF"},  Named{4, "AF"},
                                Named{2, "PF"},  Named{0, "CF"},  Named{18, "AC"}, Named{21, "ID"}};
    constexpr unsigned kIopl = 12;
    std::string text;
    for (const auto& [bit, name] : kNames) {
        if ((eflags >> bit & 1) != 0) text.append(text.empty() ? "" : " ").append(name);
    }
    if (const unsigned iopl = eflags >> kIopl & 3; iopl != 0) text.append(" IOPL ").append(std::to_string(iopl));
    return text;
}

std::string attributes_in_words(std::uint32_t attributes) {
    constexpr unsigned kType = 8;  // four bits, of which the next three are of code and data
    constexpr unsigned kReadOrWrite = 9;
    constexpr unsigned kConformOrDown = 10;
    constexpr unsigned kCode = 11;
    constexpr unsigned kNotSystem = 12;
    constexpr unsigned kDpl = 13;
    constexpr unsigned kPresent = 15;
    constexpr unsigned kBig = 22;
    const auto has = [attributes](unsigned bit) { return (attributes >> bit & 1) != 0; };
    if (!has(kPresent)) return "not present";
    const std::string ring = ", ring " + std::to_string(attributes >> kDpl & 3);
    if (!has(kNotSystem)) return "system, type " + std::to_string(attributes >> kType & 0xF) + ring;
    std::string text = has(kCode) ? (has(kReadOrWrite) ? "code, readable" : "code, execute-only")
                                  : (has(kReadOrWrite) ? "data, writable" : "data, read-only");
    if (has(kConformOrDown)) text += has(kCode) ? ", conforming" : ", expand-down";
    return text + ring + (has(kBig) ? ", 32-bit" : ", 16-bit");
}

}  // namespace sla::counters
