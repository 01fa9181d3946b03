// One run of the program of `sla check --seeds`, below an `sla record` of its own.
#pragma once

#include "viewer/cli/commands/seeded_program.h"
#include "viewer/cli/counters/run_directory.h"
#include "viewer/process/child.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace sla::cli {

// One owner; what it recorded goes with it.
class SeedRun {
public:
    // `run_for`: when the recorder ends it, as typed; empty: it ends by itself.
    static Result<SeedRun> start(const SeededProgram& program, std::uint64_t seed, const std::string& run_for);
    SeedRun(SeedRun&&) = default;

    [[nodiscard]] std::uint64_t seed() const { return seed_; }
    [[nodiscard]] std::optional<process::Ending> wait(std::chrono::milliseconds time) { return child_.wait(time); }
    [[nodiscard]] std::string capture() const { return directory_.capture(); }
    // Its program's, not the recorder's.
    [[nodiscard]] std::string last_words() const;
    // Why the recorder itself failed, in its own words. Nothing: the code is its program's, of which it says so in a line.
    [[nodiscard]] std::optional<std::string> recorder_failure(int code) const;
    // It is no more wanted: the recorder ends its program and its agent.
    void stop();

private:
    SeedRun(std::uint64_t seed, RunDirectory directory, process::Child child)
        : seed_(seed), directory_(std::move(directory)), child_(std::move(child)) {}

    std::uint64_t seed_;
    RunDirectory directory_;
    process::Child child_;
};

}  // namespace sla::cli
