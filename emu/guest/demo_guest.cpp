#include "emu/guest/demo_guest.h"

#include "emu/guest/images.h"

namespace sla::guest {

namespace {

constexpr std::size_t kTicksOffset = 8;  // `ticks` in demo.asm, little-endian

}  // namespace

std::vector<std::uint8_t> demo_guest(std::uint32_t ticks) {
    std::vector<std::uint8_t> image(kDemoImage.begin(), kDemoImage.end());
    for (unsigned byte = 0; byte < 4; ++byte) image[kTicksOffset + byte] = static_cast<std::uint8_t>(ticks >> (8 * byte));
    return image;
}

}  // namespace sla::guest
