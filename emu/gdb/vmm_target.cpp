#include "emu/gdb/vmm_target.h"

#include "emu/control/numbers.h"
#include "emu/gdb/target_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sla::gdb {

namespace {

constexpr std::size_t kFirstSegment = 10;
constexpr std::array kSegments{cpu::kCs, cpu::kSs, cpu::kDs, cpu::kEs, cpu::kFs, cpu::kGs};  // in gdb's order
constexpr std::size_t kFirstBase = kFirstSystem + 4;
constexpr std::size_t kOffset = kRegisters.size() - 1;
constexpr std::size_t kMaxPoints = 1024;

bool is_code(PointKind kind) {
    return kind == PointKind::kSoftware || kind == PointKind::kHardware;
}

cpu::StopPoints::Watch watch_of(PointKind kind, std::uint32_t address, std::uint32_t bytes) {
    return {address, bytes, kind != PointKind::kWrite, kind != PointKind::kRead};
}

}  // namespace

std::optional<std::uint32_t> VmmTarget::read_register(std::size_t number) const {
    const cpu::X86State now = vmm_.cpu().full_state();
    if (number < now.general.size()) return now.general[number];
    if (number == kEipNumber) return now.segments[cpu::kCs].base + now.eip;
    if (number == kFlagsNumber) return now.eflags;
    if (number < kFirstFloating) return now.segments[kSegments[number - kFirstSegment]].selector;
    if (number < kFirstSystem) return std::nullopt;
    if (number < kFirstBase) return std::array{now.cr0, now.cr2, now.cr3, now.cr4}[number - kFirstSystem];
    if (number < kOffset) return now.segments[number - kFirstBase].base;
    if (number == kOffset) return now.eip;
    return std::nullopt;
}

bool VmmTarget::write_register(std::size_t number, std::uint32_t value) {
    cpu::X86State now = vmm_.cpu().full_state();
    if (number < now.general.size()) {
        now.general[number] = value;
    } else if (number == kEipNumber) {
        now.eip = value - now.segments[cpu::kCs].base;
    } else if (number == kOffset) {
        now.eip = value;
    } else if (number == kFlagsNumber) {
        const auto flags = control::written_flags(value, now.eflags);
        if (!flags) return false;
        now.eflags = *flags;
    } else {
        return false;
    }
    vmm_.set_state(now);
    console_.changed("a debugger wrote a register");
    return true;
}

bool VmmTarget::write_memory(std::uint32_t linear, std::string_view bytes) {
    std::uint32_t written = 0;
    while (written < bytes.size() && vmm_.write_byte(linear + written, static_cast<std::uint8_t>(bytes[written]))) ++written;
    if (written != 0) console_.changed("a debugger wrote to memory");
    return written == bytes.size();
}

Result<std::optional<cpu::StopPoints::Found>> VmmTarget::go_back(bool step) {
    using Found = cpu::StopPoints::Found;
    const auto landing = step ? console_.step_back(1) : console_.back_to_point();
    if (!landing) return landing.error();
    if (*landing != control::Console::Landing::kThere) return std::optional<Found>();
    return step ? std::optional(Found{cpu::StopPoints::Why::kStep}) : vmm_.stop_points().met();
}

Result<void> VmmTarget::add_point(PointKind kind, std::uint32_t address, std::uint32_t bytes) {
    const Point point{kind, address, bytes};
    if (std::find(points_.begin(), points_.end(), point) != points_.end()) return {};
    if (points_.size() == kMaxPoints) return invalid_input(fmt::format("{} breakpoints are the most", kMaxPoints));
    constexpr std::uint32_t kMaxWatched = 4096;
    if (!is_code(kind)) {
        if (bytes == 0 || bytes > kMaxWatched) return invalid_input(fmt::format("watch 1 to {} bytes", kMaxWatched));
        if (kind != PointKind::kWrite && !vmm_.cpu().sees_accesses()) {
            return invalid_input(fmt::format("the CPU \"{}\" sees no reads of memory; use --cpu x86emu", vmm_.cpu().name()));
        }
        vmm_.stop_points().add_watch(watch_of(kind, address, bytes));
    } else {
        vmm_.stop_points().add_code(address);
    }
    points_.push_back(point);
    return {};
}

void VmmTarget::take_out(const Point& point) {
    if (is_code(point.kind)) {
        vmm_.stop_points().remove_code(point.address);
    } else {
        vmm_.stop_points().remove_watch(watch_of(point.kind, point.address, point.bytes));
    }
}

void VmmTarget::remove_point(PointKind kind, std::uint32_t address, std::uint32_t bytes) {
    const auto found = std::find(points_.begin(), points_.end(), Point{kind, address, bytes});
    if (found == points_.end()) return;
    take_out(*found);
    points_.erase(found);
}

void VmmTarget::remove_all_points() {
    for (const Point& point : points_) take_out(point);
    points_.clear();
}

std::optional<PointKind> VmmTarget::code_point(std::uint32_t address) const {
    const auto found = std::find_if(points_.begin(), points_.end(),
                                    [&](const Point& point) { return is_code(point.kind) && point.address == address; });
    return found == points_.end() ? std::nullopt : std::optional(found->kind);
}

void VmmTarget::resume(bool step) {
    vmm_.go_on();
    step_.reset();
    if (step) step_ = vmm_.stop_points().step();
}

void VmmTarget::interrupt() {
    if (const auto step = std::exchange(step_, std::nullopt)) vmm_.stop_points().cancel_step(*step);
}

}  // namespace sla::gdb
