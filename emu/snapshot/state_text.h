// State for people, and for programs that show it to people: a line a field.
//
//   [pic]
//   master.irr 01
//   master.imr b8
//
// Numbers are hexadecimal, as wide as their registers, flags 0 or 1, times and ticks decimal; bytes are hexadecimal pairs, and
// of many the first ones and how many more there are.
#pragma once

#include "emu/bus/state_visitor.h"

#include <string>
#include <string_view>
#include <vector>

namespace sla::snapshot {

class StateText final : public bus::StateVisitor {
public:
    static constexpr std::size_t kMaxBytes = 32;

    // Of these sections; none: of all.
    explicit StateText(std::vector<std::string> sections = {}) : wanted_(std::move(sections)) {}

    [[nodiscard]] const std::string& text() const { return text_; }
    // All there were, wanted or not.
    [[nodiscard]] const std::vector<std::string>& sections() const { return seen_; }

    [[nodiscard]] bool shows() const override { return true; }
    bool begin(std::string_view section, bool optional) override;
    void memory(std::string_view, std::span<std::uint8_t>) override {}

private:
    void number(std::string_view name, std::uint64_t& value, unsigned bits) override;
    void signed_number(std::string_view name, std::uint64_t& value) override;
    void bytes(std::string_view name, std::span<std::uint8_t> values) override;

    std::vector<std::string> wanted_;
    std::vector<std::string> seen_;
    bool is_wanted_ = false;
    std::string text_;
};

}  // namespace sla::snapshot
