// A program that marks 22,000 events a second on six channels, spans, values, levels and texts among them, until it is ended:
// what a window is to follow all day. For join_late.sh.
#include <sla/marker.h>

#include <chrono>
#include <cstdint>
#include <thread>

namespace {

SLA_CHANNEL(span, "load.span");
SLA_CHANNEL(interrupt, "load.interrupt");
SLA_CHANNEL(pause, "load.pause");
SLA_CHANNEL(depth, "load.depth");
SLA_CHANNEL(ready, "load.ready");
SLA_CHANNEL(phase, "load.phase");

constexpr std::int64_t kSpansARound = 4;
constexpr std::int64_t kRoundsAPhase = 100;

void mark_round(std::int64_t round) {
    for (std::int64_t i = 0; i < kSpansARound; ++i) {
        SLA_BEGIN(span, round);
        SLA_TICK(pause);
        SLA_VALUE(depth, round * 7 % 100);
        SLA_TICK(interrupt, i);
        SLA_END(span);
    }
    SLA_LEVEL(ready, round % 2);
    SLA_TICK(pause);
    if (round % kRoundsAPhase == 0) SLA_TEXT(phase, "another hundred");
}

}  // namespace

int main() {
    auto next = std::chrono::steady_clock::now();
    for (std::int64_t round = 0;; ++round) {
        mark_round(round);
        next += std::chrono::milliseconds(1);
        std::this_thread::sleep_until(next);
    }
}
