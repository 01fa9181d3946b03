#include "emu/device/board/i440fx.h"

namespace sla::device {

namespace {

constexpr std::uint16_t kIntel = 0x8086;
constexpr std::uint8_t kManyFunctions = 0x80;
// What SeaBIOS takes for the sign of an emulated board that gives its set-up through fw_cfg.
constexpr unsigned kSubsystem = 0x2C;
constexpr std::uint32_t kEmulatedBoard = 0x11001AF4;

constexpr unsigned kPam0 = 0x59;
constexpr unsigned kPam6 = 0x5F;
constexpr unsigned kSmram = 0x72;
constexpr unsigned kPirqA = 0x60;
constexpr unsigned kPmBase = 0x40;
constexpr unsigned kApmEnable = 0x5B;
constexpr unsigned kPmRegMisc = 0x80;

}  // namespace

I440fx::I440fx(PciHost& host, Piix4Pm& power)
    : host_bridge_({kIntel, 0x1237, 2, 0x060000, 0}),
      isa_bridge_({kIntel, 0x7000, 0, 0x060100, kManyFunctions}),
      ide_({kIntel, 0x7010, 0, 0x010100, 0}),
      power_({kIntel, 0x7113, 3, 0x068000, 0}) {
    host_bridge_.set_dword(kSubsystem, kEmulatedBoard);
    for (unsigned pam = kPam0; pam <= kPam6; ++pam) host_bridge_.make_writable(pam, 0x33);
    host_bridge_.set(kSmram, 0x02);
    host_bridge_.make_writable(kSmram, 0x78);

    for (unsigned pirq = kPirqA; pirq < kPirqA + 4; ++pirq) {
        isa_bridge_.set(pirq, 0x80);  // not routed
        isa_bridge_.make_writable(pirq, 0x8F);
    }
    for (const unsigned timing : {0x40U, 0x41U, 0x42U, 0x43U}) ide_.make_writable(timing, 0xFF);

    // There is no system management mode: the firmware reads that it was set up already.
    power_.set(kApmEnable, 0x02);
    power_.set(kPmBase, 0x01);
    power_.make_writable(kPmBase, 0xC0);
    power_.make_writable(kPmBase + 1, 0xFF);
    power_.make_writable(kPmRegMisc, 0x01);
    power_.set(0x3D, 1);  // interrupt pin A
    power_.on_write([this, &power](unsigned offset) {
        if (offset != kPmBase && offset != kPmBase + 1 && offset != kPmRegMisc) return;
        const bool on = (power_.read(kPmRegMisc) & 1) != 0;
        power.set_base(on ? static_cast<std::uint16_t>(power_.read_dword(kPmBase) & 0xFFC0) : 0);
    });
    host.add(0, 0, host_bridge_);
    host.add(1, 0, isa_bridge_);
    host.add(1, 1, ide_);
    host.add(1, 3, power_);
}

}  // namespace sla::device
