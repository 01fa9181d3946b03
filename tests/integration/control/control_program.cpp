// Marks every kind of event, a round every 50 µs, until SIGTERM; then says how many rounds there were.
//   sla-control-program [ROUNDS]     ends by itself after so many, without pauses
#include <sla/marker.h>

#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

SLA_CHANNEL(value_channel, "ctl.value");
SLA_CHANNEL(counter_channel, "ctl.counter");
SLA_CHANNEL(span_channel, "ctl.span");
SLA_CHANNEL(text_channel, "ctl.text");
SLA_CHANNEL(wide_channel, "ctl.wide");

namespace {

volatile std::sig_atomic_t stop_asked = 0;
volatile std::sig_atomic_t late_asked = 0;

void mark_round(unsigned long long round) {
    unsigned long long value = round % 200;
    SLA_VALUE(counter_channel, round);
    SLA_VALUE(value_channel, static_cast<long long>(value));
    SLA_BEGIN(span_channel, value);
    SLA_END(span_channel);
    SLA_TEXT(text_channel, std::to_string(round).c_str());
    sla_record_wide(wide_channel, SLA_CODE_TICK_VALUE, value, 1, 2);
    if (late_asked) SLA_VALUE(sla_channel_open("ctl.late"), round);
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGTERM, [](int) { stop_asked = 1; });
    std::signal(SIGUSR1, [](int) { late_asked = 1; });
    unsigned long long rounds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
    unsigned long long round = 0;
    std::printf("running 1\n");
    std::fflush(stdout);
    for (; !stop_asked && (rounds == 0 || round < rounds); round++) {
        mark_round(round);
        if (rounds == 0 || round % 100 == 99) usleep(50);
    }
    std::printf("rounds %llu\n", round);
    return 0;
}
