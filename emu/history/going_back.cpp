// The searches of a History, and how it lands.
#include "emu/history/history.h"
#include "emu/history/moment_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::history {

std::string moment_text(cpu::Moment moment) {
    constexpr cpu::Moment kMillisecond = 1'000'000;
    return fmt::format("{}.{:06} ms", moment / kMillisecond, moment % kMillisecond);
}

Result<History::Landing> History::step_back(std::uint64_t instructions) {
    if (instructions == 0 || instructions > kMaxSteps)
        return invalid_input(fmt::format("a step back is of 1 to {} instructions", kMaxSteps));
    return go_back([&](cpu::Moment until) { return search_steps(instructions, until); }, nullptr);
}

Result<History::Landing> History::back_to_point(Else otherwise) {
    const Watch nothing = [](cpu::Repeat&) { return Result<void>(); };
    return go_back([&](cpu::Moment until) { return search_notes(true, nothing, until); },
                   otherwise == Else::kStay ? "the guest did not come by there" : nullptr);
}

Result<History::Landing> History::back_to_event(const Watch& watch) {
    return go_back([&](cpu::Moment until) { return search_notes(false, watch, until); }, "it did not happen");
}

Result<History::Landing> History::go_back(const Search& search, const char* otherwise) {
    if (intervals_.empty()) return unavailable("nothing is kept of this run's past");
    const snapshot::KeptState origin(subject_, &intervals_.back().state);
    const Course course = ground_.course();
    const cpu::RunPlace stood = vmm_.place();
    stood_ = stood.moment;
    const cpu::Moment begins = intervals_.front().from;
    ground_.set_again(true);
    last_block_ = begins;
    const Found found = search(stood.moment);
    std::optional<Error> failed;
    if (!found) {
        failed = found.error();
    } else if (*found) {
        if (auto there = land(**found); !there) failed = there.error();
    } else if (otherwise != nullptr) {
        failed = not_found(fmt::format("{} between {}, where the history begins, and {}, where it stands", otherwise,
                                       moment_text(begins), moment_text(stood.moment)));
    } else if (auto there = load(intervals_.front()); !there) {
        failed = there.error();
    }
    if (failed) {
        SLA_CHECK(origin.load(subject_).ok());
        ground_.set_course(course);
    }
    ground_.set_again(false);
    if (failed) return *failed;
    if (!ground_.behind_the_front()) front_ = stood, front_block_ = last_block_, front_why_.clear();
    ground_.set_behind_the_front(true);
    end_known_ground_at_change(vmm_.place().moment);
    vmm_.call_at(front_, front_block_, [this] { reach_front(); });
    listener_.say(fmt::format("went back from {} to {}", moment_text(stood.moment), moment_text(vmm_.place().moment)));
    return *found ? Landing::kThere : Landing::kBeginning;
}

// What came in from outside behind that moment does not come again: without it the guest does something else from there on.
void History::end_known_ground_at_change(cpu::Moment landed) {
    const auto change = [&](cpu::Moment moment, const std::string& why) {
        if (why.empty() || moment <= landed || moment > front_.moment) return;
        if (moment == front_.moment && !front_why_.empty()) return;
        front_ = {moment, true};
        front_block_ = moment;
        front_why_ = why;
    };
    for (const Interval& one : intervals_) {
        change(one.from, one.why);
        if (one.end) change(*one.end, one.end_why);
    }
}

void History::reach_front() {
    if (front_why_.empty()) {
        ground_.set_behind_the_front(false);
        listener_.say(fmt::format("back at {}, where it went back from: what follows is new", moment_text(front_.moment)));
        return;
    }
    cut_behind(front_.moment - 1);  // the state behind the change is of the run that was left, too
    came_in_.clear();
    leave_known_ground(
        fmt::format("another run from {} on: this does not come again: {}", moment_text(front_.moment), front_why_));
    look_again(front_.moment);
}

const History::Interval* History::interval_at(cpu::Moment moment) const {
    const Interval* at = nullptr;
    for (const Interval& one : intervals_) {
        if (one.from <= moment) at = &one;
    }
    return at;
}

Result<void> History::load(const Interval& at) {
    if (auto loaded = at.state.load(subject_); !loaded) return loaded;
    ground_.set_course(at.course);
    return {};
}

// Everything from its beginning to `until` can be made again, or that is refused.
Result<const History::Interval*> History::load_before(cpu::Moment until) {
    const Interval* at = interval_at(until - 1);
    if (at == nullptr) return at;
    if (at->end && *at->end < until) {
        return unavailable(fmt::format("it cannot go back over {}: {}", moment_text(*at->end), at->end_why));
    }
    if (auto loaded = load(*at); !loaded) return loaded.error();
    return at;
}

Result<void> History::run(cpu::Repeat& repeat) {
    if (vmm_.run_again(repeat)) return {};
    return unavailable("going back was interrupted; the guest stands where it stood");
}

// A CPU that runs whole blocks of code is stepped only from that block on behind which as many instructions lie, at least.
History::Found History::search_steps(std::uint64_t instructions, cpu::Moment until) {
    for (std::uint64_t left = instructions;;) {
        const auto at = load_before(until);
        if (!at) return at.error();
        if (*at == nullptr) return Found(std::nullopt);
        cpu::Repeat coarse({.until = {until, false}, .last = left});
        if (auto ran = run(coarse); !ran) return ran.error();
        note_block(coarse, until);
        cpu::Repeat fine({.until = {until, false}, .last = left, .every_one = true});
        const bool blocks = coarse.last_block() && coarse.kept() != 0;
        if (blocks) {
            if (auto back = land(coarse.oldest_kept()); !back) return back.error();
            if (auto ran = run(fine); !ran) return ran.error();
        }
        const cpu::Repeat& exact = blocks ? fine : coarse;
        if (exact.kept() == left) return Found(exact.oldest_kept());
        left -= exact.kept();
        until = (*at)->from;
    }
}

History::Found History::search_notes(bool at_points, const Watch& watch, cpu::Moment until) {
    const cpu::Moment stood = until;
    for (;;) {
        const auto at = load_before(until);
        if (!at) return at.error();
        if (*at == nullptr) return Found(std::nullopt);
        cpu::Repeat repeat({.until = {until, false}, .seen_until = stood, .at_points = at_points});
        if (auto watched = watch(repeat); !watched) return watched.error();
        if (auto ran = run(repeat); !ran) return ran.error();
        note_block(repeat, until);
        if (repeat.noted()) return Found(*repeat.noted());
        until = (*at)->from;
    }
}

// An instruction in the middle of a block is come to by steps from where the block begins.
Result<void> History::land(const cpu::RunPlace& place) {
    const Interval* at = interval_at(place.moment);
    SLA_CHECK(at != nullptr);
    if (auto loaded = load(*at); !loaded) return loaded;
    cpu::Repeat whole({.until = place});
    if (auto ran = run(whole); !ran) return ran;
    cpu::Moment came_to = whole.arrived()->moment;
    if (came_to > place.moment && whole.last_block()) {
        if (auto loaded = load(*at); !loaded) return loaded;
        cpu::Repeat to_block({.until = {*whole.last_block(), false}});
        if (auto ran = run(to_block); !ran) return ran;
        cpu::Repeat stepped({.until = place, .every_one = true});
        if (auto ran = run(stepped); !ran) return ran;
        came_to = stepped.arrived()->moment;
    }
    if (came_to == place.moment) return {};
    return unavailable(
        fmt::format("the run did not repeat itself: it came to {} where it had been at {}; the guest stands where "
                    "it stood. Please report this",
                    moment_text(came_to), moment_text(place.moment)));
}

// Of the first interval that a search makes again.
void History::note_block(const cpu::Repeat& repeat, cpu::Moment until) {
    if (until == stood_ && repeat.last_block()) last_block_ = *repeat.last_block();
}

}  // namespace sla::history
