#include "emu/guest/multiboot_guest.h"

#include "emu/guest/images.h"

namespace sla::guest {

namespace {

constexpr std::size_t kEntryOffset = 8;  // `entry` and `information` in multiboot.asm, little-endian
constexpr std::size_t kInformationOffset = 12;

}  // namespace

std::vector<std::uint8_t> multiboot_guest(std::uint32_t entry, std::uint32_t information) {
    std::vector<std::uint8_t> image(kMultibootImage.begin(), kMultibootImage.end());
    for (unsigned byte = 0; byte < 4; ++byte) {
        image[kEntryOffset + byte] = static_cast<std::uint8_t>(entry >> (8 * byte));
        image[kInformationOffset + byte] = static_cast<std::uint8_t>(information >> (8 * byte));
    }
    return image;
}

}  // namespace sla::guest
