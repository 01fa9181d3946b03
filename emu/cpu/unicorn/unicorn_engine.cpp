#include "emu/cpu/unicorn/unicorn_engine.h"

#include <array>
#include <cstring>

namespace sla::cpu {

namespace {

// The place of the mode switch: a GDT with one 16-bit code segment that starts there, then the code.
constexpr std::uint32_t kSwitchPage = 0x1000;
constexpr std::uint32_t kSwitchPageBytes = 0x80;
constexpr std::uint32_t kCodeOffset = 0x20;
constexpr std::uint32_t kCode16Offset = 0x40;
constexpr std::uint8_t kCode16Selector = 8;

constexpr std::array<std::uint8_t, 8> kCode16Descriptor{
    0xFF, 0xFF, kSwitchPage & 0xFF, kSwitchPage >> 8 & 0xFF, kSwitchPage >> 16 & 0xFF, 0x9A, 0x00, kSwitchPage >> 24};

}  // namespace

Error unicorn_error(std::string what, uc_err error) {
    return unavailable("the Unicorn CPU emulator failed to " + std::move(what) + ": " + uc_strerror(error));
}

Error self_test_failed(std::string what) {
    return unavailable("the Unicorn CPU emulator fails SLA's self test: " + std::move(what) +
                       ". SLA knows version 2.0.1; install Debian's libunicorn2 package");
}

Result<UnicornEngine> UnicornEngine::open() {
    uc_engine* engine = nullptr;
    const uc_err error = uc_open(UC_ARCH_X86, UC_MODE_32, &engine);
    if (error != UC_ERR_OK) return unicorn_error("start", error);
    return UnicornEngine(engine);
}

void UnicornEngine::write(uc_x86_reg which, std::uint32_t value) {
    const std::uint64_t wide = value;
    uc_reg_write(get(), which, &wide);
}

void UnicornEngine::write_memory(std::uint32_t address, std::span<const std::uint8_t> bytes) {
    uc_mem_write(get(), address, bytes.data(), bytes.size());
}

Result<void> UnicornEngine::enter_real_mode(std::uint16_t selector, std::uint16_t offset) {
    std::array<std::uint8_t, kSwitchPageBytes> saved{};
    if (const uc_err error = uc_mem_read(get(), kSwitchPage, saved.data(), saved.size()); error != UC_ERR_OK) {
        return unicorn_error("use the memory for its start", error);
    }
    uc_ctl_exits_disable(get());
    const std::array<std::uint8_t, 7> to_16_bit{0xEA, kCode16Offset, 0, 0, 0, kCode16Selector, 0};  // jmp 8:40h
    std::array<std::uint8_t, 14> to_real{0x0F, 0x20, 0xC0,                                          // mov eax, cr0
                                         0x24, 0xFE,                                                // and al, ~PE
                                         0x0F, 0x22, 0xC0,                                          // mov cr0, eax
                                         0xEA, 0,    0,    0, 0, 0xF4};                             // jmp selector:offset
    std::memcpy(&to_real[9], &offset, sizeof offset);
    std::memcpy(&to_real[11], &selector, sizeof selector);
    write_memory(kSwitchPage + 8, kCode16Descriptor);
    write_memory(kSwitchPage + kCodeOffset, to_16_bit);
    write_memory(kSwitchPage + kCode16Offset, to_real);

    uc_x86_mmr table{0, kSwitchPage, 0xF, 0};
    uc_reg_write(get(), UC_X86_REG_GDTR, &table);
    const std::uint64_t target = (std::uint64_t{selector} << 4) + offset;
    const uc_err error = uc_emu_start(get(), kSwitchPage + kCodeOffset, target, 0, 0);
    if (error != UC_ERR_OK) return unicorn_error("enter real mode", error);

    table = {0, 0, 0xFFFF, 0};
    uc_reg_write(get(), UC_X86_REG_GDTR, &table);
    table = {0, 0, 0x3FF, 0};
    uc_reg_write(get(), UC_X86_REG_IDTR, &table);
    for (const uc_x86_reg segment : {UC_X86_REG_DS, UC_X86_REG_ES, UC_X86_REG_SS, UC_X86_REG_FS, UC_X86_REG_GS}) {
        write(segment, 0);
    }
    for (const uc_x86_reg reg : {UC_X86_REG_EAX, UC_X86_REG_EBX, UC_X86_REG_ECX, UC_X86_REG_EDX, UC_X86_REG_ESI,
                                 UC_X86_REG_EDI, UC_X86_REG_EBP, UC_X86_REG_ESP}) {
        write(reg, 0);
    }
    write(UC_X86_REG_EFLAGS, 2);
    write_memory(kSwitchPage, saved);
    if ((read(UC_X86_REG_CR0) & 1) != 0 || read(UC_X86_REG_CS) != selector) {
        return unavailable("the Unicorn CPU emulator did not enter real mode; is this a version SLA does not know?");
    }
    return {};
}

}  // namespace sla::cpu
