// Running a program for its counts: `sla counters run` and `sweep`.
#include "viewer/cli/counters/counters.h"
#include "viewer/cli/counters/marked_sections.h"
#include "viewer/cli/counters/run_directory.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/private_agent.h"
#include "viewer/cli/text/progress.h"
#include "viewer/counters/counts_file.h"
#include "viewer/counters/marked_section.h"
#include "viewer/process/child.h"
#include "viewer/process/programs.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>

namespace sla::cli {

namespace {

using counters::Event;
using counters::SectionTable;
using counters::World;

class Measurement {
public:
    Measurement(const CountersOptions& options, std::vector<Event> events, RunDirectory directory)
        : options_(options), events_(std::move(events)), directory_(std::move(directory)) {}

    Result<void> run();
    [[nodiscard]] const RunEndings& endings() const { return endings_; }
    [[nodiscard]] Measured take_measured() { return {std::move(table_), std::move(endings_)}; }

private:
    void choose_sets();
    void choose_pairs();
    void describe_absent(const Event& event, const std::string& absence);
    [[nodiscard]] bool marked_sections() const { return !options_.of_guest() && !options_.sections.empty(); }
    Result<void> run_once(std::span<const Event> set, bool counts);
    Result<process::Ending> wait_for_end(process::Child& child) const;
    Result<void> take(std::span<const Event> set, const counters::HostCounters& host);
    [[nodiscard]] std::vector<Event> present_of(std::span<const Event> set) const;

    const CountersOptions& options_;
    const std::vector<Event> events_;
    RunDirectory directory_;
    SectionTable table_;
    std::vector<std::vector<Event>> sets_;  // of this machine's, each counted at a time
    RunEndings endings_;
};

// `absence`: "not present: why".
void Measurement::describe_absent(const Event& event, const std::string& absence) {
    const std::size_t colon = absence.find(": ");
    table_.describe(event, absence.substr(0, colon), absence.substr(colon + 2));
}

// The markers read two at a time.
void Measurement::choose_pairs() {
    for (const Event& event : events_) {
        if (event.world != World::kHost) continue;
        const std::string absence = counters::absence_of(event, options_.rings());
        if (!absence.empty() && !event.is_software()) {
            describe_absent(event, absence);
        } else if (!counters::is_read_by_markers(event)) {
            table_.describe(event, "not offered", "SLA_COUNT does not read it; `sla counters run` does");
        } else {
            if (sets_.empty() || sets_.back().size() == 2) sets_.emplace_back();
            sets_.back().push_back(event);
        }
    }
}

// The kernel's own with the first set of the processor's; what is not there is described and left out.
void Measurement::choose_sets() {
    if (marked_sections()) return choose_pairs();
    std::vector<Event> hardware;
    sets_.emplace_back();
    for (const Event& event : events_) {
        if (event.world != World::kHost) continue;
        const std::string absence = counters::absence_of(event, options_.rings());
        if (!absence.empty()) {
            describe_absent(event, absence);
            continue;
        }
        table_.describe(event, "exact", "");
        (event.is_software() ? sets_.front() : hardware).push_back(event);
    }
    for (std::span<const Event> rest = hardware; !rest.empty();) {
        const std::size_t some = counters::fitting(rest, options_.rings());
        if (rest.size() != hardware.size()) sets_.emplace_back();
        sets_.back().insert(sets_.back().end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(some));
        rest = rest.subspan(some);
    }
}

Result<process::Ending> Measurement::wait_for_end(process::Child& child) const {
    for (;;) {
        if (interrupted() != 0) {
            end_interrupted(child);
            return unavailable("stopped; nothing was written");
        }
        if (const auto ending = child.wait(std::chrono::milliseconds(100)); ending && interrupted() == 0) return *ending;
    }
}

Result<void> Measurement::run_once(std::span<const Event> set, bool counts) {
    directory_.clear();
    process::ChildOptions how = counted_child(options_, directory_);
    std::unique_ptr<PrivateAgent> agent;
    if (marked_sections() && counts) {
        auto started = PrivateAgent::start(directory_.capture());
        if (!started.ok()) return started.error();
        agent = std::move(*started);
        how.environment = {{"SLA_RUNTIME_DIR", agent->runtime_dir()}, {"SLA_COUNTERS", marker_counters(set)}};
    }
    auto child = process::Child::start(how);
    if (!child.ok()) return child.error();
    const std::vector<Event> countable = present_of(set);
    auto host = counters::HostCounters::open(countable, child->pid(), options_.rings());
    if (!host.ok()) return host.error();
    if (auto released = child->release(); !released.ok()) return released.error();
    const auto ending = wait_for_end(*child);
    if (!ending.ok()) return ending.error();
    if (options_.of_guest() && !directory_.has_counts()) {
        const std::string what = "sla-emu " + ending->text() + " and counted nothing. It says: " + directory_.last_words();
        return ending->code == kWrongUse ? invalid_input(what) : unavailable(what);
    }
    endings_.add(*ending, directory_.last_words());
    if (agent != nullptr) {
        if (auto finished = agent->finish(); !finished.ok()) return finished;
        if (auto added = add_marked_sections(directory_.capture(), options_.sections, set, table_); !added.ok())
            return added;
    }
    return counts ? take(countable, *host) : Result<void>();
}

// Markers read the kernel's own events without perf_event_open, where that is not allowed.
std::vector<Event> Measurement::present_of(std::span<const Event> set) const {
    std::vector<Event> out;
    std::copy_if(set.begin(), set.end(), std::back_inserter(out),
                 [this](const Event& event) { return counters::absence_of(event, options_.rings()).empty(); });
    return out;
}

Result<void> Measurement::take(std::span<const Event> set, const counters::HostCounters& host) {
    const auto readings = host.read();
    if (!readings.ok()) return readings.error();
    for (std::size_t i = 0; i < set.size(); ++i) {
        const counters::Reading& reading = (*readings)[i];
        if (const auto value = reading.value()) table_.add("program", set[i], *value);
        if (reading.is_estimate()) table_.multiplexed(set[i]);
    }
    if (!options_.of_guest()) return {};
    return counters::add_counts(directory_.read_counts(), events_, table_);
}

// The first run of a program warms caches and counts for nothing; a guest has none that last.
Result<void> Measurement::run() {
    choose_sets();
    Progress progress("counting '" + options_.program[0] + "'");
    const bool warm_up = !options_.of_guest();
    const auto all = static_cast<double>(options_.runs * sets_.size());
    std::uint64_t done = 0;
    if (warm_up) {
        if (auto ran = run_once({}, false); !ran.ok()) return ran;
    }
    for (std::uint32_t run = 0; run < options_.runs; ++run) {
        for (const std::vector<Event>& set : sets_) {
            if (auto ran = run_once(set, true); !ran.ok()) return ran;
            progress.show(static_cast<double>(++done) / all);
        }
    }
    return {};
}

}  // namespace

process::ChildOptions counted_child(const CountersOptions& options, const RunDirectory& directory) {
    process::ChildOptions how;
    how.argv = options.program;
    how.output = directory.printed();
    how.no_input = true;
    how.held = true;  // counters are there before its first instruction
    how.ends_with_us = true;
    how.with_all_below = true;
    if (!options.of_guest()) return how;
    if (how.argv[0].find('/') == std::string::npos) how.argv[0] = process::sister_program("sla-emu");
    std::vector<std::string> words{"--counts", directory.counts(), "--privilege", options.privilege};
    for (const std::string& section : options.sections) words.insert(words.end(), {"--section", section});
    for (const std::string& range : options.ranges) words.insert(words.end(), {"--range", range});
    how.argv.insert(how.argv.begin() + 2, words.begin(), words.end());
    return how;
}

Result<Measured> measure(const CountersOptions& options) {
    auto events = options.chosen_events();
    if (!events.ok()) return events.error();
    const bool of_pentium =
        std::any_of(events->begin(), events->end(), [](const Event& e) { return e.world == World::kPentium; });
    if (of_pentium && !options.of_guest())
        return invalid_input("events of the emulated Pentium are counted in the emulated PC: -- sla-emu run IMAGE");
    if (!options.ranges.empty() && !options.of_guest())
        return invalid_input("--range is for code of the emulated PC: -- sla-emu run IMAGE --cpu x86emu");
    if (!options.of_guest() && !options.sections.empty() && options.privilege == "kernel")
        return invalid_input("--privilege kernel: sections of a program are counted by the program itself; user is theirs");
    if (!options.of_guest() && !process::program_exists(options.program[0]))
        return unavailable("cannot start '" + options.program[0] + "': there is no such program, or it may not be executed");
    auto directory = RunDirectory::make();
    if (!directory.ok()) return directory.error();
    Measurement measurement(options, std::move(*events), std::move(*directory));
    const auto ran = measurement.run();
    if (measurement.endings().code() != 0) warn(measurement.endings().text(options.program[0]));
    if (!ran.ok()) return ran.error();
    return measurement.take_measured();
}

}  // namespace sla::cli
