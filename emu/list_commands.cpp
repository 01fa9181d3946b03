#include "emu/list_commands.h"

#include "emu/cpu/cpu_factory.h"
#include "emu/machine/host_clock.h"
#include "emu/machine/machine.h"
#include "emu/machine/stop_signal.h"
#include "emu/pmc/events.h"
#include "emu/tap/marker_sink.h"
#include "emu/tap/tap.h"
#include "emu/vmm/vmm.h"

#include <fmt/format.h>

namespace sla::emu {

int list_cpus() {
    for (const char* name : {"unicorn", "x86emu", "kvm"}) {
        const machine::StopSignal stop;
        machine::HostClock clock(stop);
        machine::Machine pc(clock);
        tap::MarkerSink sink;
        tap::Tap tap(sink);
        vmm::Vmm vmm(pc, tap, stop);
        const auto plugged = vmm.plug_cpu(name);
        if (!plugged) {
            fmt::print("{:<8} {}\n", name, plugged.error().message);
            continue;
        }
        const std::string limits = vmm.cpu().limits();
        fmt::print("{:<8} works{}{}\n", name, limits.empty() ? "" : "; ", limits);
    }
    return 0;
}

int list_counters() {
    fmt::print("CESR  offered      event\n");
    for (const pmc::Event& event : pmc::events()) {
        fmt::print(" {:02X}h  {:<11}  {}\n", event.select, event.offer == pmc::Offer::kExact ? "exact" : "not offered",
                   event.name);
    }
    fmt::print(
        "Exact events are counted by the CPU x86emu, which sees every instruction; unicorn offers the time-stamp "
        "counter.\n");
    return 0;
}

}  // namespace sla::emu
