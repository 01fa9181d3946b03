#include "emu/cpu/cpu_factory.h"

#include "emu/cpu/cpu_names.h"
#include "emu/cpu/kvm/kvm_cpu.h"
#include "emu/cpu/unicorn/unicorn_cpu.h"
#ifdef SLA_WITH_X86EMU
#include "emu/cpu/x86emu/x86emu_cpu.h"
#endif

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sla::cpu {

namespace {

Result<std::unique_ptr<Cpu>> make_x86emu([[maybe_unused]] bus::Memory& memory,
                                         [[maybe_unused]] const bus::MmioTable& windows,
                                         [[maybe_unused]] CpuClient& client) {
#ifdef SLA_WITH_X86EMU
    return X86emuCpu::make(memory, windows, client);
#else
    return unavailable("this sla-emu was built without the CPU x86emu; install libx86emu-dev and build again");
#endif
}

}  // namespace

Result<std::unique_ptr<Cpu>> make_cpu(std::string_view name, bus::Memory& memory, const bus::MmioTable& windows,
                                      CpuClient& client) {
    if (name == kUnicorn) return UnicornCpu::make(memory, windows, client);
    if (name == kX86emu) return make_x86emu(memory, windows, client);
    if (name == kKvm) return KvmCpu::make(memory, windows, client);
    return invalid_input(fmt::format("there is no CPU named \"{}\"; there are: {}", name, fmt::join(kCpuNames, ", ")));
}

}  // namespace sla::cpu
