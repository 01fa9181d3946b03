// MergeTurns: which input of a merge is read next, and how far all of them have come.
#pragma once

#include "viewer/capture_tools/merge_input.h"
#include "viewer/capture_tools/merged_recordings.h"

#include <cstdint>

namespace sla::capture_tools {

class MergeTurns {
public:
    // Both outlive it.
    MergeTurns(const MergeInputs& inputs, const MergedRecordings& recordings) : inputs_(inputs), recordings_(recordings) {}

    [[nodiscard]] MergeInput& next() const;
    // By the one that is furthest behind; kNever: all are read to their ends.
    [[nodiscard]] std::uint64_t reached() const;
    // Of all bytes.
    [[nodiscard]] double share() const;

private:
    [[nodiscard]] bool may_go_on(const MergeInput& input) const;

    const MergeInputs& inputs_;
    const MergedRecordings& recordings_;
};

}  // namespace sla::capture_tools
