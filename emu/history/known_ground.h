// Where a run that went back goes over ground that it has been over before: what happens there has been reported, and is
// not reported again. A Sink on the way to who listens; the guest's text and bytes for the outside ask known() as well.
//
// A guest that goes back and then does something else leaves a course of which spans are open on the lanes, and levels stand:
// they end there, and those begin that are open where the other course begins.
//
//   reported    ──begin──┬──────────── went back here: ends, and the other course's open spans begin, when it is one
//   the guest            └─ goes on here, and does something else
#pragma once

#include "emu/history/course.h"
#include "emu/tap/format.h"
#include "emu/tap/sink.h"

#include <map>
#include <string>

namespace sla::history {

class KnownGround final : public tap::Sink {
public:
    explicit KnownGround(tap::Sink& behind) : behind_(behind) {}

    // Nothing that happens now is new.
    [[nodiscard]] bool known() const { return again_ || behind_the_front_; }
    // A run is made again to find a place: nothing may come in either.
    [[nodiscard]] bool again() const { return again_; }
    void set_again(bool again) {
        if (again && !known()) reported_ = course_;
        again_ = again;
        behind_.ways_changed();
    }
    [[nodiscard]] bool behind_the_front() const { return behind_the_front_; }
    void set_behind_the_front(bool behind) {
        behind_the_front_ = behind;
        behind_.ways_changed();
    }

    // What is open where the guest stands; of states that are kept, and loaded again. From follow() on it is of all that happens,
    // whoever listens: where a run is made again the same is open. Before, of what passes here.
    [[nodiscard]] const Course& course() const { return course_; }
    void set_course(const Course& course) { course_ = course; }
    void follow() {
        follows_ = true;
        behind_.ways_changed();
    }
    // Behind the front the guest does something else, or is another one, of which that is open.
    void leave_reported_course() { reported_.turn_to(course_, behind_); }
    void leave_course_for(const Course& other) {
        course_.turn_to(other, behind_);
        course_ = other;
    }

    // That channel has a span that began before anything was seen here: on the lanes it begins where the guest stands.
    void begin_open_span(const std::string& name) {
        const tap::ChannelId channel = open(name, tap::kAddressFormat);
        if (listens(channel)) plain(channel, SLA_CODE_BEGIN, 0);
    }

    // Sink
    tap::ChannelId open(const std::string& name, const char* format) override {
        auto known = opened_.find(name);
        if (known == opened_.end()) known = opened_.emplace(name, behind_.open(name, format)).first;
        return known->second;
    }
    [[nodiscard]] bool listens(tap::ChannelId channel) const override { return follows_ || behind_.listens(channel); }
    void plain(tap::ChannelId channel, sla_code code, std::uint64_t value) override {
        course_.take(channel, code, value);
        if (!known()) behind_.plain(channel, code, value);
    }
    void wide(tap::ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0,
              std::uint64_t detail1) override {
        course_.take(channel, code, value);
        if (!known()) behind_.wide(channel, code, value, detail0, detail1);
    }
    void text(tap::ChannelId channel, const std::string& text) override {
        if (!known()) behind_.text(channel, text);
    }
    [[nodiscard]] std::optional<sla_channel*> straight(tap::ChannelId channel) const override {
        return known() || follows_ ? std::nullopt : behind_.straight(channel);
    }
    [[nodiscard]] tap::Ways* ways() override { return behind_.ways(); }
    void ways_changed() override { behind_.ways_changed(); }

private:
    tap::Sink& behind_;
    std::map<std::string, tap::ChannelId> opened_;
    bool again_ = false;
    bool behind_the_front_ = false;
    bool follows_ = false;
    Course course_;    // where the guest stands
    Course reported_;  // of the lanes, while it is behind the front
};

}  // namespace sla::history
