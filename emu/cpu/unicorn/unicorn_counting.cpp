// When the blocks of code that run are counted, and the client is notified.
#include "emu/cpu/unicorn/unicorn_cpu.h"

namespace sla::cpu {

void UnicornCpu::report_count() {
    if (counter_.wanted()) client_.block_done(counter_.place(), counter_.ring());
}

void UnicornCpu::access_port(bool out) {
    block_.port_access(out);
    ++counts_.port_accesses;
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

}  // namespace sla::cpu
