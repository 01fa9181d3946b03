// One short, fixed scenario of agent, marked program and reader, in which one call of one of them fails; and what must hold
// all the same.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace sla::faults {

struct Fault {
    std::string
        program;  // short name of the victim: "sla-agent" with its recorder, "sla-fault-program" with the library, "sla"
    std::string call;  // empty: none, and its calls are counted
    std::uint64_t number = 0;
    int error = 0;

    [[nodiscard]] std::string text() const;  // "sla-agent:pwrite:3:28 (No space left on device)"
};

struct Outcome {
    std::string problems;                        // what must not be, in words; empty: nothing
    std::map<std::string, std::uint64_t> calls;  // of the victim
};

Outcome run_scenario(const Fault& fault);

}  // namespace sla::faults
