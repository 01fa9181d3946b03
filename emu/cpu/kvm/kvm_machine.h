// kvm_shim as a value: opens, closes, and says in words what went wrong. And the proof that it works here: guests of a few
// bytes that are run before anybody's guest is.
#pragma once

#include "emu/cpu/kvm/kvm_shim.h"
#include "proto/base/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace sla::cpu {

struct CloseKvm {
    void operator()(sla_kvm* kvm) const { sla_kvm_close(kvm); }
};
using KvmMachine = std::unique_ptr<sla_kvm, CloseKvm>;

Result<KvmMachine> open_kvm();

// "the KVM of this host cannot ...; what to do".
Error kvm_error(std::string_view what, int error);

// What a host's KVM does, found by experiment.
struct KvmAbilities {
    bool out_ends_behind = false;  // at an exit for OUT, EIP is behind the instruction already
    bool windows = false;          // it stops at once when the guest takes interrupts; else they miss short windows
    bool paging = false;           // 32-bit page tables; some nested hosts shut such a guest down
    std::uint64_t exit_ns = 0;     // from a guest's instruction to us and back into the guest
};

// Runs small guests: real mode, ports in both directions, HLT, an interrupt, model-specific registers. An error: KVM exists,
// but no guest of ours can run on it.
Result<KvmAbilities> prove_kvm();

}  // namespace sla::cpu
