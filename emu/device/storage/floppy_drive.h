// What lies in a floppy drive: its geometry by the image's size, and where the head stands.
// Owned by the machine's thread; the disk must outlive the drive.
#pragma once

#include "emu/device/storage/disk.h"

#include <cstdint>
#include <optional>

namespace sla::device {

struct FloppyGeometry {
    unsigned cylinders = 0;
    unsigned heads = 0;
    unsigned sectors = 0;        // per track
    std::uint8_t cmos_type = 0;  // what the PC/AT's memory calls the drive
};

// The format of a disk of that size; nothing for a size that no floppy has.
std::optional<FloppyGeometry> floppy_geometry(std::uint64_t sectors);

class FloppyDrive {
public:
    // The size must have a geometry (checked).
    void insert(Disk& disk);
    [[nodiscard]] bool has_disk() const { return disk_ != nullptr; }
    [[nodiscard]] const FloppyGeometry& geometry() const { return geometry_; }

    // The number on the disk; nothing where there is no such sector.
    [[nodiscard]] std::optional<std::uint64_t> find(unsigned cylinder, unsigned head, unsigned sector) const;
    [[nodiscard]] Disk& disk() const { return *disk_; }

    unsigned cylinder = 0;  // under the head
    bool changed = true;    // the door was open since the last step

private:
    Disk* disk_ = nullptr;
    FloppyGeometry geometry_;
};

}  // namespace sla::device
