// The registers of an emulated PC, look by look: what is shown, and what of it changed.
#pragma once

#include "viewer/counters/guest_state.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sla::workspace {

class RegisterTable {
public:
    // A look. One of a guest that stands where it stood changes nothing: what changed before it stopped stays marked.
    void take(std::vector<counters::StateSection> now);
    void clear() { *this = {}; }

    [[nodiscard]] const std::vector<counters::StateSection>& sections() const { return sections_; }
    [[nodiscard]] bool has_changed(std::string_view section, std::string_view field) const;
    [[nodiscard]] bool is_paused() const { return stands(sections_); }
    // The guest of that look does.
    static bool stands(const std::vector<counters::StateSection>& sections);

private:
    std::vector<counters::StateSection> sections_;
    std::set<std::string> changed_;  // "section field"
};

}  // namespace sla::workspace
