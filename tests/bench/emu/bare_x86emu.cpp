#include "tests/bench/emu/bare_x86emu.h"

#ifdef SLA_WITH_X86EMU
#include <x86emu.h>
#endif

namespace sla::bench {

#ifdef SLA_WITH_X86EMU

bool run_on_bare_x86emu(std::span<const std::uint8_t> image) {
    constexpr unsigned kEndOfFirmware = 0x100000;
    constexpr std::uint8_t kHlt = 0xF4;
    x86emu_t* emu = x86emu_new(X86EMU_PERM_R | X86EMU_PERM_W | X86EMU_PERM_X, 0);
    if (emu == nullptr) return false;
    const unsigned first = kEndOfFirmware - static_cast<unsigned>(image.size());
    for (unsigned i = 0; i < image.size(); ++i) x86emu_write_byte(emu, first + i, image[i]);
    x86emu_set_seg_register(emu, emu->x86.R_CS_SEL, 0xF000);
    emu->x86.R_EIP = 0xFFF0;
    x86emu_run(emu, 0);
    const unsigned at = emu->x86.R_CS_BASE + emu->x86.R_EIP;
    const bool halted = x86emu_read_byte(emu, at - 1) == kHlt;
    x86emu_done(emu);
    return halted;
}

#else

bool run_on_bare_x86emu(std::span<const std::uint8_t>) {
    return false;
}

#endif

}  // namespace sla::bench
