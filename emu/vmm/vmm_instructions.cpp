// Instructions that the CPU asks the Vmm about.
#include "emu/pmc/pentium.h"
#include "emu/vmm/vmm.h"

namespace sla::vmm {

namespace {

constexpr std::uint32_t kUnknownHypercall = 0xFFFFFFFF;

}  // namespace

cpu::CpuidAnswer Vmm::cpuid(std::uint32_t leaf) {
    return pmc::cpuid(leaf);
}

std::uint64_t Vmm::read_tsc() {
    if (!machine_.clock().repeatable()) return __builtin_ia32_rdtsc();
    catch_up();
    return pmc::ticks_at(machine_.clock().now());
}

std::optional<std::uint64_t> Vmm::read_msr(std::uint32_t number) {
    if (number == pmc::kTscMsr) return read_tsc();
    return std::nullopt;
}

bool Vmm::write_msr(std::uint32_t, std::uint64_t) {
    return false;
}

std::optional<std::uint64_t> Vmm::read_counter(std::uint32_t) {
    return std::nullopt;
}

std::uint32_t Vmm::hypercall(const cpu::Registers&) {
    return kUnknownHypercall;
}

void Vmm::mode_changed() {}

}  // namespace sla::vmm
