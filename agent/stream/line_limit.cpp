#include "agent/stream/line_limit.h"

#include "proto/base/how_many.h"

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
    return line + " (left out before it: " + how_many(before, "line") + ")";
}

}  // namespace sla::stream
