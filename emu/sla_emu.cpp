// sla-emu: the emulated PC as a program.
#include "emu/control_command.h"
#include "emu/cpu/cpu_names.h"
#include "emu/list_commands.h"
#include "emu/run_command.h"
#include "proto/base/exit_codes.h"
#include "proto/base/memory_reserve.h"
#include "proto/base/standard_streams.h"
#include "proto/common/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <system_error>

namespace {

using sla::common::Command;
using sla::common::Option;

constexpr const char* kFooter =
    "Exit code: what the guest wrote to port F4h; 0 when the run was stopped, its time was up or the guest halted for "
    "good;\n"
    "2 wrong use; 3 the guest could not go on (triple fault, memory that is not there) or the outside world failed.\n"
    "SIGINT (Ctrl+C), SIGTERM and SIGHUP end the run.";

void add_media(Command& run, const Option& image, const Option& demo, sla::emu::RunOptions& options) {
    const Option bios =
        run.add_option("--bios", options.bios,
                       "The same as IMAGE, taken as firmware whatever it looks like; without it media start under Debian's "
                       "SeaBIOS")
            .value_name("FILE")
            .excludes(image)
            .excludes(demo);
    const Option kernel = run.add_option("--kernel", options.kernel, "Multiboot kernel, entered without a BIOS")
                              .value_name("FILE")
                              .excludes(image)
                              .excludes(bios)
                              .excludes(demo);
    run.add_option("--com", options.com, "DOS program (.COM), with the few services of BIOS and DOS that small ones use")
        .value_name("FILE")
        .excludes(image)
        .excludes(bios)
        .excludes(demo)
        .excludes(kernel);
    run.add_option("--append", options.append, "The command line of the kernel or the .COM program").value_name("WORDS");
    run.add_option("--vga-bios", options.video_bios,
                   "Video BIOS for SeaBIOS, instead of the one beside it; none: no video BIOS")
        .value_name("FILE|none");
    run.add_option("--fda", options.floppies[0], "Floppy disk image in the first drive").value_name("FILE");
    run.add_option("--fdb", options.floppies[1], "Floppy disk image in the second drive").value_name("FILE");
    run.add_option("--hda", options.disks[0], "Hard disk image, first").value_name("FILE");
    run.add_option("--hdb", options.disks[1], "Hard disk image, second").value_name("FILE");
    run.add_flag("--keep-writes", options.keep_writes, "Let guests write into image files; else changes are forgotten");
    run.add_option("--fw", options.items,
                   "NAME=FILE or NAME=u32:NUMBER: one more thing for the firmware to read (fw_cfg), 253 at most")
        .value_name("NAME=VALUE")
        .one_each();
    run.add_flag(
        "--test-device", options.test_device,
        "QEMU's pc-testdev, which test kernels made for QEMU look for: interrupt lines at ports 2000h + n, echo and "
        "flush ports at E0h-EBh, 64 KB at FF000000h");
    run.add_option("--memory", options.memory_megabytes, "RAM in megabytes").value_name("MB").range(2, 1024).show_default();
}

void add_outputs(Command& run, sla::emu::RunOptions& options) {
    run.add_option("--debug-output", options.debug_output,
                   "File for the guest's text (ports 402h and E9h); -: standard output")
        .value_name("FILE|-")
        .show_default();
    run.add_option("--serial", options.serial, "Where com1 goes: a file; -: standard output; pty: a terminal; none")
        .value_name("FILE|-|pty|none")
        .show_default();
    run.add_option(
           "--type", options.typed,
           "Text to type at the keyboard, or @FILE; \\n \\e \\{down} \\{wait 1s} \\{see TEXT} \\{stop} are understood")
        .value_name("TEXT|@FILE");
    run.add_option("--screen", options.pictures,
                   "Where the screen (of text modes) goes at the end: .txt or .png; may be repeated")
        .value_name("FILE")
        .one_each();
    run.add_option("--hook", options.hook,
                   "Channels to watch: irq,port.pit,int.*, all of them: all, no one: none; !port.vga leaves one out. --cpu "
                   "kvm cannot show int.* and exc.*")
        .value_name("CHANNELS")
        .show_default();
    run.add_option("--sample", options.sample,
                   "EVENT:N, for example 16:10000: channel pmc.sample notes the place at every N-th event of that "
                   "hexadecimal number (see `sla-emu counters`; --cpu x86emu). EVENT:RATE/s, for example 16:1000/s: about "
                   "so many samples in each second of the guest's time, by an N that is found and kept right; channel "
                   "pmc.note and the run's end say which")
        .value_name("EVENT:N");
    const Option counts =
        run.add_option(
               "--counts", options.counts,
               "File for counts of all events of the Pentium's counters, whatever the guest does "
               "with its own two, as JSON: of the whole run (from the snapshot on, where it goes on from one) and of "
               "sections; `sla counters` reads it")
            .value_name("FILE");
    run.add_option("--section", options.sections, "Count the spans of this channel apart: irq.0.isr, guest.* (repeatable)")
        .value_name("CHANNEL")
        .one_each()
        .needs(counts);
    run.add_option("--range", options.ranges,
                   "Count from one instruction to another: f000:e05b..f000:e060 (repeatable; --cpu x86emu)")
        .value_name("CS:IP..CS:IP")
        .one_each()
        .needs(counts);
    run.add_option("--privilege", options.privilege, "Count in ring 3 (user), in rings 0 to 2 (kernel), or both (--counts)")
        .one_of({"user", "kernel", "both"})
        .show_default();
    run.add_flag("--hash", options.hash,
                 "At the end, print one number for all events: equal for equal runs (--clock virtual)");
}

int run_guest(const Command& run, const sla::emu::RunOptions& options) {
    if (!options.demo && !options.has_guest())
        return run.wrong_use("IMAGE, --demo, --kernel, --com, --fda or --hda is required");
    auto code = sla::emu::run(options);
    if (code) return *code;
    spdlog::error("{}", code.error().message);
    return sla::exit_code(code.error());
}

void add_run(Command& app, sla::emu::RunOptions& options) {
    Command& run = app.add_command("run", "Run a guest from power-on to its end");
    run.footer(kFooter);
    const Option image =
        run.add_option("IMAGE", options.image, "Firmware image; its last 16 bytes are the reset vector").value_name("IMAGE");
    const Option demo = run.add_flag("--demo", options.demo, "Run the built-in demonstration guest").excludes(image);
    run.add_option("--ticks", options.demo_ticks, "Timer ticks after which the demonstration ends; 0: never").needs(demo);
    add_media(run, image, demo, options);
    run.add_option("--cpu", options.cpu, "What plays the CPU; `sla-emu cpus` tells which work here")
        .value_name(fmt::format("{}", fmt::join(sla::cpu::kCpuNames, "|")))
        .suggest({sla::cpu::kCpuNames.begin(), sla::cpu::kCpuNames.end()})
        .show_default();
    run.add_option("--clock", options.clock,
                   "host: real time; virtual: repeatable, as fast as it goes, and rows carry the guest's time")
        .one_of({"host", "virtual"})
        .show_default();
    run.add_option(
           "--jitter", options.jitter,
           "Another PC of the same kind at other moments: interrupt latency, disks, keyboard, serial line and crystals "
           "vary within real bounds, drawn from this seed; 0: nothing varies. With --clock virtual the same seed is the "
           "same run; `sla check --seeds` looks for the one that breaks a limit")
        .not_negative()
        .value_name("SEED");
    run.add_option("--speed", options.speed, "Virtual time against real time, at most; 0: as fast as it goes")
        .value_name("FACTOR")
        .not_negative();
    run.add_option("--for", options.time_limit, "End after this much of the guest's time, for example 10s")
        .value_name("TIME");
    run.add_option(
           "--symbols", options.symbols,
           "Names of the guest's code, FILE or FILE@BASE, as `sla places --symbols` has it: for `sla-emu control`, and as "
           "texts on the channel cpu.symbol; may be repeated")
        .value_name("FILE[@BASE]")
        .one_each();
    run.add_option(
           "--stop-at", options.stop_at,
           "Trigger, as `sla-agent --trigger` has it, looked for in the PC itself: the guest stops at that event, and "
           "`sla-emu control` looks into it")
        .value_name("EXPR");
    run.add_option("--load", options.load,
                   "Go on from a snapshot (`sla-emu control 'save FILE'`) of a PC with the same CPU, clock, memory, images, "
                   "kernel or program, and --append; --for counts from its power-on")
        .value_name("FILE");
    run.add_option("--history-memory", options.history_megabytes,
                   "Keep states on the way, in so much memory, so that `sla-emu control` and gdb can go back (reverse-step, "
                   "reverse-to-event, reverse-continue); --clock virtual, --cpu unicorn or x86emu")
        .value_name("MB")
        .range(1, 65536);
    const Option gdb =
        run.add_option("--gdb", options.gdb,
                       "Where gdb may connect (`target remote`): unix:PATH or tcp:127.0.0.1:PORT; $eip there is "
                       "linear, CS's base added")
            .value_name("ADDRESS");
    run.add_flag("--wait", options.wait, "The guest stands still until a debugger connects").needs(gdb);
    run.add_flag("--no-reboot", options.no_reboot,
                 "End the run when the guest resets the PC or its processor (triple fault), instead of starting it again; "
                 "always so with --kernel and --com, which no BIOS would start again");
    add_outputs(run, options);
    run.action([&run, &options] { return run_guest(run, options); });
}

void add_control(Command& app, sla::emu::ControlOptions& options) {
    Command& control =
        app.add_command("control", "Look into a PC that runs, and change it: one command, a script, or a prompt");
    control.footer(
        sla::emu::control_help() +
        "At the prompt on a terminal the arrow keys bring earlier commands, those of earlier runs too "
        "(~/.local/state/sla/control_history);\n"
        "Ctrl+R looks for one, Ctrl+C throws the line away, Ctrl+D or `quit` ends it.\n"
        "Exit code: 1 when the guest did not come where it should, 2 a wrong command, 3 the outside world failed.");
    control
        .add_option("WORDS", options.words,
                    "The process's number or its socket's path, where several run; then commands, each in quotes")
        .value_name("[ADDRESS] 'COMMAND'");
    control.add_option("-f,--file", options.script, "Commands from a file, one a line; lines that begin with # are comments")
        .value_name("FILE");
    control.action([&options] { return sla::emu::control(options); });
}

int run_program(int argc, char** argv) {
    Command app("sla-emu",
                "An emulated PC that shows its interrupts, port accesses and halts as channels, unnoticed by the guest.");
    app.version("sla-emu " SLA_VERSION);
    sla::emu::RunOptions options;
    add_run(app, options);
    sla::emu::ControlOptions control_options;
    add_control(app, control_options);
    app.add_command("cpus", "Which CPUs work here, and why others do not").action(sla::emu::list_cpus);
    app.add_command("counters", "Events of the Pentium's performance counters, and which are offered")
        .action(sla::emu::list_counters);
    return app.run(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
    sla::hold_standard_streams();
    sla::hold_memory_reserve();
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);  // errors of write, not the guest's end
    try {
        spdlog::set_default_logger(spdlog::stderr_color_mt("sla-emu"));
        spdlog::set_pattern("sla-emu: %v");
        return run_program(argc, argv);
    } catch (const std::exception& error) {
        const auto* const system = dynamic_cast<const std::system_error*>(&error);
        if (system != nullptr && system->code() == std::errc::broken_pipe)
            return 0;  // a reader that has seen enough is no error
        std::fprintf(stderr, "sla-emu: %s\n", error.what());
        return sla::exits::kOutsideFailed;
    }
}
