// What the tests of the Linux host watch: does one thing a known number of times, between two markers each time.
#include <sla/marker.h>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

SLA_CHANNEL(before, "host.before");
SLA_CHANNEL(after, "host.after");

// What the tests hook.
extern "C" __attribute__((noinline)) long host_work(long number, const char* word) {
    volatile long sum = number;
    for (long i = 0; i < 10; i++) sum = sum + i;
    return sum + (word != nullptr ? 1 : 0);
}

extern "C" {
// What the tests watch, and what they find busy.
volatile long host_watched = 0;
volatile long host_others[4];
__attribute__((noinline)) void host_hot(long rounds) {
    for (long i = 0; i < rounds; i++) host_others[0] = host_others[0] + i;
}
}

namespace {

// A USDT probe host:step with one argument, as <sys/sdt.h> writes them: a nop, and a note about it.
inline void usdt_step(long number) {
    asm volatile(
        "990: nop\n"
        ".pushsection .note.stapsdt,\"\",\"note\"\n"
        ".balign 4\n"
        ".4byte 992f-991f, 994f-993f, 3\n"
        "991: .asciz \"stapsdt\"\n"
        "992: .balign 4\n"
        "993: .8byte 990b\n"
        ".8byte _.stapsdt.base\n"
        ".8byte 0\n"
        ".asciz \"host\"\n"
        ".asciz \"step\"\n"
        ".asciz \"8@%[number]\"\n"
        "994: .balign 4\n"
        ".popsection\n"
        ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
        ".weak _.stapsdt.base\n"
        ".hidden _.stapsdt.base\n"
        "_.stapsdt.base: .space 1\n"
        ".size _.stapsdt.base, 1\n"
        ".popsection\n" ::[number] "r"(number));
}

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
        usdt_step(i);
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

// stores N FILE: waits until FILE is there, then N stores into host_watched, each between two markers.
int stores(long count, const char* file) {
    std::puts("ready");
    std::fflush(stdout);
    for (int i = 0; i < 5000 && access(file, F_OK) != 0; i++) usleep(2000);
    for (long i = 0; i < count; i++) {
        SLA_TICK(before, i);
        host_watched = i;
        SLA_TICK(after, i);
    }
    usleep(200'000);
    return 0;
}

// faults N FILE: waits until FILE is there, then N page faults, as fast as they go.
int faults(long count, const char* file) {
    constexpr long kPage = 4096;
    constexpr long kPages = 256;
    std::puts("ready");
    std::fflush(stdout);
    for (int i = 0; i < 5000 && access(file, F_OK) != 0; i++) usleep(2000);
    void* base = mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(base, kPages * kPage, MADV_NOHUGEPAGE);
    for (long i = 0; i < count; i++) {
        if (i % kPages == 0) madvise(base, kPages * kPage, MADV_DONTNEED);
        static_cast<volatile char*>(base)[i % kPages * kPage] = 1;
    }
    return 0;
}

// threads N: for N seconds, threads that come and go.
int threads(long seconds) {
    std::puts("ready");
    std::fflush(stdout);
    for (const std::time_t end = std::time(nullptr) + seconds; std::time(nullptr) < end;) {
        std::vector<std::thread> few;
        for (int i = 0; i < 8; i++) few.emplace_back([] { usleep(200); });
        for (std::thread& each : few) each.join();
    }
    return 0;
}

// busy N: N million rounds of host_hot.
int busy(long count) {
    for (long i = 0; i < count; i++) host_hot(1'000'000);
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
    if (what == "busy") return busy(count);
    if (what == "threads") return threads(count);
    if (what == "faults" && argc > 3) return faults(count, argv[3]);
    if (what == "stores" && argc > 3) return stores(count, argv[3]);
    std::fprintf(stderr, "usage: host_program bracket|storm|work|naps|busy|threads COUNT, or stores|faults COUNT FILE\n");
    return 2;
}
