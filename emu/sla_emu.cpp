// sla-emu: the emulated PC as a program.
#include "emu/list_commands.h"
#include "emu/run_command.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>

namespace {

constexpr int kWrongUse = 2;
constexpr int kOutsideWorldFailed = 3;

constexpr const char* kFooter =
    "Exit code: what the guest wrote to port F4h; 0 when the run was stopped, its time was up or the guest halted for "
    "good;\n"
    "2 wrong use; 3 the guest could not go on (triple fault, memory that is not there) or the outside world failed.\n"
    "SIGINT (Ctrl+C) and SIGTERM end the run.";

void add_media(CLI::App& run, sla::emu::RunOptions& options) {
    run.add_option("--bios", options.image, "The same as IMAGE; without it media start under Debian's SeaBIOS");
    auto* kernel = run.add_option("--kernel", options.kernel, "Multiboot kernel, entered without a BIOS")->excludes("IMAGE");
    run.add_option("--com", options.com, "DOS program (.COM), with the few services of BIOS and DOS that small ones use")
        ->excludes("IMAGE")
        ->excludes(kernel);
    run.add_option("--append", options.append, "The command line of the kernel or the .COM program");
    run.add_option("--vga-bios", options.video_bios,
                   "Video BIOS for SeaBIOS, instead of the one beside it; none: no video BIOS");
    run.add_option("--fda", options.floppies[0], "Floppy disk image in the first drive");
    run.add_option("--fdb", options.floppies[1], "Floppy disk image in the second drive");
    run.add_option("--hda", options.disks[0], "Hard disk image, first");
    run.add_option("--hdb", options.disks[1], "Hard disk image, second");
    run.add_flag("--keep-writes", options.keep_writes, "Let guests write into image files; else changes are forgotten");
    run.add_option("--fw", options.items, "NAME=FILE or NAME=u32:NUMBER: one more thing for the firmware to read (fw_cfg)")
        ->allow_extra_args(false);
    run.add_option("--memory", options.memory_megabytes, "RAM in megabytes")
        ->type_name("MB")
        ->check(CLI::Range(2, 1024).description("2 to 1024"))
        ->capture_default_str();
}

void add_outputs(CLI::App& run, sla::emu::RunOptions& options) {
    run.add_option("--debug-output", options.debug_output,
                   "File for the guest's text (ports 402h and E9h); -: standard output")
        ->capture_default_str();
    run.add_option("--serial", options.serial, "Where com1 goes: a file; -: standard output; pty: a terminal; none")
        ->capture_default_str();
    run.add_option(
        "--type", options.typed,
        "Text to type at the keyboard, or @FILE; \\n \\e \\{down} \\{wait 1s} \\{see TEXT} \\{stop} are understood");
    run.add_option("--screen", options.pictures, "Where the screen goes at the end: F.txt or F.png; may be repeated")
        ->allow_extra_args(false);
    run.add_option("--hook", options.hook,
                   "Channels to watch: irq,port.pit,int.*; !port.vga leaves one out. --cpu kvm cannot show int.* and exc.*")
        ->capture_default_str();
    run.add_option(
        "--sample", options.sample,
        "EVENT:N, for example 16:10000: channel pmc.sample notes the place at every N-th event of that hexadecimal number "
        "(see `sla-emu counters`; --cpu x86emu)");
    run.add_flag("--hash", options.hash,
                 "At the end, print one number for all events: equal for equal runs (--clock virtual)");
}

void add_run(CLI::App& app, sla::emu::RunOptions& options) {
    CLI::App* run = app.add_subcommand("run", "Run a guest from power-on to its end")->footer(kFooter);
    auto* image = run->add_option("IMAGE", options.image, "Firmware image; its last 16 bytes are the reset vector");
    auto* demo = run->add_flag("--demo", options.demo, "Run the built-in demonstration guest")->excludes(image);
    run->add_option("--ticks", options.demo_ticks, "Timer ticks after which the demonstration ends; 0: never")->needs(demo);
    add_media(*run, options);
    run->add_option("--cpu", options.cpu, "CPU: unicorn, x86emu or kvm (see `sla-emu cpus`)")->capture_default_str();
    run->add_option("--clock", options.clock, "host: real time; virtual: repeatable, as fast as it goes")
        ->check(CLI::IsMember({"host", "virtual"}))
        ->capture_default_str();
    run->add_option("--speed", options.speed, "Virtual time against real time, at most; 0: as fast as it goes")
        ->check(CLI::NonNegativeNumber);
    run->add_option("--for", options.time_limit, "End after this much of the guest's time, for example 10s");
    run->add_flag("--no-reboot", options.no_reboot,
                  "End the run when the guest resets the PC or its processor (triple fault), instead of starting it again; "
                  "always so with --kernel and --com, which no BIOS would start again");
    add_outputs(*run, options);
    run->callback([&options] {
        if (!options.demo && !options.has_guest())
            throw CLI::RequiredError("IMAGE, --demo, --kernel, --com, --fda or --hda");
    });
}

int run_program(int argc, char** argv) {
    CLI::App app("An emulated PC that shows its interrupts, port accesses and halts as channels, unnoticed by the guest.",
                 "sla-emu");
    app.set_version_flag("--version", std::string("sla-emu " SLA_VERSION));
    app.require_subcommand(1);
    sla::emu::RunOptions options;
    add_run(app, options);
    const auto* cpus = app.add_subcommand("cpus", "Which CPUs work here, and why others do not");
    const auto* counters =
        app.add_subcommand("counters", "Events of the Pentium's performance counters, and which are offered");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kWrongUse;
    }
    if (cpus->parsed()) return sla::emu::list_cpus();
    if (counters->parsed()) return sla::emu::list_counters();
    auto code = sla::emu::run(options);
    if (code) return *code;
    spdlog::error("{}", code.error().message);
    return sla::exit_code(code.error());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        spdlog::set_default_logger(spdlog::stderr_color_mt("sla-emu"));
        spdlog::set_pattern("sla-emu: %^%v%$");
        return run_program(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "sla-emu: cannot start: {}\n", error.what());
        return kOutsideWorldFailed;
    }
}
