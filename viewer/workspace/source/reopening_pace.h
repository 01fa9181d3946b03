// ReopeningPace: when a fleet that is followed is opened anew, beside the one that is shown.
//
//   rows in memory are many        after 10 s at the earliest
//   something is there to be had   after 10, 20, 40 ... 640 s while opening finds the same captures as before: what cannot be
//                                  read yet, or not at all, is not asked for all the time; from the beginning after a calm
//
// A source hands it on to the one that is opened anew.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace sla::workspace {

class ReopeningPace {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds kMin{10};
    static constexpr std::chrono::seconds kMax{640};

    explicit ReopeningPace(std::chrono::seconds least = kMin) : least_(least), wait_(least) {}

    // It was opened, and those captures were found.
    void stands(Clock::time_point now, std::vector<std::string> captures) {
        if (captures != captures_) wait_ = least_;
        captures_ = std::move(captures);
        since_ = now;
    }
    struct Need {
        bool rows_are_many = false;  // in memory
        bool more_is_there = false;  // that only another opening gets
    };
    // True: now is the time.
    bool is_due(Clock::time_point now, const Need& need) {
        const Clock::duration stood = now - since_;
        if (need.rows_are_many && stood >= least_) {
            since_ = now;
            return true;
        }
        if (!need.more_is_there || stood < wait_) return false;
        wait_ = stood >= 2 * wait_ ? least_ : std::min(2 * wait_, kMax);
        since_ = now;
        return true;
    }

private:
    std::vector<std::string> captures_;
    Clock::time_point since_;
    std::chrono::seconds least_;
    std::chrono::seconds wait_;
};

}  // namespace sla::workspace
