// Child: a program we start and end. One owner, one thread; one that is still running at destruction is killed.
#pragma once

#include "proto/base/result.h"

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sla::process {

struct ChildOptions {
    std::vector<std::string> argv;                                 // argv[0]: a path, or a name looked up in PATH
    std::vector<std::pair<std::string, std::string>> environment;  // added to ours
    std::string output;                                            // both outputs are appended to this file; empty: ours
    bool no_input = false;                                         // reads /dev/null instead of our input
    int stream = -1;              // a descriptor of ours that becomes its input and output; -1: ours
    int errors = -1;              // one that becomes its standard error
    bool serves_us = false;       // works for us alone: not stopped by the terminal's Ctrl-C, and ends_with_us
    bool apart = false;           // not reached by the terminal's Ctrl-C, and ends_with_us
    bool ends_with_us = false;    // gets SIGTERM when we die, were it by SIGKILL; else it lives on then
    bool with_all_below = false;  // signal() reaches what it starts too, as far as Ctrl-C would; of one such at a time
    bool held = false;  // lies in memory, but has not run its first instruction; release() lets it. Ends when we die
};

// How a program ended.
struct Ending {
    int code = 0;                            // its exit code; 255 when that is not known
    int signal = 0;                          // or what ended it
    bool is_known = true;                    // nobody else waited for it
    [[nodiscard]] std::string text() const;  // "exited with code 3", "was ended by signal 9 (Killed)"
};

class Child {
public:
    static Result<Child> start(const ChildOptions& options);
    Child(Child&& other) noexcept;
    Child& operator=(Child&&) = delete;
    ~Child();

    // Waits up to `timeout`; returns early (with nothing) when a signal reaches us.
    std::optional<Ending> wait(std::chrono::milliseconds timeout);
    void signal(int number) const;
    // Of one that was started held, by the thread that started it.
    Result<void> release() const;
    [[nodiscard]] pid_t pid() const { return pid_; }

private:
    Child(pid_t pid, int fd, bool with_all_below);
    void send(int number) const;

    pid_t pid_ = -1;
    int fd_ = -1;  // readable when it has ended
    bool with_all_below_ = false;
    std::optional<Ending> ending_;
};

}  // namespace sla::process
