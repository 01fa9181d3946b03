#include "emu/bus/mmio_table.h"

#include "proto/base/check.h"

#include <algorithm>

namespace sla::bus {

void MmioTable::claim(MmioDevice& device, std::uint32_t base, std::uint32_t bytes) {
    SLA_CHECK(bytes > 0 && base % kPageBytes == 0 && bytes % kPageBytes == 0);
    SLA_CHECK(bytes - 1 <= 0xFFFFFFFFU - base);
    for (const Window& window : windows_) {
        SLA_CHECK(!window.holds(base) && !(Window{base, bytes, 0}.holds(window.base)));
    }
    auto known = std::find(devices_.begin(), devices_.end(), &device);
    if (known == devices_.end()) {
        SLA_CHECK(devices_.size() < kMaxDevices);
        known = devices_.insert(devices_.end(), &device);
    }
    windows_.push_back({base, bytes, static_cast<unsigned>(known - devices_.begin())});
}

void MmioTable::move(const MmioDevice& device, std::optional<std::uint32_t> base) {
    for (Window& window : windows_) {
        if (devices_[window.device] != &device) continue;
        window.is_mapped = base.has_value();
        if (base) window.base = *base;
    }
}

unsigned MmioTable::device_of(std::uint32_t address) const {
    for (const Window& window : windows_) {
        if (window.holds(address)) return window.device;
    }
    return 0;
}

std::string_view MmioTable::device_name(unsigned device) const {
    SLA_CHECK(device < devices_.size());
    return device == 0 ? "unclaimed" : devices_[device]->mmio_name();
}

std::uint32_t MmioTable::read(std::uint32_t address, Width width) {
    MmioDevice* device = devices_[device_of(address)];
    return (device == nullptr ? 0xFFFFFFFFU : device->read_mmio(address, width)) & all_ones(width);
}

void MmioTable::write(std::uint32_t address, Width width, std::uint32_t value) {
    MmioDevice* device = devices_[device_of(address)];
    if (device != nullptr) device->write_mmio(address, width, value & all_ones(width));
}

}  // namespace sla::bus
