/* A marked program of known work: in each of five turns, or fewer as its argument says, an empty section, one that touches 64 pages
 * for the first time, and a span without counters. */
#define _GNU_SOURCE
#include <sla/count.h>

#include <sys/mman.h>

#include <stdio.h>
#include <stdlib.h>

SLA_CHANNEL(empty, "app.empty");
SLA_CHANNEL(work, "app.work");
SLA_CHANNEL(plain, "app.plain");

enum { TURNS = 5, PAGES = 64, PAGE = 4096 };

int main(int argc, char** argv) {
    const int turns = argc > 1 ? atoi(argv[1]) : TURNS;
    const size_t bytes = (size_t)TURNS * PAGES * PAGE;
    volatile char* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1;
    madvise((void*)memory, bytes, MADV_NOHUGEPAGE);
    for (int turn = 0; turn < turns && turn < TURNS; turn++) {
        SLA_COUNT_BEGIN(empty);
        SLA_COUNT_END(empty);
        SLA_COUNT_BEGIN(work);
        for (int page = 0; page < PAGES; page++) memory[((size_t)turn * PAGES + (size_t)page) * PAGE] = 1;
        SLA_COUNT_END(work);
        SLA_BEGIN(plain);
        SLA_END(plain);
    }
    puts("counted");
    return 0;
}
