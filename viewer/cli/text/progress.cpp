#include "viewer/cli/text/progress.h"

#include "viewer/cli/command.h"
#include "viewer/cli/interrupt.h"
#include "viewer/timeline/readable.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace sla::cli {

using Clock = std::chrono::steady_clock;

Progress::Progress(std::string what)
    : what_(std::move(what)),
      begin_(Clock::now()),
      next_(begin_ + std::chrono::seconds(1)),
      terminal_(isatty(STDERR_FILENO) == 1 && !is_quiet()) {}

Progress::~Progress() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
}

bool Progress::due() {
    if (!terminal_ || Clock::now() < next_) return false;
    next_ = Clock::now() + std::chrono::milliseconds(200);
    return true;
}

void Progress::show(double share) {
    if (due()) print(share, "");
}

bool Progress::goes_on(double share) {
    show(share);
    return interrupted() == 0;
}

bool Progress::rows_go_on(std::uint64_t done, std::uint64_t all) {
    show_rows(done, all);
    return interrupted() == 0;
}

void Progress::show_rows(std::uint64_t done, std::uint64_t all) {
    if (!due()) return;
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
    const std::string rate = timeline::readable_count(static_cast<double>(done) / elapsed) + " rows/s";
    print(all == 0 ? -1 : static_cast<double>(done) / static_cast<double>(all), rate);
}

void Progress::print(double share, const std::string& rate) {
    constexpr int kBarWidth = 20;
    shown_ = true;
    std::string line = "\r\x1b[K" + what_;
    if (share >= 0) {
        const int full = static_cast<int>(share * kBarWidth);
        line += " [" + std::string(static_cast<std::size_t>(full), '=') +
                std::string(static_cast<std::size_t>(kBarWidth - full), ' ') + "]";
        line += fmt::format(" {:3.0f} %", share * 100);
    } else {
        line += " ...";
    }
    if (!rate.empty()) line += "  " + rate;
    if (share > 0.01) {
        const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
        line += fmt::format("  {:.0f} s left", elapsed * (1 - share) / share);
    }
    std::fputs(line.c_str(), stderr);
}

}  // namespace sla::cli
