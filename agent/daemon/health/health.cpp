#include "agent/daemon/health/health.h"

#include "agent/daemon/health/figures.h"
#include "agent/daemon/health/resident.h"
#include "agent/daemon/health/retention_alarm.h"
#include "agent/daemon/health/status.h"
#include "agent/daemon/pipeline/announcements.h"

#include <malloc.h>

#include <algorithm>

namespace sla::daemon {
namespace {

constexpr double kLookSeconds = 0.25;
constexpr double kChannelsASecond = 16'000;  // in statuses: of very many each costs a microsecond, here and at every reader
constexpr std::size_t kEndedInAStatus = 1024;  // channels that are looked at for what is still held of ended ones

// Without programs' rings and what is of files, which is the program itself.
std::uint64_t own_bytes() {
    const Resident all = resident();
    return all.bytes - all.ring_bytes - all.file_bytes;
}

}  // namespace

Health::Health(const Parts& parts, std::uint64_t now)
    : parts_(parts),
      last_look_(now),
      last_status_(now),
      ring_pages_([] { return resident().ring_bytes; }),
      unused_(own_bytes, [] { ::malloc_trim(0); }),
      total_bytes_(parts.retention.limits().total_bytes) {
    announce(*parts_.clock.due(now));
    parts_.notices.set_rate(parts_.clock.ticks_per_second());
}

void Health::announce(const time::ClockSnapshot& snapshot) {
    parts_.retention.announce(clock_frame(snapshot), retain::Topic::kClock);
    newest_ = snapshot;
    if (report_clock_) report_clock_(snapshot);
}

void Health::report_clock_with(std::function<void(const time::ClockSnapshot&)> report) {
    report_clock_ = std::move(report);
    report_clock_(newest_);
}

void Health::watch_ring_pages(std::uint64_t now, const Programs& programs, std::uint64_t looked_at) {
    const double seconds = static_cast<double>(now) / parts_.clock.ticks_per_second();
    const bool release = ring_pages_.is_time(seconds, looked_at, RingPages::limit(total_bytes_));
    const bool are_scarce = ring_pages_.are_scarce(seconds);
    if (!release && are_scarce == are_pages_scarce_) return;
    for (const auto& program : programs) {
        const ring::SegmentView& view = program->drain().program().view;
        if (release) view.release_pages();
        view.set_pages_scarce(are_scarce);
    }
    are_pages_scarce_ = are_scarce;
}

double Health::status_seconds(std::size_t channels) {
    return std::max(kLookSeconds, static_cast<double>(channels) / kChannelsASecond);
}

void Health::report(std::uint64_t now, const Programs& programs) {
    if (auto snapshot = parts_.clock.due(now)) {
        announce(*snapshot);
        parts_.triggers.retime(parts_.clock.ticks_per_second());
    }
    const auto is_due = [&](std::uint64_t last, double seconds) {
        return static_cast<double>(now - last) >= seconds * parts_.clock.ticks_per_second();
    };
    if (!is_due(last_look_, kLookSeconds)) return;
    look(now, programs);
    if (is_due(last_status_, status_seconds(parts_.channels.living().size()))) report_status(now, programs);
}

// What counts beside the history: unfinished batches, what is known of programs, and their rings as far as they are mapped.
void Health::count_memory(double seconds, const Programs& programs) {
    retain::Retention::Beside beside;
    beside.open_batches = parts_.channels.trim(total_bytes_ / 4);
    for (const auto& program : programs) beside.programs += program->drain().bytes();
    const std::uint64_t known = beside.open_batches + beside.programs;
    beside.programs += ring_pages_.counted();
    parts_.retention.count_beside(beside);
    const retain::Retention::Usage usage = parts_.retention.usage();
    total_bytes_ = usage.limits.total_bytes;
    const std::uint64_t held = usage.history + usage.names + usage.shots + usage.readers + usage.recorders;
    unused_.look(seconds, known + held, total_bytes_ + usage.shots);
}

// What the bound on memory hangs on is looked at as often as ever.
void Health::look(std::uint64_t now, const Programs& programs) {
    last_look_ = now;
    if (auto changed = parts_.clock.news(now)) parts_.notices.say(*changed);
    parts_.notices.set_rate(parts_.clock.ticks_per_second());
    parts_.notices.report_left_out(now, false);
    count_memory(static_cast<double>(now) / parts_.clock.ticks_per_second(), programs);
    parts_.retention.expire(now);
    parts_.channels.forget_retired();  // for these two: readers are not told of channels that are held no more
}

void Health::report_status(std::uint64_t now, const Programs& programs) {
    last_status_ = now;
    const std::vector<OpenChannel*>& living = parts_.channels.living();
    for (const std::string& text : RetentionAlarm::look(living, parts_.retention, parts_.channel_policy, now))
        parts_.notices.say(text);
    std::vector<const OpenChannel*> channels(living.begin(), living.end());
    const std::vector<const OpenChannel*> ended = parts_.channels.some_ended(kEndedInAStatus);
    channels.insert(channels.end(), ended.begin(), ended.end());
    const publish::Figures publishing = ask_publisher_ ? ask_publisher_() : publish::Figures();
    const StatusInput input{now,
                            channels,
                            parts_.channels,
                            programs,
                            parts_.retention,
                            parts_.clock,
                            parts_.channel_policy,
                            count_readers_ ? count_readers_() : 0,
                            parts_.triggers,
                            ask_publisher_ ? &publishing : nullptr};
    parts_.retention.set_status(status_frames(input));
    if (report_metrics_) report_metrics_(metrics_of(input));
}

void Health::finish(std::uint64_t now, const Programs& programs) {
    announce(parts_.clock.take());
    parts_.notices.report_left_out(now, true);
    look(now, programs);
    report_status(now, programs);
}

}  // namespace sla::daemon
