// Commands about what the Pentium's counters count.
#include "emu/control/console.h"

#include <fmt/format.h>

namespace sla::control {

// One line an event: its number, how well it is known and whether only from some time on, how often it happened.
Console::Answer Console::counts(const Words& words) {
    if (words.size() > 2 || (words.size() == 2 && words[1] != "all")) return invalid_input("write counts [all]");
    if (vmm_.cpu().counting() == cpu::Counting::kNothing) {
        return invalid_input(fmt::format("the CPU \"{}\" counts no events; use --cpu unicorn or x86emu", vmm_.cpu().name()));
    }
    vmm::CounterUnit& counters = vmm_.counter_unit();
    if (words.size() == 2) counters.run_models();
    const pmc::Counts now = counters.since_power_on();
    std::string text;
    for (const pmc::Event& event : pmc::events()) {
        if (!counters.keeps(event.select)) continue;
        text += fmt::format("{} {}{} {}\n", common::select_text(event.select),
                            event.offer == pmc::Offer::kExact ? "exact" : "modelled",
                            counters.is_late(event.select) ? ",late" : "", now[event.select]);
    }
    return text;
}

Console::Answer Console::section(const Words& words) {
    if (words.size() < 2 || words.size() > 3)
        return invalid_input("write section CHANNEL [EVENT,...], or section none [CHANNEL]");
    if (events_ == nullptr) return invalid_input("this run counts no sections");
    if (!sections_) sections_.emplace(*events_, vmm_);
    if (words[1] == "none") {
        if (const auto gone = sections_->forget(words.size() == 3 ? words[2] : ""); !gone) return gone.error();
        return std::string();
    }
    return sections_->counts(words[1], words.size() == 3 ? words[2] : "");
}

}  // namespace sla::control
