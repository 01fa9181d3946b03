// Commands that let the guest run and stop it.
#include "emu/control/console.h"
#include "emu/control/numbers.h"

#include <fmt/format.h>

namespace sla::control {

namespace {

Error let_debugger() {
    return invalid_input("here the debugger lets the guest run: use its own commands");
}

}  // namespace

Console::Answer Console::pause(const Words&) {
    paused_ = true;
    return "the guest stands at " + where() + "\n";
}

Console::Answer Console::go(const Words&) {
    vmm_.go_on();
    paused_ = false;
    return std::string();
}

Console::Answer Console::step(const Words& words) {
    if (words.size() > 2) return invalid_input("write step [COUNT]");
    const auto count = parse_number(words.size() == 2 ? words[1] : "1", std::uint64_t{1} << 32);
    if (!count) return count.error();
    if (*count == 0) return invalid_input("a step needs an instruction; write step 1");
    if (standing_) return let_debugger();
    auto waits = wait_for_stop();
    vmm_.stop_points().step(*count);
    return waits;
}

Console::Answer Console::run_to(const Words& words) {
    if (words.size() != 2) return invalid_input("write run-to ADDRESS");
    const auto to = linear(words[1]);
    if (!to) return to.error();
    if (standing_) return let_debugger();
    auto waits = wait_for_stop();
    run_to_ = *to;
    vmm_.stop_points().add_code(*to);
    return waits;
}

Console::Answer Console::run_standing(std::string_view line) {
    standing_ = true;
    auto done = run(line);
    standing_ = false;
    return done;
}

Console::Answer Console::wait_for_stop() {
    vmm_.go_on();
    paused_ = false;
    waits_ = true;
    return std::string();
}

void Console::stopped(const cpu::StopPoints::Found& found) {
    if (run_to_) vmm_.stop_points().remove_code(*run_to_);
    run_to_.reset();
    why_ = found.why == cpu::StopPoints::Why::kData ? fmt::format(", behind an access to {:x}h", found.address) : "";
    waits_ = false;
    paused_ = true;
}

std::string Console::report() const {
    return fmt::format("the guest stands at {}{}\n{}", where(), why_, code(vmm_.linear_address(), 1));
}

void Console::give_up() {
    if (run_to_) vmm_.stop_points().remove_code(*run_to_);
    run_to_.reset();
    vmm_.stop_points().cancel_step();
    waits_ = false;
}

}  // namespace sla::control
