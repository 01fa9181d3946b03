#include "viewer/cli/text/progress.h"

#include "viewer/cli/command.h"
#include "viewer/cli/interrupt.h"
#include "viewer/timeline/readable.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
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

std::string progress_line(const std::string& what, double share, const std::string& rate, double elapsed_s) {
    constexpr int kBarWidth = 20;
    share = std::min(share, 1.0);
    std::string line = what;
    if (share >= 0) {
        const int full = static_cast<int>(share * kBarWidth);
        line += " [" + std::string(static_cast<std::size_t>(full), '=') +
                std::string(static_cast<std::size_t>(kBarWidth - full), ' ') + "]";
        line += fmt::format(" {:3.0f} %", share * 100);
    } else {
        line += " ...";
    }
    if (!rate.empty()) line += "  " + rate;
    if (share > 0.01) line += fmt::format("  {:.0f} s left", elapsed_s * (1 - share) / share);
    return line;
}

void Progress::print(double share, const std::string& rate) {
    shown_ = true;
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
    std::fputs(("\r\x1b[K" + progress_line(what_, share, rate, elapsed)).c_str(), stderr);
}

}  // namespace sla::cli
