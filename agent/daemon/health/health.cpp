#include "agent/daemon/health/health.h"

#include "agent/daemon/health/cap_watch.h"
#include "agent/daemon/health/figures.h"
#include "agent/daemon/health/resident.h"
#include "agent/daemon/health/status.h"
#include "agent/daemon/pipeline/announcements.h"

namespace sla::daemon {
namespace {

constexpr double kStatusSeconds = 0.25;
constexpr std::size_t kEndedInAStatus = 1024;  // channels that are looked at for what is still held of ended ones

}  // namespace

Health::Health(const Parts& parts, std::uint64_t now)
    : parts_(parts), last_status_(now), ring_pages_([] { return resident().ring_bytes; }) {
    announce(*parts_.clock.due(now));
    parts_.notices.set_rate(parts_.clock.ticks_per_second());
}

void Health::announce(const time::ClockSnapshot& snapshot) {
    parts_.retention.announce(clock_frame(snapshot), retain::Topic::kClock);
}

void Health::tell(std::uint64_t now, const Programs& programs) {
    if (auto snapshot = parts_.clock.due(now)) {
        announce(*snapshot);
        parts_.triggers.retime(parts_.clock.ticks_per_second());
    }
    if (static_cast<double>(now - last_status_) >= kStatusSeconds * parts_.clock.ticks_per_second())
        tell_status(now, programs);
}

void Health::tell_status(std::uint64_t now, const Programs& programs) {
    last_status_ = now;
    if (auto changed = parts_.clock.news(now)) parts_.notices.say(*changed);
    parts_.notices.set_rate(parts_.clock.ticks_per_second());
    parts_.notices.report_left_out(now, false);
    parts_.channels.trim();
    parts_.retention.expire(now);
    if (ring_pages_.is_time(static_cast<double>(now) / parts_.clock.ticks_per_second())) {
        for (const auto& program : programs) program->drain().program().view.release_pages();
    }
    const std::vector<OpenChannel*>& living = parts_.channels.living();
    const std::string short_of = CapWatch::look(living, parts_.retention, parts_.switchboard, now);
    if (!short_of.empty()) parts_.notices.say(short_of);
    std::vector<const OpenChannel*> channels(living.begin(), living.end());
    const std::vector<const OpenChannel*> ended = parts_.channels.some_ended(kEndedInAStatus);
    channels.insert(channels.end(), ended.begin(), ended.end());
    const StatusInput input{now,
                            channels,
                            parts_.channels,
                            programs,
                            parts_.retention,
                            parts_.clock,
                            parts_.switchboard,
                            count_readers_ ? count_readers_() : 0,
                            parts_.triggers};
    parts_.retention.set_status(status_frames(input));
    if (report_metrics_) report_metrics_(metrics_of(input));
}

void Health::finish(std::uint64_t now, const Programs& programs) {
    announce(parts_.clock.take());
    parts_.notices.report_left_out(now, true);
    tell_status(now, programs);
}

}  // namespace sla::daemon
