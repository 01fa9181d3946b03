#include "viewer/cli/counters/counted_program.h"

#include "viewer/cli/interrupt.h"
#include "viewer/counters/counts_file.h"
#include "viewer/process/programs.h"

#include <algorithm>
#include <utility>

namespace sla::cli {

using counters::Event;
using counters::EventReadings;
using counters::ProcessCounts;
using counters::World;
using std::chrono::milliseconds;

namespace {

// How long an emulated PC may take for the last look into it.
constexpr std::chrono::seconds kLastLook(2);

bool has_guest_events(const std::vector<Event>& events) {
    return std::any_of(events.begin(), events.end(), [](const Event& event) { return event.world == World::kPentium; });
}

// Without a list: all that can be counted. With one: what cannot is an error.
Result<std::vector<Event>> events_to_log(const CountersOptions& options) {
    auto events = options.chosen_events();
    if (!events.ok()) return events.error();
    std::vector<Event> out;
    for (Event& event : *events) {
        const std::string absence = counters::absence_in_process(event, options.rings());
        if (absence.empty()) {
            out.push_back(std::move(event));
        } else if (!options.events.empty()) {
            return unavailable(event.name() + ": " + absence);
        }
    }
    if (out.empty()) return unavailable("no event can be counted here; `sla counters list` says why");
    if (has_guest_events(out) && options.privilege != "both")
        return invalid_input(
            "--privilege is for this machine's events here; those of a guest that runs are of all its rings");
    return out;
}

}  // namespace

Result<CountedProgram> CountedProgram::prepare(const CountersOptions& options) {
    auto events = events_to_log(options);
    if (!events.ok()) return events.error();
    auto directory = RunDirectory::make();
    if (!directory.ok()) return directory.error();
    process::ChildOptions how = counted_child(options, *directory);
    how.output.clear();
    if (options.output.path.empty() || options.output.path == "-") how.output = directory->printed();
    if (has_guest_events(*events) && !options.of_guest())
        return invalid_input("events of the emulated Pentium are counted in the emulated PC: -- sla-emu run IMAGE");
    auto child = process::Child::start(how);
    if (!child.ok()) return child.error();
    auto counts = ProcessCounts::open(child->pid(), std::move(*events), options.rings(), ProcessCounts::Guest::kComes);
    if (!counts.ok()) return counts.error();
    counts->wait_unless([] { return interrupted() != 0; });
    CountedProgram out(options, std::move(*counts));
    out.directory_.emplace(std::move(*directory));
    out.child_.emplace(std::move(*child));
    return out;
}

Result<CountedProgram> CountedProgram::attach(std::uint32_t process, const CountersOptions& options) {
    auto events = events_to_log(options);
    if (!events.ok()) return events.error();
    auto counts = ProcessCounts::open(static_cast<pid_t>(process), std::move(*events), options.rings(),
                                      ProcessCounts::Guest::kIsThere);
    if (!counts.ok()) return counts.error();
    counts->wait_unless([] { return interrupted() != 0; });
    return CountedProgram(options, std::move(*counts));
}

Result<void> CountedProgram::begin() {
    auto begun = child_ ? child_->release() : Result<void>();
    has_begun_ = begun.ok();
    return begun;
}

// Of a program that is about to begin everything is 0.
Result<EventReadings> CountedProgram::at_start() {
    if (!child_) return counts_.read();
    return EventReadings(events().size(), counters::Reading{});
}

bool CountedProgram::wait_until(std::chrono::steady_clock::time_point when) {
    for (;;) {
        const auto left = std::chrono::ceil<milliseconds>(when - std::chrono::steady_clock::now());
        const auto some = std::clamp(left, milliseconds(0), milliseconds(100));
        if (child_) {
            ending_ = child_->wait(some);
            if (ending_) return true;
            if (interrupted() != 0) {
                ending_ = end_interrupted(*child_);
                return true;
            }
        } else if (counts_.has_ended(some) || interrupted() != 0) {
            return true;
        }
        if (left <= milliseconds(0)) return false;
    }
}

void CountedProgram::let_run() {
    while (runs_on()) wait_until(std::chrono::steady_clock::now() + std::chrono::hours(1));
}

Result<EventReadings> CountedProgram::read(bool ended) {
    if (ended && !child_) {  // nobody is asked again: a signal that came, or comes, is no reason to give up
        const auto last = std::chrono::steady_clock::now() + kLastLook;
        counts_.wait_unless([last] { return std::chrono::steady_clock::now() >= last; });
    }
    if (!ended || !child_) return counts_.read();
    auto out = counts_.read_host();
    if (!out.ok()) return out;
    if (auto added = add_left_counts(*out); !added.ok()) return added.error();
    return out;
}

Result<void> CountedProgram::add_left_counts(EventReadings& readings) const {
    if (!has_guest_events(events()) || !directory_->has_counts()) return {};
    counters::SectionTable table;
    if (auto added = counters::add_counts(directory_->read_counts(), events(), table); !added.ok()) return added;
    for (const counters::Row& row : table.rows()) {
        for (std::size_t i = 0; i < events().size(); ++i) {
            if (row.section != "program" || row.event != events()[i].name() || row.numbers.n == 0) continue;
            readings[i] = counters::Reading{static_cast<std::uint64_t>(row.numbers.max)};
        }
    }
    return {};
}

int CountedProgram::report_ending() {
    if (const std::string absent = counts_.not_counted(); !absent.empty()) warn(absent);
    if (!ending_ || interrupted() != 0) return kDone;  // what we were asked to end has not failed
    RunEndings endings;
    endings.add(*ending_, directory_->last_words());
    if (endings.code() != 0) warn(endings.text(options_.program[0]));
    return endings.code();
}

}  // namespace sla::cli
