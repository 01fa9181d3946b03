// What is counted of one process, look by look, while somebody watches or writes it down.
//
//   job    ProcessCounts ─ read at an interval ─► differences ─► poll(), once a frame ─► samples() and the log   window
//
// Owner: the window's thread. Nothing is counted unless watch() was called; memory: kMax samples.
#pragma once

#include "proto/time/picoseconds.h"
#include "viewer/counters/process_counts.h"
#include "viewer/formats/table/interval_log.h"
#include "viewer/workspace/counters/section_look.h"
#include "viewer/workspace/jobs/job_runner.h"

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sla::workspace {

struct CounterSample {
    std::int64_t at_ps = 0;              // its end, from when the watch began
    std::int64_t interval_ps = 0;        // how long it counted
    counters::EventCounts counts;        // in that interval
    std::vector<std::size_t> estimates;  // which of them are
    SectionLook section;                 // up to then, where one is watched

    // Nothing where it is not known.
    [[nodiscard]] std::optional<double> rate(std::size_t event) const {
        if (interval_ps <= 0 || !counts[event]) return std::nullopt;
        return static_cast<double>(*counts[event]) * time::kPicosecondsPerSecond / static_cast<double>(interval_ps);
    }
    [[nodiscard]] bool is_estimate(std::size_t event) const {
        return std::find(estimates.begin(), estimates.end(), event) != estimates.end();
    }
};

class CounterWatch {
public:
    struct Target {
        pid_t process = 0;  // 0: none
        std::vector<counters::Event> events;
        std::chrono::milliseconds every{1000};
        std::string section;    // a channel whose spans are counted apart; "": none
        bool is_guest = false;  // the process is an emulated PC, and counts its sections itself
        bool operator==(const Target&) const = default;
    };
    static constexpr std::size_t kMax = 600;

    CounterWatch() = default;
    ~CounterWatch();
    CounterWatch(const CounterWatch&) = delete;
    CounterWatch& operator=(const CounterWatch&) = delete;

    // The same again changes nothing; another one begins anew, and ends a log.
    void watch(const Target& target);
    void stop();
    // Once a frame: takes what was counted since, of a marked program's section from the session's rows.
    void poll(const store::Session& session);

    [[nodiscard]] const Target& target() const { return target_; }
    [[nodiscard]] bool is_running() const { return job_.is_running(); }
    [[nodiscard]] const std::deque<CounterSample>& samples() const { return samples_; }
    // Of all samples since the watch began, those that are forgotten too.
    [[nodiscard]] const counters::EventCounts& totals() const { return totals_; }
    // What the section counted since the watch began, as of the last look.
    [[nodiscard]] const SectionLook& section() const { return section_; }
    // What it counts: of an emulated PC the Pentium's events of the target, of a marked program what its markers read.
    [[nodiscard]] std::vector<counters::Event> section_events() const;
    // Why nothing (more) is counted; "" while all is well.
    [[nodiscard]] const std::string& problem() const { return problem_; }
    // What was chosen and this emulated PC does not count; "": it counts all of it.
    [[nodiscard]] const std::string& not_counted() const { return not_counted_; }

    // Every interval from the next one on, as `sla counters log` writes it; behind that of a section SECTION:n, how many spans
    // ended in it, and SECTION:EVENT, what these counted together. The file appears when the log ends.
    Result<void> begin_log(const std::string& path);
    Result<void> end_log();
    // Why the log could not go on, or ended without its file, when nobody asked for its end; "" when this was told already.
    [[nodiscard]] std::string take_log_problem() { return std::exchange(log_problem_, {}); }
    [[nodiscard]] bool is_logging() const { return log_.has_value(); }
    [[nodiscard]] std::uint64_t logged() const { return log_ ? log_->rows() : 0; }

private:
    struct Shared;
    static void count(const Target& target, Shared& shared, const JobRunner::Control& control);
    void add(CounterSample& sample);
    void end_log_unasked();

    Target target_;
    std::deque<CounterSample> samples_;
    counters::EventCounts totals_;
    std::optional<MarkedSectionWatch> marked_;
    SectionLook section_;
    std::string problem_;
    std::string not_counted_;
    std::optional<formats::IntervalLog> log_;
    std::string log_problem_;  // until it is taken
    std::shared_ptr<Shared> shared_;
    JobRunner runner_{1};  // a watch lasts: it takes no thread from the window's other work
    JobRunner::Job job_;
};

}  // namespace sla::workspace
