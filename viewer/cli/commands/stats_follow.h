// sla stats --follow: statistics of one interval after the other, while an agent or a fleet runs.
#pragma once

#include "viewer/analysis/intervals/statistics_follower.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/formats/table/people_table.h"

#include <string>
#include <vector>

namespace sla::cli {

struct StatisticsWatch {
    bool follows = false;
    std::string every;  // "": a second

    void add_to(common::Command& command);
    // With what else was typed.
    [[nodiscard]] Result<void> check(bool exact) const;
    // The exit code.
    [[nodiscard]] int run(const InputOptions& input, const analysis::StatisticsWanted& wanted, bool of_values,
                          const OutputOptions& output) const;
};

// For people: widths of spans first. Which of several sources it is, is said where there are channels of one name.
formats::PeopleTable people_statistics(const store::Session& session, const std::vector<analysis::StatisticsRow>& rows);

}  // namespace sla::cli
