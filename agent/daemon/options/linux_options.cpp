#include "agent/daemon/options/linux_options.h"

#include "agent/linux/perf/perf_selection.h"
#include "agent/linux/source_probe.h"
#include "agent/linux/symbols/elf_symbols.h"
#include "agent/linux/symbols/uprobes.h"
#include "agent/linux/tracefs/event_selection.h"
#include "proto/common/symbols/symbols.h"

#include <cstdio>
#include <string>

namespace sla::daemon {

void print_sources() {
    for (const linux::SourceReport& report : linux::probe_sources()) {
        std::printf("%s\t%s\t%s\t%s\n", report.name.c_str(), linux::access_name(report.access), report.detail.c_str(),
                    report.fix.c_str());
    }
}

Result<void> print_probes(const std::string& path) {
    auto file = linux::read_program_file(path);
    if (!file) return file.error();
    std::printf("kind\tname\toffset\targuments\tcost\n");
    for (const linux::UsdtProbe& probe : file->probes) {
        std::printf("usdt\t%s:%s\t0x%llx\t%s\t%s\n", probe.provider.c_str(), probe.name.c_str(),
                    static_cast<unsigned long long>(probe.file_offset), linux::usdt_arguments(probe.arguments).c_str(),
                    linux::hook_cost(file->path, probe.file_offset).c_str());
    }
    for (const linux::Function& function : file->functions) {
        std::printf("function\t%s\t0x%llx\t\t%s\n", symbol::readable_name(function.name).c_str(),
                    static_cast<unsigned long long>(function.file_offset),
                    linux::hook_cost(file->path, function.file_offset).c_str());
    }
    return {};
}

void describe_linux_options(common::Command& app, linux::LinuxOptions& options) {
    std::string groups;
    for (const linux::EventGroup& group : linux::event_groups())
        groups += (groups.empty() ? "" : ", ") + std::string(group.name) + " (" + std::string(group.what) + ")";
    app.add_option("--linux", options.events,
                   "Also take events of this machine's kernel: groups, or SYSTEM:EVENT, parted by commas, each with 'if "
                   "FILTER' in the kernel's own words, as in sched:sched_switch if prev_pid==42. Groups: " +
                       groups)
        .value_name("EVENTS");
    app.add_option("--uprobe", options.uprobes,
                   "Hook a function of a program, rebuilt or not: PATH:FUNCTION is a span from entry to return, "
                   "PATH:FUNCTION%entry or %return a tick, PATH:0xOFFSET a tick there, PATH:PROVIDER:NAME a USDT probe; "
                   "behind it arguments in the kernel's words, as in 'prog:f n=%di:u64 s=+0(%si):ustring' (repeatable)")
        .value_name("HOOK")
        .one_each();
    app.add_option(
           "--watch", options.watches,
           "A lane of every write to a variable of a running process, PID:SYMBOL (four at most); PID:SYMBOL:rw reads "
           "too, :x the running of a function; 0xADDRESS for a symbol (repeatable)")
        .value_name("WATCH")
        .one_each();
    app.add_option(
           "--sample", options.samples,
           "A lane of where programs are, every so often: EVENT[:EVERY], as time:1ms or page-faults:10; of the whole "
           "machine, or of --pid (repeatable). Events: " +
               linux::sample_names())
        .value_name("SAMPLE")
        .one_each();
    app.add_option("--pid", options.pids, "Kernel events of this process and the children it will have only (repeatable)")
        .value_name("PID")
        .positive()
        .one_each();
    app.add_option("--linux-buffer", options.buffer_bytes,
                   "Size of the kernel's buffer for each CPU (default: up to 16 MiB each, 256 MiB in all)")
        .as_size()
        .value_name("SIZE");
}

}  // namespace sla::daemon
