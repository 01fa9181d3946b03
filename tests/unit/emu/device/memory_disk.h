// A disk in memory for controllers under test; can be made to fail.
#pragma once

#include "emu/device/storage/disk.h"

#include <algorithm>
#include <vector>

namespace sla::device {

class MemoryDisk final : public Disk {
public:
    explicit MemoryDisk(std::uint64_t sectors) : bytes(sectors * kSectorBytes) {
        for (std::uint64_t number = 0; number < sectors; ++number) {  // every sector knows its number
            for (unsigned byte = 0; byte < 8; ++byte) {
                bytes[number * kSectorBytes + byte] = static_cast<std::uint8_t>(number >> (8 * byte));
            }
        }
    }
    [[nodiscard]] std::uint64_t sectors() const override { return bytes.size() / kSectorBytes; }
    bool read(std::uint64_t number, Sector to) override {
        const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(number * kSectorBytes);
        std::copy(at, at + kSectorBytes, to.begin());
        return number != broken;
    }
    bool write(std::uint64_t number, ConstSector from) override {
        std::copy(from.begin(), from.end(), bytes.begin() + static_cast<std::ptrdiff_t>(number * kSectorBytes));
        return number != broken;
    }

    std::vector<std::uint8_t> bytes;
    std::uint64_t broken = ~std::uint64_t{0};
};

}  // namespace sla::device
