#include "agent/service/stderr_sink.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string>

namespace sla::service {
namespace {

// So many bytes a pipe takes at once where it takes any.
constexpr std::size_t kAtOnce = PIPE_BUF;

bool takes_some() {
    pollfd writable{STDERR_FILENO, POLLOUT, 0};
    return ::poll(&writable, 1, 0) == 1 && (writable.revents & POLLOUT) != 0;
}

std::string_view color_of(spdlog::level::level_enum level) {
    switch (level) {
        case spdlog::level::critical:
        case spdlog::level::err: return "\033[31m\033[1m";
        case spdlog::level::warn: return "\033[33m\033[1m";
        default: return "\033[32m";
    }
}

}  // namespace

// Whole, or false.
bool StderrSink::write(std::string_view line) {
    while (!line.empty()) {
        if (!takes_some()) return false;
        const ssize_t written = ::write(STDERR_FILENO, line.data(), std::min(line.size(), kAtOnce));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        line.remove_prefix(static_cast<std::size_t>(written));
        is_cut_ = !line.empty();
    }
    return true;
}

bool StderrSink::put(const spdlog::details::log_msg& message) {
    spdlog::memory_buf_t formatted;
    message.color_range_start = 0;
    message.color_range_end = 0;
    formatter_->format(message, formatted);
    std::string line(formatted.data(), formatted.size());
    if (with_colors_ && message.color_range_end > message.color_range_start) {
        line.insert(message.color_range_end, "\033[m");
        line.insert(message.color_range_start, color_of(message.level));
    }
    return write(is_cut_ ? "\n" + line : line);
}

void StderrSink::sink_it_(const spdlog::details::log_msg& message) {
    if (left_out_ > 0) {
        const std::string text = std::to_string(left_out_) + (left_out_ == 1 ? " line" : " lines") +
                                 " of the log left out: nobody took what was written to stderr";
        if (!put({message.logger_name, spdlog::level::warn, text})) {
            left_out_++;
            return;
        }
        left_out_ = 0;
    }
    if (!put(message)) left_out_++;
}

}  // namespace sla::service
