// JUnit XML, as CI servers read it: one test case a limit and channel. What cannot be decided is an error, not a failure.
#pragma once

#include "viewer/formats/output.h"

#include <string>
#include <vector>

namespace sla::formats {

enum class CaseOutcome { kPassed, kFailed, kError };

struct JunitCase {
    std::string group;  // shown before the name; the limit
    std::string name;
    CaseOutcome outcome = CaseOutcome::kPassed;
    std::string message;
};

// Writes and finishes. Characters that XML cannot hold become '?'.
Result<void> write_junit(const std::string& suite, const std::vector<JunitCase>& cases, Output& output);

}  // namespace sla::formats
