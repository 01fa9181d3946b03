// Questions to servers of which one may have died: asked again until another one answers.
#pragma once

#include "proto/fleet/connection.h"

#include <chrono>
#include <cstdint>
#include <thread>

namespace sla::fleet {

// ask() until is_answer(what it gave), or for so long.
template <typename Ask, typename IsAnswer>
auto ask_until_answered(std::chrono::milliseconds limit, Ask ask, IsAnswer is_answer) {
    constexpr auto kBetweenAttempts = std::chrono::milliseconds(100);
    const auto until = std::chrono::steady_clock::now() + limit;
    for (;;) {
        auto given = ask();
        if (is_answer(given) || std::chrono::steady_clock::now() >= until) return given;
        std::this_thread::sleep_for(kBetweenAttempts);
    }
}

// The same of what may be asked in the middle of an election, which takes seconds: until there is an answer, or a refusal that no wait
// helps. `goes_on` stops it.
template <typename GoesOn, typename Ask>
auto ask_patiently(const Connection& connection, const GoesOn& goes_on, Ask ask) {
    constexpr auto kElectionTime = std::chrono::seconds(45);
    const std::uint64_t before = connection.complaints();
    return ask_until_answered(kElectionTime, ask, [&](const auto& answer) {
        return answer || answer.error().code != ErrorCode::kUnavailable || connection.lacks_permission(before) || !goes_on();
    });
}

}  // namespace sla::fleet
