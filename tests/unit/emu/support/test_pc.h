// A whole emulated PC under the virtual clock, for tests: put an image in, run it, look at what the tap saw.
#pragma once

#include "emu/machine/machine.h"
#include "emu/machine/stop_signal.h"
#include "emu/machine/virtual_clock.h"
#include "emu/vmm/vmm.h"
#include "tests/unit/emu/support/recording_sink.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sla::vmm {

class TestPc {
public:
    static constexpr bus::Nanoseconds kSecond = 1'000'000'000;

    explicit TestPc(std::span<const std::uint8_t> image, std::string_view cpu = "unicorn") {
        EXPECT_TRUE(pc.memory().load_rom(image).ok());
        pc.debug_port().on_byte([this](char byte) { text += byte; });
        auto plugged = vmm.plug_cpu(cpu);
        EXPECT_TRUE(plugged.ok()) << (plugged.ok() ? "" : plugged.error().message);
    }

    Outcome run(bus::Nanoseconds limit = 10 * kSecond) { return vmm.run(limit); }

    machine::VirtualClock clock;
    machine::Machine pc{clock, std::size_t{2} << 20};
    machine::StopSignal stop;
    tap::RecordingSink seen{&clock};
    tap::Tap tap{seen};
    Vmm vmm{pc, tap, stop};
    std::string text;
};

// An image that sla_test_guests assembled.
inline std::vector<std::uint8_t> assembled_guest(const std::string& directory, const std::string& name) {
    std::ifstream file(directory + "/" + name + ".bin", std::ios::binary);
    std::vector<std::uint8_t> image((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    EXPECT_EQ(image.size(), 4096U) << name;
    return image;
}

}  // namespace sla::vmm
