// What a guest of KVM says through ports of the house, as the kernel's kvm_pio shows it: its markers and its clock.
//
//   OUT 5A0h, EAX   534C41xxh: a marker, the same call as in the emulated PC (emu/vmm/guest_markers.h)
//   OUT 5A4h, EAX   the low half of the guest's TSC, read just before
//   OUT 5A8h, EAX   the channel (EBX) of the next marker of this virtual CPU
//   OUT 5ACh, EAX   its value (ECX)
//
// The kernel gives EAX only and no memory: without the last two what happened (tick, begin, end ...) is known, the
// channel and the value are not; a channel's name and a text never are. The emulated PC reads EBX and ECX by itself and
// has nothing at these ports, so that a guest may write to them everywhere.
//
// A guest's clock against ours, in ticks modulo 2^32, from nothing but causality: the guest read its TSC before we stamped
// the OUT, and read it the next time after that stamp. So stamp[i] - tsc[i+1] <= host - guest <= stamp[i] - tsc[i]; many of
// them narrow it down. A guest whose TSC runs at another rate makes the bounds cross, which is said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sla::linux {

inline constexpr std::uint64_t kGuestMarkerPort = 0x5a0;
inline constexpr std::uint64_t kGuestClockPort = 0x5a4;
inline constexpr std::uint64_t kGuestChannelPort = 0x5a8;
inline constexpr std::uint64_t kGuestValuePort = 0x5ac;

class GuestClock {
public:
    void take(std::uint64_t stamp, std::uint32_t guest_tsc);

    struct Offset {
        std::uint32_t ticks = 0;  // host - guest, modulo 2^32
        std::uint32_t error = 0;  // +-
    };
    // Nothing before the second reading, or when the bounds have crossed.
    [[nodiscard]] std::optional<Offset> offset() const;
    [[nodiscard]] bool crossed() const { return known_ && upper_ < lower_; }
    // "host TSC - guest TSC = 12345 (modulo 2^32) +-350 ticks".
    [[nodiscard]] std::string text() const;

private:
    std::optional<std::uint32_t> first_;  // all differences are counted from it
    std::uint32_t last_stamp_ = 0;
    std::int64_t lower_ = 0;
    std::int64_t upper_ = 0;
    bool known_ = false;  // lower_ too
};

// What a virtual CPU said of its next marker.
struct GuestWords {
    std::optional<std::uint32_t> channel;
    std::optional<std::uint32_t> value;
};

struct GuestMark {
    const char* what = "";  // "tick", "begin" ...
    std::uint8_t code = 0;  // SLA_CODE_..., with a value where one was given and belongs to it
    std::uint32_t value = 0;
};
// What `eax` written to kGuestMarkerPort says; nothing when it is no marker.
std::optional<GuestMark> guest_mark(std::uint32_t eax, const GuestWords& words);

}  // namespace sla::linux
