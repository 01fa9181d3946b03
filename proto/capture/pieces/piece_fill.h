// How full a piece of a recording is: the next one begins once it has so many bytes.
#pragma once

#include <cstdint>

namespace sla::capture {

// Words alone, of an agent in which nothing happens for days, make a piece full too; those that each begins with do not, else one
// would follow another for ever.
class PieceFill {
public:
    // A piece begins, with names that take about so many bytes.
    void begin(std::uint64_t head_bytes) {
        head_bytes_ = head_bytes;
        has_batches_ = false;
    }
    void add(bool is_batch) { has_batches_ = has_batches_ || is_batch; }
    [[nodiscard]] bool has_batches() const { return has_batches_; }
    [[nodiscard]] bool is_full(std::uint64_t written, std::uint64_t limit) const {
        const std::uint64_t head = has_batches_ ? 0 : head_bytes_;
        return written >= head && written - head >= limit;
    }

private:
    std::uint64_t head_bytes_ = 0;
    bool has_batches_ = false;
};

}  // namespace sla::capture
