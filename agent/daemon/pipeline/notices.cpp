#include "agent/daemon/pipeline/notices.h"

#include "agent/daemon/pipeline/announcements.h"
#include "proto/time/tick_clock.h"

#include <spdlog/spdlog.h>

namespace sla::daemon {

void Notices::say(const std::string& text, SourceId source) {
    const std::uint64_t now = time::read_stamp() & SLA_TICK_MASK;
    std::lock_guard lock(mutex_);
    if (!limit_.admit(source, now, ticks_per_second())) return;
    spdlog::warn("{}", text);
    retention_.announce(notice_frame(now, text, source), retain::Topic::kNotice);
}

void Notices::report_left_out(std::uint64_t now, bool at_end) {
    std::lock_guard lock(mutex_);
    for (const NoticeLimit::LeftOut& due : limit_.due(now, ticks_per_second(), at_end)) {
        const std::string text = std::to_string(due.notices) + (due.notices == 1 ? " more notice" : " more notices") +
                                 (due.is_all              ? ""
                                  : due.source.value == 0 ? " of the agent"
                                                          : " of this source") +
                                 (due.notices == 1 ? " was" : " were") + " left out";
        spdlog::warn("{} (source {})", text, due.source.value);
        retention_.announce(notice_frame(now, text, due.source), retain::Topic::kNotice);
    }
}

}  // namespace sla::daemon
