// Which notices readers get: of one source kBurst at once and then one a minute, of all together kBurstOfAll and then one
// every six seconds; of what was left out, how many there were. A broken program fills neither memory nor logs, and the
// silence of one that was cut short is never taken for health.
//
//   notice ─► admit ─┬─► said
//                    └─► counted ─► due, a minute later ─► "17 more notices of this source were left out"
//
// Reads no clock. One owner at a time.
#pragma once

#include "proto/base/strong_id.h"

#include <cstdint>
#include <map>
#include <vector>

namespace sla::daemon {

class NoticeLimit {
public:
    static constexpr double kBurst = 50;
    static constexpr double kBurstOfAll = 1000;
    static constexpr double kSecondsEach = 60;
    static constexpr double kSecondsEachOfAll = 6;

    // True: readers are to have it. Source 0 is the agent itself.
    bool admit(SourceId source, std::uint64_t now, double ticks_per_second);

    struct LeftOut {
        SourceId source;  // 0 and is_all: of any source
        bool is_all = false;
        std::uint64_t notices = 0;
    };
    // What is to be said now of those left out; at the end of everything, all of it.
    std::vector<LeftOut> due(std::uint64_t now, double ticks_per_second, bool at_end);

private:
    struct Account {
        double left;  // how many may be said at once
        std::uint64_t since = 0;
        std::uint64_t left_out = 0;
        void refill(std::uint64_t now, double ticks_per_second, double seconds_each, double burst);
    };
    std::map<SourceId, Account> sources_;
    Account all_{kBurstOfAll};
};

}  // namespace sla::daemon
