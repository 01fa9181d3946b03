#include "emu/vmm/guest_markers.h"

#include <array>

namespace sla::vmm {

namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestText = 112;
constexpr std::uint32_t kOpen = 0;
constexpr std::uint32_t kText = 7;
constexpr std::array kCodes{SLA_CODE_NONE, SLA_CODE_TICK,  SLA_CODE_TICK_VALUE,    SLA_CODE_BEGIN_VALUE,
                            SLA_CODE_END,  SLA_CODE_LEVEL, SLA_CODE_VALUE_UNSIGNED};

}  // namespace

std::optional<std::string> GuestMarkers::read_text(std::uint32_t at, std::size_t longest) const {
    std::string text;
    while (text.size() < longest) {
        const auto byte = read_(at++);
        if (!byte) return std::nullopt;
        if (*byte == 0) break;
        text += *byte >= 0x20 && *byte < 0x7F ? static_cast<char>(*byte) : '?';
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
        const auto name = read_text(registers.ecx, kLongestName);
        if (!name || name->empty()) return kRefused;
        if (const auto open = tap_.guest_channel(*name)) return static_cast<std::uint32_t>(*open);
        if (tap_.guest_channels() == kMaxChannels) return kRefused;
        return static_cast<std::uint32_t>(tap_.open_guest_channel(*name));
    }
    if (registers.ebx >= tap_.guest_channels()) return kRefused;
    if (what == kText) {
        const auto text = read_text(registers.ecx, kLongestText);
        if (!text) return kRefused;
        tap_.guest_text(registers.ebx, *text);
    } else {
        tap_.guest_event(registers.ebx, kCodes[what], registers.ecx, at);
    }
    return 0;
}

}  // namespace sla::vmm
