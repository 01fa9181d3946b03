#include "emu/list_commands.h"

#include "emu/cpu/cpu_names.h"
#include "emu/machine/host_clock.h"
#include "emu/machine/machine.h"
#include "emu/machine/stop_signal.h"
#include "emu/pmc/events.h"
#include "emu/tap/marker_sink.h"
#include "emu/tap/tap.h"
#include "emu/vmm/vmm.h"
#include "proto/base/standard_streams.h"
#include "proto/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sla::emu {

namespace {

// "0Ch"
std::vector<std::string> counted_by_blocks() {
    std::vector<std::string> names;
    for (const pmc::Event& event : pmc::events()) {
        if (pmc::count_of(event.select, {{}, {}, cpu::Counting::kBlocks}))
            names.push_back(fmt::format("{:02X}h", event.select));
    }
    return names;
}

}  // namespace

int list_cpus() {
    for (const std::string_view name : cpu::kCpuNames) {
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
        fmt::print("{:<8} works\n", name);
        for (const std::string_view limit : split_words(limits, ";")) fmt::print("{:<8} - {}\n", "", trimmed(limit, " "));
        const std::string unsaved = vmm.cpu().unsaved();
        fmt::print("{:<8} snapshots: {}{}\n", "", unsaved.empty() ? "yes" : "no; it ", unsaved);
    }
    return finish_standard_output("sla-emu");
}

int list_counters() {
    const std::map<pmc::Offer, const char*> offers{
        {pmc::Offer::kExact, "exact"}, {pmc::Offer::kModelled, "modelled"}, {pmc::Offer::kNotOffered, "not offered"}};
    fmt::print("CESR  offered      event\n");
    for (const pmc::Event& event : pmc::events()) {
        fmt::print(" {:02X}h  {:<11}  {}\n", event.select, offers.at(event.offer), event.name);
    }
    fmt::print(
        "Counted by the CPU x86emu, which sees every instruction; modelled ones by models of a Pentium's caches, TLBs, "
        "branch target buffer and pipes (emu/pmc). unicorn counts what follows from blocks of code, ports and interrupts: "
        "{}; kvm has the time-stamp counter only.\n",
        fmt::join(counted_by_blocks(), ", "));
    return finish_standard_output("sla-emu");
}

}  // namespace sla::emu
