#include "agent/member/shot_windows.h"

#include "agent/retain/announcements.h"
#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sla::member {
namespace {

constexpr double kSettleSeconds = 0.5;  // until all of a window is in the retention

constexpr const char* kStartedLater = "this host's agent was started after it";

std::string duration_text(std::int64_t ns) {
    constexpr std::int64_t kLongestNs = time::kMaxPs / time::kPicosecondsPerNanosecond;
    return time::format_duration(std::min(ns, kLongestNs) * time::kPicosecondsPerNanosecond);
}

std::string error_text(const ShotPlace& place) {
    return fmt::format("\u00b1 {} by {}{}", duration_text(place.error_ns), place.by,
                       place.is_bounded ? "" : ", which nothing bounds");
}

}  // namespace

std::int64_t own_ns(std::uint64_t ticks, const time::ClockMap& clock) {
    const auto bounded = static_cast<std::int64_t>(std::min<std::uint64_t>(ticks, fleet::kMaxTick));
    return clock.ticks_to_ps(bounded) / time::kPicosecondsPerNanosecond;
}

fleet::ShotEntry ShotWindows::keep(fleet::ShotEntry entry, const fleet::FleetShot& shot, const ShotPlace& place) {
    const retain::Interval window = window_around(place, shot, clock_.view()->map);
    entry.begin_tick = window.first;
    entry.end_tick = window.last;
    if (window.last < start_tick_) {
        entry.state = "lacking";
        entry.problem = kStartedLater;
        return entry;
    }
    retention_.pin_shot(0, window);
    wire::Frame frame;
    wire::Shot& kept = *frame.mutable_shot();
    kept.set_trigger_name(shot.host() + "/" + shot.trigger());
    kept.set_number(shot.number());
    kept.set_tick(place.tick);
    kept.set_begin_tick(window.first);
    kept.set_end_tick(window.last);
    kept.set_what(fmt::format("{} (on {}, {})", shot.what(), shot.host(), error_text(place)));
    kept.set_host(shot.host());
    kept.set_error_ns(static_cast<std::uint64_t>(place.error_ns));
    kept.set_is_bounded(place.is_bounded);
    retention_.announce(wire::encode_frame(frame), retain::Topic::kShot);
    retention_.publish();
    return open(std::move(entry));
}

fleet::ShotEntry ShotWindows::open(fleet::ShotEntry entry) {
    entry.state = "filling";
    open_.push_back(entry);
    return entry;
}

// Of the window, what is not here (any more); empty: all of it is.
std::string ShotWindows::lack_of(const fleet::ShotEntry& entry, std::uint64_t now_tick) {
    const auto view = clock_.view();
    const time::ClockMap& clock = view->map;
    if (entry.end_tick < start_tick_) return kStartedLater;
    if (entry.begin_tick < start_tick_) {
        return "this host's agent was started " + duration_text(own_ns(start_tick_ - entry.begin_tick, clock)) +
               " after the window's begin";
    }
    if (entry.end_tick > now_tick) {
        return "this host's agent ended " + duration_text(own_ns(entry.end_tick - now_tick, clock)) +
               " before the window's end";
    }
    if (retention_.holds({entry.begin_tick, entry.end_tick})) return "";
    return "the agent's memory had given some of it up (--memory, --keep, --shot-memory)";
}

void ShotWindows::close(std::uint64_t now_tick, bool all, std::vector<fleet::ShotEntry>& out) {
    const auto settle = static_cast<std::uint64_t>(kSettleSeconds * clock_.view()->map.ticks_per_second());
    std::erase_if(open_, [&](fleet::ShotEntry& entry) {
        const bool is_over = now_tick > entry.end_tick && now_tick - entry.end_tick >= settle;
        if (!is_over && !all) return false;
        entry.problem = lack_of(entry, now_tick);
        entry.state = entry.problem.empty() ? "kept" : "lacking";
        out.push_back(std::move(entry));
        return true;
    });
}

}  // namespace sla::member
