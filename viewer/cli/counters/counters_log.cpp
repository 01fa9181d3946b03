// sla counters log: what is counted between two looks, look by look, until the program ends.
#include "viewer/cli/counters/counters_log.h"

#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"
#include "proto/wire/control.pb.h"
#include "viewer/cli/counters/counted_program.h"
#include "viewer/cli/input.h"
#include "viewer/cli/interrupt.h"
#include "viewer/counters/guest_control.h"
#include "viewer/formats/table/interval_log.h"
#include "viewer/ingest/request.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

namespace sla::cli {

namespace {

using Clock = std::chrono::steady_clock;
using counters::Event;
using counters::IntervalCounts;

// Where counts are put beside everything else that happens: channels pmc.EVENT of that source; those that are no exact ones
// on others of their own.
struct Lanes {
    wire::Address agent;
    std::string source;
};

Result<void> put_on_lanes(const std::vector<Event>& events, const IntervalCounts& grown, const Lanes& lanes) {
    std::vector<std::string> names;
    for (const Event& event : events) names.push_back(event.name());
    for (const std::size_t i : grown.estimates) names[i] += ".estimated";
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (!grown.counts[i]) continue;
        std::string& name = names[i];
        std::replace(name.begin(), name.end(), ':', '.');
        wire::Request request;
        request.mutable_mark()->set_channel("pmc." + name);
        request.mutable_mark()->set_source(lanes.source);
        request.mutable_mark()->set_value(static_cast<std::int64_t>(*grown.counts[i]));
        if (auto sent = ingest::send_request(lanes.agent, request); !sent.ok()) return sent;
    }
    return {};
}

Result<Clock::duration> interval_of(const std::string& text) {
    const auto ps = time::parse_duration(text);
    if (!ps.ok()) return invalid_input("--every: " + ps.error().message);
    constexpr std::int64_t kMin = 1'000'000'000;  // a millisecond
    if (*ps < kMin) return invalid_input("--every " + text + ": at least 1ms");
    return std::chrono::duration_cast<Clock::duration>(std::chrono::nanoseconds(*ps / 1000));
}

// Until it ends; or until nobody reads the log any more, nor the lanes.
Result<void> log_all(CountedProgram& program, Clock::duration every, formats::IntervalLog& table, const Lanes* lanes) {
    auto at_start = program.at_start();
    if (!at_start.ok()) return at_start.error();
    counters::Intervals intervals(std::move(*at_start));
    const auto start = Clock::now();
    if (auto begun = program.begin(); !begun.ok()) return begun;
    auto last = start;
    for (auto next = start + every;; next += every) {
        const bool ended = program.wait_until(next);
        const auto counted = program.read(ended);
        const auto now = Clock::now();
        if (!counted.ok()) return counted.error();
        const IntervalCounts grown = intervals.next(*counted);
        const auto added = table.add(time::ps_of(now - start), time::ps_of(now - last), grown.counts, grown.estimates);
        if (!added.ok()) return added;
        if (lanes != nullptr) {
            const auto put = put_on_lanes(program.events(), grown, *lanes);
            if (!put.ok()) warn(put.error().message + "; the log goes on without lanes");
            if (!put.ok()) lanes = nullptr;
        }
        if (ended || (table.is_closed() && lanes == nullptr)) return {};
        last = now;
        next = std::max(next, now);  // a log that stood still makes up for no look
    }
}

// A program is not ended because nobody can be told its counts any more.
int log_to_end(CountedProgram& program, Clock::duration every, formats::IntervalLog& table, const Lanes* lanes,
               const std::string& name) {
    const auto logged = log_all(program, every, table, lanes);
    const auto finished = logged.ok() ? table.finish() : logged;
    const int code = finished.ok() ? kDone : complain(finished.error());
    if (program.runs_on()) {
        remark((code == kDone ? "nobody reads the log any more: " : "") + name + " runs on, and is not counted any more");
        program.let_run();
    }
    const int of_program = program.report_ending();
    return code == kDone ? of_program : code;
}

}  // namespace

int log_counters(const LogOptions& options) {
    const auto every = interval_of(options.every);
    if (!every.ok()) return complain(every.error());
    if (options.pid.has_value() == !options.counted.program.empty())
        return complain(invalid_input("of what? write --pid PROCESS, or the PROGRAM behind --, one of them"));
    const std::string name = options.pid ? "process " + std::to_string(*options.pid) : options.counted.program[0];
    std::optional<Lanes> lanes;
    if (options.lanes) {
        auto address = agent_address(options.address);
        if (!address.ok()) return complain(address.error());
        lanes = Lanes{std::move(*address), "counters of " + std::filesystem::path(name).filename().string()};
    }
    auto program =
        options.pid ? CountedProgram::attach(*options.pid, options.counted) : CountedProgram::prepare(options.counted);
    if (!program.ok()) return complain(program.error());
    const auto format = options.counted.output.chosen();
    if (!format.ok()) return complain(format.error());
    std::vector<std::string> names;
    for (const Event& event : program->events()) names.push_back(event.name());
    auto table = formats::IntervalLog::open(names, *format, options.counted.output.path);
    if (!table.ok()) return complain(table.error());
    return log_to_end(*program, *every, *table, lanes ? &*lanes : nullptr, name);
}

void add_counters_log(common::Command& above) {
    common::Command& command = above.add_command("log", "Counts at an interval, until the program ends");
    auto options = std::make_shared<LogOptions>();
    command.add_option("--every", options->every, "How long an interval is").value_name("DURATION").show_default();
    command
        .add_option("--pid", options->pid,
                    "A process that runs: its threads, and what they start from now on (while they are being taken, one may "
                    "be missed)")
        .value_name("PROCESS");
    command.add_option("--events", options->counted.events, "As in `sla counters run`; default: those that are there")
        .value_name("LIST");
    command.add_option("--privilege", options->counted.privilege, "Count the program itself, the kernel, or both")
        .one_of({"user", "kernel", "both"})
        .show_default();
    command.add_flag(
        "--lanes", options->lanes,
        "Put each count on the running agent's lane pmc.EVENT too (an estimate: pmc.EVENT.estimated), of a source "
        "'counters of PROGRAM'");
    add_agent(command, options->address);
    options->counted.output.add_to(command);
    command.add_option("program", options->counted.program, "The program; write it behind --").value_name("PROGRAM");
    command.footer(
        "Columns: time_ns,interval_ns, then one for each event: how often it happened in that interval; last,\n"
        "estimated. interval_ns is how long it was; the last one is as long as the program still ran. A program's\n"
        "first interval begins before its first instruction and its last one ends behind its last: exact counts add up\n"
        "to what `sla counters run` counts. `estimated` names the events that shared the processor's counters with\n"
        "others in that interval: counted for a part of it and scaled up, they need not add up to anything. One that\n"
        "never had its turn is empty, and falls into a later interval. Fewer --events share less.\n"
        "Of a --pid that is an emulated PC, events pentium:... are asked for at its control socket; what happened\n"
        "between the last look and its end is not known, and stays empty. Ctrl-C ends the program too, and the log is\n"
        "whole. So does a signal to sla alone (SIGTERM, SIGHUP, SIGINT), which goes to the program and all that it\n"
        "started; SIGKILL ends what runs 5 s later. When sla itself is killed (SIGKILL), the program gets SIGTERM, and\n"
        "not what it started. A log that nobody reads any more (| head) or that cannot be written ends no program: it\n"
        "runs on to its end.\n"
        "Exit code: the program's own, 128 + n when signal n ended it, with a line on stderr that says so; 0 of a\n"
        "--pid and after Ctrl-C; 2: wrong use; 3: it could not be run or counted, or the log not be written.\n"
        "Example: sla counters log --every 1s -o run.csv -- ./my_program; sla counters log --pid 4711 --events\n"
        "pentium:16");
    command.action([options] {
        const auto process = options->pid ? static_cast<pid_t>(*options->pid) : 0;
        options->counted.runs_guest = process > 0 && counters::GuestControl::connect(process).ok();
        return log_counters(*options);
    });
}

}  // namespace sla::cli
