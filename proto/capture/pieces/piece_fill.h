// How full a piece of a recording is: the next one begins once it has so many bytes.
#pragma once

#include <cstdint>

namespace sla::capture {

// Words alone, of an agent in which nothing happens for days, make a piece full too; many names that each begins with do not, else
// one would follow another for ever.
class PieceFill {
public:
    // Names of so many bytes, about, count for much: they are to be in the file before begin().
    [[nodiscard]] static bool is_much(std::uint64_t name_bytes, std::uint64_t limit) {
        constexpr std::uint64_t kLittle = 8;
        return limit > 0 && name_bytes > limit / kLittle;
    }
    // A piece begins; so many bytes are in its file already.
    void begin(std::uint64_t written) {
        begun_with_ = written;
        has_batches_ = false;
    }
    void add(bool is_batch) { has_batches_ = has_batches_ || is_batch; }
    [[nodiscard]] bool has_batches() const { return has_batches_; }
    [[nodiscard]] bool is_full(std::uint64_t written, std::uint64_t limit) const {
        return written >= begun_with_ && written - begun_with_ >= limit;
    }

private:
    std::uint64_t begun_with_ = 0;
    bool has_batches_ = false;
};

}  // namespace sla::capture
