// A guest that reads and writes any port and any chip in memory, in any width, while time goes by: every chip of the PC
// stays in bounds. Input: records of eight bytes, one access each.
#include "emu/machine/machine.h"
#include "emu/machine/screen.h"
#include "emu/machine/virtual_clock.h"
#include "proto/base/check.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace {

using namespace sla;

constexpr std::size_t kRecordBytes = 8;
constexpr std::size_t kMaxRecords = 4096;
constexpr std::size_t kRam = std::size_t{2} << 20;

class FuzzedDisk final : public device::Disk {
public:
    explicit FuzzedDisk(std::uint64_t sectors) : sectors_(sectors) {}
    [[nodiscard]] std::uint64_t sectors() const override { return sectors_; }
    bool read(std::uint64_t number, device::Sector to) override {
        SLA_CHECK(number < sectors_);
        std::fill(to.begin(), to.end(), static_cast<std::uint8_t>(number));
        return number % 97 != 96;
    }
    bool write(std::uint64_t number, device::ConstSector) override {
        SLA_CHECK(number < sectors_);
        return number % 89 != 88;
    }

private:
    std::uint64_t sectors_;
};

// Where chips answer; a byte of the input chooses one, so that few accesses go nowhere.
constexpr std::array<std::uint16_t, 40> kPorts{0x00,  0x08,  0x0A,  0x0B,  0x20,  0x40,  0x43,  0x60,  0x61,  0x64,
                                               0x70,  0x71,  0x80,  0x81,  0x92,  0xA0,  0xC0,  0xD0,  0xF4,  0x1F0,
                                               0x1F2, 0x1F6, 0x1F7, 0x2F8, 0x3B4, 0x3C0, 0x3C4, 0x3C8, 0x3CE, 0x3D4,
                                               0x3D8, 0x3F2, 0x3F5, 0x3F6, 0x3F8, 0x402, 0x4D0, 0x510, 0xCF8, 0xCFC};
constexpr std::array<bus::Width, 3> kWidths{bus::Width::kByte, bus::Width::kWord, bus::Width::kDword};

struct Pc {
    Pc() {
        pc.attach_disk(0, disk);
        pc.insert_floppy(0, floppy);
        pc.fw_cfg().add_file("etc/fuzzed", {1, 2, 3});
        pc.serial(0).on_byte([](std::uint8_t) {});
    }

    void access(std::span<const std::uint8_t, kRecordBytes> record) {
        const std::uint32_t value =
            record[4] | record[5] << 8U | record[6] << 16U | static_cast<std::uint32_t>(record[7]) << 24U;
        const bus::Width width = kWidths[record[0] % kWidths.size()];
        const auto port = static_cast<std::uint16_t>(
            (record[1] & 0x80) != 0 ? record[2] | record[3] << 8 : kPorts[record[2] % kPorts.size()] + record[3] % 4);
        const std::uint32_t address =
            ((record[1] & 0x40) != 0 ? 0xFEE00000U : 0xFEC00000U) + (record[2] | record[3] << 8U) % 4096;
        pc.pic().access_begins();
        switch (record[0] >> 2 & 7) {
            case 0:
            case 1: pc.ports().read(port, width); break;
            case 2:
            case 3: pc.ports().write(port, width, value); break;
            case 4: pc.mmio().read(address, width); break;
            case 5: pc.mmio().write(address, width, value); break;
            case 6: pc.keyboard().press({record[4], (record[5] & 1) != 0}); break;
            default: clock.wait_until(clock.now() + (value & 0x3FFFFFF)); break;
        }
        clock.executed(record[0] >> 5);
        pc.events().run_due();
        pc.take_nmi();
        if ((record[1] & 0x10) != 0) pc.pic().linger();
        if (pc.interrupt() && (record[1] & 0x20) == 0) pc.acknowledge();
        if (pc.over()) pc.reset();
    }

    FuzzedDisk disk{5000};
    FuzzedDisk floppy{2880};
    machine::VirtualClock clock;
    machine::Machine pc{clock, kRam};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Pc guest;
    const std::size_t records = std::min(size / kRecordBytes, kMaxRecords);
    for (std::size_t i = 0; i < records; ++i) {
        guest.access(std::span<const std::uint8_t, kRecordBytes>(data + i * kRecordBytes, kRecordBytes));
    }
    if (size % 2 == 1) {
        const machine::Screen screen(guest.pc.vga(), guest.pc.memory());
        const machine::Picture picture = screen.picture();
        SLA_CHECK(picture.rgb.size() == std::size_t{3} * picture.width * picture.height);
        static_cast<void>(screen.text());
    }
    return 0;
}
