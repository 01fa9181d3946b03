#include "emu/vmm/guest_markers.h"

#include "emu/tap/guest_text.h"

#include <array>

namespace sla::vmm {

namespace {

constexpr std::uint32_t kOpen = 0;
constexpr std::uint32_t kText = 7;
constexpr std::array kCodes{SLA_CODE_NONE, SLA_CODE_TICK,  SLA_CODE_TICK_VALUE,    SLA_CODE_BEGIN_VALUE,
                            SLA_CODE_END,  SLA_CODE_LEVEL, SLA_CODE_VALUE_UNSIGNED};

}  // namespace

std::optional<std::string> GuestMarkers::read_text(std::uint32_t at, std::size_t most) const {
    std::string text;
    while (text.size() < most) {
        const auto byte = read_(at++);
        if (!byte) return std::nullopt;
        if (*byte == 0) break;
        text += static_cast<char>(*byte);
    }
    return text;
}

std::uint32_t GuestMarkers::call(const cpu::Registers& registers, const bus::CodeAddress& at) {
    last_ = answer(registers, at);
    return last_;
}

std::uint32_t GuestMarkers::answer(const cpu::Registers& registers, const bus::CodeAddress& at) {
    const std::uint32_t what = registers.eax - kCalls;
    if (what > kText) return kRefused;
    if (what == kOpen) {
        const auto bytes = read_text(registers.ecx, kMaxNameBytes + 1);
        if (!bytes || bytes->empty() || bytes->size() > kMaxNameBytes) return kRefused;
        const std::string name = tap::guest_name(*bytes);
        if (const auto open = tap_.guest_channel(name)) return static_cast<std::uint32_t>(*open);
        if (tap_.guest_channels() == tap::kMaxGuestChannels) return kRefused;
        return static_cast<std::uint32_t>(tap_.open_guest_channel(name));
    }
    if (registers.ebx >= tap_.guest_channels()) return kRefused;
    if (what == kText) {
        constexpr std::size_t kCutOff = 4;  // bytes of a character that may not fit
        const auto text = read_text(registers.ecx, tap::kMaxGuestText + kCutOff);
        if (!text) return kRefused;
        tap_.guest_text(registers.ebx, tap::guest_text(*text));
    } else {
        tap_.guest_event(registers.ebx, kCodes[what], registers.ecx, at);
    }
    return 0;
}

}  // namespace sla::vmm
