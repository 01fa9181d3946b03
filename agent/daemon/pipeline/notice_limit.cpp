#include "agent/daemon/pipeline/notice_limit.h"

#include <algorithm>
#include <utility>

namespace sla::daemon {

void NoticeLimit::Account::refill(std::uint64_t now, double ticks_per_second, double seconds_each, double burst) {
    const std::uint64_t passed = now > since && since != 0 ? now - since : 0;
    left = std::min(burst, left + static_cast<double>(passed) / ticks_per_second / seconds_each);
    since = now;
}

// Once something was left out, the next word is how many there were.
bool NoticeLimit::admit(SourceId source, std::uint64_t now, double ticks_per_second) {
    Account& own = sources_.try_emplace(source, Account{kBurst}).first->second;
    own.refill(now, ticks_per_second, kSecondsEach, kBurst);
    all_.refill(now, ticks_per_second, kSecondsEachOfAll, kBurstOfAll);
    if (own.left < 1 || own.left_out > 0) {
        own.left_out++;
        return false;
    }
    own.left -= 1;
    if (all_.left < 1 || all_.left_out > 0) {
        all_.left_out++;
        return false;
    }
    all_.left -= 1;
    return true;
}

std::vector<NoticeLimit::LeftOut> NoticeLimit::due(std::uint64_t now, double ticks_per_second, bool at_end) {
    std::vector<LeftOut> due;
    all_.refill(now, ticks_per_second, kSecondsEachOfAll, kBurstOfAll);
    for (auto at = sources_.begin(); at != sources_.end();) {
        Account& own = at->second;
        own.refill(now, ticks_per_second, kSecondsEach, kBurst);
        if (own.left_out > 0 && (at_end || (own.left >= 1 && all_.left >= 1))) {
            due.push_back({at->first, false, std::exchange(own.left_out, 0)});
            own.left -= 1;
            all_.left -= 1;
        }
        at = own.left_out == 0 && own.left >= kBurst ? sources_.erase(at) : std::next(at);
    }
    if (all_.left_out > 0 && (at_end || all_.left >= 1)) {
        due.push_back({SourceId{}, true, std::exchange(all_.left_out, 0)});
        all_.left -= 1;
    }
    return due;
}

}  // namespace sla::daemon
