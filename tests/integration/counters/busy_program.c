/* A program that spends its time in one loop, for samples: half a second of it. */
#include <stdio.h>
#include <time.h>

__attribute__((noinline)) unsigned busy(unsigned turns) {
    unsigned sum = 1;
    for (unsigned i = 0; i < turns; i++) sum = sum * 1664525u + 1013904223u;
    return sum;
}

int main(void) {
    const clock_t until = clock() + CLOCKS_PER_SEC / 2;
    unsigned sum = 0;
    while (clock() < until) sum += busy(200000);
    printf("%u\n", sum);
    return 0;
}
