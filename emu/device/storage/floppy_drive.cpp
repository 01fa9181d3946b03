#include "emu/device/storage/floppy_drive.h"

#include "proto/base/check.h"

namespace sla::device {

std::optional<FloppyGeometry> floppy_geometry(std::uint64_t sectors) {
    constexpr FloppyGeometry kFormats[] = {
        {40, 1, 8, 1},  {40, 1, 9, 1}, {40, 2, 8, 1},  {40, 2, 9, 1},
        {80, 2, 15, 2}, {80, 2, 9, 3}, {80, 2, 18, 4}, {80, 2, 36, 5},
    };
    for (const FloppyGeometry& format : kFormats) {
        if (std::uint64_t{format.cylinders} * format.heads * format.sectors == sectors) return format;
    }
    return std::nullopt;
}

void FloppyDrive::insert(Disk& disk) {
    const auto geometry = floppy_geometry(disk.sectors());
    SLA_CHECK(geometry.has_value());
    disk_ = &disk;
    geometry_ = *geometry;
    changed = true;
}

std::optional<std::uint64_t> FloppyDrive::find(unsigned on_cylinder, unsigned head, unsigned sector) const {
    const bool exists = has_disk() && on_cylinder < geometry_.cylinders && head < geometry_.heads && sector >= 1 &&
                        sector <= geometry_.sectors;
    if (!exists) return std::nullopt;
    return (std::uint64_t{on_cylinder} * geometry_.heads + head) * geometry_.sectors + sector - 1;
}

}  // namespace sla::device
