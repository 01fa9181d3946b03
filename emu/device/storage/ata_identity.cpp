#include "emu/device/storage/ata_identity.h"

#include <algorithm>
#include <string_view>

namespace sla::device {

namespace {

constexpr unsigned kHeads = 16;
constexpr unsigned kSectorsPerTrack = 63;
constexpr std::uint64_t kMaxCylinders = 16383;
constexpr std::uint64_t kMax28Bit = 0x0FFFFFFF;

// Text has its first character in the high byte and ends in blanks.
void put_text(std::array<std::uint16_t, 256>& words, unsigned first, unsigned count, std::string_view text) {
    const auto at = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : ' '; };
    for (unsigned word = 0; word < count; ++word) {
        words[first + word] = static_cast<std::uint16_t>(at(2 * word) << 8 | at(2 * word + 1));
    }
}

}  // namespace

std::array<std::uint16_t, 256> ata_identity(std::uint64_t sectors, unsigned most_multiple, unsigned multiple) {
    std::array<std::uint16_t, 256> words{};
    const auto part = [](std::uint64_t value, unsigned word) { return static_cast<std::uint16_t>(value >> (16 * word)); };
    const std::uint64_t cylinders = std::clamp<std::uint64_t>(sectors / (kHeads * kSectorsPerTrack), 1, kMaxCylinders);
    const std::uint64_t by_chs = std::min<std::uint64_t>(cylinders * kHeads * kSectorsPerTrack, sectors);
    const std::uint64_t by_28_bits = std::min(sectors, kMax28Bit);
    words[0] = 0x0040;  // a fixed disk
    words[1] = words[54] = static_cast<std::uint16_t>(cylinders);
    words[3] = words[55] = kHeads;
    words[6] = words[56] = kSectorsPerTrack;
    put_text(words, 10, 10, "SLA00001");
    put_text(words, 23, 4, "1.0");
    put_text(words, 27, 20, "SLA EMULATED DISK");
    words[47] = static_cast<std::uint16_t>(0x8000 | most_multiple);
    words[48] = 1;       // 32-bit data port
    words[49] = 0x0200;  // LBA
    words[51] = 0x0200;  // PIO mode 2
    words[53] = 0x0003;
    words[57] = part(by_chs, 0);
    words[58] = part(by_chs, 1);
    words[59] = static_cast<std::uint16_t>(multiple == 0 ? 0 : 0x0100 | multiple);
    words[60] = part(by_28_bits, 0);
    words[61] = part(by_28_bits, 1);
    words[64] = 0x0003;  // PIO modes 3 and 4
    words[65] = words[66] = words[67] = words[68] = 120;
    words[80] = 0x0070;              // ATA-4 to ATA-6
    words[83] = words[86] = 0x3400;  // flush cache, flush cache ext, 48-bit addresses
    words[83] |= 0x4000;
    words[84] = words[87] = 0x4000;
    for (unsigned word = 0; word < 4; ++word) words[100 + word] = part(sectors, word);
    return words;
}

}  // namespace sla::device
