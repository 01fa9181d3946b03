#include "emu/cpu/kvm/kvm_machine.h"

#include "emu/bus/memory.h"
#include "emu/cpu/x86_state.h"
#include "proto/base/device_access.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <span>
#include <string>
#include <system_error>

namespace sla::cpu {

namespace {

constexpr std::uint16_t kCode = 0x1000;
constexpr std::uint32_t kStack = 0x7000;
constexpr std::uint32_t kPageTable = 0x20000;
constexpr std::uint8_t kVector = 0x20;
constexpr std::int64_t kStallTimeout = 200'000'000;  // no step of these guests takes a ten-thousandth of it
constexpr int kMaxKicks = 25;                        // with that timeout; five seconds

// OUT 80h <- IN 81h, RDMSR 10h, STI, HLT; the handler of vector 20h is an OUT 82h, HLT.
constexpr std::array<std::uint8_t, 14> kRealGuest{0xE4, 0x81, 0xE6, 0x80, 0x66, 0xB9, 0x10, 0, 0, 0, 0x0F, 0x32, 0xFB, 0xF4};
constexpr std::array<std::uint8_t, 3> kHandler{0xE6, 0x82, 0xF4};
constexpr std::uint32_t kBehindOut = kCode + 4;
constexpr std::uint16_t kHandlerAt = 0x2000;

// STI, three NOPs, CLI, OUT 80h.
constexpr std::array<std::uint8_t, 7> kWindowGuest{0xFB, 0x90, 0x90, 0x90, 0xFA, 0xE6, 0x80};

// MOV EAX, CR0; OR EAX, 80000000h; MOV CR0, EAX; OUT 80h.
constexpr std::array<std::uint8_t, 13> kPagingGuest{0x0F, 0x20, 0xC0, 0x0D, 0, 0, 0, 0x80, 0x0F, 0x22, 0xC0, 0xE6, 0x80};

// OUT 80h, again and again.
constexpr std::array<std::uint8_t, 4> kExitsGuest{0xE6, 0x80, 0xEB, 0xFC};

struct Trial {
    KvmMachine kvm;
    bus::Memory memory{bus::Memory::kMegabyte};
    sla_kvm_state state{};
    sla_kvm_exit exit{};

    [[nodiscard]] std::uint8_t* ram() const { return memory.at(0, 1).data(); }

    // The next exit; false when it is not the one wanted. Kicks are no exits: the host may be busy, or a timer of an earlier
    // machine late.
    bool reaches(sla_kvm_reason wanted, std::uint64_t address = 0) {
        for (int kicks = 0; kicks < kMaxKicks; ++kicks) {
            if (sla_kvm_kick_in(kvm.get(), kStallTimeout) != 0 || sla_kvm_run(kvm.get(), &exit) != 0) return false;
            if (exit.reason == SLA_KVM_KICKED) continue;
            return exit.reason == wanted && exit.address == address && sla_kvm_get_state(kvm.get(), &state) == 0;
        }
        return false;
    }
};

Result<Trial> begin_trial(std::span<const std::uint8_t> code) {
    auto opened = open_kvm();
    if (!opened) return opened.error();
    Trial trial;
    trial.kvm = std::move(opened).value();
    std::copy(code.begin(), code.end(), trial.ram() + kCode);
    if (const int error = sla_kvm_map(trial.kvm.get(), 0, 0, bus::Memory::kMegabyte, trial.ram()); error != 0) {
        return kvm_error("give a guest memory", error);
    }
    if (const int error = sla_kvm_get_state(trial.kvm.get(), &trial.state); error != 0) {
        return kvm_error("read a processor's registers", error);
    }
    trial.state.segments[kCs].selector = 0;
    trial.state.segments[kCs].base = 0;
    trial.state.eip = kCode;
    trial.state.general[kEsp] = kStack;
    return trial;
}

Result<void> start(Trial& trial) {
    const int error = sla_kvm_set_state(trial.kvm.get(), &trial.state);
    return error == 0 ? Result<void>() : kvm_error("set a processor's registers", error);
}

Error failed(std::string_view what) {
    return unavailable("the KVM of this host runs guests, but not right (" + std::string(what) + "); use --cpu unicorn");
}

Result<bool> prove_real_mode() {
    auto begun = begin_trial(kRealGuest);
    if (!begun) return begun.error();
    Trial& trial = *begun;
    std::copy(kHandler.begin(), kHandler.end(), trial.ram() + kHandlerAt);
    trial.ram()[4 * kVector + 1] = kHandlerAt >> 8;
    if (auto started = start(trial); !started) return started.error();
    if (!trial.reaches(SLA_KVM_PORT, 0x81) || trial.exit.write) return failed("IN in real mode");
    trial.exit.data[0] = 0x5A;
    if (!trial.reaches(SLA_KVM_PORT, 0x80) || trial.exit.data[0] != 0x5A) return failed("OUT in real mode");
    const bool behind = trial.state.eip == kBehindOut;
    if (!trial.reaches(SLA_KVM_MSR, 0x10)) return failed("model-specific registers");
    *trial.exit.value = 0;
    if (!trial.reaches(SLA_KVM_HALT)) return failed("HLT");
    if (!sla_kvm_takes_interrupts(trial.kvm.get()) || sla_kvm_interrupt(trial.kvm.get(), kVector) != 0 ||
        !trial.reaches(SLA_KVM_PORT, 0x82)) {
        return failed("interrupts");
    }
    return behind;
}

Result<bool> try_window() {
    auto begun = begin_trial(kWindowGuest);
    if (!begun) return begun.error();
    if (auto started = start(*begun); !started) return started.error();
    sla_kvm_want_window(begun->kvm.get(), true);
    return begun->reaches(SLA_KVM_WINDOW);
}

Result<bool> try_paging() {
    auto begun = begin_trial(kPagingGuest);
    if (!begun) return begun.error();
    Trial& trial = *begun;
    constexpr std::uint32_t kFlatCode = 0x00C09B00;
    constexpr std::uint32_t kFlatData = 0x00C09300;
    for (auto& segment : trial.state.segments) segment = {0x10, 0, 0xFFFFFFFF, kFlatData};
    trial.state.segments[kCs] = {0x08, 0, 0xFFFFFFFF, kFlatCode};
    trial.state.cr0 = 0x11;
    trial.state.cr3 = kPageTable;
    trial.state.cr4 = control::kPageSizeExtension;
    trial.ram()[kPageTable] = 0x87;  // the first 4 MB, each where it is
    if (auto started = start(trial); !started) return started.error();
    return trial.reaches(SLA_KVM_PORT, 0x80);
}

// The middle one of some.
Result<std::uint64_t> measure_exit() {
    using Clock = std::chrono::steady_clock;
    auto begun = begin_trial(kExitsGuest);
    if (!begun) return begun.error();
    if (auto started = start(*begun); !started) return started.error();
    if (!begun->reaches(SLA_KVM_PORT, 0x80)) return failed("OUT in a loop");
    std::array<std::uint64_t, 33> taken{};
    for (std::uint64_t& one : taken) {
        const Clock::time_point before = Clock::now();
        if (!begun->reaches(SLA_KVM_PORT, 0x80)) return failed("OUT in a loop");
        one = static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - before).count());
    }
    std::nth_element(taken.begin(), taken.begin() + taken.size() / 2, taken.end());
    return taken[taken.size() / 2];
}

}  // namespace

Error kvm_error(std::string_view what, int error) {
    return unavailable("the KVM of this host cannot " + std::string(what) + " (" + std::generic_category().message(error) +
                       "); use --cpu unicorn");
}

Result<KvmMachine> open_kvm() {
    sla_kvm* made = nullptr;
    const char* step = "";
    const int error = sla_kvm_open(&made, &step);
    if (error == 0) return KvmMachine(made);
    if (error == ENOENT && std::string_view(step).starts_with("open")) {
        return unavailable(
            "there is no /dev/kvm: the processor or its hypervisor offers no virtualization, or the module kvm_intel or "
            "kvm_amd "
            "is not loaded; use --cpu unicorn");
    }
    if (error == EACCES)
        return unavailable("no permission for /dev/kvm: " + device_access_hint("/dev/kvm") + ", or use --cpu unicorn");
    return kvm_error(step, error);
}

Result<KvmAbilities> prove_kvm() {
    const auto behind = prove_real_mode();
    if (!behind) return behind.error();
    const auto windows = try_window();
    if (!windows) return windows.error();
    const auto paging = try_paging();
    if (!paging) return paging.error();
    const auto exit_ns = measure_exit();
    if (!exit_ns) return exit_ns.error();
    return KvmAbilities{*behind, *windows, *paging, *exit_ns};
}

}  // namespace sla::cpu
