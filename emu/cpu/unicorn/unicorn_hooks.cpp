#include "emu/cpu/unicorn/unicorn_hooks.h"

#include "emu/cpu/unicorn/crash_guard.h"

namespace sla::cpu {

namespace {

UnicornCpu& self(void* user) {
    return *static_cast<UnicornCpu*>(user);
}

// The library's hook interface takes every callback as void*.
template <typename Callback, typename... More>
uc_err add(uc_engine* engine, int type, Callback* callback, UnicornCpu& cpu, More... more) {
    uc_hook hook = 0;
    constexpr std::uint64_t kEverywhereBegin = 1;
    constexpr std::uint64_t kEverywhereEnd = 0;
    return uc_hook_add(engine, &hook, type, reinterpret_cast<void*>(callback), &cpu, kEverywhereBegin, kEverywhereEnd,
                       more...);
}

}  // namespace

Result<void> UnicornHooks::add_all(UnicornCpu& cpu) {
    uc_engine* engine = cpu.engine_.get();
    constexpr int kBadAccess = UC_HOOK_MEM_READ_UNMAPPED | UC_HOOK_MEM_WRITE_UNMAPPED | UC_HOOK_MEM_FETCH_UNMAPPED |
                               UC_HOOK_MEM_READ_PROT | UC_HOOK_MEM_WRITE_PROT | UC_HOOK_MEM_FETCH_PROT;
    for (const uc_err error :
         {add(engine, UC_HOOK_BLOCK, &block, cpu), add(engine, UC_HOOK_EDGE_GENERATED, &translated, cpu),
          add(engine, UC_HOOK_INSN, &in, cpu, int{UC_X86_INS_IN}), add(engine, UC_HOOK_INSN, &out, cpu, int{UC_X86_INS_OUT}),
          add(engine, UC_HOOK_INTR, &interrupt, cpu), add(engine, UC_HOOK_INSN_INVALID, &invalid_instruction, cpu),
          add(engine, kBadAccess, &bad_access, cpu)}) {
        if (error != UC_ERR_OK) return unicorn_error("take a hook", error);
    }
    return {};
}

void UnicornHooks::block(uc_engine*, std::uint64_t address, std::uint32_t size, void* user) {
    self(user).enter_block(static_cast<std::uint32_t>(address), size);
}

void UnicornHooks::translated(uc_engine*, uc_tb*, uc_tb*, void* user) {
    ++self(user).translated_;
}

std::uint32_t UnicornHooks::in(uc_engine*, std::uint32_t port, int size, void* user) {
    const CrashGuard::Outside ours;
    UnicornCpu& cpu = self(user);
    cpu.access_port(port, size, false);
    return cpu.client_.port_in(static_cast<std::uint16_t>(port), bus::width_of(static_cast<unsigned>(size)));
}

void UnicornHooks::out(uc_engine*, std::uint32_t port, int size, std::uint32_t value, void* user) {
    UnicornCpu& cpu = self(user);
    {
        const CrashGuard::Outside ours;
        cpu.access_port(port, size, true);
        cpu.client_.port_out(static_cast<std::uint16_t>(port), bus::width_of(static_cast<unsigned>(size)), value);
        if (cpu.budget_ != 0 || !cpu.client_.over()) return;
        cpu.end_.behind_access = true;
    }
    CrashGuard::leave();  // the library would run the block to its end
}

Result<void> UnicornHooks::map_window(uc_engine* engine, const PhysicalRange& range, UnicornMemory::Window* window) {
    const uc_err error = uc_mmio_map(engine, range.base, range.bytes, &mmio_read, window, &mmio_write, window);
    if (error != UC_ERR_OK) return unicorn_error("map the addresses of chips", error);
    return {};
}

// The library splits nothing: accesses of 8 bytes come as they are.
std::uint64_t UnicornHooks::mmio_read(uc_engine*, std::uint64_t offset, unsigned size, void* user) {
    const CrashGuard::Outside ours;
    const auto& window = *static_cast<UnicornMemory::Window*>(user);
    const std::uint32_t address = window.base + static_cast<std::uint32_t>(offset);
    CpuClient& client = window.cpu->client_;
    window.cpu->block_.window_access(address);
    std::uint64_t value = client.mmio_read(address, size <= 4 ? bus::width_of(size) : bus::Width::kDword);
    if (size > 4) value |= std::uint64_t{client.mmio_read(address + 4, bus::Width::kDword)} << 32;
    window.cpu->block_.window_access({});
    return value;
}

void UnicornHooks::mmio_write(uc_engine*, std::uint64_t offset, unsigned size, std::uint64_t value, void* user) {
    const CrashGuard::Outside ours;
    const auto& window = *static_cast<UnicornMemory::Window*>(user);
    const std::uint32_t address = window.base + static_cast<std::uint32_t>(offset);
    CpuClient& client = window.cpu->client_;
    window.cpu->block_.window_access(address);
    const auto low = static_cast<std::uint32_t>(value);
    client.mmio_write(address, size <= 4 ? bus::width_of(size) : bus::Width::kDword, low);
    if (size > 4) client.mmio_write(address + 4, bus::Width::kDword, static_cast<std::uint32_t>(value >> 32));
    window.cpu->block_.window_access({});
}

void UnicornHooks::interrupt(uc_engine* engine, std::uint32_t vector, void* user) {
    UnicornCpu& cpu = self(user);
    cpu.end_.vector = vector;
    uc_emu_stop(engine);
}

bool UnicornHooks::invalid_instruction(uc_engine*, void* user) {
    self(user).end_.invalid_instruction = true;
    return true;  // ends the run without an error
}

bool UnicornHooks::bad_access(uc_engine*, uc_mem_type, std::uint64_t address, int, std::int64_t, void* user) {
    self(user).end_.bad_address = address;
    return false;  // ends the run with an error
}

}  // namespace sla::cpu
