#include "emu/cpu/cpu_factory.h"

#include "emu/cpu/unicorn_cpu.h"

namespace sla::cpu {

Result<std::unique_ptr<Cpu>> make_cpu(std::string_view name, bus::Memory& memory, const bus::MmioTable& windows,
                                      CpuClient& client) {
    if (name == "unicorn") return UnicornCpu::make(memory, windows, client);
    return invalid_input("there is no CPU named \"" + std::string(name) + "\"; this build has: " + std::string(kCpuNames));
}

}  // namespace sla::cpu
