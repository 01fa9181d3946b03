// Finds where the processor's state lies in the library's context, and proves it.
#include "emu/cpu/unicorn/unicorn_context.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace sla::cpu {

namespace {

// Where eight registers lie one behind the other, in the processor's order.
std::optional<std::size_t> find_general(const UnicornEngine& engine) {
    uc_context* saved = nullptr;
    if (uc_context_alloc(engine.get(), &saved) != UC_ERR_OK) return std::nullopt;
    uc_context_save(engine.get(), saved);
    const auto* first = reinterpret_cast<const std::uint8_t*>(saved);
    const std::vector<std::uint8_t> bytes(first, first + uc_context_size(engine.get()));
    uc_context_free(saved);
    std::array<std::uint64_t, 8> wanted{};
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = 0xA0A0A0A0U + i;
    const auto* pattern = reinterpret_cast<const std::uint8_t*>(wanted.data());
    const auto at = std::search(bytes.begin(), bytes.end(), pattern, pattern + sizeof wanted);
    if (at == bytes.end()) return std::nullopt;
    const auto offset = static_cast<std::size_t>(at - bytes.begin());
    return offset + ContextLayout::kFromGeneral <= bytes.size() ? std::optional(offset) : std::nullopt;
}

// An engine whose every register has a value of its own.
Result<UnicornEngine> make_marked_engine() {
    auto engine = UnicornEngine::open();
    if (!engine) return engine.error();
    if (const uc_err mapped = uc_mem_map(engine->get(), 0, 1U << 20, UC_PROT_ALL); mapped != UC_ERR_OK) {
        return unicorn_error("map memory for its self test", mapped);
    }
    if (auto entered = engine->enter_real_mode(0x1234, 0x5678); !entered) return entered.error();
    constexpr std::array kGeneral{UC_X86_REG_EAX, UC_X86_REG_ECX, UC_X86_REG_EDX, UC_X86_REG_EBX,
                                  UC_X86_REG_ESP, UC_X86_REG_EBP, UC_X86_REG_ESI, UC_X86_REG_EDI};
    for (std::size_t i = 0; i < kGeneral.size(); ++i)
        engine->write(kGeneral[i], 0xA0A0A0A0U + static_cast<std::uint32_t>(i));
    uc_x86_mmr table{0, 0x11223344, 0x5566, 0};
    uc_reg_write(engine->get(), UC_X86_REG_GDTR, &table);
    table = {0, 0x778899AA, 0xBBCC, 0};
    uc_reg_write(engine->get(), UC_X86_REG_IDTR, &table);
    engine->write(UC_X86_REG_CR2, 0xDDEEFF00);
    engine->write(UC_X86_REG_SS, 0x4321);
    return engine;
}

bool is_correct(const X86State& state) {
    const Segment& code = state.segments[kCs];
    return state.eip == 0x5678 && code.selector == 0x1234 && code.base == 0x12340 &&
           state.segments[kSs].selector == 0x4321 && state.segments[kSs].base == 0x43210 && state.gdt.base == 0x11223344 &&
           state.gdt.limit == 0x5566 && state.idt.base == 0x778899AA && state.idt.limit == 0xBBCC &&
           state.cr2 == 0xDDEEFF00 && !state.protected_mode() && state.cpl == 0;
}

struct Report {
    std::uint32_t number = 0;
};
void on_report(uc_engine* engine, std::uint32_t number, void* user) {
    static_cast<Report*>(user)->number = number;
    uc_emu_stop(engine);
}

// Runs CPUID, RDTSC, RDPMC, HLT and a write to DR7 in real mode; each must end the run and stand where EIP says.
Result<void> prove_intercepts(UnicornEngine& engine, const ContextLayout& layout) {
    struct Intercepted {
        std::uint32_t at;
        std::uint32_t report;
    };
    constexpr std::array<std::uint8_t, 11> kCode{0x0F, 0xA2, 0x0F, 0x31, 0x0F, 0x33, 0xF4, 0x90, 0x0F, 0x23, 0xF8};
    constexpr std::array<Intercepted, 5> kReports{{{0, intercepted::kCpuid},
                                                   {2, intercepted::kReadTsc},
                                                   {4, intercepted::kReadCounter},
                                                   {6, intercepted::kHalt},
                                                   {8, intercepted::kWriteDr7}}};
    constexpr std::uint32_t kBase = 0x12340;
    engine.write_memory(kBase, kCode);
    Report report;
    uc_hook hook = 0;
    // The library's hook interface takes every callback as void*.
    uc_hook_add(engine.get(), &hook, UC_HOOK_INTR, reinterpret_cast<void*>(&on_report), &report, 1, 0);
    UnicornContext context(engine, layout);
    context.intercept({true, true, true, true, true, true, true}, 0);
    for (const auto& [at, wanted] : kReports) {
        report = {};
        uc_emu_start(engine.get(), at, ~std::uint64_t{0}, 0, 0);
        const bool knows_place = wanted == intercepted::kHalt || engine.read(UC_X86_REG_EIP) == at;
        if (report.number != wanted || !knows_place) {
            return self_test_failed("an instruction that it shall intercept was not reported");
        }
    }
    return {};
}

// An IRET, to address 0 where a HLT ends the run, must let NMIs in again.
Result<void> prove_nmi_blocking(UnicornEngine& engine, const ContextLayout& layout) {
    constexpr std::array<std::uint8_t, 1> kIret{0xCF};
    constexpr std::array<std::uint8_t, 1> kHlt{0xF4};
    constexpr std::uint32_t kBase = 0x12340;
    constexpr std::uint32_t kOffset = 0x100;
    engine.write_memory(kBase + kOffset, kIret);
    engine.write_memory(0, kHlt);
    UnicornContext context(engine, layout);
    context.block_nmi();
    if (!context.nmi_blocked()) return self_test_failed("the flag that blocks NMIs was not found");
    uc_emu_start(engine.get(), kOffset, ~std::uint64_t{0}, 0, 0);
    if (context.nmi_blocked()) return self_test_failed("IRET does not let NMIs in");
    return {};
}

}  // namespace

Result<ContextLayout> calibrate_context(const ExceptionLayout& exceptions) {
    auto engine = make_marked_engine();
    if (!engine) return engine.error();
    const auto general = find_general(*engine);
    if (!general) return self_test_failed("the registers in its context were not found");
    const ContextLayout layout{*general, exceptions.in_flight};
    if (!is_correct(UnicornContext(*engine, layout).load()))
        return self_test_failed("its context is laid out in another way");
    if (auto proven = prove_nmi_blocking(*engine, layout); !proven) return proven.error();
    engine = make_marked_engine();
    if (!engine) return engine.error();
    if (auto proven = prove_intercepts(*engine, layout); !proven) return proven.error();
    return layout;
}

}  // namespace sla::cpu
