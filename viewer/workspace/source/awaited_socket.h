// AwaitedSocket: when to try an agent of this machine that was not there when the window came: its socket has appeared, or
// another has taken its place. Some tries each, since a socket has its name before somebody listens on it, and one that a
// killed agent left never has anybody.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <string>

namespace sla::workspace {

class AwaitedSocket {
public:
    using Clock = std::chrono::steady_clock;

    // True: now is the time to try.
    bool is_due(Clock::time_point now, const std::string& path) {
        if (now < next_) return false;
        next_ = now + kBetweenLooks;
        struct stat found {};
        if (::stat(path.c_str(), &found) != 0 || !S_ISSOCK(found.st_mode)) return false;
        const bool is_known =
            found.st_ino == inode_ && found.st_ctim.tv_sec == made_.tv_sec && found.st_ctim.tv_nsec == made_.tv_nsec;
        if (!is_known) tries_ = 0;
        inode_ = found.st_ino;
        made_ = found.st_ctim;
        return tries_++ < kTries;
    }

private:
    static constexpr std::chrono::milliseconds kBetweenLooks{300};
    static constexpr int kTries = 5;

    Clock::time_point next_;
    ino_t inode_ = 0;
    timespec made_{};
    int tries_ = 0;
};

}  // namespace sla::workspace
