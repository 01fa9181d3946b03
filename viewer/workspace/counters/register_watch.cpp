#include "viewer/workspace/counters/register_watch.h"

#include "viewer/counters/guest_control.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace sla::workspace {

namespace {

using counters::StateSection;

constexpr std::chrono::milliseconds kEvery(250);
constexpr std::chrono::milliseconds kLookInterval(50);

// In the order in which they are shown.
constexpr const char* kCommand =
    "state guest general control segments msr pic pit rtc dma kbd com1 com2 ata fdc crtc lapic ioapic system pci vga";

constexpr const char* kPause = "pause";
constexpr std::string_view kStands = "the guest stands at ";  // how a command's answer begins that says where

// A PC that has a history says how far it goes, one that has none why.
std::string why_not(counters::GuestControl& guest) {
    const auto history = guest.ask("history");
    return history.ok() ? "" : history.error().message;
}

std::string_view under_way_of(std::string_view command) {
    if (command.starts_with("reverse")) return "goes back";
    return command.starts_with("run-to") ? "runs to an address" : "";
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

// CS:EIP, and whether it stands there.
std::string place_of(const std::vector<StateSection>& sections) {
    std::string out;
    for (const auto& [section, field] :
         {std::pair("guest", "paused"), std::pair("segments", "cs"), std::pair("general", "eip")}) {
        const std::string* value = counters::find_value(sections, section, field);
        out += (value == nullptr ? "" : *value) + " ";
    }
    return out;
}

}  // namespace

// Guarded by `mutex`.
struct RegisterWatch::Shared {
    std::mutex mutex;
    std::condition_variable wanted;
    std::vector<Command> commands;  // to be asked
    std::vector<std::vector<StateSection>> looks;
    std::vector<counters::CodeLine> code;  // of the last one
    std::vector<pid_t> running;
    pid_t process = 0;
    std::string problem;
    std::string why_not_back;  // of `process`
    std::string said;
    std::string said_at;                            // where the guest stood then
    std::string under_way;                          // what it was asked to do and has not answered yet
    std::chrono::steady_clock::time_point seen_at;  // the newest look

    [[nodiscard]] bool wants_pause() {
        const std::lock_guard lock(mutex);
        return std::any_of(commands.begin(), commands.end(), [](const Command& one) { return one.line == kPause; });
    }
};

void RegisterWatch::watch(pid_t process) {
    if (shared_ != nullptr && process == wanted_) return;
    stop();
    wanted_ = process;
    shared_ = std::make_shared<Shared>();
    job_ = runner_.start("looking at registers", [process, shared = shared_](const JobRunner::Control& control) {
        look(process, *shared, control);
    });
}

void RegisterWatch::stop() {
    job_ = {};
    shared_.reset();
    table_.clear();
    running_.clear();
    process_ = 0;
    problem_.clear();
    why_not_back_.clear();
    said_.clear();
    under_way_.clear();
    code_.clear();
}

void RegisterWatch::ask(const std::string& command, const std::string& then) {
    if (shared_ == nullptr) return;
    const std::lock_guard lock(shared_->mutex);
    shared_->commands.push_back({command, then});
    shared_->wanted.notify_all();
}

void RegisterWatch::poll() {
    if (shared_ == nullptr) return;
    std::vector<std::vector<StateSection>> looks;
    pid_t process = 0;
    {
        const std::lock_guard lock(shared_->mutex);
        looks.swap(shared_->looks);
        running_ = shared_->running;
        problem_ = shared_->problem;
        why_not_back_ = shared_->why_not_back;
        said_ = shared_->said;
        under_way_ = shared_->under_way;
        code_ = shared_->code;
        process = shared_->process;
        seen_at_ = shared_->seen_at;
    }
    if (process != process_) table_.clear();
    process_ = process;
    for (auto& look : looks) table_.take(std::move(look));
    if (job_.ran_out_of_memory()) problem_ = "there is not enough memory to look at registers";
}

std::optional<std::chrono::seconds> RegisterWatch::age() const {
    if (problem_.empty() || table_.sections().empty()) return std::nullopt;
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - seen_at_);
}

// Up to a `pause`, which ends them; that one with what follows.
std::vector<RegisterWatch::Command> RegisterWatch::take_commands(Shared& shared) {
    const std::lock_guard lock(shared.mutex);
    auto end = std::find_if(shared.commands.begin(), shared.commands.end(),
                            [](const Command& command) { return command.line == kPause; });
    if (end == shared.commands.begin()) end = shared.commands.end();
    std::vector<Command> taken(shared.commands.begin(), end);
    shared.commands.erase(shared.commands.begin(), end);
    shared.under_way.clear();
    for (const Command& command : taken) {
        if (const auto words = under_way_of(command.line); !words.empty()) shared.under_way = words;
    }
    return taken;
}

void RegisterWatch::look(pid_t wanted, Shared& shared, const JobRunner::Control& control) {
    while (!control.is_cancelled()) {
        look_once(wanted, take_commands(shared), shared, control);
        const auto next = std::chrono::steady_clock::now() + kEvery;
        std::unique_lock lock(shared.mutex);
        while (!control.is_cancelled() && shared.commands.empty() && std::chrono::steady_clock::now() < next)
            shared.wanted.wait_for(lock, kLookInterval);
    }
}

// False: somebody waits for something else now, and nothing of this look counts.
bool RegisterWatch::ask_guest(const std::vector<Command>& commands, Shared& shared, const JobRunner::Control& control,
                              Look& out) {
    auto guest = counters::GuestControl::connect(out.process);
    if (!guest.ok()) {
        const bool has_ended = guest.error().code == ErrorCode::kNotFound;
        out.problem =
            has_ended ? "The emulated PC of process " + std::to_string(out.process) + " has ended." : guest.error().message;
        return true;
    }
    const auto gives_up = [&] { return control.is_cancelled() || shared.wants_pause(); };
    guest->wait_unless(gives_up);
    // Nobody but this job writes `process`.
    if (out.process != shared.process) out.why_not_back = why_not(*guest);
    for (const Command& command : commands) {
        auto done = guest->ask(command.line);
        if (done.ok() && !command.then.empty()) done = guest->ask(command.then);
        if (!done.ok() && gives_up()) return false;
        const std::string words = first_line(done.ok() ? *done : done.error().message);  // of triggers, others point to it
        if (!out.said || !words.empty()) out.said = words;
    }
    const auto text = guest->ask(kCommand);
    if (!text.ok() && gives_up()) return false;
    auto state = text.ok() ? counters::parse_guest_state(*text) : Result<std::vector<StateSection>>(text.error());
    if (!state.ok()) {
        out.problem = state.error().message;
        return true;
    }
    out.seen = std::move(*state);
    if (!RegisterTable::stands(out.seen)) return true;
    const auto code = guest->ask("disassemble");
    if (code.ok()) out.code = counters::parse_guest_code(*code);
    return code.ok() || !gives_up();
}

void RegisterWatch::look_once(pid_t wanted, const std::vector<Command>& commands, Shared& shared,
                              const JobRunner::Control& control) {
    Look look;
    look.running = counters::running_guests();
    look.process = wanted != 0 ? wanted : look.running.size() == 1 ? look.running.front() : 0;
    if (look.process == 0) {
        look.problem = look.running.empty() ? "No emulated PC runs: start one by sla-emu run."
                                            : "Several emulated PCs run: choose one.";
    } else if (!ask_guest(commands, shared, control, look)) {
        return;
    }
    report(std::move(look), shared);
}

void RegisterWatch::report(Look look, Shared& shared) {
    const std::lock_guard lock(shared.mutex);
    shared.under_way.clear();
    shared.running = std::move(look.running);
    shared.problem = std::move(look.problem);
    if (shared.process != look.process) {
        shared.looks.clear();
        shared.said.clear();
    }
    if (look.why_not_back) shared.why_not_back = *look.why_not_back;
    if (look.said) {
        shared.said = *look.said;
        shared.said_at = place_of(look.seen);
    } else if (shared.said.starts_with(kStands) && shared.said_at != place_of(look.seen)) {
        shared.said.clear();  // somebody else moved it on
    }
    shared.process = look.process;
    shared.code = std::move(look.code);
    if (look.seen.empty()) return;
    shared.seen_at = std::chrono::steady_clock::now();
    shared.looks.push_back(std::move(look.seen));
}

}  // namespace sla::workspace
