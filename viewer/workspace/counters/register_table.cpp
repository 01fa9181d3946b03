#include "viewer/workspace/counters/register_table.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sla::workspace {

namespace {

using counters::StateSection;

// Chips go on by the host's clock while the CPU stands.
bool is_same_place(const std::vector<StateSection>& a, const std::vector<StateSection>& b) {
    constexpr std::array kOfTheCpu{"general", "control", "segments"};
    const auto same = [&](const char* name) {
        const auto named = [name](const StateSection& section) { return section.name == name; };
        const auto in_a = std::find_if(a.begin(), a.end(), named);
        const auto in_b = std::find_if(b.begin(), b.end(), named);
        return in_a != a.end() && in_b != b.end() && *in_a == *in_b;
    };
    return std::all_of(kOfTheCpu.begin(), kOfTheCpu.end(), same);
}

std::string key_of(std::string_view section, std::string_view field) {
    return std::string(section).append(" ").append(field);
}

}  // namespace

bool RegisterTable::stands(const std::vector<StateSection>& sections) {
    const std::string* paused = counters::find_value(sections, "guest", "paused");
    return paused != nullptr && *paused == "1";
}

void RegisterTable::take(std::vector<StateSection> now) {
    if (stands(sections_) && stands(now) && is_same_place(sections_, now)) return;
    std::set<std::string> changed;
    for (const StateSection& section : now) {
        for (const counters::StateField& field : section.fields) {
            const std::string* before = counters::find_value(sections_, section.name, field.name);
            if (before != nullptr && *before != field.value) changed.insert(key_of(section.name, field.name));
        }
    }
    changed_ = std::move(changed);
    sections_ = std::move(now);
}

bool RegisterTable::has_changed(std::string_view section, std::string_view field) const {
    return changed_.contains(key_of(section, field));
}

}  // namespace sla::workspace
