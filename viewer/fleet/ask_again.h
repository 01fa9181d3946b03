// Questions to servers of which one may have died: asked again until another one answers.
#pragma once

#include <chrono>
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

}  // namespace sla::fleet
