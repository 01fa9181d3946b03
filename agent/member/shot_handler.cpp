#include "agent/member/shot_handler.h"

#include "proto/fleet/names.h"
#include "proto/wire/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sla::member {
namespace {

using std::chrono::milliseconds;

// After it was said first.
constexpr std::array<milliseconds, 4> kSaidAgain = {milliseconds(500), milliseconds(2000), milliseconds(8000),
                                                    milliseconds(30'000)};
constexpr double kMaxAheadSeconds = 60;  // of our clock, beyond its error: then one of the two is wrong

void state_time(fleet::FleetShot& out, std::uint64_t tick, const OwnClock::View& clock) {
    out.set_tick(tick);
    out.set_ticks_per_second(clock.map.ticks_per_second());
    if (clock.wall.empty()) return;
    out.set_has_utc(true);
    out.set_utc_ns(clock.wall.utc_ns(tick));
    out.set_utc_error_ns(clock.wall.error_ns(tick));
    out.set_utc_bounded(clock.wall.is_bounded());
}

}  // namespace

void ShotHandler::on_own(const wire::Shot& shot) {
    std::lock_guard lock(mutex_);
    if (own_.size() == kMaxWaiting) {
        left_out_++;
        return;
    }
    own_.push_back(shot);
}

void ShotHandler::on_message(const fleet::Received& message) {
    if (!around_.takes_others) return;
    const auto from = fleet::host_of_talk(message.subject, around_.self.fleet, fleet::Talk::kShot);
    if (!from || *from == around_.self.host) return;
    auto shot = fleet::parse_shot(message.body, *from);
    if (!shot) return;
    std::lock_guard lock(mutex_);
    if (others_.size() < kMaxWaiting) others_.push_back(std::move(*shot));  // else it is said again
}

void ShotHandler::remember(const std::string& id) {
    known_.insert(id);
    ids_.push_back(id);
    if (ids_.size() > kMaxIds) {
        known_.erase(ids_.front());
        ids_.pop_front();
    }
}

bool ShotHandler::has_space(Time now) {
    while (!taken_.empty() && now - taken_.front() > std::chrono::minutes(1)) taken_.pop_front();
    if (taken_.size() < static_cast<std::size_t>(kMaxInAMinute)) {
        has_reported_flood_ = false;
        taken_.push_back(now);
        return true;
    }
    if (!std::exchange(has_reported_flood_, true))
        around_.say("the fleet fires more than 60 shots a minute: the windows of some are not kept here");
    return false;
}

ShotHandler::Outgoing ShotHandler::step(Time now, std::uint64_t now_tick) {
    Outgoing out;
    take_own(now, out);
    take_others(now, now_tick, out);
    say_again(now, out);
    windows_.close(now_tick, false, out.entries);
    return out;
}

ShotHandler::Outgoing ShotHandler::finish(std::uint64_t now_tick) {
    Outgoing out;
    take_own({}, out);
    windows_.close(now_tick, true, out.entries);
    return out;
}

// What our triggers fired: the window is kept already, like that of any shot.
void ShotHandler::take_own(Time now, Outgoing& out) {
    std::deque<wire::Shot> own;
    std::uint64_t left_out = 0;
    {
        std::lock_guard lock(mutex_);
        own.swap(own_);
        left_out = std::exchange(left_out_, 0);
    }
    if (left_out > 0)
        around_.say(fmt::format("{} shots came faster than the fleet can be told of them: only this host kept their windows",
                                left_out));
    const auto clock = clock_.view();
    for (const wire::Shot& shot : own) {
        fleet::FleetShot report;
        do {
            report.set_id(fleet::new_id(around_.utc_ns()));
        } while (known_.contains(around_.self.host + "." + report.id()));
        remember(around_.self.host + "." + report.id());
        report.set_host(around_.self.host);
        report.set_clock_host(around_.self.clock_host);
        report.set_boot_id(around_.self.boot_id);
        report.set_trigger(wire::to_utf8(shot.trigger_name(), fleet::kMaxTextBytes));
        report.set_number(shot.number());
        report.set_what(wire::to_utf8(shot.what(), fleet::kMaxTextBytes));
        state_time(report, shot.tick(), *clock);
        report.set_pre_ns(std::min(own_ns(shot.tick() - shot.begin_tick(), clock->map), fleet::kMaxWindowNs));
        report.set_post_ns(std::min(own_ns(shot.end_tick() - shot.tick(), clock->map), fleet::kMaxWindowNs));
        fleet::ShotEntry entry = entry_of(report);
        entry.tick = shot.tick();
        entry.begin_tick = shot.begin_tick();
        entry.end_tick = shot.end_tick();
        entry.placed_by = "its own stamp";
        entry.utc_ns = report.utc_ns();
        out.entries.push_back(windows_.open(std::move(entry)));
        out.shots.push_back(report.SerializeAsString());
        if (said_.size() == kMaxWaiting) said_.pop_front();
        said_.push_back({out.shots.back(), 0, now + kSaidAgain.front()});
    }
}

void ShotHandler::say_again(Time now, Outgoing& out) {
    for (Said& said : said_) {
        if (said.next > now) continue;
        out.again.push_back(said.body);
        said.times++;
        if (said.times < kSaidAgain.size()) said.next = now + kSaidAgain.at(said.times);
    }
    std::erase_if(said_, [](const Said& said) { return said.times == kSaidAgain.size(); });
}

void ShotHandler::take_others(Time now, std::uint64_t now_tick, Outgoing& out) {
    std::deque<fleet::FleetShot> others;
    {
        std::lock_guard lock(mutex_);
        others.swap(others_);
    }
    for (const fleet::FleetShot& shot : others) {
        const std::string id = shot.host() + "." + shot.id();
        if (known_.contains(id) || !has_space(now)) continue;  // for which there is no space now, may be said again
        remember(id);
        take(shot, now_tick, out);
    }
}

fleet::ShotEntry ShotHandler::entry_of(const fleet::FleetShot& shot) const {
    fleet::ShotEntry entry;
    entry.shot = shot.id();
    entry.host = around_.self.host;
    entry.capture = around_.capture;
    entry.fired_on = shot.host();
    entry.trigger = shot.trigger();
    entry.number = shot.number();
    entry.what = shot.what();
    return entry;
}

void ShotHandler::take(const fleet::FleetShot& shot, std::uint64_t now_tick, Outgoing& out) {
    const auto clock = clock_.view();
    const auto place = place_shot(shot, around_.readings_of(shot.host(), shot.boot_id()), *clock);
    fleet::ShotEntry entry = entry_of(shot);
    entry.state = "refused";
    if (!place) {
        entry.problem = "the instant has no place on this host's clock: no pings came through, and no wall clock was told";
        out.entries.push_back(std::move(entry));
        return;
    }
    entry.tick = entry.begin_tick = entry.end_tick = place->tick;
    entry.error_ns = place->error_ns;
    entry.is_bounded = place->is_bounded;
    entry.placed_by = place->by;
    const double ahead_seconds =
        place->tick > now_tick ? static_cast<double>(place->tick - now_tick) / clock->map.ticks_per_second() : 0;
    if (ahead_seconds > kMaxAheadSeconds + static_cast<double>(place->error_ns) * 1e-9) {
        entry.problem = fmt::format("it would lie {:.0f} s ahead by this host's clock: one of the two wall clocks is wrong",
                                    ahead_seconds);
        out.entries.push_back(std::move(entry));
        return;
    }
    if (!clock->wall.empty()) entry.utc_ns = clock->wall.utc_ns(place->tick);
    entry = windows_.keep(std::move(entry), shot, *place);
    (entry.state == "lacking" ? out.first_words : out.entries).push_back(std::move(entry));
}

}  // namespace sla::member
