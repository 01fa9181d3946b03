#include "agent/stream/line_limit.h"

#include <algorithm>
#include <utility>

namespace sla::stream {

std::optional<std::string> LineLimit::admit(const std::string& line, Time now) {
    if (left_ == most_) filled_ = now;
    const std::int64_t more = (now - filled_) / kBetweenLines;
    filled_ += more * kBetweenLines;
    left_ = static_cast<unsigned>(std::min<std::int64_t>(most_, left_ + more));
    if (left_ == 0) {
        left_out_++;
        return std::nullopt;
    }
    left_--;
    const std::uint64_t before = std::exchange(left_out_, 0);
    if (before == 0) return line;
    return line + " (and " + std::to_string(before) + " like it since the last such line)";
}

}  // namespace sla::stream
