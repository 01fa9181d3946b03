// AnswerPace: how long one attempt waits for a server's answer before the same is asked again. An answer that was lost on its
// way then costs a few times what answers take, not seconds.
//
//   first attempt    4 x what answers took lately, at least 250 ms; 2 s while none has come
//   each next one    twice as long, 5 s at most: a server or line that has become slow is not asked again and again
//
// Any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace sla::fleet {

class AnswerPace {
public:
    using Milliseconds = std::chrono::milliseconds;
    static constexpr Milliseconds kMin{250};
    static constexpr Milliseconds kUnknown{2000};
    static constexpr Milliseconds kMax{5000};

    // Of attempt 0, 1, 2 ...
    [[nodiscard]] Milliseconds wait(int attempt) const {
        const std::int64_t usual_us = usual_us_;
        Milliseconds wait = usual_us == 0 ? kUnknown : Milliseconds(4 * usual_us / 1000);
        wait = std::max(wait, kMin);
        for (; attempt > 0 && wait < kMax; --attempt) wait *= 2;
        return std::min(wait, kMax);
    }
    // So long an answer took that came. Slower ones count at once, quicker ones bit by bit.
    void note(std::chrono::microseconds took) {
        const std::int64_t sample = std::max<std::int64_t>(took.count(), 1);
        const std::int64_t before = usual_us_;
        const std::int64_t part = before == 0 ? 1 : sample > before ? 2 : 8;
        usual_us_ = std::max<std::int64_t>(before + (sample - before) / part, 1);
    }

private:
    std::atomic<std::int64_t> usual_us_{0};  // 0: no answer has come yet; of two threads' notes one may be lost
};

}  // namespace sla::fleet
