// How long whoever failed to log in waits for the answer: longer with every failure of the address it came from.
//
//   250 ms, 500 ms, 1 s, 2 s, 4 s, 8 s, 8 s ...     forgotten after ten minutes without a failure
//
// Who knows a token never waits for others' failures: there is nothing to guess in 256 bits, and a neighbour behind the same
// address must not be able to lock anybody out. Bounded: of more addresses than kMaxAddresses the one is forgotten that failed
// longest ago. No thread, no clock of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>

namespace sla::stream {

class FailedLogins {
public:
    using Time = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::milliseconds kFirstDelay{250};
    static constexpr std::chrono::milliseconds kLongestDelay{8000};
    static constexpr std::chrono::minutes kMemory{10};
    static constexpr std::size_t kMaxAddresses = 1024;

    // One more from there: how long the answer takes.
    std::chrono::milliseconds add(const std::string& address, Time now);
    [[nodiscard]] std::size_t addresses() const { return seen_.size(); }

private:
    struct Seen {
        Time last;
        std::chrono::milliseconds delay{0};
    };
    void forget_old(const std::string& but, Time now);
    std::map<std::string, Seen> seen_;
};

}  // namespace sla::stream
