// The runtime directory, made or checked, with its one agent's lock. Held as long as this lives; the kernel lets go of it
// when the agent dies, however it dies.
#pragma once

#include "proto/base/result.h"

#include <chrono>
#include <string>

namespace sla::daemon {

class RuntimeLock {
public:
    // Refuses a directory that is not this user's alone, and a second agent, with what to do. One that is ending is waited for,
    // and one that runs so long, as it may be about to end.
    static Result<RuntimeLock> take(std::chrono::milliseconds until_it_says_so = std::chrono::seconds(1));

    RuntimeLock(RuntimeLock&& other) noexcept;
    RuntimeLock& operator=(RuntimeLock&&) = delete;
    ~RuntimeLock();

    // The next agent waits for us from here on.
    void say_ending() const;

    [[nodiscard]] std::string path(const std::string& leaf) const { return directory_ + "/" + leaf; }

private:
    RuntimeLock(std::string directory, int fd) : directory_(std::move(directory)), fd_(fd) {}
    std::string directory_;
    int fd_;
};

}  // namespace sla::daemon
