#include "emu/cpu/kvm/kvm_cpu.h"

#include "emu/cpu/instruction.h"
#include "emu/cpu/physical_map.h"
#include "emu/cpu/reset_values.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

namespace sla::cpu {

namespace {

// A guest that asks its timer for less would never get to run: the timer would go off on the way into the guest, which takes
// 2 us on one host and 10 on another.
constexpr std::uint64_t kShortestRun = 5'000;
constexpr std::uint64_t kLongestShortestRun = 100'000;
constexpr std::uint64_t kRunsPerExit = 2;

// A guest that keeps interrupts off is asked ever less often: each time costs about as much as the shortest run.
constexpr std::uint64_t kLongestWindowPoll = 500'000;

}  // namespace

Result<std::unique_ptr<Cpu>> KvmCpu::make(bus::Memory& memory, const bus::MmioTable& windows, CpuClient& client) {
    const auto abilities = prove_kvm();
    if (!abilities) return abilities.error();
    auto kvm = open_kvm();
    if (!kvm) return kvm.error();
    std::unique_ptr<KvmCpu> made(new KvmCpu(std::move(kvm).value(), *abilities, memory, client));
    if (auto mapped = made->map_memory(windows); !mapped) return mapped.error();
    if (auto identified = made->identify(); !identified) return identified.error();
    if (const int error = sla_kvm_get_state(made->kvm_.get(), &made->at_power_on_); error != 0) {
        return kvm_error("read the processor's registers", error);
    }
    if (auto reset = made->reset(); !reset) return reset.error();
    return std::unique_ptr<Cpu>(std::move(made));
}

KvmCpu::KvmCpu(KvmMachine kvm, const KvmAbilities& abilities, bus::Memory& memory, CpuClient& client)
    : kvm_(std::move(kvm)),
      abilities_(abilities),
      shortest_run_(std::clamp(kRunsPerExit * abilities.exit_ns, kShortestRun, kLongestShortestRun)),
      memory_(memory),
      client_(client),
      write_([this](std::uint32_t address, std::span<const std::uint8_t> bytes) {
          const auto to = memory_.at(address, bytes.size());
          std::copy_n(bytes.begin(), to.size(), to.begin());
      }) {}

Result<void> KvmCpu::map_memory(const bus::MmioTable& windows) {
    unsigned slot = 0;
    for (const auto& range : physical_map(memory_, windows)) {
        if (range.memory == nullptr) continue;
        if (range.base == bus::Memory::kMegabyte) second_megabyte_ = slot;
        if (const int error = sla_kvm_map(kvm_.get(), slot++, range.base, range.bytes, range.memory); error != 0) {
            return kvm_error("map the guest's memory", error);
        }
    }
    return {};
}

Result<void> KvmCpu::identify() {
    std::vector<sla_kvm_cpuid> leaves;
    for (std::uint32_t leaf = 0; leaf <= client_.identity(0).eax; ++leaf) {
        const CpuidAnswer answer = client_.identity(leaf);
        leaves.push_back({leaf, answer.eax, answer.ebx, answer.ecx, answer.edx});
    }
    const int error = sla_kvm_set_cpuid(kvm_.get(), leaves.data(), leaves.size());
    return error == 0 ? Result<void>() : kvm_error("be a Pentium", error);
}

std::string KvmCpu::limits() const {
    std::string text =
        "enters handlers by itself, so channels int.* and exc.* stay empty, and cpu.mode is noticed at the next exit";
    text += "; RDPMC is the host's KVM's to do, a general protection fault where that has no counters";
    if (!abilities_.windows) text += "; the KVM of this host notices late that a guest takes interrupts again";
    if (!abilities_.paging) text += "; it shuts guests down that switch 32-bit paging on";
    return text;
}

// Some hosts give a general protection fault instead: such a guest may wait in its own handler for ever.
std::string KvmCpu::doubts() const {
    const X86State& now = state();
    if (abilities_.paging || now.cr3 == 0 || (now.cr0 & control::kPaging) != 0) return {};
    return "the guest has page tables and paging is off: the KVM of this host does not do paging, so the guest may have "
           "gone "
           "astray; use --cpu unicorn";
}

Result<void> KvmCpu::reset() {
    sla_kvm_state at_power_on = at_power_on_;
    at_power_on.segments[kCs].selector = at_reset::kCodeSelector;
    at_power_on.segments[kCs].base = at_reset::kCodeBase;
    at_power_on.eip = at_reset::kEip;
    at_power_on.eflags = 2;
    at_power_on.cr0 = at_reset::kCr0;
    at_power_on.general[kEdx] = client_.identity(1).eax;
    if (const int error = sla_kvm_set_state(kvm_.get(), &at_power_on); error != 0) {
        return kvm_error("set the processor's registers", error);
    }
    sla_kvm_forget_events(kvm_.get());
    state_.reset();
    stepped_at_.reset();
    let_run_.reset();
    is_given_ = false;
    mode_ = 0;
    return {};
}

// Off, the first megabyte is where the second was. Addresses further up, which only protected mode reaches, keep their
// bit 20.
void KvmCpu::set_a20(bool on) {
    a20_ = on ? kA20On : kA20Off;
    if (!second_megabyte_) return;
    constexpr std::uint64_t kMegabyte = bus::Memory::kMegabyte;
    const auto memory = memory_.at(on ? kMegabyte : 0, kMegabyte);
    // A kernel that took the same two ranges at the start takes them again.
    sla_kvm_map(kvm_.get(), *second_megabyte_, kMegabyte, 0, nullptr);
    sla_kvm_map(kvm_.get(), *second_megabyte_, kMegabyte, kMegabyte, memory.data());
}

void KvmCpu::set_budget(std::uint64_t nanoseconds) {
    budget_ = nanoseconds;
    armed_ = false;
}

void KvmCpu::arm() {
    if (armed_) return;
    armed_ = true;
    std::uint64_t wait = budget_;
    if (window_wanted_ && !abilities_.windows) {
        wait = std::min(wait, window_poll_);
        window_poll_ = std::min(2 * std::max(window_poll_, shortest_run_), kLongestWindowPoll);
    }
    wait = std::max(wait, shortest_run_);
    // Only a wrong argument can fail, and then the run ends at once instead of never.
    if (budget_ == 0 || sla_kvm_kick_in(kvm_.get(), static_cast<std::int64_t>(wait)) != 0) sla_kvm_finish_only(kvm_.get());
}

Exit KvmCpu::run() {
    for (;;) {
        if (auto stop = run_once()) return *std::move(stop);
    }
}

std::optional<Exit> KvmCpu::run_once() {
    if (points_ != nullptr) {
        if (auto stop = stop_or_step()) return stop;
    }
    arm();
    state_.reset();
    sla_kvm_exit exit{};
    if (const int error = sla_kvm_run(kvm_.get(), &exit); error != 0) {
        return fail(std::string("KVM does not run it: ") + std::strerror(error));
    }
    look_behind_run(exit);
    return serve(exit);
}

std::optional<Exit> KvmCpu::serve(const sla_kvm_exit& exit) {
    switch (exit.reason) {
        case SLA_KVM_KICKED: return look_at_time();
        case SLA_KVM_PORT: serve_port(exit); break;
        case SLA_KVM_MEMORY: serve_memory(exit); break;
        case SLA_KVM_MSR: serve_msr(exit); break;
        case SLA_KVM_HALT:
            look_at_mode();
            end_shadow();
            return halt();
        case SLA_KVM_WINDOW: return open_window();
        case SLA_KVM_STEPPED:
            if (shadow_) end_shadow();
            if (window_is_open()) return open_window();
            return std::nullopt;
        case SLA_KVM_INVALID: return give_up_or_fault();
        case SLA_KVM_SHUTDOWN: return shut_down();
        case SLA_KVM_FAILED:
            return fail("KVM stopped it for reason " + std::to_string(exit.code) + " (" + std::to_string(exit.detail) + ")");
    }
    if (window_is_open()) sla_kvm_finish_only(kvm_.get());
    return std::nullopt;
}

std::optional<Exit> KvmCpu::look_at_time() {
    look_at_mode();
    if (budget_ != 0) set_budget(client_.next_budget());
    if (budget_ == 0) return Exit{ExitReason::kBudgetUsed, 0, {}, address(), {}};
    if (window_is_open()) return open_window();
    return std::nullopt;
}

}  // namespace sla::cpu
