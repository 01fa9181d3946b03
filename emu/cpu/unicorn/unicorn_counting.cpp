// When the blocks of code that run are counted, and the client is notified; and what was counted that did not run.
#include "emu/cpu/unicorn/unicorn_cpu.h"

#include <algorithm>
#include <utility>

namespace sla::cpu {

void UnicornCpu::report_count() {
    if (counter_.wanted()) client_.block_done(counter_.place(), counter_.ring());
}

void UnicornCpu::access_port(std::uint32_t port, int bytes, bool out) {
    block_.port_access(out);
    counts_.port(static_cast<std::uint16_t>(port), static_cast<unsigned>(bytes));
    if (!counter_.runs()) return;
    const CodeAddress at = running_address();
    if (!at.known) return;
    counter_.pass(at.offset);
    report_count();
}

void UnicornCpu::count_up_to_eip(bool ran) {
    if (!counter_.runs()) return;
    const std::uint32_t eip = engine_.read(UC_X86_REG_EIP);
    ran ? counter_.leave_with(eip) : counter_.leave_before(eip);
    report_count();
}

// A block counts when it is entered; what lies behind the instruction that left it early has not run. That one has, where it is made
// here: no two instructions begin at one moment.
void UnicornCpu::give_back_rest(std::uint32_t ran_at_eip) {
    const std::uint32_t done = code_base() + engine_.read(UC_X86_REG_EIP) + ran_at_eip - block_.start();
    const std::uint32_t to_come = std::exchange(ahead_, 0) + (done < block_.size() ? block_.size() - done : 0);
    const std::uint64_t rest = std::min<std::uint64_t>(to_come, executed_);
    executed_ -= rest;
    budget_ += rest;
}

// What was counted of the block from there on has not run.
void UnicornCpu::end_block_before(std::uint32_t start) {
    const std::uint32_t rest = block_.start() + block_.size() - start;
    if (ahead_ != 0) {
        ahead_ += rest;
        return;
    }
    const std::uint64_t counted = std::min<std::uint64_t>(rest, executed_);
    executed_ -= counted;
    budget_ += counted;
}

}  // namespace sla::cpu
