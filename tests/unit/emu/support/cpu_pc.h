// A machine on the CPU of any name, by the clock that this CPU has: for guests that every one of them runs alike. Skips the
// test where this host has no such CPU.
#pragma once

#include "emu/machine/host_clock.h"
#include "emu/machine/virtual_clock.h"
#include "tests/unit/emu/support/test_pc.h"

#include <functional>

namespace sla::vmm {

class CpuPc {
public:
    using Furnish = std::function<void(machine::Machine&)>;

    // `furnish`: what the board gets before its CPU.
    CpuPc(std::span<const std::uint8_t> image, std::string_view cpu, const Furnish& furnish = {},
          std::size_t memory = std::size_t{2} << 20)
        : by_host_(cpu == "kvm"), pc(by_host_ ? static_cast<bus::Clock&>(host_clock_) : virtual_clock_, memory) {
        EXPECT_TRUE(pc.memory().load_rom(image).ok());
        pc.debug_port().on_byte([this](char byte) { text += byte; });
        if (furnish) furnish(pc);
        const auto plugged = vmm.plug_cpu(cpu);
        EXPECT_TRUE(plugged.ok() || by_host_) << (plugged.ok() ? "" : plugged.error().message);
        if (!plugged.ok()) missing = plugged.error().message;
    }

    // The limit only ends a hang: by the host's clock a guest of milliseconds takes as long as the host lets it wait.
    Outcome run() { return vmm.run((by_host_ ? 300 : 60) * TestPc::kSecond); }
    std::vector<unsigned> noted(std::size_t count) {
        const auto bytes = pc.memory().at(0x600, count);
        return {bytes.begin(), bytes.end()};
    }

private:
    bool by_host_;

public:
    machine::StopSignal stop;

private:
    machine::VirtualClock virtual_clock_;
    machine::HostClock host_clock_{stop};

public:
    machine::Machine pc;
    tap::RecordingSink seen{&pc.clock()};
    tap::Tap tap{seen};
    Vmm vmm{pc, tap, stop};
    std::string text;
    std::string missing;  // why there is no such CPU here
};

}  // namespace sla::vmm
