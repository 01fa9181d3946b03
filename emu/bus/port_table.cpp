#include "emu/bus/port_table.h"

#include "proto/base/check.h"

#include <algorithm>

namespace sla::bus {

PortTable::PortTable() : owners_(std::make_unique<std::array<std::uint8_t, kPorts>>()), devices_{nullptr} {}

std::uint8_t PortTable::number_of(PortDevice& device) {
    auto known = std::find(devices_.begin(), devices_.end(), &device);
    if (known == devices_.end()) {
        SLA_CHECK(devices_.size() < kMaxDevices);
        known = devices_.insert(devices_.end(), &device);
    }
    return static_cast<std::uint8_t>(known - devices_.begin());
}

void PortTable::claim(PortDevice& device, std::uint16_t first, std::uint16_t last) {
    SLA_CHECK(first <= last);
    const std::uint8_t number = number_of(device);
    for (unsigned port = first; port <= last; ++port) {
        SLA_CHECK((*owners_)[port] == 0);
        (*owners_)[port] = number;
    }
}

void PortTable::claim_free(PortDevice& device, std::uint16_t first, std::uint16_t last) {
    const std::uint8_t number = number_of(device);
    for (unsigned port = first; port <= last; ++port) {
        if ((*owners_)[port] == 0) (*owners_)[port] = number;
    }
}

void PortTable::release(PortDevice& device, std::uint16_t first, std::uint16_t last) {
    const std::uint8_t number = number_of(device);
    for (unsigned port = first; port <= last; ++port) {
        if ((*owners_)[port] == number) (*owners_)[port] = 0;
    }
}

std::string_view PortTable::device_name(unsigned device) const {
    SLA_CHECK(device < devices_.size());
    return device == 0 ? "unclaimed" : devices_[device]->name();
}

unsigned PortTable::latch_bytes(unsigned device) const {
    SLA_CHECK(device < devices_.size());
    if (device == 0) return bytes_of(Width::kByte);
    return devices_[device]->is_latch() ? bytes_of(devices_[device]->widest()) : 0;
}

std::uint32_t PortTable::read(std::uint16_t port, Width width) {
    PortDevice* device = devices_[device_of(port)];
    if (device != nullptr && device->widest() >= width) return device->read_port(port, width) & all_ones(width);
    if (width == Width::kByte) return all_ones(width);
    std::uint32_t value = 0;
    for (unsigned byte = 0; byte < bytes_of(width); ++byte) {
        value |= read(static_cast<std::uint16_t>(port + byte), Width::kByte) << (8 * byte);
    }
    return value;
}

void PortTable::write(std::uint16_t port, Width width, std::uint32_t value) {
    PortDevice* device = devices_[device_of(port)];
    if (device != nullptr && device->widest() >= width) return device->write_port(port, width, value & all_ones(width));
    if (width == Width::kByte) return;
    for (unsigned byte = 0; byte < bytes_of(width); ++byte) {
        write(static_cast<std::uint16_t>(port + byte), Width::kByte, value >> (8 * byte) & 0xFF);
    }
}

}  // namespace sla::bus
