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

const std::string* find_value(const std::vector<StateSection>& sections, std::string_view section, std::string_view field) {
    for (const StateSection& one : sections) {
        if (one.name != section) continue;
        const auto found =
            std::find_if(one.fields.begin(), one.fields.end(), [&](const StateField& f) { return f.name == field; });
        if (found != one.fields.end()) return &found->value;
    }
    return nullptr;
}

std::string flags_in_words(std::uint32_t eflags) {
    constexpr std::array<std::pair<unsigned, const char*>, 14> kNames{{{17, "VM"},
                                                                       {16, "RF"},
                                                                       {14, "NT"},
                                                                       {11, "OF"},
                                                                       {10, "DF"},
                                                                       {9, "IF"},
                                                                       {8, "TF"},
                                                                       {7, "SF"},
                                                                       {6, "ZF"},
                                                                       {4, "AF"},
                                                                       {2, "PF"},
                                                                       {0, "CF"},
                                                                       {18, "AC"},
                                                                       {21, "ID"}}};
    constexpr unsigned kIopl = 12;
    std::string text;
    for (const auto& [bit, name] : kNames) {
        if ((eflags >> bit & 1) != 0) text.append(text.empty() ? "" : " ").append(name);
    }
    if (const unsigned iopl = eflags >> kIopl & 3; iopl != 0) text.append(" IOPL ").append(std::to_string(iopl));
    return text;
}

}  // namespace sla::counters
