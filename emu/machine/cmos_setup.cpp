#include "emu/machine/cmos_setup.h"

#include <algorithm>

namespace sla::machine {

namespace {

enum Cmos : unsigned {
    kFloppies = 0x10,
    kEquipment = 0x14,
    kBaseKilobytes = 0x15,
    kExtendedKilobytes = 0x17,
    kExtendedAgain = 0x30,
    kAbove16Megabytes = 0x34,  // in units of 64 KB
    kBootOrder = 0x3D,
};

constexpr std::uint8_t kVgaAndFpu = 0x06;  // keyboard and display by VGA firmware, coprocessor
constexpr std::uint8_t kFloppyThenDisk = 0x21;
constexpr std::size_t kMegabyte = std::size_t{1} << 20;

void store_word(device::RtcMc146818& cmos, unsigned index, std::size_t value) {
    const std::size_t stored = std::min<std::size_t>(value, 0xFFFF);
    cmos.store(index, static_cast<std::uint8_t>(stored));
    cmos.store(index + 1, static_cast<std::uint8_t>(stored >> 8));
}

}  // namespace

void describe_memory(device::RtcMc146818& cmos, std::size_t ram_bytes) {
    cmos.store(kEquipment, kVgaAndFpu);
    cmos.store(kBootOrder, kFloppyThenDisk);
    store_word(cmos, kBaseKilobytes, 640);
    store_word(cmos, kExtendedKilobytes, (ram_bytes - kMegabyte) >> 10);
    store_word(cmos, kExtendedAgain, (ram_bytes - kMegabyte) >> 10);
    store_word(cmos, kAbove16Megabytes, ram_bytes > 16 * kMegabyte ? (ram_bytes - 16 * kMegabyte) >> 16 : 0);
}

void describe_floppy(device::RtcMc146818& cmos, unsigned unit, std::uint8_t type) {
    const std::uint8_t types = cmos.stored(kFloppies);
    cmos.store(kFloppies, static_cast<std::uint8_t>(unit == 0 ? (types & 0x0F) | type << 4 : (types & 0xF0) | type));
    const std::uint8_t both = cmos.stored(kFloppies);
    const unsigned drives = ((both & 0xF0) != 0 ? 1U : 0U) + ((both & 0x0F) != 0 ? 1U : 0U);
    const auto others = static_cast<std::uint8_t>(cmos.stored(kEquipment) & 0x3E);
    cmos.store(kEquipment, static_cast<std::uint8_t>(others | 1U | (drives - 1) << 6));
}

}  // namespace sla::machine
