// What the state of UnicornCpu is made of: the library's own context as it is, and what stands around it.
#include "emu/cpu/unicorn/unicorn_cpu.h"

namespace sla::cpu {

namespace {

constexpr std::size_t kMaxContextBytes = 1U << 16;

}  // namespace

void UnicornCpu::visit_state(bus::StateVisitor& visitor) {
    if (visitor.shows()) {
        X86State now = full_state();
        now.visit_state(visitor);
    } else {
        visit_context(visitor);
    }
    visitor.section("cpu");
    visitor.field("executed", executed_);
    visitor.field("budget", budget_);
    visitor.field("ahead", ahead_);
    visitor.field("window_wanted", window_wanted_);
    visitor.field("shadow", shadow_);
    visitor.field("breakpoints_wanted", breakpoints_wanted_);
    visitor.part("counts", [&] { counts_.visit_state(visitor); });
    visitor.part("mode_write", [&] { mode_.visit_state(visitor); });
    bool paging = pages_.paging();
    visitor.field("paging", paging);
    if (visitor.loads()) pages_.set_paging(paging);
    counter_.visit_state(visitor);
}

// Memory changed under the library's translated code: the processor goes on in an engine that has none.
void UnicornCpu::visit_context(bus::StateVisitor& visitor) {
    visitor.section("unicorn");
    std::vector<std::uint8_t> context = context_.snapshot();
    visitor.list("context", context, kMaxContextBytes);
    if (!visitor.loads()) return;
    step_ = {};
    if (const auto changed = change_engine(); !changed) return visitor.refuse("context", changed.error().message);
    if (const auto mapped = memory_.map_all(*this); !mapped) return visitor.refuse("context", mapped.error().message);
    if (!context_.take_over(context)) visitor.refuse("context", "is of another version of Unicorn");
    if (const auto ready = set_up_runs(); !ready) visitor.refuse("context", ready.error().message);
    update_intercepts();
}

}  // namespace sla::cpu
