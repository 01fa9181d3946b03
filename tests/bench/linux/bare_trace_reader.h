// The floor beneath every reader of the kernel's traces: pages are read, headers and stamps walked, and nothing else is done.
//
// No lanes, no rows, no merging: what a source costs beside this is ours. The walk is its own on purpose: a floor that moved
// with TracePage would hide what that costs. The target of the whole agent, 25 ns an event, was
// set beside this reader's 23.9 with pieces of 4 KB; what it costs now shows how much of a processor the host gives.
#pragma once

#include "agent/linux/unique_fd.h"
#include "proto/base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::bench {

class BareTraceReader {
public:
    // Traces these events ("system/event", all with this filter) and reads those of one CPU, a piece at a time.
    static Result<std::unique_ptr<BareTraceReader>> start(const std::vector<std::string>& events, const std::string& filter,
                                                          int cpu, int piece_kb);
    ~BareTraceReader();
    BareTraceReader(const BareTraceReader&) = delete;
    BareTraceReader& operator=(const BareTraceReader&) = delete;

    struct Step {
        std::uint64_t taken = 0;  // events
        bool pressed = false;     // a whole piece was there: there may be more
    };
    Step step();
    [[nodiscard]] std::uint64_t lost_pieces() const { return lost_pieces_; }

private:
    explicit BareTraceReader(std::string path) : path_(std::move(path)) {}
    Result<void> set_up(const std::vector<std::string>& events, const std::string& filter, int cpu, int piece_kb);
    std::uint64_t walk(const char* at, const char* end);

    std::string path_;
    linux::UniqueFd pieces_;
    std::vector<char> piece_;
    std::uint64_t tick_ = 0;  // of the newest event
    std::uint64_t lost_pieces_ = 0;
};

}  // namespace sla::bench
