// trigger_program COUNT MICROSECONDS: numbers on t.value, one every so many microseconds, and after each tenth a tick on
// t.fire with the same number. Between number 20 and the next it rests 100 ms, so that a silence can be found.
#include <sla/marker.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

SLA_CHANNEL(value, "t.value");
SLA_CHANNEL(fire, "t.fire");

int main(int argc, char** argv) {
    const long count = argc > 1 ? std::atol(argv[1]) : 100;
    const auto pause = static_cast<useconds_t>(argc > 2 ? std::atol(argv[2]) : 500);
    for (long i = 0; i < count; ++i) {
        SLA_VALUE(value, i);
        if (i % 10 == 0) SLA_TICK(fire, i);
        usleep(i == 20 ? 100'000 : pause);
    }
    std::puts("done");
    return 0;
}
