#include "emu/history/history.h"

#include "emu/history/moment_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sla::history {

namespace {

// So much code runs from one kept state to the next: what going back has to make again, some 50 ms of this machine's time.
constexpr std::uint64_t kCodeBytes = std::uint64_t{8} << 20;
constexpr cpu::Moment kLookAgain = 16'000'000;

}  // namespace

History::History(vmm::Vmm& vmm, const snapshot::Subject& subject, KnownGround& ground, std::size_t most_bytes,
                 Listener listener)
    : vmm_(vmm), subject_(subject), ground_(ground), most_bytes_(most_bytes), listener_(std::move(listener)) {}

History::~History() {
    vmm_.forget_call();
    vmm_.call_behind(std::numeric_limits<cpu::Moment>::max(), {});
}

void History::begin() {
    ground_.follow();
    keep("the beginning of the history");
    look_again(vmm_.place().moment + kLookAgain);
}

void History::look_again(cpu::Moment moment) {
    vmm_.call_behind(moment, [this] { keep_sometimes(); });
}

void History::keep_sometimes() {
    const bool waits = !came_in_.empty() && !ground_.behind_the_front();
    const bool due = vmm_.code_bytes() - code_bytes_ >= kCodeBytes && !ground_.behind_the_front();
    if (waits || due) keep(std::exchange(came_in_, {}));
    look_again(vmm_.place().moment + kLookAgain);
}

void History::keep(const std::string& why) {
    const cpu::Moment now = vmm_.place().moment;
    std::string reason = why;
    came_in_.clear();  // that state is behind it
    // Two changes at one place: nobody can stand between them.
    if (!intervals_.empty() && intervals_.back().from == now) {
        if (reason.empty()) reason = intervals_.back().why;
        drop(intervals_.size() - 1);
    }
    snapshot::KeptState state(subject_, intervals_.empty() ? nullptr : &intervals_.back().state);
    bytes_ += state.bytes();
    intervals_.push_back({std::move(state), ground_.course(), now, std::move(reason), std::nullopt, {}});
    code_bytes_ = vmm_.code_bytes();
    drop_what_is_too_much();
}

std::size_t History::bytes() const {
    return bytes_ + intervals_.back().state.bytes_of_others();
}

// The last one stays. Of the others goes the one that leaves the smallest hole for its age: so the recent past is near, and all
// of the run can be gone back to while there is space for some states.
void History::drop_what_is_too_much() {
    while (bytes() > most_bytes_ && intervals_.size() > 2) {
        const cpu::Moment now = intervals_.back().from;
        std::size_t best = 1;
        double least = 0;
        for (std::size_t i = 1; i + 1 < intervals_.size(); ++i) {
            const auto gap = static_cast<double>(intervals_[i + 1].from - intervals_[i - 1].from);
            const double cost = gap / static_cast<double>(now - intervals_[i].from + 1);
            if (i == 1 || cost < least) best = i, least = cost;
        }
        drop(best);
    }
    if (bytes() > most_bytes_ && intervals_.size() == 2) drop(0);
}

// The interval before reaches over to where this one ends, if nothing came in between.
void History::drop(std::size_t number) {
    const Interval& gone = intervals_[number];
    if (number > 0) {
        Interval& before = intervals_[number - 1];
        if (!before.end && !gone.why.empty()) {
            before.end = gone.from;
            before.end_why = gone.why;
        } else if (!before.end && gone.end) {
            before.end = gone.end;
            before.end_why = gone.end_why;
        }
    }
    bytes_ -= std::min(bytes_, gone.state.bytes());
    intervals_.erase(intervals_.begin() + static_cast<std::ptrdiff_t>(number));
}

void History::cut_behind(cpu::Moment moment) {
    while (intervals_.size() > 1 && intervals_.back().from > moment) {
        bytes_ -= std::min(bytes_, intervals_.back().state.bytes());
        intervals_.pop_back();
    }
    if (intervals_.back().end && *intervals_.back().end > moment) intervals_.back().end.reset();
}

void History::leave_known_ground(const std::string& said) {
    vmm_.forget_call();
    ground_.set_behind_the_front(false);
    ground_.leave_reported_course();
    listener_.new_course();
    listener_.say(said);
}

void History::changed(const std::string& what) {
    if (intervals_.empty()) return;
    const cpu::Moment now = vmm_.place().moment;
    if (ground_.behind_the_front()) {
        cut_behind(now);
        leave_known_ground(fmt::format("another run from {} on: {}", moment_text(now), what));
    }
    keep(what);
    look_again(now + kLookAgain);  // behind the front it was due for there
}

void History::loaded() {
    if (intervals_.empty()) return;
    intervals_.clear();
    bytes_ = 0;
    const std::string said = fmt::format("another run from {} on: a snapshot", moment_text(vmm_.place().moment));
    if (ground_.behind_the_front()) {
        ground_.set_course({});
        leave_known_ground(said);
    } else {
        ground_.leave_course_for({});
        listener_.say(said);
    }
    listener_.tell_open_spans();
    begin();
}

void History::came_in(const std::string& what) {
    if (intervals_.empty() || ground_.again()) return;
    const cpu::Moment now = vmm_.place().moment;
    if (ground_.behind_the_front()) {
        cut_behind(now);
        leave_known_ground(fmt::format("another run from {} on: {}", moment_text(now), what));
    }
    Interval& last = intervals_.back();
    if (!last.end) {
        last.end = now;
        last.end_why = what;
    }
    came_in_ = what;
    look_again(now);
}

std::string History::report() const {
    if (intervals_.empty()) return "nothing is kept\n";
    std::string text = fmt::format("from {} to {}: {} states in {:.1f} MB\n", moment_text(intervals_.front().from),
                                   moment_text(vmm_.place().moment), intervals_.size(),
                                   static_cast<double>(bytes()) / static_cast<double>(kMinBytes));
    if (ground_.behind_the_front()) {
        text +=
            fmt::format("the run has been as far as {}; up to there nothing is told again\n", moment_text(front_.moment));
    }
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
        const Interval& one = intervals_[i];
        if (i > 0 && !one.why.empty()) text += fmt::format("{}: {}\n", moment_text(one.from), one.why);
        if (one.end) text += fmt::format("{}: {}: not to be gone back over\n", moment_text(*one.end), one.end_why);
    }
    return text;
}

}  // namespace sla::history
