// Lines of the log that strangers can make the agent write: so many at a time, then one in ten seconds, which counts those that
// were left out before it, whatever they said. No thread, no clock of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace sla::stream {

class LineLimit {
public:
    using Time = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::seconds kBetweenLines{10};

    explicit LineLimit(unsigned at_a_time) : most_(at_a_time), left_(at_a_time) {}
    // What is to be written of this line now; nothing: it is left out.
    std::optional<std::string> admit(const std::string& line, Time now);

private:
    unsigned most_;
    unsigned left_;
    Time filled_{};  // up to then
    std::uint64_t left_out_ = 0;
};

}  // namespace sla::stream
