// Commands for a guest that stands still, as people type them: what each does is in help(). Numbers are 11h or 0x11 or 17,
// addresses f000:e05b or linear. Knows no socket.
//
// Owned by the machine's thread.
#pragma once

#include "emu/machine/machine.h"
#include "emu/vmm/vmm.h"
#include "proto/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sla::control {

class Console {
public:
    Console(machine::Machine& machine, vmm::Vmm& vmm) : machine_(machine), vmm_(vmm) {}

    // The answer, whole lines; an error says what is wrong with the command.
    Result<std::string> run(std::string_view line);
    // By `pause`, until `go`: the guest shall not go on.
    [[nodiscard]] bool paused() const { return paused_; }
    void let_go() { paused_ = false; }

    static std::string help();

private:
    using Words = std::vector<std::string>;
    using Answer = Result<std::string>;

    Answer registers(const Words& words);
    Answer control_register(const Words& words);
    Answer read_msr(const Words& words);
    Answer write_msr(const Words& words);
    Answer set(const Words& words);
    Answer port_in(const Words& words);
    Answer port_out(const Words& words);
    Answer examine(const Words& words);
    Answer write(const Words& words);
    Answer disassemble(const Words& words);
    Answer counts(const Words& words);
    Answer raise_irq(const Words& words);
    Answer raise_nmi(const Words& words);
    Answer reset(const Words& words);
    Answer pause(const Words& words);
    Answer go(const Words& words);
    Answer show_help(const Words& words);

    struct Command;
    static const std::vector<Command>& commands();

    [[nodiscard]] Result<std::uint32_t> linear(const std::string& text) const;
    [[nodiscard]] std::string where() const;

    machine::Machine& machine_;
    vmm::Vmm& vmm_;
    bool paused_ = false;
};

}  // namespace sla::control
