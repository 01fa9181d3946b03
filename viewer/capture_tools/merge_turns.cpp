#include "viewer/capture_tools/merge_turns.h"

#include "proto/base/check.h"

#include <algorithm>

namespace sla::capture_tools {

// The rows of a part come behind all of those that it follows on, also where these reach into its time.
bool MergeTurns::may_go_on(const MergeInput& input) const {
    const auto behind = recordings_.behind.find(&input);
    if (behind == recordings_.behind.end() || (input.is_part() && !input.follows_others())) return true;
    return std::all_of(behind->second.begin(), behind->second.end(),
                       [](const MergeInput* before) { return before->reached() == store::kNever; });
}

// That which is furthest behind of those that may; all but the first parts wait for others, never in a circle.
MergeInput& MergeTurns::next() const {
    MergeInput* next = nullptr;
    for (const auto& input : inputs_) {
        if (!may_go_on(*input) || (next != nullptr && next->reached() <= input->reached())) continue;
        next = input.get();
    }
    SLA_CHECK(next != nullptr);  // none waits in a circle
    return *next;
}

std::uint64_t MergeTurns::reached() const {
    std::uint64_t least = store::kNever;
    for (const auto& input : inputs_) least = std::min(least, input->reached());
    return least;
}

double MergeTurns::share() const {
    double done = 0;
    double all = 1;
    for (const auto& input : inputs_) {
        done += static_cast<double>(input->reader().position());
        all += static_cast<double>(input->reader().file_bytes());
    }
    return done / all;
}

}  // namespace sla::capture_tools
