#include "agent/linux/tracefs/guest_port.h"

#include <sla/ring_abi.h>

#include <algorithm>
#include <array>

namespace sla::linux {
namespace {

constexpr std::uint32_t kCalls = 0x534c4100;

}  // namespace

void GuestClock::take(std::uint64_t stamp, std::uint32_t guest_tsc) {
    const auto low = static_cast<std::uint32_t>(stamp);
    if (!first_) {
        first_ = low - guest_tsc;
        last_stamp_ = low;
        return;
    }
    // Near the first difference, so that 32 bits with a sign hold it.
    const auto from_first = [this](std::uint32_t difference) {
        return std::int64_t{static_cast<std::int32_t>(difference - *first_)};
    };
    const std::int64_t least = from_first(last_stamp_ - guest_tsc);
    const std::int64_t most = from_first(low - guest_tsc);
    lower_ = known_ ? std::max(lower_, least) : least;
    upper_ = std::min(upper_, most);  // the first reading gave 0
    last_stamp_ = low;
    known_ = true;
}

std::optional<GuestClock::Offset> GuestClock::offset() const {
    if (!known_ || crossed()) return std::nullopt;
    const std::int64_t middle = lower_ + (upper_ - lower_) / 2;
    return Offset{*first_ + static_cast<std::uint32_t>(middle), static_cast<std::uint32_t>((upper_ - lower_ + 1) / 2)};
}

std::string GuestClock::text() const {
    if (crossed()) return "the guest's TSC does not run at the host's rate";
    const auto found = offset();
    if (!found) return "one reading: no offset yet";
    return "host TSC - guest TSC = " + std::to_string(found->ticks) + " (modulo 2^32) +-" + std::to_string(found->error) +
           " ticks";
}

std::optional<GuestMark> guest_mark(std::uint32_t eax, const GuestWords& words) {
    struct Call {
        const char* what;
        std::uint8_t code;
        std::uint8_t code_with_value;
    };
    static constexpr std::array<Call, 8> kMarks = {{{"channel opened", SLA_CODE_TICK, SLA_CODE_TICK},
                                                    {"tick", SLA_CODE_TICK, SLA_CODE_TICK},
                                                    {"tick", SLA_CODE_TICK, SLA_CODE_TICK_VALUE},
                                                    {"begin", SLA_CODE_BEGIN, SLA_CODE_BEGIN_VALUE},
                                                    {"end", SLA_CODE_END, SLA_CODE_END},
                                                    {"level", SLA_CODE_TICK, SLA_CODE_LEVEL},
                                                    {"value", SLA_CODE_TICK, SLA_CODE_VALUE_UNSIGNED},
                                                    {"text", SLA_CODE_TICK, SLA_CODE_TICK}}};
    const std::uint32_t number = eax - kCalls;
    if (number >= kMarks.size()) return std::nullopt;
    const Call& call = kMarks[number];
    const bool has_value = words.value && call.code_with_value != call.code;
    if (!has_value) return GuestMark{call.what, call.code, 0};
    const bool is_level = call.code_with_value == SLA_CODE_LEVEL;
    return GuestMark{call.what, call.code_with_value, is_level && *words.value != 0 ? 1 : *words.value};
}

}  // namespace sla::linux
