// Retry: when a connection that stood and was cut off is tried again by itself: after a second, then after twice as long
// each time, half a minute at most; a second again once it has stood for a while. One that never stood is the person's to
// mend.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

namespace sla::workspace {

class Retry {
public:
    using Clock = std::chrono::steady_clock;

    void stands(Clock::time_point now) {
        why_.clear();
        if (!since_) since_ = now;
        if (now - *since_ >= kForAWhile) wait_ = kFirst;
    }
    // True: now is the time to try again.
    bool is_due(Clock::time_point now, const std::string& why) {
        if (!since_ && why_.empty()) return false;
        if (why_.empty()) {
            why_ = why;
            since_.reset();
            next_ = now + wait_;
        }
        if (now < next_) return false;
        wait_ = std::min(wait_ * 2, kMax);
        next_ = now + wait_;
        return true;
    }
    // The person decided: connect at once, or leave.
    void forget() { *this = Retry(); }
    // Why the connection went, while it is tried again; else "".
    [[nodiscard]] const std::string& why() const { return why_; }

private:
    static constexpr std::chrono::seconds kFirst{1};
    static constexpr std::chrono::seconds kMax{30};
    static constexpr std::chrono::seconds kForAWhile{10};

    std::optional<Clock::time_point> since_;  // it stands
    std::string why_;
    std::chrono::seconds wait_ = kFirst;
    Clock::time_point next_;
};

}  // namespace sla::workspace
