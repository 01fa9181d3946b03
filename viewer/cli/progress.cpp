#include "viewer/cli/progress.h"

#include <unistd.h>

#include <cstdio>

namespace sla::cli {

using Clock = std::chrono::steady_clock;

Progress::Progress(std::string what)
    : what_(std::move(what)), next_(Clock::now() + std::chrono::seconds(1)), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(double share) {
    if (!terminal_ || Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::milliseconds(200);
    shown_ = true;
    if (share < 0) {
        std::fprintf(stderr, "\r\x1b[K%s ...", what_.c_str());
    } else {
        std::fprintf(stderr, "\r\x1b[K%s %3.0f %%", what_.c_str(), share * 100);
    }
}

}  // namespace sla::cli
