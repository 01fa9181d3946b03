// How a processor comes into an engine of the library: at power-on, by a reset, and in the middle of its work.
#include "emu/cpu/reset_values.h"
#include "emu/cpu/unicorn/unicorn_cpu.h"
#include "emu/cpu/unicorn/unicorn_hooks.h"

namespace sla::cpu {

// What a CPU does at a reset is not in the library's interface, and parts of its state cannot be written.
Result<void> UnicornCpu::reset() {
    if (auto changed = change_engine(); !changed) return changed;
    return power_on();
}

Result<void> UnicornCpu::change_engine() {
    auto engine = UnicornEngine::open();
    if (!engine) return engine.error();
    engine_ = std::move(engine).value();
    exceptions_ = ExceptionContext(engine_, exception_layout_);
    context_ = UnicornContext(engine_, context_layout_);
    return {};
}

Result<void> UnicornCpu::power_on() {
    if (auto mapped = memory_.map_all(*this); !mapped) return mapped;
    if (auto entered = engine_.enter_real_mode(at_reset::kCodeSelector, at_reset::kEip); !entered) return entered;
    X86State state = context_.load();
    state.cr0 = at_reset::kCr0;
    state.segments[kCs].base = at_reset::kCodeBase;
    state.general[kEdx] = client_.identity(1).eax;
    context_.store(state);
    counter_.part();
    shadow_ = false;
    ahead_ = 0;
    breakpoints_wanted_ = false;
    mode_.reset();
    pages_.set_paging(false);
    update_intercepts();
    return set_up_runs();
}

// The processor goes on in an engine that has translated nothing yet. Some milliseconds.
Result<void> UnicornCpu::renew_engine() {
    const auto state = context_.snapshot();
    if (auto changed = change_engine(); !changed) return changed;
    if (auto mapped = memory_.map_all(*this); !mapped) return mapped;
    context_.go_back_to(state);
    return set_up_runs();
}

Result<void> UnicornCpu::set_up_runs() {
    translated_ = 0;
    // No address ends a run. With one, the library looks at the page it lies in, through the guest's page tables, and
    // leaves a page fault of its own behind.
    if (const uc_err error = uc_ctl_exits_enable(engine_.get()); error != UC_ERR_OK) {
        return unicorn_error("run without an end address", error);
    }
    if (auto moved = memory_.switch_a20(); !moved) return moved;
    return UnicornHooks::add_all(*this);
}

}  // namespace sla::cpu
