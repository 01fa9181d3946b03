// The medium behind a disk controller: numbered sectors of 512 bytes.
#pragma once

#include <cstdint>
#include <span>

namespace sla::device {

constexpr std::size_t kSectorBytes = 512;

using Sector = std::span<std::uint8_t, kSectorBytes>;
using ConstSector = std::span<const std::uint8_t, kSectorBytes>;

class Disk {
public:
    virtual ~Disk() = default;

    [[nodiscard]] virtual std::uint64_t sectors() const = 0;
    // number < sectors(). False: the medium failed.
    virtual bool read(std::uint64_t number, Sector to) = 0;
    virtual bool write(std::uint64_t number, ConstSector from) = 0;
};

}  // namespace sla::device
