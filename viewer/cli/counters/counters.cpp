// sla counters: lists events, counts a program or its sections, holds counts against earlier ones.
#include "viewer/cli/counters/counters.h"

#include "viewer/cli/counters/counters_log.h"

#include "proto/wire/glob.h"
#include "viewer/formats/table/small_table.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

namespace sla::cli {

namespace {

using counters::World;

int list_events(const OutputOptions& output) {
    const auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    formats::SmallTable table({"event", "number", "how", "meaning"});
    for (const counters::Event& event : counters::events_of(World::kPentium)) {
        const auto select = static_cast<std::uint8_t>(event.select);
        table.add({event.name(), common::select_text(select) + "h",
                   std::string(common::offer_word(common::pentium_events()[select].offer)), event.meaning});
    }
    for (const counters::Event& event : counters::events_of(World::kHost)) {
        const std::string absence = counters::absence_of(event, counters::Privilege::kUser);
        table.add({event.name(), formats::Field(), absence.empty() ? "exact" : absence, event.meaning});
    }
    return output.write(table, *format);
}

// What was typed means this section: as it is, or as a pattern. Of a guest also all below it, and several with commas between.
bool means(const std::string& typed, const std::string& section, bool of_guest) {
    if (!of_guest || typed == section) return typed == section || wire::glob_match(typed, section);
    bool only_leaves_out = true;
    for (std::size_t at = 0; at <= typed.size();) {
        const std::size_t end = std::min(typed.find(',', at), typed.size());
        const std::string pattern = typed.substr(at, end - at);
        at = end + 1;
        if (pattern.starts_with('!')) continue;
        if (wire::glob_match(pattern, section) || wire::glob_match(pattern + ".*", section)) return true;
        only_leaves_out = false;
    }
    return only_leaves_out;
}

// Whether each section that was asked for was counted; those that were not are reported, with the reason.
bool has_all(const std::vector<std::string>& typed, const counters::SectionTable& table, bool of_guest) {
    bool all = true;
    for (const std::string& name : typed) {
        bool counted = false;
        std::string missed;
        for (const counters::Row& row : table.rows()) {
            if (row.section == "program" || !means(name, row.section, of_guest)) continue;
            counted = counted || row.numbers.n > 0;
            if (missed.empty()) missed = table.missed_of(row.section);
        }
        if (counted) continue;
        warn("nothing was counted of section '" + name +
             "': " + (missed.empty() ? "no span of it ended" : "of its spans " + missed));
        all = false;
    }
    return all;
}

// The table; the exit code as if no run had failed.
int show(const counters::SectionTable& table, const CountersOptions& options) {
    const std::vector<counters::Row> rows = table.rows(options.events.empty());
    if (!options.against.empty()) return hold_against_table(rows, options);
    const int code = write_rows(rows, options.output);
    const bool counted = std::any_of(rows.begin(), rows.end(), [](const counters::Row& row) { return row.numbers.n > 0; });
    const bool asks_parts = !options.sections.empty() || !options.ranges.empty();
    if (!counted && !(asks_parts && rows.empty())) {  // each row says why
        warn("nothing was counted: none of these events could be; `how` says why, `sla counters list` what is there");
        return code == kDone ? kNo : code;
    }
    const bool sections = has_all(options.sections, table, options.of_guest());
    const bool ranges = has_all(options.ranges, table, options.of_guest());
    return code == kDone && !(sections && ranges) ? kNo : code;
}

// A program that failed is why the answer is "no", and worth more than that.
int count(const CountersOptions& options) {
    if (const auto format = options.output.chosen(); !format.ok()) return complain(format.error());
    if (const auto good = check_against(options); !good.ok()) return complain(good.error());
    const auto measured = measure(options);
    if (!measured.ok()) return complain(measured.error());
    const int code = show(measured->table, options);
    const bool answered = code == kDone || code == kNo;
    return answered && measured->endings.code() != 0 ? measured->endings.code() : code;
}

void add_program(common::Command& command, CountersOptions& options) {
    command
        .add_option("--events", options.events,
                    "all, or with commas between: pentium:16, pentium:instructions, host:page-faults; a word without a "
                    "world is one of the emulated PC's where that runs, else of this machine's. Default: all of them")
        .value_name("LIST");
    command.add_option("--privilege", options.privilege, "Count the program itself, the kernel (rings 0 to 2), or both")
        .one_of({"user", "kernel", "both"})
        .show_default();
    options.output.add_to(command);
    command.add_option("program", options.program, "The program; write it behind --").required().value_name("PROGRAM");
}

// To the millionth: what is beyond is the arithmetic's.
double rounded(double number) {
    constexpr double kParts = 1e6;
    return std::abs(number) > 1e9 ? number : std::round(number * kParts) / kParts;
}

constexpr const char* kColumns =
    "Columns: section,event,how,n,min,mean,median,max,culled,spread,subtracted,note. `how` says how well a number is "
    "known:\n"
    "exact, rounded (spans with more than 4096 different numbers in a run; the note says to what), modelled (a model of a\n"
    "Pentium's caches and pipes counted), multiplexed (counters shared the processor; scaled up), or why there is none;\n"
    "without --events such rows come once, at the end. Outliers are culled as in sla stats --cull. Rows of ratios follow\n"
    "each section's events: host:cpi, pentium:pairing...\n"
    "The program gets no input, and what it prints is kept from the table; it is started anew for every run, and ends when\n"
    "sla does, and all that it started with it (but where SIGKILL ends sla). Run 1 of a program\n"
    "warms caches and is not in the table. Runs that fail are counted like the others; stderr says which failed and how.\n"
    "Exit code: of the first run that failed its own, 128 + n when signal n ended it; else 0: done; 1: nothing was "
    "counted;\n"
    "2: wrong use; 3: the program could not be run or counted, or the table not be written.\n";

void add_run(common::Command& above) {
    common::Command& command = above.add_command("run", "A whole program's counts, over some runs");
    auto options = std::make_shared<CountersOptions>();
    options->runs = 20;
    command.add_option("--runs", options->runs, "Runs for each set of events that can be counted at a time")
        .range(1, 10000)
        .show_default();
    const common::Option against =
        command
            .add_option("--against", options->against,
                        "Hold the counts against those of this file, which --format json -o F.json wrote earlier")
            .value_name("F.json");
    command.add_option("--limit", options->limit, "With --against: how much more than then may be counted now, as +5% or +0")
        .value_name("CHANGE")
        .show_default()
        .needs(against);
    add_program(command, *options);
    command.footer(
        std::string(kColumns) +
        "With --against the columns are section,event,verdict,before,after,change,limit; the verdict is pass, fail "
        "or cannot tell:\n"
        "the most counted now against the least counted then must keep the limit to pass, the least now against "
        "the most then must\n"
        "break it to fail; what was counted then and is not now cannot be told, but for what\n"
        "--events leaves out. Exit code 0 means: all pass, 1: not all.\n"
        "Example: sla counters run --runs 5 -- ./my_program, sla counters run -- sla-emu run --demo --ticks 100 "
        "--cpu x86emu");
    command.action([options] { return count(*options); });
}

void add_sweep(common::Command& above) {
    common::Command& command = above.add_command("sweep", "Sections of a program, through all events");
    auto options = std::make_shared<CountersOptions>();
    options->runs = 3;
    command
        .add_option(
            "--section", options->sections,
            "A channel whose spans are to be counted (repeatable; patterns too): of a guest irq.0.isr, guest.work; of a "
            "program one with SLA_COUNT_BEGIN and SLA_COUNT_END")
        .value_name("NAME")
        .one_each();
    command
        .add_option("--range", options->ranges,
                    "Code of a guest, from one instruction to the next time that the other is reached (repeatable)")
        .value_name("CS:IP..CS:IP")
        .one_each();
    command.add_option("--runs", options->runs, "Runs for each set of events that can be counted at a time")
        .range(1, 10000)
        .show_default();
    add_program(command, *options);
    command.footer(
        std::string(kColumns) +
        "A section named `empty`, or guest.empty, is what measuring itself costs: its median is subtracted from "
        "the others (guest.empty: from guest.* alone, as ranges and ISRs have no marker in them).\n"
        "Example: sla counters sweep --section irq.0.isr --range f000:f1a9..f000:f1b1 -- sla-emu run --demo --ticks "
        "100 --cpu x86emu");
    command.action([options] {
        if (options->sections.empty() && options->ranges.empty())
            return complain(
                invalid_input("which section? --section NAME or --range CS:IP..CS:IP; a whole program's counts "
                              "are for `sla counters run`"));
        return count(*options);
    });
}

}  // namespace

counters::Privilege CountersOptions::rings() const {
    return privilege == "user"     ? counters::Privilege::kUser
           : privilege == "kernel" ? counters::Privilege::kKernel
                                   : counters::Privilege::kBoth;
}

bool CountersOptions::of_guest() const {
    return program.size() >= 2 && std::filesystem::path(program[0]).filename() == "sla-emu" && program[1] == "run";
}

World CountersOptions::usual() const {
    return of_guest() || runs_guest ? World::kPentium : World::kHost;
}

Result<std::vector<counters::Event>> CountersOptions::chosen_events() const {
    return counters::parse_events(events.empty() ? "all" : events, usual());
}

int write_rows(const std::vector<counters::Row>& rows, const OutputOptions& output) {
    const auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    formats::SmallTable table(
        {"section", "event", "how", "n", "min", "mean", "median", "max", "culled", "spread", "subtracted", "note"});
    for (const counters::Row& row : rows) {
        const counters::Summary& of = row.numbers;
        const auto number = [&](double value) { return of.n == 0 ? formats::Field() : formats::Field(rounded(value)); };
        table.add({row.section, row.event, row.how, of.n, number(of.min), number(of.mean), number(of.median), number(of.max),
                   of.culled, number(of.spread), row.subtracted ? formats::Field(*row.subtracted) : formats::Field(),
                   row.note});
    }
    return output.write(table, *format);
}

void add_counters(common::Command& app) {
    common::Command& command =
        app.add_command("counters", "Count events of the processor, this machine's or an emulated Pentium's");
    common::Command& list = command.add_command("list", "All events by name, and which can be counted here");
    auto output = std::make_shared<OutputOptions>();
    output->add_to(list);
    list.footer(
        "Columns: event,number,how,meaning. Those of the emulated PC as its CPU x86emu knows them (`sla-emu cpus`).");
    list.action([output] { return list_events(*output); });
    add_run(command);
    add_sweep(command);
    add_counters_log(command);
}

}  // namespace sla::cli
