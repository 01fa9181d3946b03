// Random cases, by classes of instructions. The same seed gives the same cases. Operands in memory lie within their segment, but
// for the class "limits"; jumps end at breakpoints, so that no case runs for ever.
#pragma once

#include "tests/integration/instructions/assembly.h"

#include <array>
#include <string_view>

namespace sla::instructions {

struct Class {
    std::string_view name;
    void (*emit)(Assembly& code);
    // Prefixes that change nothing where they stand, LOCK among them, and repeated ones.
    bool odd_prefixes = false;
    // Operands anywhere, mostly around the ends of their segments.
    bool at_limits = false;
};

// Of the names, in their order.
std::span<const Class> classes();

Case make_case(const Class& of, Random& random);
// Memory that a batch of cases begins with: half of it values at which something changes.
DataMemory make_memory(Random& random);

}  // namespace sla::instructions
