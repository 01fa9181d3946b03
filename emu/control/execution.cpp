// Commands that let the guest run and stop it.
#include "emu/control/console.h"
#include "emu/control/numbers.h"
#include "emu/control/unseen.h"
#include "proto/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace sla::control {

namespace {

constexpr const char* kStandsForOthers =
    "the guest stands still for a debugger, or until one comes (--wait): that one lets it go on";

Error let_debugger() {
    return invalid_input("here the debugger lets the guest run: use its own commands");
}

}  // namespace

bool Console::interrupts(std::string_view line) {
    std::istringstream words{std::string(line)};
    std::string first;
    return words >> first && first == "pause";
}

// A guest that stands still for a debugger as well would not go on by the debugger's own commands.
Console::Answer Console::pause(const Words&) {
    if (standing_) return let_debugger();
    if (waits_) give_up();
    paused_ = true;
    return report();
}

// A pause is over also where the debugger keeps the guest standing: then it is held by that alone.
Console::Answer Console::go(const Words&) {
    if (standing_) return let_debugger();
    paused_ = false;
    why_.clear();
    if (auto may = may_run(); !may) return may.error();
    vmm_.go_on();
    return std::string();
}

Console::Answer Console::step(const Words& words) {
    if (words.size() > 2) return invalid_input("write step [COUNT]");
    const auto count = parse_number(words.size() == 2 ? words[1] : "1", std::uint64_t{1} << 32);
    if (!count) return count.error();
    if (*count == 0) return invalid_input("a step needs an instruction; write step 1");
    if (auto may = may_wait(); !may) return may.error();
    wait_for_stop(*count == 1 ? "one instruction was made" : fmt::format("{} instructions were made", *count));
    step_ = vmm_.stop_points().step(*count);
    return std::string();
}

Console::Answer Console::run_to(const Words& words) {
    if (words.size() != 2) return invalid_input("write run-to ADDRESS");
    const auto to = linear(words[1]);
    if (!to) return to.error();
    if (auto may = may_wait(); !may) return may.error();
    wait_for_stop("it came to " + words[1]);
    run_to_ = *to;
    vmm_.stop_points().add_code(*to);
    return std::string();
}

Console::Answer Console::run_standing(std::string_view line) {
    standing_ = true;
    auto done = run(line);
    standing_ = false;
    return done;
}

Result<void> Console::may_run() const {
    if (standing_) return let_debugger();
    if (others_hold()) return invalid_input(kStandsForOthers);
    return {};
}

Result<void> Console::may_wait() const {
    if (auto may = may_run(); !may) return may;
    return nobody_waits();
}

Result<void> Console::nobody_waits() const {
    if (!waits_) return {};
    return invalid_input("somebody waits already for the guest to stop; `pause` stops it");
}

void Console::wait_for_stop(std::string wanted) {
    vmm_.go_on();
    paused_ = false;
    why_.clear();
    missed_.clear();
    wanted_ = std::move(wanted);
    waits_ = true;
}

bool Console::has_come(const cpu::StopPoints::Found& found) const {
    using Why = cpu::StopPoints::Why;
    if (run_to_) return vmm_.linear_address() == *run_to_;
    if (waits_for_event_) return found.why == Why::kAsked;
    return step_ && std::find(found.steps.begin(), found.steps.end(), *step_) != found.steps.end();
}

void Console::stopped(const cpu::StopPoints::Found& found, bool taken) {
    const bool came = has_come(found);
    if (waits_ && !came) missed_ = wanted_;
    if (run_to_) vmm_.stop_points().remove_code(*run_to_);
    run_to_.reset();
    using Why = cpu::StopPoints::Why;
    why_.clear();
    if (found.why == Why::kData) why_ = fmt::format(", behind an access to {:x}h", found.address);
    if (found.why == Why::kAsked && events_ != nullptr) {
        const auto& fired = events_->fired();
        why_ = fmt::format(", {} ns behind {} ({})", machine_.clock().now() - fired.time, fired.channel, events_->text());
    }
    if (std::exchange(waits_for_event_, false) && found.why != Why::kAsked) events_->disarm();
    step_.reset();
    waits_ = false;
    paused_ = !taken || came;
}

std::string Console::report() const {
    return fmt::format("the guest stands at {}{}\n{}", where(), why_, code(vmm_.linear_address(), 1));
}

Console::Answer Console::outcome() const {
    if (missed_.empty()) return report();
    return not_found(fmt::format("the guest stopped before {}\n{}", missed_, trimmed(report(), "\n")));
}

Error Console::run_ended() const {
    return not_found(fmt::format("the run ended before {}", wanted_));
}

Result<void> Console::arm(const Words& words) {
    if (events_ == nullptr) return invalid_input("this run does not stop at events");
    if (waits_for_event_) return nobody_waits();
    if (words.size() < 2) return invalid_input("write " + words[0] + " TRIGGER, for example " + words[0] + " port.post");
    std::string expression = words[1];
    for (std::size_t i = 2; i < words.size(); ++i) expression += " " + words[i];
    if (const auto armed = events_->arm(expression, [this] { vmm_.stop_soon(); }); !armed) return armed;
    if (!events_->names_channel(history::kHistoryChannel)) return {};
    events_->disarm();
    return invalid_input(
        fmt::format("{} says what is done to the run from outside, while the guest stands still: no guest can be "
                    "stopped by it",
                    history::kHistoryChannel));
}

// Lines, if there is something to say.
std::string Console::awaited() const {
    std::string text = events_->awaited();
    if (!text.empty()) text += '\n';
    const auto is_asked_for = [this](std::string_view family) { return events_->asks_for(family); };
    for (const std::string& line : unseen_channels(vmm_.cpu(), is_asked_for)) text += line + '\n';
    return text;
}

Console::Answer Console::stop_at(const Words& words) {
    if (words.size() == 2 && words[1] == "none" && events_ != nullptr) {
        if (waits_for_event_) return nobody_waits().error();
        events_->disarm();
        return std::string();
    }
    if (const auto armed = arm(words); !armed) return armed.error();
    return awaited();
}

Console::Answer Console::run_to_event(const Words& words) {
    if (auto may = may_wait(); !may) return may.error();
    if (const auto armed = arm(words); !armed) return armed.error();
    waits_for_event_ = true;
    wait_for_stop(events_->text() + " happened");
    return awaited();
}

void Console::give_up() {
    if (run_to_) vmm_.stop_points().remove_code(*run_to_);
    run_to_.reset();
    if (const auto step = std::exchange(step_, std::nullopt)) vmm_.stop_points().cancel_step(*step);
    if (std::exchange(waits_for_event_, false)) events_->disarm();
    missed_ = wanted_;
    waits_ = false;
}

}  // namespace sla::control
