// Actions on the emulated PC that the Registers panel looks at.
#include "viewer/ui/commands/actions.h"
#include "viewer/ui/widgets/context.h"

#include <array>

namespace sla::ui {

namespace {

RegisterWatch& watch(const Context& context) {
    return *context.document.registers;
}

const char* without_guest(const Context& c) {
    return watch(c).is_there() ? nullptr
                               : "No emulated PC is looked at: start one by sla-emu run, and open the Registers panel";
}

const char* without_paused(const Context& c) {
    if (const char* words = without_guest(c)) return words;
    return watch(c).table().is_paused() ? nullptr : "The emulated PC runs: pause it first";
}

const char* without_running(const Context& c) {
    if (const char* words = without_guest(c)) return words;
    return watch(c).table().is_paused() && watch(c).under_way().empty() ? "The emulated PC stands still" : nullptr;
}

const char* without_event(const Context& c) {
    if (const char* words = without_paused(c)) return words;
    return c.document.panels.guest_event.empty() ? "Type an event in the Registers panel, as a trigger: irq.0.isr begins"
                                                 : nullptr;
}

const char* without_history(const Context& c) {
    if (const char* words = without_paused(c)) return words;
    const std::string& why = watch(c).why_not_back();
    return why.empty() ? nullptr : why.c_str();
}

const char* without_past_event(const Context& c) {
    if (const char* words = without_history(c)) return words;
    return without_event(c);
}

// The socket stays free meanwhile: the guest is asked to stop there, and goes.
void run_to_event(Context& c) {
    watch(c).ask("stop-at " + c.document.panels.guest_event, "go");
}

// An event that was gone to and never came does not stop it later on.
void pause(Context& c) {
    watch(c).ask("pause");
    watch(c).ask("stop-at none");
}

constexpr std::array kGuestActions{
    Action{"guest-go", "Emulated PC", "The guest goes on", "", [](Context& c) { watch(c).ask("go"); }, without_paused,
           nullptr},
    Action{"guest-pause", "Emulated PC", "The guest stands still", "", pause, without_running, nullptr},
    Action{"guest-step", "Emulated PC", "One instruction on", "", [](Context& c) { watch(c).ask("step"); }, without_paused,
           nullptr},
    Action{"guest-run-to-event", "Emulated PC", "On to the next event typed in the Registers panel", "", run_to_event,
           without_event, nullptr},
    Action{"guest-step-back", "Emulated PC", "One instruction back", "", [](Context& c) { watch(c).ask("reverse-step"); },
           without_history, nullptr},
    Action{"guest-back-to-event", "Emulated PC", "Back to the last event typed in the Registers panel", "",
           [](Context& c) { watch(c).ask("reverse-to-event " + c.document.panels.guest_event); }, without_past_event,
           nullptr},
};

}  // namespace

std::span<const Action> guest_actions() {
    return kGuestActions;
}

}  // namespace sla::ui
