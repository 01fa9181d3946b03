// The registers of an emulated PC, look by look, while somebody watches; and what is asked of it meanwhile.
//
//   job    GuestControl ─ a look a quarter of a second, `go`, `step`, ... ─► poll(), once a frame ─► table(), code()   window
//
// A look is a connection of its own, so that others get at the PC in between. While nobody watches there is no job, no look
// and no connection. Owner: the window's thread.
#pragma once

#include "viewer/counters/guest_state.h"
#include "viewer/workspace/counters/register_table.h"
#include "viewer/workspace/jobs/job_runner.h"

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::workspace {

class RegisterWatch {
public:
    RegisterWatch() = default;
    ~RegisterWatch() { stop(); }
    RegisterWatch(const RegisterWatch&) = delete;
    RegisterWatch& operator=(const RegisterWatch&) = delete;

    // That process, or 0: the only emulated PC that runs. The same again changes nothing.
    void watch(pid_t process);
    void stop();
    // Once a frame.
    void poll();
    // "go", "pause", "step", "reverse-step"..., soon; then a look. `pause` waits for no answer: what was asked before it is
    // taken back, so that a PC that is under way does not keep it waiting. `then` is asked behind it, unless that was refused.
    void ask(const std::string& command, const std::string& then = {});

    [[nodiscard]] bool is_watching() const { return shared_ != nullptr; }
    [[nodiscard]] const RegisterTable& table() const { return table_; }
    // The next instructions of a guest that stands; none while it runs.
    [[nodiscard]] const std::vector<counters::CodeLine>& code() const { return code_; }
    // Those that run, as of the last look.
    [[nodiscard]] const std::vector<pid_t>& running() const { return running_; }
    // Whose registers these are; 0: nobody's.
    [[nodiscard]] pid_t process() const { return process_; }
    // Somebody looks, and a PC answers.
    [[nodiscard]] bool is_there() const { return !table_.sections().empty() && problem_.empty(); }
    // Why that PC cannot go back; "": it can.
    [[nodiscard]] const std::string& why_not_back() const { return why_not_back_; }
    // "goes back", "runs to an address": it was asked to, and has not answered yet. "": it was not.
    [[nodiscard]] const std::string& under_way() const { return under_way_; }
    // What came of the last command: where the guest stands, or what was wrong. "": nothing to say.
    [[nodiscard]] const std::string& said() const { return said_; }
    // How long ago the PC was as table() has it; nothing while all is well, or where that has nothing.
    [[nodiscard]] std::optional<std::chrono::seconds> age() const;
    // Why nothing (more) is shown; "" while all is well.
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    struct Shared;
    struct Command {
        std::string line;
        std::string then;
    };
    // What a look sees, and what the commands before it came to.
    struct Look {
        std::vector<pid_t> running;
        pid_t process = 0;
        std::vector<counters::StateSection> seen;
        std::vector<counters::CodeLine> code;
        std::string problem;
        std::optional<std::string> why_not_back;
        std::optional<std::string> said;
    };
    static std::vector<Command> take_commands(Shared& shared);
    static void look(pid_t wanted, Shared& shared, const JobRunner::Control& control);
    static void look_once(pid_t wanted, const std::vector<Command>& commands, Shared& shared,
                          const JobRunner::Control& control);
    static bool ask_guest(const std::vector<Command>& commands, Shared& shared, const JobRunner::Control& control,
                          Look& out);
    static void report(Look look, Shared& shared);

    pid_t wanted_ = 0;
    RegisterTable table_;
    std::vector<counters::CodeLine> code_;
    std::vector<pid_t> running_;
    pid_t process_ = 0;
    std::string problem_;
    std::string why_not_back_;
    std::string said_;
    std::string under_way_;
    std::chrono::steady_clock::time_point seen_at_;
    std::shared_ptr<Shared> shared_;
    JobRunner runner_{1};
    JobRunner::Job job_;
};

}  // namespace sla::workspace
