// How the verdicts of sla compare are reported.
#pragma once

#include "viewer/analysis/limits/change.h"
#include "viewer/cli/command.h"

#include <string>
#include <vector>

namespace sla::cli {

// `after`: the new capture, in which places are.
Result<void> write_changes(const std::vector<analysis::Changed>& all, const store::Session& after,
                           const OutputOptions& options);
// JUnit XML; nothing when the path is "".
Result<void> report_changes(const std::vector<analysis::Changed>& all, const store::Session& after, const std::string& suite,
                            const std::string& path);

}  // namespace sla::cli
