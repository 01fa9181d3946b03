#include "emu/cpu/physical_map.h"

#include <algorithm>

namespace sla::cpu {

namespace {

constexpr std::uint64_t kEnd = std::uint64_t{1} << 32;

// Where anything begins or ends.
std::vector<std::uint64_t> borders(const bus::Memory& memory, const bus::MmioTable& windows) {
    std::vector<std::uint64_t> all{0, bus::Memory::kMegabyte, std::uint64_t{2} * bus::Memory::kMegabyte, kEnd};
    for (const auto& region : memory.regions()) {
        all.push_back(region.base);
        all.push_back(region.base + region.bytes.size());
    }
    for (const auto& window : windows.windows()) {
        all.push_back(window.base);
        all.push_back(std::uint64_t{window.base} + window.bytes);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

}  // namespace

std::vector<PhysicalRange> physical_map(const bus::Memory& memory, const bus::MmioTable& windows) {
    const auto all = borders(memory, windows);
    std::vector<PhysicalRange> ranges;
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        const auto base = static_cast<std::uint32_t>(all[i]);
        const std::uint64_t bytes = all[i + 1] - all[i];
        std::uint8_t* start = nullptr;
        if (windows.device_of(base) == 0) {
            const auto behind = memory.at(base, 1);
            start = behind.empty() ? nullptr : behind.data();
        }
        if (!ranges.empty() && ranges.back().memory == nullptr && start == nullptr) {
            ranges.back().bytes += bytes;
        } else {
            ranges.push_back({base, bytes, start});
        }
    }
    return ranges;
}

}  // namespace sla::cpu
