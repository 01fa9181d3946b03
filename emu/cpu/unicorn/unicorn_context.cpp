#include "emu/cpu/unicorn/unicorn_context.h"

#include "proto/base/check.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <optional>
#include <vector>

namespace sla::cpu {

namespace {

// Distances from EAX.
constexpr std::size_t kContextEip = 128;
constexpr std::size_t kContextEflags = 136;
constexpr std::size_t kHiddenFlags = 176;
constexpr std::size_t kMoreHiddenFlags = 180;
constexpr std::size_t kContextSegments = 184;
constexpr std::size_t kSegmentBytes = 24;  // selector at 0, base at 8, limit at 16, attributes at 20
constexpr std::size_t kContextLdt = kContextSegments + 6 * kSegmentBytes;
constexpr std::size_t kTask = kContextLdt + kSegmentBytes;
constexpr std::size_t kGdt = kTask + kSegmentBytes;
constexpr std::size_t kIdt = kGdt + kSegmentBytes;
constexpr std::size_t kControl = kIdt + kSegmentBytes;
static_assert(kControl + 5 * sizeof(std::uint64_t) == ContextLayout::kFromGeneral);

// Distances from the fault in flight.
constexpr std::size_t kControlBlock = 8;
constexpr std::size_t kInterceptMask = 24;
constexpr std::size_t kInterceptControlWrites = 34;
constexpr std::size_t kInterceptDebugWrites = 38;

// Of the hidden flags.
constexpr std::uint32_t kRing = 3;
constexpr std::uint32_t kShadow = 1U << 3;
constexpr std::uint32_t kCode32 = 1U << 4;
constexpr std::uint32_t kStack32 = 1U << 5;
constexpr std::uint32_t kAddBases = 1U << 6;
constexpr std::uint32_t kProtected = 1U << 7;
constexpr std::uint32_t kCoprocessor = 7U << 9;  // CR0's MP, EM and TS
constexpr unsigned kCoprocessorShift = 8;
constexpr std::uint32_t kIntercepting = 1U << 21;

// Of more of them.
constexpr std::uint32_t kNmiBlocked = 1U << 2;

constexpr unsigned kFirstIntercept = 0x160;  // the report of bit 0 of the mask
constexpr std::uint64_t bit_of(std::uint32_t report) {
    return std::uint64_t{1} << (report - kFirstIntercept);
}

// What entering a handler changes in the flags.
constexpr std::uint32_t kChangedFlags =
    flag::kTrap | flag::kInterrupt | flag::kIopl | flag::kNestedTask | flag::kResume | flag::kVirtual8086;

}  // namespace

UnicornContext::UnicornContext(const UnicornEngine& engine, const ContextLayout& layout)
    : engine_(engine.get()), layout_(layout) {
    uc_context* context = nullptr;
    if (uc_context_alloc(engine_, &context) != UC_ERR_OK) throw std::bad_alloc();
    context_.reset(context);
    SLA_CHECK(layout.in_flight + kInterceptDebugWrites + 2 <= uc_context_size(engine_));
}

template <typename Word>
Word UnicornContext::get(std::size_t offset) const {
    Word word{};
    std::memcpy(&word, reinterpret_cast<const std::uint8_t*>(context_.get()) + offset, sizeof word);
    return word;
}

template <typename Word>
void UnicornContext::put(std::size_t offset, Word value) {
    std::memcpy(reinterpret_cast<std::uint8_t*>(context_.get()) + offset, &value, sizeof value);
}

Segment UnicornContext::segment(std::size_t offset) const {
    const std::size_t at = layout_.general + offset;
    return {static_cast<std::uint16_t>(get<std::uint32_t>(at)), get<std::uint32_t>(at + 8), get<std::uint32_t>(at + 16),
            get<std::uint32_t>(at + 20) & Segment::kAll};
}

void UnicornContext::put_segment(std::size_t offset, const Segment& segment) {
    const std::size_t at = layout_.general + offset;
    put<std::uint32_t>(at, segment.selector);
    put<std::uint64_t>(at + 8, segment.base);
    put<std::uint32_t>(at + 16, segment.limit);
    put<std::uint32_t>(at + 20, segment.attributes);
}

X86State UnicornContext::load() {
    save();
    const std::size_t at = layout_.general;
    X86State state;
    for (std::size_t i = 0; i < state.general.size(); ++i) state.general[i] = get<std::uint32_t>(at + 8 * i);
    state.eip = get<std::uint32_t>(at + kContextEip);
    std::uint64_t flags = 0;
    uc_reg_read(engine_, UC_X86_REG_EFLAGS, &flags);  // the context has the arithmetic ones elsewhere
    state.eflags = static_cast<std::uint32_t>(flags);
    for (std::size_t i = 0; i < state.segments.size(); ++i)
        state.segments[i] = segment(kContextSegments + i * kSegmentBytes);
    state.ldt = segment(kContextLdt);
    state.task = segment(kTask);
    const Segment gdt = segment(kGdt);
    const Segment idt = segment(kIdt);
    state.gdt = {gdt.base, gdt.limit};
    state.idt = {idt.base, idt.limit};
    state.cr0 = get<std::uint32_t>(at + kControl);
    state.cr2 = get<std::uint32_t>(at + kControl + 16);
    state.cr3 = get<std::uint32_t>(at + kControl + 24);
    state.cr4 = get<std::uint32_t>(at + kControl + 32);
    state.cpl = get<std::uint32_t>(at + kHiddenFlags) & kRing;
    return state;
}

CodeSegment UnicornContext::code_segment() {
    save();
    const Segment code = segment(kContextSegments + kCs * kSegmentBytes);
    return {code.selector, code.base, (get<std::uint32_t>(layout_.general + kHiddenFlags) & kCode32) != 0};
}

void UnicornContext::store(const X86State& state) {
    std::uint64_t present_flags = 0;
    uc_reg_read(engine_, UC_X86_REG_EFLAGS, &present_flags);
    const bool other_arithmetic = ((present_flags ^ state.eflags) & ~std::uint64_t{kChangedFlags}) != 0;
    save();
    const std::size_t at = layout_.general;
    for (std::size_t i = 0; i < state.general.size(); ++i) put<std::uint64_t>(at + 8 * i, state.general[i]);
    put<std::uint64_t>(at + kContextEip, state.eip);
    const auto flags = get<std::uint64_t>(at + kContextEflags);
    put<std::uint64_t>(at + kContextEflags, (flags & ~std::uint64_t{kChangedFlags}) | (state.eflags & kChangedFlags));
    for (std::size_t i = 0; i < state.segments.size(); ++i)
        put_segment(kContextSegments + i * kSegmentBytes, state.segments[i]);
    put_segment(kContextLdt, state.ldt);
    put_segment(kTask, state.task);
    put<std::uint64_t>(at + kControl, state.cr0);
    put<std::uint64_t>(at + kControl + 16, state.cr2);
    put<std::uint64_t>(at + kControl + 24, state.cr3);
    put<std::uint64_t>(at + kControl + 32, state.cr4);

    auto hidden = get<std::uint32_t>(at + kHiddenFlags) & ~(kRing | kShadow | kCode32 | kStack32 | kAddBases);
    hidden |= state.cpl;
    const bool flat = state.segments[kDs].base == 0 && state.segments[kEs].base == 0 && state.segments[kSs].base == 0;
    const bool protected_code = (hidden & kProtected) != 0 && !state.virtual_8086();
    if (protected_code && state.segments[kCs].has(Segment::kBig)) hidden |= kCode32;
    if (state.segments[kSs].has(Segment::kBig)) hidden |= kStack32;
    if (!flat || (hidden & kCode32) == 0) hidden |= kAddBases;
    hidden = (hidden & ~kCoprocessor) | (state.cr0 << kCoprocessorShift & kCoprocessor);
    put<std::uint32_t>(at + kHiddenFlags, hidden);
    restore();
    if (other_arithmetic) uc_reg_write(engine_, UC_X86_REG_EFLAGS, &state.eflags);
}

bool UnicornContext::in_shadow() {
    save();
    return (get<std::uint32_t>(layout_.general + kHiddenFlags) & kShadow) != 0;
}

void UnicornContext::end_shadow() {
    save();
    const std::size_t at = layout_.general + kHiddenFlags;
    put<std::uint32_t>(at, get<std::uint32_t>(at) & ~kShadow);
    restore();
}

bool UnicornContext::nmi_blocked() {
    save();
    return (get<std::uint32_t>(layout_.general + kMoreHiddenFlags) & kNmiBlocked) != 0;
}

void UnicornContext::block_nmi() {
    save();
    const std::size_t at = layout_.general + kMoreHiddenFlags;
    put<std::uint32_t>(at, get<std::uint32_t>(at) | kNmiBlocked);
    restore();
}

std::vector<std::uint8_t> UnicornContext::snapshot() {
    save();
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(context_.get());
    return {bytes, bytes + uc_context_size(engine_)};
}

void UnicornContext::go_back_to(std::span<const std::uint8_t> snapshot) {
    std::memcpy(context_.get(), snapshot.data(), snapshot.size());
    restore();
}

// What stands before the registers is the library's own description of it, and stays.
bool UnicornContext::take_over(std::span<const std::uint8_t> snapshot) {
    save();
    if (snapshot.size() != uc_context_size(engine_)) return false;
    const auto own = snapshot.subspan(layout_.general);
    std::memcpy(reinterpret_cast<std::uint8_t*>(context_.get()) + layout_.general, own.data(), own.size());
    restore();
    return true;
}

void UnicornContext::intercept(const Intercepts& which, std::uint64_t control_block) {
    save();
    const std::size_t hidden = layout_.general + kHiddenFlags;
    put<std::uint32_t>(hidden, get<std::uint32_t>(hidden) | kIntercepting);
    std::uint64_t mask = 0;
    if (which.cpuid) mask |= bit_of(intercepted::kCpuid);
    if (which.halt) mask |= bit_of(intercepted::kHalt);
    if (which.msr) mask |= bit_of(intercepted::kMsr);
    if (which.tsc) mask |= bit_of(intercepted::kReadTsc);
    if (which.counters) mask |= bit_of(intercepted::kReadCounter);
    put<std::uint64_t>(layout_.in_flight + kControlBlock, control_block);
    put<std::uint64_t>(layout_.in_flight + kInterceptMask, mask);
    put<std::uint16_t>(layout_.in_flight + kInterceptControlWrites, which.control_writes ? 1 : 0);
    constexpr std::uint16_t kDr5AndDr7 = 0xA0;
    put<std::uint16_t>(layout_.in_flight + kInterceptDebugWrites, which.debug_writes ? kDr5AndDr7 : 0);
    restore();
}

}  // namespace sla::cpu
