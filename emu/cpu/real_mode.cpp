#include "emu/cpu/real_mode.h"

namespace sla::cpu {

RealModeFrame make_real_mode_frame(std::uint32_t flags, std::uint16_t cs, std::uint16_t ip, std::uint16_t ss,
                                   std::uint16_t sp) {
    RealModeFrame frame{};
    frame.words = {static_cast<std::uint16_t>(flags), cs, ip};
    for (std::size_t push = 0; push < frame.words.size(); ++push) {
        sp = static_cast<std::uint16_t>(sp - 2);
        frame.addresses[push] = (std::uint32_t{ss} << 4) + sp;
    }
    frame.sp = sp;
    return frame;
}

}  // namespace sla::cpu
