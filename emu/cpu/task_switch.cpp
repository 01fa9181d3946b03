#include "emu/cpu/task_switch.h"

#include "emu/cpu/linear_memory.h"

#include <algorithm>
#include <array>

namespace sla::cpu {

namespace {

// Offsets in a 32-bit TSS.
constexpr std::uint32_t kPageTables = 0x1C;
constexpr std::uint32_t kEip = 0x20;
constexpr std::uint32_t kEflags = 0x24;
constexpr std::uint32_t kGeneral = 0x28;
constexpr std::uint32_t kLdt = 0x60;
constexpr std::uint32_t kLastByte = 0x67;

constexpr unsigned kWideTask = 0x9;  // type of its descriptor
constexpr unsigned kLdtType = 0x2;
constexpr std::uint32_t kBusy = 1U << 9;  // of the descriptor's upper half

unsigned type_of(const Segment& segment) {
    return segment.attributes >> 8 & 0x1F;
}

Segment segment_of_8086(std::uint16_t selector) {
    constexpr std::uint32_t kAttributes = 0xF300;
    return {selector, std::uint32_t{selector} << 4, 0xFFFF, kAttributes};
}

}  // namespace

struct TaskSwitch::Image {
    std::uint32_t page_tables = 0, eip = 0, eflags = 0;
    std::array<std::uint32_t, 8> general{};
    std::array<std::uint16_t, 6> segments{};
    std::uint16_t ldt = 0;

    static Image read(LinearMemory& memory, std::uint32_t base) {
        Image image;
        image.page_tables = memory.read(base + kPageTables, 4);
        image.eip = memory.read(base + kEip, 4);
        image.eflags = memory.read(base + kEflags, 4);
        std::uint32_t at = base + kGeneral;
        for (auto& value : image.general) value = memory.read(at, 4), at += 4;
        for (auto& selector : image.segments) selector = static_cast<std::uint16_t>(memory.read(at, 2)), at += 4;
        image.ldt = static_cast<std::uint16_t>(memory.read(base + kLdt, 2));
        return image;
    }
};

Fault fault_of(std::uint8_t number, std::uint32_t error_code, const LinearMemory& memory, X86State& state) {
    const std::optional<PageFault>& page = memory.fault();
    if (!page) return {number, error_code};
    state.cr2 = page->address;
    return {vector::kPageFault, page->error_code};
}

bool TaskSwitch::fail(std::uint8_t number, std::uint32_t error_code) {
    fault_ = fault_of(number, error_code, memory_, state_);
    return false;
}

std::optional<Fault> TaskSwitch::enter(std::uint16_t selector, std::optional<std::uint32_t> error_code) {
    if (!find_task(selector, false)) return fault_;
    const Image image = Image::read(memory_, task_.base);
    const std::uint16_t from = state_.task.selector;
    save(state_.eflags);
    memory_.write(task_.base, 2, from);
    set_busy(from, true);  // not every library's LTR marks it
    set_busy(selector, true);
    if (memory_.fault()) return fail(vector::kInvalidTss, selector), fault_;
    load(image);
    state_.eflags |= flag::kNestedTask;
    if (load_ldt(image.ldt) && load_segments(image) && error_code) push_error_code(*error_code);
    return fault_;
}

std::optional<Fault> TaskSwitch::leave() {
    const auto selector = static_cast<std::uint16_t>(memory_.read(state_.task.base, 2));
    if (!find_task(selector, true)) return fault_;
    const Image image = Image::read(memory_, task_.base);
    save(state_.eflags & ~flag::kNestedTask);
    set_busy(state_.task.selector, false);
    if (memory_.fault()) return fail(vector::kInvalidTss, selector), fault_;
    load(image);
    if (load_ldt(image.ldt)) load_segments(image);
    return fault_;
}

// The way in wants a task that is free, the way back one that is busy.
bool TaskSwitch::find_task(std::uint16_t selector, bool busy) {
    const std::uint8_t wrong = busy ? vector::kInvalidTss : vector::kGeneralProtection;
    if ((selector & kLocalTable) != 0 || (selector & kNotRing) == 0) return fail(wrong, selector);
    const auto found = read_descriptor(selector, state_, memory_);
    if (!found || (type_of(*found) & ~2U) != kWideTask || ((type_of(*found) & 2) != 0) != busy) return fail(wrong, selector);
    if (!found->has(Segment::kPresent)) return fail(vector::kNotPresent, selector);
    if (found->limit < kLastByte) return fail(vector::kInvalidTss, selector);
    task_ = *found;
    return true;
}

void TaskSwitch::save(std::uint32_t eflags) {
    const std::uint32_t base = state_.task.base;
    memory_.write(base + kEip, 4, state_.eip);
    memory_.write(base + kEflags, 4, eflags);
    std::uint32_t at = base + kGeneral;
    for (const std::uint32_t value : state_.general) memory_.write(at, 4, value), at += 4;
    for (const Segment& segment : state_.segments) memory_.write(at, 2, segment.selector), at += 4;
}

void TaskSwitch::set_busy(std::uint16_t selector, bool busy) {
    const std::uint32_t at = state_.gdt.base + (selector & 0xFFF8U) + 4;
    const std::uint32_t high = memory_.read(at, 4);
    memory_.write(at, 4, busy ? high | kBusy : high & ~kBusy);
}

// Segments whose descriptors turn out wrong stay as they come here: selectors without a segment.
void TaskSwitch::load(const Image& image) {
    switched_ = true;
    state_.task = task_;
    state_.task.attributes |= kBusy;
    state_.cr0 |= control::kTaskSwitched;
    if ((state_.cr0 & control::kPaging) != 0) state_.cr3 = image.page_tables;
    state_.general = image.general;
    state_.eip = image.eip;
    state_.eflags = image.eflags | 2;
    for (std::size_t i = 0; i < image.segments.size(); ++i) state_.segments[i] = Segment{image.segments[i], 0, 0, 0};
    state_.cpl = (image.eflags & flag::kVirtual8086) != 0 ? 3 : image.segments[kCs] & 3U;
}

bool TaskSwitch::load_ldt(std::uint16_t selector) {
    state_.ldt = Segment{selector, 0, 0, 0};
    if ((selector & kNotRing) == 0) return true;
    const auto found = (selector & kLocalTable) == 0 ? read_descriptor(selector, state_, memory_) : std::nullopt;
    if (!found || type_of(*found) != kLdtType || !found->has(Segment::kPresent)) return fail(vector::kInvalidTss, selector);
    state_.ldt = *found;
    return true;
}

bool TaskSwitch::load_segments(const Image& image) {
    if (state_.virtual_8086()) {
        std::transform(image.segments.begin(), image.segments.end(), state_.segments.begin(), segment_of_8086);
        return true;
    }
    if (!load_code(image.segments[kCs]) || !load_stack(image.segments[kSs])) return false;
    for (const std::size_t index : {kDs, kEs, kFs, kGs}) {
        if (!load_data(index, image.segments[index])) return false;
    }
    return state_.eip <= state_.segments[kCs].limit || fail(vector::kGeneralProtection, external_);
}

bool TaskSwitch::load_code(std::uint16_t selector) {
    const auto found = read_descriptor(selector, state_, memory_);
    const bool code = found && (selector & kNotRing) != 0 && found->has(Segment::kNotSystem | Segment::kCode);
    if (!code) return fail(vector::kInvalidTss, selector);
    const bool fits = found->has(Segment::kConforming) ? found->dpl() <= state_.cpl : found->dpl() == state_.cpl;
    if (!fits) return fail(vector::kInvalidTss, selector);
    if (!found->has(Segment::kPresent)) return fail(vector::kNotPresent, selector);
    state_.segments[kCs] = *found;
    return true;
}

bool TaskSwitch::load_stack(std::uint16_t selector) {
    const auto found = read_descriptor(selector, state_, memory_);
    const bool fits = found && (selector & kNotRing) != 0 && found->has(Segment::kNotSystem | Segment::kWritable) &&
                      !found->has(Segment::kCode) && found->dpl() == state_.cpl && (selector & 3U) == state_.cpl;
    if (!fits) return fail(vector::kInvalidTss, selector);
    if (!found->has(Segment::kPresent)) return fail(vector::kStackFault, selector);
    state_.segments[kSs] = *found;
    return true;
}

bool TaskSwitch::load_data(std::size_t index, std::uint16_t selector) {
    if ((selector & kNotRing) == 0) return true;
    const auto found = read_descriptor(selector, state_, memory_);
    const bool code = found && found->has(Segment::kCode);
    // The bit that makes data writable makes code readable.
    if (!found || !found->has(Segment::kNotSystem) || (code && !found->has(Segment::kWritable))) {
        return fail(vector::kInvalidTss, selector);
    }
    const bool checked = !(code && found->has(Segment::kConforming));
    if (checked && found->dpl() < std::max(state_.cpl, selector & 3U)) return fail(vector::kInvalidTss, selector);
    if (!found->has(Segment::kPresent)) return fail(vector::kNotPresent, selector);
    state_.segments[index] = *found;
    return true;
}

bool TaskSwitch::push_error_code(std::uint32_t error_code) {
    const Segment& stack = state_.segments[kSs];
    const std::uint32_t mask = stack.has(Segment::kBig) ? 0xFFFFFFFFU : 0xFFFFU;
    const std::uint32_t sp = (state_.general[kEsp] - 4) & mask;
    const bool outside = stack.has(Segment::kExpandDown) ? sp <= stack.limit : sp + 3 > stack.limit || sp + 3 < sp;
    if (outside) return fail(vector::kStackFault, external_);
    memory_.write(stack.base + sp, 4, error_code);
    if (memory_.fault()) return fail(vector::kPageFault, external_);
    state_.general[kEsp] = (state_.general[kEsp] & ~mask) | sp;
    return true;
}

}  // namespace sla::cpu
