// What the library's processor has for memory: the PC's, its chips' windows, and what it knows of pages.
#include "emu/cpu/physical_map.h"
#include "emu/cpu/unicorn_cpu.h"
#include "emu/cpu/unicorn_hooks.h"

#include <array>
#include <cstdio>

namespace sla::cpu {

namespace {

constexpr std::size_t kControlBlockBytes = 3 * 4096;
constexpr std::size_t kMsrMapOffset = 4096;
constexpr std::size_t kMsrMapPointer = 0x48;

}  // namespace

Result<void> UnicornCpu::map_memory() {
    windows_.clear();
    for (const auto& range : physical_map(memory_, chips_)) {
        if (range.memory != nullptr) {
            const uc_err error = uc_mem_map_ptr(engine_.get(), range.base, range.bytes, UC_PROT_ALL, range.memory);
            if (error != UC_ERR_OK) return unicorn_error("map the guest's memory", error);
            continue;
        }
        windows_.push_back(std::make_unique<Window>(Window{this, range.base}));
        if (auto mapped = UnicornHooks::map_window(engine_.get(), range, windows_.back().get()); !mapped) return mapped;
    }
    return {};
}

Result<void> UnicornCpu::map_control_block() {
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
Result<void> UnicornCpu::move_a20() {
    if (a20_ == a20_mapped_) return {};
    constexpr std::uint64_t kMegabyte = bus::Memory::kMegabyte;
    const auto behind = memory_.at(a20_ ? kMegabyte : 0, kMegabyte);
    uc_err error = uc_mem_unmap(engine_.get(), kMegabyte, kMegabyte);
    if (error == UC_ERR_OK) error = uc_mem_map_ptr(engine_.get(), kMegabyte, kMegabyte, UC_PROT_ALL, behind.data());
    if (error != UC_ERR_OK) return unicorn_error("switch address line 20", error);
    a20_mapped_ = a20_;
    return {};
}

// A write to CR3 from outside leaves the library's knowledge of pages as it is; memory that changes its protection does not.
// Some milliseconds, for the rare task with page tables of its own.
void UnicornCpu::forget_pages() {
    for (const auto& range : physical_map(memory_, chips_)) {
        if (range.memory == nullptr) continue;
        uc_mem_protect(engine_.get(), range.base, range.bytes, UC_PROT_READ | UC_PROT_EXEC);
        uc_mem_protect(engine_.get(), range.base, range.bytes, UC_PROT_ALL);
    }
}

std::optional<UnicornCpu::MovedPage> UnicornCpu::moved_page(const X86State& state, const PhysicalWrite& write,
                                                            std::uint32_t linear) const {
    const auto physical = LinearMemory(memory_, write, state).physical(linear);
    if (!physical || *physical == (linear & state.a20)) return std::nullopt;
    return MovedPage{linear, *physical};
}

// Code in another page than before: some 150 ns.
bool UnicornCpu::lies_elsewhere(std::uint32_t linear) {
    const auto moved = moved_page(state(), write_, linear);
    if (moved) {
        elsewhere_ = moved;
    } else {
        checked_page_ = linear >> kPageBits;
    }
    return moved.has_value();
}

// Once for each set of tables a guest turns on, without leaving marks in them: some 20 ms. What it changes later is not
// seen.
void UnicornCpu::look_for_moved_pages() {
    if (moved_page_) return;
    const X86State now = state();
    if (looked_through_ == now.cr3) return;
    looked_through_ = now.cr3;
    const PhysicalWrite no_marks = [](std::uint32_t, std::span<const std::uint8_t>) {};
    std::uint32_t linear = 0;
    do {
        moved_page_ = moved_page(now, no_marks, linear);
        linear += 1U << kPageBits;
    } while (linear != 0 && !moved_page_);
}

std::string UnicornCpu::text_of(const MovedPage& page) {
    std::array<char, 128> text{};
    std::snprintf(text.data(), text.size(), "page tables put %xh at %xh, and the CPU \"unicorn\" moves no pages",
                  page.linear, page.physical);
    return text.data();
}

std::string UnicornCpu::doubts() const {
    if (!moved_page_) return {};
    return "the guest's " + text_of(*moved_page_) + ": what it reads and writes as data there goes to the wrong place";
}

}  // namespace sla::cpu
