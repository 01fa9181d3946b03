// The programs that shots start: no shell, a bounded number at a time, reaped when they end. One owner thread.
#pragma once

#include "proto/wire/capture.pb.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace sla::daemon {

class ShotCommands {
public:
    static constexpr std::size_t kMaxAtOnce = 4;

    // Starts it with the shot in its environment (agent/shots/README.md); `file` is the shot's snapshot, if there is one.
    // What went wrong, empty when it runs.
    std::string start(const std::vector<std::string>& words, const wire::Shot& shot, const std::string& file);
    // Forgets those that have ended; of the failed ones, whose they were and how they ended.
    struct Failure {
        std::string trigger;
        std::string problem;
    };
    std::vector<Failure> reap();
    // Some were not reaped yet.
    [[nodiscard]] bool any() const { return !children_.empty(); }

private:
    struct Child {
        pid_t pid;
        std::string name;
        std::string trigger;
    };
    std::vector<Child> children_;
};

}  // namespace sla::daemon
