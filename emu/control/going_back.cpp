// Commands that go back.
#include "emu/control/console.h"
#include "emu/control/numbers.h"

#include "proto/base/text.h"

#include <fmt/format.h>

namespace sla::control {

Result<void> Console::may_go_back() const {
    if (history_ == nullptr) return invalid_input(why_no_history_);
    if (standing_ || others_hold())
        return invalid_input("a debugger would not know of it: use its own commands, reverse-stepi and reverse-continue");
    return nobody_waits();
}

// A trigger that waits for its event waits anew, as of where it lands; so do counts of sections. What stays where it stood has
// them as they were.
Result<Console::Landing> Console::go_back(const std::function<Result<Landing>()>& how) {
    EventStop::Aside aside;
    if (events_ != nullptr) aside = events_->put_aside();
    if (sections_) sections_->stand_aside(true);
    auto landing = how();
    if (landing) {
        sections_.reset();
    } else if (sections_) {
        sections_->stand_aside(false);
    }
    if (events_ != nullptr) events_->take_up(std::move(aside));
    if (landing) why_.clear();
    return landing;
}

Result<Console::Landing> Console::step_back(std::uint64_t instructions) {
    if (history_ == nullptr) return invalid_input(why_no_history_);
    return go_back([&] { return history_->step_back(instructions); });
}

Result<Console::Landing> Console::back_to_point(history::History::Else otherwise) {
    if (history_ == nullptr) return invalid_input(why_no_history_);
    return go_back([&] { return history_->back_to_point(otherwise); });
}

Console::Answer Console::landed(const Result<Landing>& landing) {
    if (!landing) return landing.error();
    paused_ = true;
    if (*landing == Landing::kThere) return report();
    return not_found("that is as far back as the history goes\n" + std::string(trimmed(report(), "\n")));
}

Console::Answer Console::reverse_step(const Words& words) {
    if (words.size() > 2) return invalid_input("write reverse-step [COUNT]");
    const auto count = parse_number(words.size() == 2 ? words[1] : "1", history::History::kMaxSteps);
    if (!count) return count.error();
    if (*count == 0) return invalid_input("a step back is of an instruction or more; write reverse-step 1");
    if (auto may = may_go_back(); !may) return may.error();
    return landed(step_back(*count));
}

// Other stop points do not stop it on its way.
Console::Answer Console::reverse_to(const Words& words) {
    if (words.size() != 2) return invalid_input("write reverse-to ADDRESS");
    const auto to = linear(words[1]);
    if (!to) return to.error();
    if (auto may = may_go_back(); !may) return may.error();
    cpu::StopPoints others = vmm_.stop_points();
    vmm_.stop_points().keep_only_code(*to);
    const auto landing = back_to_point(history::History::Else::kStay);
    vmm_.stop_points().keep_points_of(others);
    return landed(landing);
}

Console::Answer Console::reverse_to_event(const Words& words) {
    if (events_ == nullptr) return invalid_input("this run does not stop at events");
    if (words.size() < 2) return invalid_input("write reverse-to-event TRIGGER, for example reverse-to-event port.post");
    if (auto may = may_go_back(); !may) return may.error();
    std::string expression = words[1];
    for (std::size_t i = 2; i < words.size(); ++i) expression += " " + words[i];
    std::string absent;
    const auto landing = go_back([&] {
        return history_->back_to_event([&](cpu::Repeat& repeat) {
            auto watched = events_->watch(expression, [&repeat] { repeat.note_next(); });
            absent = watched ? events_->absent() : "";
            return watched;
        });
    });
    const bool is_missed = !landing && landing.error().code == ErrorCode::kNotFound;
    if (is_missed && !absent.empty()) return not_found(landing.error().message + "; " + absent);
    return landed(landing);
}

Console::Answer Console::show_history(const Words&) {
    if (history_ == nullptr) return invalid_input(why_no_history_);
    return history_->report();
}

}  // namespace sla::control
