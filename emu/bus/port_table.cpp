#include "emu/bus/port_table.h"

#include "proto/base/check.h"

#include <algorithm>

namespace sla::bus {

PortTable::PortTable() : owners_(std::make_unique<std::array<Owner, kPorts>>()), devices_{nullptr} {}

std::uint8_t PortTable::number_of(PortDevice& device) {
    auto known = std::find(devices_.begin(), devices_.end(), &device);
    if (known == devices_.end()) {
        SLA_CHECK(devices_.size() < kMaxDevices);
        known = devices_.insert(devices_.end(), &device);
    }
    return static_cast<std::uint8_t>(known - devices_.begin());
}

PortTable::Owner PortTable::owner(std::uint8_t number, std::uint16_t port) const {
    const PortDevice& device = *devices_[number];
    const auto bytes = [&](Access access) {
        return static_cast<std::uint8_t>(device.is_latch(port, access) ? bytes_of(device.widest()) : 0);
    };
    return {number, {bytes(Access::kIn), bytes(Access::kOut)}};
}

void PortTable::claim(PortDevice& device, std::uint16_t first, std::uint16_t last) {
    SLA_CHECK(first <= last);
    const std::uint8_t number = number_of(device);
    for (unsigned port = first; port <= last; ++port) {
        SLA_CHECK((*owners_)[port].device == 0);
        (*owners_)[port] = owner(number, static_cast<std::uint16_t>(port));
    }
}

void PortTable::claim_free(PortDevice& device, std::uint16_t first, std::uint16_t last) {
    const std::uint8_t number = number_of(device);
    for (unsigned port = first; port <= last; ++port) {
        if ((*owners_)[port].device == 0) (*owners_)[port] = owner(number, static_cast<std::uint16_t>(port));
    }
}

void PortTable::release(PortDevice& device, std::uint16_t first, std::uint16_t last) {
    const std::uint8_t number = number_of(device);
    for (unsigned port = first; port <= last; ++port) {
        if ((*owners_)[port].device == number) (*owners_)[port] = {};
    }
}

std::string_view PortTable::device_name(unsigned device) const {
    SLA_CHECK(device < devices_.size());
    return device == 0 ? "unclaimed" : devices_[device]->name();
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
