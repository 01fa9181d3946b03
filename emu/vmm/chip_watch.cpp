#include "emu/vmm/chip_watch.h"

namespace sla::vmm {

ChipWatch::ChipWatch(machine::Machine& machine, tap::Tap& tap, tap::VmmTap& vmm_tap, const std::unique_ptr<cpu::Cpu>& cpu)
    : machine_(machine), tap_(tap), vmm_tap_(vmm_tap), cpu_(cpu) {
    machine_.pic().observe(this);
    machine_.lapic().observe(this);
    machine_.dma().observe(this);
    machine_.events().observe(this);
}

ChipWatch::~ChipWatch() {
    machine_.pic().observe(nullptr);
    machine_.lapic().observe(nullptr);
    machine_.dma().observe(nullptr);
    machine_.events().observe(nullptr);
}

}  // namespace sla::vmm
