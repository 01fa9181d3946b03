// The other end of the socket at which an emulated PC takes commands (emu/control/control_server.h): a line goes there, "ok 123"
// comes back, or "error 123" (the command is wrong), "no 123" (nothing was found) or "failed 123" (the outside world did), and a
// text of so many bytes. "note 123" and a text may come before that, while the answer is waited for.
//
// A process that was stopped (SIGSTOP, a debugger) takes connections and answers none of them: who asks it gets an error
// within a second, and is told when the command was sent before.
#pragma once

#include "proto/base/result.h"

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace sla::common {

// It answers nobody until it goes on.
bool is_stopped(pid_t process);
Error stopped_error(pid_t process);

class GuestClient {
public:
    // Not found: nobody listens there.
    static Result<GuestClient> connect(const std::string& path);
    // By a socket that is connected already, and is its own from here on.
    static GuestClient of(int socket);
    GuestClient(GuestClient&& other) noexcept;
    GuestClient& operator=(GuestClient&&) = delete;
    ~GuestClient();

    // A command; its answer, or what was wrong with it. Damaged: what listens there answered that, and is no emulated PC.
    Result<std::string> ask(std::string_view command);
    // As ask(), of a command that was sent already.
    Result<std::string> answer();
    // Called with what comes before an answer, whole lines. Empty: that is thrown away.
    void on_note(std::function<void(const std::string&)> hear) { hear_ = std::move(hear); }
    // The run has ended, or what listened went away: no more answers.
    [[nodiscard]] bool is_over() const { return is_over_; }
    // Waiting for an answer ends when that is true, looked at every 50 ms. Empty: it waits as long as it takes.
    void wait_unless(std::function<bool()> cancelled) { cancelled_ = std::move(cancelled); }

private:
    explicit GuestClient(int socket) : socket_(socket) {}
    [[nodiscard]] Result<void> wait_for_more();
    Result<std::string> receive(std::size_t bytes);
    // What stands before a text, and the text.
    struct Part {
        std::string head;
        std::string text;
    };
    Result<Part> receive_part();
    Error run_ended();

    int socket_;
    pid_t process_ = 0;  // that listens; 0: not known
    bool is_over_ = false;
    std::function<bool()> cancelled_;
    std::function<void(const std::string&)> hear_;
};

}  // namespace sla::common
