// Markers of the guest's own, on channels it names: by VMCALL (or VMMCALL), or by OUT to port 5A0h for code that must also
// run where no machine monitor listens. Registers, the same for both; the answer is in EAX after VMCALL, and IN EAX from
// port 5A0h gives the last one.
//
//   EAX           EBX          ECX                                   answer
//   534C4100h     -            linear address of a name that ends    the channel's number, for the
//                              in a zero byte, up to 1,024 bytes     same name the same
//   534C4101h     channel      -                                     tick
//   534C4102h     channel      value                                 tick with a value
//   534C4103h     channel      value                                 begin of a span
//   534C4104h     channel      -                                     end of a span
//   534C4105h     channel      0 or 1                                level
//   534C4106h     channel      value                                 value
//   534C4107h     channel      linear address of a text that ends    text
//                              in a zero byte; 112 bytes of it
//
// 0 for what has no other answer; FFFFFFFFh: no such call or channel, no name or a longer one, more than 256 channels, or no memory
// there. Names and texts are UTF-8; what is none, and names that lanes have no space for (64 bytes), is as emu/tap/guest_text.h has it.
#pragma once

#include "emu/bus/state_visitor.h"
#include "emu/cpu/cpu.h"
#include "emu/tap/vmm_tap.h"

#include <functional>
#include <optional>
#include <string>

namespace sla::vmm {

class GuestMarkers {
public:
    static constexpr std::uint16_t kPort = 0x5A0;
    static constexpr std::uint32_t kCalls = 0x534C4100;
    static constexpr std::uint32_t kRefused = 0xFFFFFFFF;
    static constexpr std::size_t kMaxNameBytes = 1024;

    // Reads a byte of the guest; nothing where it has no memory.
    using ReadByte = std::function<std::optional<std::uint8_t>(std::uint32_t linear)>;

    GuestMarkers(tap::VmmTap& tap, ReadByte read) : tap_(tap), read_(std::move(read)) {}

    std::uint32_t call(const cpu::Registers& registers, const bus::CodeAddress& at);
    [[nodiscard]] std::uint32_t last_answer() const { return last_; }
    void visit_state(bus::StateVisitor& state) {
        state.section("guest_markers");
        state.field("last_answer", last_);
        tap_.visit_state(state);
    }

private:
    std::uint32_t answer(const cpu::Registers& registers, const bus::CodeAddress& at);
    [[nodiscard]] std::optional<std::string> read_text(std::uint32_t at, std::size_t most) const;

    tap::VmmTap& tap_;
    ReadByte read_;
    std::uint32_t last_ = kRefused;
};

}  // namespace sla::vmm
