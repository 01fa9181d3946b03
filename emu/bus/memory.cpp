#include "emu/bus/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <string>

namespace sla::bus {

void Memory::Unmap::operator()(std::uint8_t* start) const {
    ::munmap(start, bytes);
}

Memory::Block Memory::allocate(std::size_t bytes) {
    void* start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
    return {static_cast<std::uint8_t*>(start), Unmap{bytes}};
}

Memory::Memory(std::size_t ram_bytes) {
    SLA_CHECK(ram_bytes >= kMegabyte && ram_bytes % kPageBytes == 0);
    blocks_.push_back(allocate(ram_bytes));
    regions_.push_back({0, {blocks_.back().get(), ram_bytes}});
}

Result<void> Memory::load_rom(std::span<const std::uint8_t> image) {
    SLA_CHECK(blocks_.size() == 1);
    if (image.size() < 16) {
        return invalid_input("the image has " + std::to_string(image.size()) +
                             " bytes: a firmware image ends with its reset vector, which alone takes 16");
    }
    if (image.size() > kMaxRomBytes) {
        return invalid_input("the image has " + std::to_string(image.size()) + " bytes, more than the " +
                             std::to_string(kMaxRomBytes) + " that a firmware image may have; is it a disk image?");
    }
    const std::size_t shadow = std::min(image.size(), kShadowBytes);
    std::copy(image.end() - static_cast<std::ptrdiff_t>(shadow), image.end(), blocks_[0].get() + kMegabyte - shadow);

    const std::size_t rounded = (image.size() + kPageBytes - 1) / kPageBytes * kPageBytes;
    blocks_.push_back(allocate(rounded));
    std::copy(image.begin(), image.end(), blocks_[1].get() + (rounded - image.size()));
    regions_.push_back({static_cast<std::uint32_t>(0x100000000U - rounded), {blocks_[1].get(), rounded}});
    return {};
}

std::span<std::uint8_t> Memory::at(std::uint32_t address, std::size_t count) const {
    for (const Region& region : regions_) {
        if (address < region.base || address - region.base >= region.bytes.size()) continue;
        const std::size_t offset = address - region.base;
        return region.bytes.subspan(offset, std::min(count, region.bytes.size() - offset));
    }
    return {};
}

void Memory::visit_state(StateVisitor& state) {
    state.section("memory");
    for (std::size_t i = 0; i < regions_.size(); ++i) state.memory(i == 0 ? "ram" : "rom", regions_[i].bytes);
}

}  // namespace sla::bus
