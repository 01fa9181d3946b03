#include "tests/support/picture_difference.h"

#include <stb_image.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

namespace sla::support {

namespace {

constexpr int kTile = 8;           // pixels
constexpr int kSeen = 8;           // of 255: a hair line over such a tile is more, another shade of its edges less
constexpr int kLargest = 48;       // no tile may differ by more
constexpr double kApart = 0.0015;  // share of the tiles that may be apart: some digits of a proportional font

using Mean = std::array<int, 3>;

Mean mean_of(const ui::Pixels& pixels, int left, int top) {
    const int right = std::min(left + kTile, pixels.width);
    const int bottom = std::min(top + kTile, pixels.height);
    Mean sum{};
    for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
            const auto at =
                (static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels.width) + static_cast<std::size_t>(x)) * 4;
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += pixels.rgba[at + i];
        }
    }
    for (int& colour : sum) colour /= (right - left) * (bottom - top);
    return sum;
}

int apart(const Mean& one, const Mean& other) {
    int largest = 0;
    for (std::size_t i = 0; i < one.size(); ++i) largest = std::max(largest, std::abs(one[i] - other[i]));
    return largest;
}

}  // namespace

bool PictureDifference::is_tolerable() const {
    return same_size && largest <= kLargest && static_cast<double>(tiles_apart) <= kApart * static_cast<double>(tiles);
}

PictureDifference difference(const ui::Pixels& one, const ui::Pixels& other) {
    PictureDifference out;
    out.same_size = one.width == other.width && one.height == other.height;
    if (!out.same_size) return out;
    for (int top = 0; top < one.height; top += kTile) {
        for (int left = 0; left < one.width; left += kTile) {
            const int away = apart(mean_of(one, left, top), mean_of(other, left, top));
            ++out.tiles;
            if (away > kSeen) ++out.tiles_apart;
            out.largest = std::max(out.largest, away);
        }
    }
    return out;
}

ui::Pixels marked_difference(const ui::Pixels& one, const ui::Pixels& other) {
    ui::Pixels out = one;
    if (one.width != other.width || one.height != other.height) return out;
    for (int y = 0; y < one.height; ++y) {
        for (int x = 0; x < one.width; ++x) {
            const int left = x - x % kTile;
            const int top = y - y % kTile;
            const auto at =
                (static_cast<std::size_t>(y) * static_cast<std::size_t>(one.width) + static_cast<std::size_t>(x)) * 4;
            if (apart(mean_of(one, left, top), mean_of(other, left, top)) > kSeen) {
                out.rgba[at] = 0xFF;
            } else {
                for (std::size_t i = 0; i < 3; ++i) out.rgba[at + i] /= 3;
            }
        }
    }
    return out;
}

ui::Pixels read_png(const std::string& path) {
    ui::Pixels out;
    int channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> bytes(stbi_load(path.c_str(), &out.width, &out.height, &channels, 4),
                                                          &stbi_image_free);
    if (bytes == nullptr) return {};
    const auto size = static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 4;
    out.rgba.assign(bytes.get(), bytes.get() + size);
    return out;
}

}  // namespace sla::support
