#include "emu/cpu/unicorn/unicorn_memory.h"

#include "emu/cpu/physical_map.h"
#include "emu/cpu/unicorn/unicorn_hooks.h"

#include <algorithm>

namespace sla::cpu {

namespace {

constexpr std::size_t kControlBlockBytes = 3 * 4096;
constexpr std::size_t kMsrMapOffset = 4096;
constexpr std::size_t kMsrMapPointer = 0x48;

}  // namespace

Result<void> UnicornMemory::map_all(UnicornCpu& cpu) {
    a20_mapped_ = true;
    a20_mask_ = kA20On;
    windows_.clear();
    for (const auto& range : physical_map(memory_, chips_)) {
        if (range.memory != nullptr) {
            const uc_err error = uc_mem_map_ptr(engine_.get(), range.base, range.bytes, UC_PROT_ALL, range.memory);
            if (error != UC_ERR_OK) return unicorn_error("map the guest's memory", error);
            continue;
        }
        windows_.push_back(std::make_unique<Window>(Window{&cpu, range.base}));
        if (auto mapped = UnicornHooks::map_window(engine_.get(), range, windows_.back().get()); !mapped) return mapped;
    }
    return map_control_block();
}

Result<void> UnicornMemory::map_control_block() {
    const uc_err error = uc_mem_map(engine_.get(), kControlBlock, kControlBlockBytes, UC_PROT_ALL);
    if (error != UC_ERR_OK) return unicorn_error("map its control block", error);
    const std::vector<std::uint8_t> all(kControlBlockBytes - 4096, 0xFF);
    constexpr std::uint64_t kMsrMap = kControlBlock + kMsrMapOffset;
    uc_mem_write(engine_.get(), kMsrMap, all.data(), all.size());
    uc_mem_write(engine_.get(), kControlBlock + kMsrMapPointer, &kMsrMap, sizeof kMsrMap);
    return {};
}

// Off, the first megabyte is mapped where the second was. Addresses further up, which only protected mode reaches, keep
// their bit 20.
Result<void> UnicornMemory::switch_a20() {
    if (!a20_changes()) return {};
    constexpr std::uint64_t kMegabyte = bus::Memory::kMegabyte;
    const auto behind = memory_.at(a20_ ? kMegabyte : 0, kMegabyte);
    uc_err error = uc_mem_unmap(engine_.get(), kMegabyte, kMegabyte);
    if (error == UC_ERR_OK) error = uc_mem_map_ptr(engine_.get(), kMegabyte, kMegabyte, UC_PROT_ALL, behind.data());
    if (error != UC_ERR_OK) return unicorn_error("switch address line 20", error);
    a20_mapped_ = a20_;
    a20_mask_ = a20_ ? kA20On : kA20Off;
    return {};
}

void UnicornMemory::forget_pages() {
    for (const auto& range : physical_map(memory_, chips_)) {
        if (range.memory == nullptr) continue;
        uc_mem_protect(engine_.get(), range.base, range.bytes, UC_PROT_READ | UC_PROT_EXEC);
        uc_mem_protect(engine_.get(), range.base, range.bytes, UC_PROT_ALL);
    }
}

// While address line 20 is off, the engine has the first megabyte a second time in the place of the second. The library takes
// linear addresses, which are physical ones without paging.
void UnicornMemory::forget_code(std::uint32_t physical, std::size_t bytes) {
    constexpr std::uint64_t kMegabyte = bus::Memory::kMegabyte;
    const auto forget = [&](std::uint64_t begin, std::uint64_t end) { uc_ctl_remove_cache(engine_.get(), begin, end); };
    const std::uint64_t end = std::uint64_t{physical} + bytes;
    for (std::uint64_t at = physical; at < end;) {
        const std::uint64_t part_end = std::min(end, (at | (bus::Memory::kPageBytes - 1)) + 1);
        const bool is_there = !memory_.at(static_cast<std::uint32_t>(at), 1).empty();
        if (is_there && (a20_mapped_ || at / kMegabyte != 1)) forget(at, part_end);
        if (is_there && !a20_mapped_ && at < kMegabyte) forget(at + kMegabyte, part_end + kMegabyte);
        at = part_end;
    }
}

X86State UnicornMemory::state() const {
    X86State state = context_.load();
    state.a20 = a20_mask();
    return state;
}

}  // namespace sla::cpu
