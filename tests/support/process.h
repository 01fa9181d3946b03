// Child processes of a test: started with an environment of their own, never left behind.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sla::support {

// A directory of the test's own, closed to others, removed with all that is in it.
class TempDir {
public:
    TempDir();
    ~TempDir();
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

struct Exit {
    int code = -1;   // of a normal end
    int signal = 0;  // that killed it, else 0
};

class Process {
public:
    // argv[0] is a path. stdout and stderr are collected; the environment is this process's plus `environment`.
    Process(const std::vector<std::string>& argv, const std::map<std::string, std::string>& environment = {});
    ~Process();  // kills what still runs
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    [[nodiscard]] pid_t pid() const { return pid_; }
    void signal(int number) const;
    // Waits for the end; one that takes longer than the limit is killed and reported as killed by SIGKILL.
    Exit wait(std::chrono::milliseconds limit = std::chrono::seconds(60));
    [[nodiscard]] bool is_running();
    // Waits until stdout has this text.
    bool wait_for_output(const std::string& text, std::chrono::milliseconds limit = std::chrono::seconds(20));
    // Everything said so far.
    std::string output();
    std::string errors();
    // The number behind the word `name` in stdout ("offered 20000"), which programs under test end with; throws without it.
    std::uint64_t number(const std::string& name);

private:
    bool reap(bool block);
    static std::string slurp(const std::string& path);

    TempDir files_;
    pid_t pid_ = -1;
    bool reaped_ = false;
    Exit exit_;
};

// The longer something was waited for already, the longer; never long.
void pause_briefly(std::chrono::nanoseconds waited = {});

// Polls a condition until it holds or the limit is over; less and less often, since to ask takes time from those that are waited for.
template <typename Condition>
bool eventually(Condition condition, std::chrono::milliseconds limit = std::chrono::seconds(20)) {
    const auto begin = std::chrono::steady_clock::now();
    while (!condition()) {
        const auto waited = std::chrono::steady_clock::now() - begin;
        if (waited > limit) return false;
        pause_briefly(waited);
    }
    return true;
}

}  // namespace sla::support
