// RunEndings: how each run of a counted program ended: what is said of those that failed, and the exit code of `sla counters`.
#pragma once

#include "viewer/process/child.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::cli {

class RunEndings {
public:
    // The next run. `last_words`: the last line that it printed; "" when it printed none.
    void add(const process::Ending& ending, const std::string& last_words);

    // The program's own exit code, 128 + n when signal n ended it, of the first run that failed; 0: none did.
    [[nodiscard]] int code() const { return failed_.empty() ? 0 : failed_.front().ending.code; }
    // "sh exited with code 3 in run 2 of 4; it says: ..."; "" when none failed.
    [[nodiscard]] std::string text(const std::string& program) const;

private:
    struct Failed {
        process::Ending ending;           // in this way
        std::vector<std::uint64_t> runs;  // the first is 1
    };
    [[nodiscard]] std::string runs_text(const std::vector<std::uint64_t>& runs) const;

    std::uint64_t runs_ = 0;
    std::vector<Failed> failed_;  // by the first run of each
    std::string said_;            // by the first run that failed
};

}  // namespace sla::cli
