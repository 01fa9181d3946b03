// Entering and leaving handlers as the processor does it in real mode, for backends that cannot do it themselves.
#pragma once

#include <array>
#include <cstdint>

namespace sla::cpu {

// Which linear addresses an interrupt in real mode writes, and what: IP, CS, FLAGS below SS:SP, each wrapping at 64 KB.
struct RealModeFrame {
    std::array<std::uint32_t, 3> addresses;
    std::array<std::uint16_t, 3> words;
    std::uint16_t sp = 0;  // afterwards
};

RealModeFrame make_real_mode_frame(std::uint32_t flags, std::uint16_t cs, std::uint16_t ip, std::uint16_t ss,
                                   std::uint16_t sp);

}  // namespace sla::cpu
