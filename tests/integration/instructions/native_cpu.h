// The processor of this host as the one to compare with: runs cases in 16 and 32-bit segments of this process's local descriptor
// table. A case is entered by the return from a signal's handler and left by the signal of its exception, some 1.5 us each.
//
// One at a time, on one thread; while a batch runs, the handlers of SIGSEGV, SIGILL, SIGFPE, SIGBUS, SIGTRAP and SIGUSR1 are its own.
#pragma once

#include "tests/integration/instructions/case.h"

#include <optional>
#include <span>
#include <string>

namespace sla::instructions {

class NativeCpu {
public:
    NativeCpu();
    ~NativeCpu();
    NativeCpu(const NativeCpu&) = delete;
    NativeCpu& operator=(const NativeCpu&) = delete;

    // Why this host cannot do it: no x86, a kernel without local descriptor tables, a hypervisor that runs nothing in them.
    [[nodiscard]] const std::optional<std::string>& missing() const { return missing_; }
    // Of as many cases as there are results.
    void run(std::span<const Case> cases, const DataMemory& memory, std::span<Result> results);

private:
    void describe_segments();
    void try_in_a_child();

    std::optional<std::string> missing_;
    std::uint8_t* arena_ = nullptr;
    std::vector<std::uint8_t> signal_stack_;
};

}  // namespace sla::instructions
