// Retry: when a connection that stood and went is tried again by itself: after 0.2 s, then after 0.5, 1, 2 and from then on
// 5 s; from the beginning once it has stood for a while. One that never stood is the person's to mend, but for
// an agent of this machine (AwaitedSocket).
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace sla::workspace {

class Retry {
public:
    using Clock = std::chrono::steady_clock;

    void stands(Clock::time_point now) {
        is_waiting_ = false;
        why_.clear();
        if (!since_) since_ = now;
        if (now - *since_ >= kForAWhile) tries_ = 0;
    }
    // True: now is the time to try again.
    bool is_due(Clock::time_point now, const std::string& why) {
        if (!since_ && !is_waiting_) return false;
        if (!is_waiting_) {
            is_waiting_ = true;
            why_ = why;
            since_.reset();
            next_ = now + wait();
        }
        if (now < next_) return false;
        ++tries_;
        next_ = now + wait();
        return true;
    }
    // The person decided: connect at once, or leave.
    void forget() { *this = Retry(); }
    // The connection went, and is tried again.
    [[nodiscard]] bool is_waiting() const { return is_waiting_; }
    // Why it went; "" while it stands, and where nobody knows.
    [[nodiscard]] const std::string& why() const { return why_; }
    // Until the next try; nothing while none is planned.
    [[nodiscard]] std::optional<std::chrono::milliseconds> left(Clock::time_point now) const {
        if (!is_waiting_) return std::nullopt;
        return std::chrono::ceil<std::chrono::milliseconds>(std::max(next_ - now, Clock::duration(0)));
    }

private:
    [[nodiscard]] std::chrono::milliseconds wait() const {
        return std::chrono::milliseconds(kWaits.at(std::min(tries_, kWaits.size() - 1)));
    }

    static constexpr std::array<int, 5> kWaits{200, 500, 1000, 2000, 5000};  // milliseconds
    static constexpr std::chrono::seconds kForAWhile{10};

    std::optional<Clock::time_point> since_;  // it stands
    bool is_waiting_ = false;
    std::string why_;
    std::size_t tries_ = 0;
    Clock::time_point next_;
};

}  // namespace sla::workspace
