#include "emu/cpu/unicorn_cpu.h"

#include "emu/cpu/library_fence.h"
#include "emu/cpu/real_mode.h"
#include "emu/cpu/unicorn_hooks.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace sla::cpu {

namespace {

constexpr std::uint16_t kResetSelector = 0xF000;
constexpr std::uint16_t kResetOffset = 0xFFF0;
constexpr std::uint8_t kInvalidOpcode = 6;

constexpr bool pushes_error_code(std::uint32_t vector) {
    return vector == 8 || (vector >= 10 && vector <= 14) || vector == 17;
}

}  // namespace

Result<std::unique_ptr<Cpu>> UnicornCpu::make(bus::Memory& memory, CpuClient& client) {
    auto layout = calibrate_exceptions();
    if (!layout) return layout.error();
    auto engine = UnicornEngine::open();
    if (!engine) return engine.error();
    std::unique_ptr<UnicornCpu> made(new UnicornCpu(std::move(engine).value(), *layout, memory, client));
    if (auto mapped = made->map_memory(); !mapped) return mapped.error();
    if (auto reset = made->reset(); !reset) return reset.error();
    if (auto hooked = UnicornHooks::add_all(*made); !hooked) return hooked.error();
    return std::unique_ptr<Cpu>(std::move(made));
}

UnicornCpu::UnicornCpu(UnicornEngine engine, const ExceptionLayout& layout, bus::Memory& memory, CpuClient& client)
    : engine_(std::move(engine)), exceptions_(engine_, layout), memory_(memory), client_(client) {}

Result<void> UnicornCpu::map_memory() {
    for (const auto& region : memory_.regions()) {
        const uc_err error =
            uc_mem_map_ptr(engine_.get(), region.base, region.bytes.size(), UC_PROT_ALL, region.bytes.data());
        if (error != UC_ERR_OK) return unicorn_error("map the guest's memory", error);
    }
    return {};
}

Result<void> UnicornCpu::reset() {
    return engine_.enter_real_mode(kResetSelector, kResetOffset);
}

Stop UnicornCpu::run() {
    stop_at_.reset();
    taken_vector_.reset();
    invalid_instruction_ = false;
    bad_access_.reset();
    block_ = {};
    uc_err error = UC_ERR_OK;
    const std::uint32_t begin = engine_.read(UC_X86_REG_EIP);
    auto call = [&] { error = uc_emu_start(engine_.get(), begin, ~std::uint64_t{0}, 0, 0); };
    if (const auto signal = LibraryFence::run(call)) return give_up(*signal);
    if (stop_at_) {
        engine_.write(UC_X86_REG_EIP, *stop_at_ - code_base());
        return {asked_, 0, {}, address(), {}};
    }
    shadow_ = false;
    if (taken_vector_) return describe_interrupt();
    if (invalid_instruction_) return {StopReason::kException, kInvalidOpcode, {}, address(), {}};
    if (error != UC_ERR_OK) return describe_failure(error);
    Stop halt{StopReason::kHalt, 0, {}, address(), {}};
    --halt.address.offset;  // HLT is one byte
    return halt;
}

void UnicornCpu::set_allowance(std::uint64_t code_bytes) {
    allowance_ = code_bytes;
}

std::uint64_t UnicornCpu::take_executed() {
    const std::uint64_t bytes = executed_;
    executed_ = 0;
    return bytes;
}

// Runs before every block of guest code: the hot place. About 10 ns while nothing is wanted.
void UnicornCpu::enter_block(std::uint32_t start, std::uint32_t size) {
    const Block next{start, size};
    const bool may_stop = allowance_ <= size || window_wanted_;
    if (may_stop) {
        shadow_ = in_shadow(next);
        bool stop = false;
        if (allowance_ <= size) {
            asked_ = StopReason::kAllowance;
            const LibraryFence::Outside ours;
            allowance_ = client_.next_allowance();
            stop = allowance_ == 0;
        }
        if (!stop && window_wanted_ && !shadow_ && interrupts_on()) {
            asked_ = StopReason::kInterruptWindow;
            stop = true;
        }
        if (stop) {
            stop_at_ = start;
            uc_emu_stop(engine_.get());
            return;
        }
    }
    allowance_ -= std::min<std::uint64_t>(allowance_, size);
    executed_ += size;
    block_ = next;
}

// STI and loads of SS end a block, and the block that follows by falling through is in their shadow.
bool UnicornCpu::in_shadow(const Block& next) const {
    if (block_.size == 0 || block_.start + block_.size != next.start) return false;
    const auto code = memory_.at(block_.start, block_.size);
    if (code.size() != block_.size) return false;
    constexpr std::uint8_t kSti = 0xFB;
    constexpr std::uint8_t kPopSs = 0x17;
    constexpr std::uint8_t kMovSegment = 0x8E;
    const std::uint8_t last = code.back();
    if (last == kSti || last == kPopSs) return true;
    return code.size() >= 2 && code[code.size() - 2] == kMovSegment && (last >> 3 & 7) == 2;
}

bool UnicornCpu::interrupts_on() const {
    return (engine_.read(UC_X86_REG_EFLAGS) & Registers::kInterruptFlag) != 0;
}

bool UnicornCpu::can_inject() const {
    return !shadow_ && interrupts_on();
}

// Real mode and 16-bit protected code; a flat segment starts at 0.
std::uint32_t UnicornCpu::code_base() const {
    const std::uint32_t selector = engine_.read(UC_X86_REG_CS);
    if ((engine_.read(UC_X86_REG_CR0) & Registers::kProtectionEnable) == 0) return selector << 4;
    uc_x86_mmr table{};
    uc_reg_read(engine_.get(), UC_X86_REG_GDTR, &table);
    const auto entry = memory_.at(static_cast<std::uint32_t>(table.base) + (selector & 0xFFF8), 8);
    if (entry.size() < 8) return 0;
    return entry[2] | entry[3] << 8U | entry[4] << 16U | static_cast<std::uint32_t>(entry[7]) << 24U;
}

Injected UnicornCpu::inject(std::uint8_t vector) {
    const Registers now = registers();
    if ((now.cr0 & Registers::kProtectionEnable) != 0) return Injected::kUnsupported;
    uc_x86_mmr table{};
    uc_reg_read(engine_.get(), UC_X86_REG_IDTR, &table);
    const auto entry = memory_.at(static_cast<std::uint32_t>(table.base) + 4U * vector, 4);
    if (4U * vector + 3U > table.limit || entry.size() < 4) return Injected::kOutsideTable;

    const auto frame = make_real_mode_frame(now.eflags, now.cs, static_cast<std::uint16_t>(now.eip), now.ss,
                                            static_cast<std::uint16_t>(now.esp));
    for (std::size_t word = 0; word < frame.words.size(); ++word) {
        const std::array<std::uint8_t, 2> bytes{static_cast<std::uint8_t>(frame.words[word]),
                                                static_cast<std::uint8_t>(frame.words[word] >> 8)};
        engine_.write_memory(frame.addresses[word], bytes);
    }
    engine_.write(UC_X86_REG_SP, frame.sp);
    engine_.write(UC_X86_REG_EFLAGS, now.eflags & ~(Registers::kInterruptFlag | Registers::kTrapFlag));
    engine_.write(UC_X86_REG_CS, static_cast<std::uint32_t>(entry[2] | entry[3] << 8));
    engine_.write(UC_X86_REG_EIP, static_cast<std::uint32_t>(entry[0] | entry[1] << 8));
    shadow_ = false;
    return Injected::kDone;
}

Registers UnicornCpu::registers() const {
    Registers out;
    const auto get = [this](uc_x86_reg which) { return engine_.read(which); };
    out.eax = get(UC_X86_REG_EAX), out.ebx = get(UC_X86_REG_EBX), out.ecx = get(UC_X86_REG_ECX);
    out.edx = get(UC_X86_REG_EDX), out.esi = get(UC_X86_REG_ESI), out.edi = get(UC_X86_REG_EDI);
    out.ebp = get(UC_X86_REG_EBP), out.esp = get(UC_X86_REG_ESP), out.eip = get(UC_X86_REG_EIP);
    out.eflags = get(UC_X86_REG_EFLAGS), out.cr0 = get(UC_X86_REG_CR0);
    out.cs = static_cast<std::uint16_t>(get(UC_X86_REG_CS)), out.ds = static_cast<std::uint16_t>(get(UC_X86_REG_DS));
    out.es = static_cast<std::uint16_t>(get(UC_X86_REG_ES)), out.ss = static_cast<std::uint16_t>(get(UC_X86_REG_SS));
    return out;
}

CodeAddress UnicornCpu::address() const {
    return {static_cast<std::uint16_t>(engine_.read(UC_X86_REG_CS)), engine_.read(UC_X86_REG_EIP), true};
}

CodeAddress UnicornCpu::port_address() const {
    if ((engine_.read(UC_X86_REG_CR0) & Registers::kProtectionEnable) != 0) return {};
    PortAccess access = access_;
    access.dx = static_cast<std::uint16_t>(engine_.read(UC_X86_REG_DX));
    const auto offset = find_port_instruction(memory_.at(block_.start, block_.size), access);
    if (!offset) return {};
    const auto selector = static_cast<std::uint16_t>(engine_.read(UC_X86_REG_CS));
    return {selector, block_.start + static_cast<std::uint32_t>(*offset) - (std::uint32_t{selector} << 4), true};
}

Stop UnicornCpu::describe_interrupt() {
    const auto cause = exceptions_.take();
    Stop stop;
    stop.vector = static_cast<std::uint8_t>(*taken_vector_);
    stop.reason = cause.software_interrupt ? StopReason::kSoftwareInterrupt : StopReason::kException;
    stop.address = address();
    stop.address.offset = taken_eip_;
    if (!cause.software_interrupt && pushes_error_code(*taken_vector_)) stop.error_code = cause.error_code;
    return stop;
}

// The engine is in an unknown state: reading registers still works, closing it may not.
Stop UnicornCpu::give_up(const std::string& signal) {
    const auto selector = static_cast<std::uint16_t>(engine_.read(UC_X86_REG_CS));
    const CodeAddress after = block_.size == 0 ? address() : CodeAddress{selector, block_.start - code_base(), true};
    engine_.abandon();
    return {StopReason::kFailed, 0, {}, after, "the Unicorn CPU emulator failed (" + signal + ") on the code that follows"};
}

Stop UnicornCpu::describe_failure(uc_err error) const {
    Stop stop{StopReason::kFailed, 0, {}, address(), uc_strerror(error)};
    if (!bad_access_) return stop;
    const bool write = bad_access_->type == UC_MEM_WRITE_UNMAPPED || bad_access_->type == UC_MEM_WRITE_PROT;
    const bool fetch = bad_access_->type == UC_MEM_FETCH_UNMAPPED || bad_access_->type == UC_MEM_FETCH_PROT;
    std::array<char, 96> text{};
    std::snprintf(text.data(), text.size(), "it %s address %llxh, where this machine has no memory",
                  write   ? "wrote to"
                  : fetch ? "ran into"
                          : "read from",
                  static_cast<unsigned long long>(bad_access_->address));
    stop.what = text.data();
    return stop;
}

}  // namespace sla::cpu
