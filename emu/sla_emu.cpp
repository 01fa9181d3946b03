// sla-emu: the emulated PC as a program.
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

void add_run(CLI::App& app, sla::emu::RunOptions& options) {
    CLI::App* run = app.add_subcommand("run", "Run a guest from power-on to its end")->footer(kFooter);
    auto* image = run->add_option("IMAGE", options.image, "Firmware image; its last 16 bytes are the reset vector");
    auto* demo = run->add_flag("--demo", options.demo, "Run the built-in demonstration guest")->excludes(image);
    run->add_option("--ticks", options.demo_ticks, "Timer ticks after which the demonstration ends; 0: never")->needs(demo);
    run->add_option("--cpu", options.cpu, "CPU: unicorn")->capture_default_str();
    run->add_option("--clock", options.clock, "host: real time; virtual: repeatable, as fast as it goes")
        ->check(CLI::IsMember({"host", "virtual"}))
        ->capture_default_str();
    run->add_option("--for", options.time_limit, "End after this much of the guest's time, for example 10s");
    run->add_option("--debug-output", options.debug_output,
                    "File for the guest's text (ports 402h and E9h); -: standard output")
        ->capture_default_str();
    run->callback([image, demo] {
        if (image->empty() && demo->empty()) throw CLI::RequiredError("IMAGE or --demo");
    });
}

int run_program(int argc, char** argv) {
    CLI::App app("An emulated PC that shows its interrupts, port accesses and halts as channels, unnoticed by the guest.",
                 "sla-emu");
    app.set_version_flag("--version", std::string("sla-emu " SLA_VERSION));
    app.require_subcommand(1);
    sla::emu::RunOptions options;
    add_run(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kWrongUse;
    }
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
