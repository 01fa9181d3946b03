// What the tests of the Linux host watch: does one thing a known number of times, between two markers each time.
#include <sla/marker.h>

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

SLA_CHANNEL(before, "host.before");
SLA_CHANNEL(after, "host.after");

// What the tests hook.
extern "C" __attribute__((noinline)) long host_work(long number, const char* word) {
    volatile long sum = number;
    for (long i = 0; i < 10; i++) sum = sum + i;
    return sum + (word != nullptr ? 1 : 0);
}

namespace {

// bracket N: N getppid() calls, each between two markers that carry its number.
int bracket(long count) {
    for (long i = 0; i < count; i++) {
        SLA_TICK(before, i);
        syscall(SYS_getppid);
        SLA_TICK(after, i);
    }
    return 0;
}

// storm N: N getppid() calls as fast as they go.
int storm(long count) {
    for (long i = 0; i < count; i++) syscall(SYS_getppid);
    return 0;
}

// work N: N calls of host_work, each between two markers.
int work(long count) {
    for (long i = 0; i < count; i++) {
        SLA_TICK(before, i);
        host_work(i, "hello");
        SLA_TICK(after, i);
    }
    return 0;
}

// naps N: N sleeps of a millisecond.
int naps(long count) {
    for (long i = 0; i < count; i++) {
        SLA_TICK(before, i);
        usleep(1000);
        SLA_TICK(after, i);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 2 ? argv[1] : "";
    const long count = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 0;
    if (what == "bracket") return bracket(count);
    if (what == "storm") return storm(count);
    if (what == "work") return work(count);
    if (what == "naps") return naps(count);
    std::fprintf(stderr, "usage: host_program bracket|storm|work|naps COUNT\n");
    return 2;
}
