// The registers of an emulated PC's CPU and chips, as the command `state` of its control socket gives them, and its code, as
// `disassemble` does.
//
//   [pic]               a section
//   master.imr b8       a field and what it holds
//
//   f000:0000f1aa <on_irq0+0x1>  66ff060006           inc dword ptr [0x0600]
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::counters {

struct StateField {
    std::string name;
    std::string value;
    bool operator==(const StateField&) const = default;
};
struct StateSection {
    std::string name;
    std::vector<StateField> fields;
    bool operator==(const StateSection&) const = default;
};

Result<std::vector<StateSection>> parse_guest_state(std::string_view text);

struct CodeLine {
    std::string address;      // "f000:0000f1aa"
    std::string name;         // "on_irq0+0x1"; "": it has none
    std::string instruction;  // "inc dword ptr [0x0600]"; "--": no memory is there
    bool operator==(const CodeLine&) const = default;
};
// What is no line of code is left out.
std::vector<CodeLine> parse_guest_code(std::string_view text);

// Null where there is no such field.
const std::string* find_value(const std::vector<StateSection>& sections, std::string_view section, std::string_view field);

// As people read it: a privilege level is a digit, however wide its field is.
std::string readable_value(const StateField& field);
// The flags that are set, by their names: "IF ZF PF".
std::string flags_in_words(std::uint32_t eflags);
// What a segment's attributes say, whose bits are those of a descriptor's upper half: "code, readable, ring 0, 16-bit".
std::string attributes_in_words(std::uint32_t attributes);

}  // namespace sla::counters
