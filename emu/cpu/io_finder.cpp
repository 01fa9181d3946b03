#include "emu/cpu/io_finder.h"

namespace sla::cpu {

namespace {

constexpr std::uint8_t kInImmediate = 0xE4;  // +1: AX or EAX instead of AL
constexpr std::uint8_t kOutImmediate = 0xE6;
constexpr std::uint8_t kInDx = 0xEC;
constexpr std::uint8_t kOutDx = 0xEE;
constexpr std::uint8_t kInString = 0x6C;
constexpr std::uint8_t kOutString = 0x6E;
constexpr std::uint8_t kOperandSize = 0x66;

}  // namespace

std::optional<std::size_t> find_port_instruction(std::span<const std::uint8_t> block, const PortAccess& access) {
    const std::uint8_t wide = access.width == bus::Width::kByte ? 0 : 1;
    const auto immediate = static_cast<std::uint8_t>((access.out ? kOutImmediate : kInImmediate) + wide);
    const auto by_dx = static_cast<std::uint8_t>((access.out ? kOutDx : kInDx) + wide);
    const auto string = static_cast<std::uint8_t>((access.out ? kOutString : kInString) + wide);
    std::optional<std::size_t> found;
    for (std::size_t at = 0; at < block.size(); ++at) {
        const bool names_port = block[at] == immediate && at + 1 < block.size() && block[at + 1] == access.port;
        const bool through_dx = block[at] == by_dx && access.dx == access.port;
        if (block[at] == string && access.dx == access.port) return std::nullopt;  // prefixes unknown
        if (!names_port && !through_dx) continue;
        if (found) return std::nullopt;
        found = at;
    }
    if (!found || access.width != bus::Width::kDword) return found;
    if (*found == 0 || block[*found - 1] != kOperandSize) return std::nullopt;
    return *found - 1;
}

}  // namespace sla::cpu
