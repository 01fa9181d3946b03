// What `sla check` is asked, and what it finds in one capture.
#pragma once

#include "viewer/analysis/limits/limit.h"
#include "viewer/analysis/limits/verdict.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/cli/sql/check_sql.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::cli {

struct CheckOptions {
    InputOptions input;
    OutputOptions output;
    std::vector<std::string> limits;
    std::vector<std::string> questions;
    std::string junit;
    bool follows = false;
    bool first = false;

    // Runs instead of a capture: one a seed.
    std::string seeds;
    std::uint32_t jobs = 0;  // at a time; 0: as many as there are cores
    std::string run_for;
    std::string keep;
    std::vector<std::string> program;  // but for its first word, which stands in input.target
};

struct Judgement {
    std::vector<analysis::Finding> findings;
    std::vector<SqlVerdict> answers;

    [[nodiscard]] bool passes() const;
    [[nodiscard]] std::vector<Reported> reported(const store::Session& session) const;
};

Result<Judgement> judge(const store::Session& session, const CheckOptions& options,
                        const std::vector<analysis::Limit>& limits);

// JUnit XML, when it is wanted.
Result<void> report(const Judgement& judged, const store::Session& session, const CheckOptions& options);
// --follow: what breaks is said as it comes, then the verdicts. The exit code.
int check_following(const CheckOptions& options, const std::vector<analysis::Limit>& limits);

// "seed 11: fail ...", the command that shows it again. The exit code.
int check_seeds(const CheckOptions& options, const std::vector<analysis::Limit>& limits);

}  // namespace sla::cli
