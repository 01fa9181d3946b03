// sla record: into a file.
#include "viewer/cli/commands/record/record.h"

#include "proto/base/how_many.h"
#include "proto/base/size.h"
#include "proto/common/trigger/trigger_options.h"
#include "proto/common/trigger/trigger_words.h"
#include "proto/time/duration.h"
#include "viewer/capture_tools/capture_facts.h"
#include "viewer/cli/command.h"
#include "viewer/formats/endings.h"

#include <fmt/format.h>

#include <ctime>

namespace sla::cli {

namespace {

constexpr const char* kRecordInWords =
    "With a program: a private agent is started, the program runs and is waited for, then the file is finished. Without\n"
    "one: the running agent's stream is recorded until --for is over or Ctrl-C.\n"
    "Example: sla record -o run.sla -- ./my_program --its-option\n"
    "Exit code with a program: its own, and 128 + n when signal n ended it (but 0 when --for ended it); `sla: PROGRAM\n"
    "exited with code N` on stderr says so. Else 0: recorded; 2: wrong use (a hook of a process, file or symbol\n"
    "that is not there, too); 3: the program was not started, the recording is not whole or its file was removed\n"
    "meanwhile, or nothing is in it and what was asked of the kernel, or the program itself, could not be had.\n"
    "A signal to sla alone (SIGTERM, SIGHUP, SIGINT), and --for when it is over, ends the program and all that it started,\n"
    "as Ctrl-C does; SIGKILL ends what runs 5 s later.\n"
    "The recording ends with PROGRAM: of what it left behind in the background (a daemon, `PROGRAM &` in a script) the file "
    "has\n"
    "what was marked until then, and a warning names it; start sla-agent and record that (without PROGRAM) to have all.\n"
    "When sla itself is killed (SIGKILL), the program runs on unrecorded, and the file is whole up to that moment.";

std::string file_of_now() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    char name[64];
    std::strftime(name, sizeof name, "sla-%Y%m%d-%H%M%S.sla", &local);
    return name;
}

std::string size_text(std::uint64_t bytes) {
    const double size = static_cast<double>(bytes);
    if (bytes < 10'000) return fmt::format("{} bytes", bytes);
    if (bytes < 10'000'000) return fmt::format("{:.1f} kB", size / 1e3);
    return fmt::format("{:.1f} MB", size / 1e6);
}

void remark_not_kept(std::uint64_t events) {
    if (events == 0) return;
    remark(fmt::format("{} of the time before {} no longer held by the agent (not kept: no loss of this recording)",
                       how_many(events, "event"), events == 1 ? "was" : "were"));
}

int run_record(RecordOptions options, const std::string& duration, const trigger::TriggerOptions& triggers) {
    if (const auto good = formats::check_capture_name(options.file); !good.ok()) return complain(good.error());
    auto requests = triggers.requests();
    if (!requests.ok()) return complain(requests.error());
    if (requests->empty() && triggers.shaped()) {
        return complain(invalid_input("--window, --pre, --shots and their like belong to a --trigger or a --trigger-file"));
    }
    options.triggers = std::move(*requests);
    if (!duration.empty()) {
        const auto ps = time::parse_duration(duration);
        if (!ps.ok()) return complain(invalid_input("--for: " + ps.error().message));
        if (*ps <= 0) return complain(invalid_input("--for " + duration + ": a recording needs some time"));
        options.for_ps = *ps;
    }
    if (const auto buffer = parse_size(options.linux_buffer); !options.linux_buffer.empty() && !buffer.ok())
        return complain(invalid_input("--linux-buffer: " + buffer.error().message));
    if (!options.rotate.empty()) {
        const auto rotation = capture::parse_rotation(options.rotate);
        if (!rotation.ok()) return complain(invalid_input("--rotate: " + rotation.error().message));
        const auto keep_files = options.rotation.keep_files;
        options.rotation = *rotation;
        options.rotation.keep_files = keep_files;
    }
    if (!options.rotate.empty() && !options.triggers.empty()) {
        return complain(invalid_input("--rotate and --trigger do not go together: a file of shots is one file"));
    }
    if (options.file.empty()) options.file = file_of_now();
    if (options.file == "-") return complain(invalid_input("-o -: a capture is a file, it cannot go to standard output"));
    if (options.rotation.rotates()) {
        const auto earlier = capture::files_of_series(options.file);
        options.earlier_files.insert(earlier.begin(), earlier.end());
    }
    const bool traces = options.traces_host();
    if (!traces && (options.follow || !options.pids.empty()))
        return complain(
            invalid_input("--pid and --follow choose among kernel events: ask for some with --linux, --uprobe or --sample"));
    if (options.follow && options.program.empty())
        return complain(invalid_input("--follow means the PROGRAM's kernel events: write it behind --"));
    if (const auto watches = check_watches(options); !watches.ok()) return complain(watches.error());
    if (options.program.empty() && traces && !options.triggers.empty())
        return complain(invalid_input("--trigger with --linux, --uprobe or --sample needs a PROGRAM behind --"));
    if (options.program.empty() && !traces) return options.triggers.empty() ? record_stream(options) : record_shots(options);
    if (!options.address.empty()) {
        return complain(
            invalid_input("--address does not go together with a PROGRAM, --linux, --uprobe or --sample: these get an agent "
                          "of their own"));
    }
    return options.triggers.empty() ? record_program(options) : record_shots(options);
}

}  // namespace

std::uint64_t report_summary(const std::string& file, const char* when_empty) {
    const auto facts = capture_tools::facts_of(file);
    if (!facts.ok()) {
        complain(facts.error());
        return 0;
    }
    const auto say = facts->is_any_lost() ? warn : remark;
    say(fmt::format("{} on {}, {} lost, {} in {}", how_many(facts->events, "event"),
                    how_many(facts->channels.size(), "channel"), facts->lost_text(), size_text(facts->bytes), file));
    remark_not_kept(facts->not_kept);
    if (!facts->whole) warn("the file is not whole; what could be written can be read");
    if (facts->events == 0) {
        remark(when_empty);
    } else {
        remark("next: sla table " + file + "     or: sla-viewer " + file);
    }
    return facts->events;
}

// Of all files of a rotated recording together; `name` stands for them.
std::uint64_t report_series(const std::string& name, const std::vector<std::string>& files, const char* when_empty) {
    capture_tools::CaptureFacts all;
    for (const std::string& file : files) {
        const auto facts = capture_tools::facts_of(file);
        if (!facts.ok()) {
            complain(facts.error());
            continue;
        }
        all.events += facts->events;
        add_up(all.lost, facts->lost);
        add_up(all.not_kept, facts->not_kept);
        all.uncounted += facts->uncounted;
        all.bytes += facts->bytes;
        if (!facts->whole) warn("'" + file + "' is not whole; what could be written can be read");
    }
    const auto say = all.is_any_lost() ? warn : remark;
    say(fmt::format("{}, {} lost, {} in {}, {} to {}", how_many(all.events, "event"), all.lost_text(), size_text(all.bytes),
                    how_many(files.size(), "file"), files.front(), files.back()));
    remark_not_kept(all.not_kept);
    remark(all.events == 0 ? when_empty : "next: sla table " + name + "     or: sla-viewer " + name);
    return all.events;
}

std::uint64_t report_recorded(const RecordOptions& options, const char* why_empty) {
    const char* when_empty = why_empty != nullptr       ? why_empty
                             : !options.program.empty() ? kNothingMarked
                             : options.traces_host()    ? "nothing of what was asked for happened meanwhile"
                                                     : "no program marked anything meanwhile; sla top shows what there is";
    if (!options.rotation.rotates()) return report_summary(options.file, when_empty);
    const std::vector<std::string> files = options.recorded_files();
    return files.empty() ? 0 : report_series(options.file, files, when_empty);
}

std::vector<std::string> RecordOptions::recorded_files() const {
    if (!rotation.rotates()) return {file};
    std::vector<std::string> files = capture::files_of_series(file);
    std::erase_if(files, [this](const std::string& one) { return earlier_files.contains(one); });
    return files;
}

void add_record(common::Command& app) {
    common::Command& command = app.add_command("record", "Record a program, or the running agent, into a capture file");
    auto options = std::make_shared<RecordOptions>();
    auto duration = std::make_shared<std::string>();
    auto triggers = std::make_shared<trigger::TriggerOptions>();
    command
        .add_option("-o,--output", options->file,
                    "The capture file; default: sla-DATE-TIME.sla. An older capture there is replaced, any other file stays")
        .value_name("FILE.sla");
    const common::Option rotate =
        command
            .add_option("--rotate", options->rotate,
                        "Begin the next file (FILE-0001.sla, FILE-0002.sla ...) at this size, age or both")
            .value_name("SIZE|TIME|SIZE,TIME");
    command.add_option("--keep-files", options->rotation.keep_files, "Remove the oldest when there are more; 0: keep all")
        .needs(rotate)
        .value_name("N");
    command.add_option("--for", *duration, "End after this time, as in 10s").value_name("TIME");
    command
        .add_option("--ring-slots", options->ring_slots,
                    "Slots of each ring of the program (default: chosen by the marker library)")
        .range(2, 1 << 24)
        .value_name("N");
    command.add_option("--linux", options->linux_events, "Also record kernel events of this machine; see sla-agent --help")
        .value_name("EVENTS");
    command.add_option("--uprobe", options->uprobes, "Hook a function, PATH:FUNCTION; see sla-agent --help (repeatable)")
        .value_name("HOOK")
        .one_each();
    command
        .add_option("--watch", options->watches,
                    "Every write to a variable of PROGRAM, SYMBOL, or of a running process, PID:SYMBOL; see sla-agent "
                    "--help (repeatable)")
        .value_name("WATCH")
        .one_each();
    command
        .add_option(
            "--sample", options->samples,
            "Where programs are every so often, as time:1ms; of PROGRAM alone with --follow, of all that runs without "
            "(for root); see sla-agent --help, then: sla places (repeatable)")
        .value_name("SAMPLE")
        .one_each();
    command.add_flag("--follow", options->follow, "Kernel events of PROGRAM and its children only");
    command.add_option("--pid", options->pids, "Kernel events of this process and its children only (repeatable)")
        .value_name("PID")
        .one_each();
    command.add_option("--linux-buffer", options->linux_buffer, "The kernel's buffer for each CPU, as in 32MiB")
        .value_name("SIZE");
    command.add_option("--address", options->address, "Record from this agent instead of this user's own")
        .value_name("ADDRESS");
    command
        .add_option("program", options->program, "Run this program with a private agent and record it; write it behind --")
        .value_name("PROGRAM ARGS");
    triggers->describe(command, true);
    command.footer(std::string(kRecordInWords) + "\n" + trigger::kTriggerFooter);
    command.action([=] { return run_record(*options, *duration, *triggers); });
}

}  // namespace sla::cli
