// The commands of `sla counters`, each in its file.
#pragma once

#include "viewer/cli/command.h"
#include "viewer/cli/counters/run_directory.h"
#include "viewer/cli/counters/run_endings.h"
#include "viewer/counters/host_counters.h"
#include "viewer/counters/section_table.h"
#include "viewer/process/child.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::cli {

struct CountersOptions {
    std::vector<std::string> sections;
    std::vector<std::string> ranges;
    std::string events;  // empty: all of the usual world
    std::uint32_t runs = 0;
    std::string privilege = "both";
    std::string against;
    std::string limit = "+5%";
    OutputOptions output;
    std::vector<std::string> program;
    bool runs_guest = false;  // what runs already is the emulated PC

    [[nodiscard]] counters::Privilege rings() const;
    // The program is the emulated PC.
    [[nodiscard]] bool of_guest() const;
    // What a word without "host:" or "pentium:" means.
    [[nodiscard]] counters::World usual() const;
    [[nodiscard]] Result<std::vector<counters::Event>> chosen_events() const;
};

// The program as a child to be counted, held at its first instruction; an emulated PC leaves its counts in the directory.
process::ChildOptions counted_child(const CountersOptions& options, const RunDirectory& directory);

struct Measured {
    counters::SectionTable table;
    RunEndings endings;
};

// Runs the program as often as need be, and gathers. Runs that failed are counted like the others, and reported.
Result<Measured> measure(const CountersOptions& options);

// Rows into whatever was asked for; the exit code.
int write_rows(const std::vector<counters::Row>& rows, const OutputOptions& output);
// Before anything runs: an earlier table and a limit that can be read, where they are wanted.
Result<void> check_against(const CountersOptions& options);
// Holds them against an earlier table, as JSON; the exit code.
int hold_against_table(const std::vector<counters::Row>& rows, const CountersOptions& options);

}  // namespace sla::cli
