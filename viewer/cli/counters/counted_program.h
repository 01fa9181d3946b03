// A program whose events are counted while it runs, for `sla counters log`: one we start, or one that runs already. Its host
// events come from the kernel; those of an emulated PC from its control socket, and behind its end from the file it leaves.
//
// One owner, one thread. A program that we started is ended with it.
#pragma once

#include "viewer/cli/counters/counters.h"
#include "viewer/cli/counters/run_directory.h"
#include "viewer/counters/process_counts.h"
#include "viewer/process/child.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sla::cli {

class CountedProgram {
public:
    // Lies in memory, and runs from begin() on.
    static Result<CountedProgram> prepare(const CountersOptions& options);
    static Result<CountedProgram> attach(std::uint32_t process, const CountersOptions& options);
    CountedProgram(CountedProgram&&) = default;

    [[nodiscard]] const std::vector<counters::Event>& events() const { return counts_.events(); }
    Result<void> begin();
    [[nodiscard]] Result<counters::EventReadings> at_start();
    // True: it has ended, or we were asked to stop.
    bool wait_until(std::chrono::steady_clock::time_point when);
    // One that we started and that still runs: to its end, or until we are asked to stop.
    void let_run();
    [[nodiscard]] bool runs_on() const { return child_ && has_begun_ && !ending_; }
    [[nodiscard]] Result<counters::EventReadings> read(bool ended);
    // On stderr, when it went wrong, or when events were never counted. The exit code: the program's own, 128 + n when
    // signal n ended it; 0 of one that we ended, or did not start.
    int report_ending();

private:
    CountedProgram(const CountersOptions& options, counters::ProcessCounts counts)
        : options_(options), counts_(std::move(counts)) {}
    Result<void> add_left_counts(counters::EventReadings& readings) const;

    const CountersOptions& options_;
    counters::ProcessCounts counts_;
    std::optional<RunDirectory> directory_;  // of one that we started, as the next ones
    std::optional<process::Child> child_;
    bool has_begun_ = false;
    std::optional<process::Ending> ending_;
};

}  // namespace sla::cli
