/* What the guests share: marked programs that do what programs do, and check that markers change nothing about it. Each says
 * what it offered ("name number" a line on stdout) and ends with 0 when all is as it would be without markers. */
#ifndef SLA_TESTS_GUEST_H
#define SLA_TESTS_GUEST_H

#include <sla/marker.h>

#include <stdio.h>
#include <stdlib.h>

typedef int guest_function(int argc, char** argv);

struct guest {
    const char* name;
    guest_function* run;
};
extern const struct guest kDescriptorGuests[], kLimitGuests[], kSignalGuests[], kChildGuests[], kSandboxGuests[],
    kForkGuests[], kNestedGuests[], kThreadGuests[], kEarlyGuests[];

/* Ends the program with 1, and says where. */
#define REQUIRE(condition)                                                          \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

void say(const char* what, unsigned long long number);
/* Waits until the library has found out that an agent is there (1) or gone (0); exits with 1 after ten seconds. */
void wait_until_armed(const sla_channel* channel, int armed);
/* From now on the library's sending to the agent begins this much later, as on a machine with too much to do. */
void delay_sending(unsigned milliseconds);
/* The library's thread, created from now on, begins this much later. */
void delay_library(unsigned milliseconds);
/* From now on the library's call that creates its thread, and the main thread's bare system calls, come with a call of
 * `hook`: as if the program marked them. NULL: no more. */
void hook_calls(void (*hook)(void));
/* The library's next bare system call of this number, in whatever thread, begins with a call of `hook`. */
void before_next(long number, void (*hook)(void));
/* From now on a counter that the machine does not have is one that counts nothing. Gives how many were opened like that. */
unsigned pretend_counters(void);
/* A number of kiB in /proc/self/status. */
unsigned long long status_kib(const char* what);
/* Waits until the file exists: the test makes it when it is this guest's turn. */
void wait_for_file(const char* path);
/* From now on this system call fails with `error`, in all threads to come; any argument, or only where argument 1 is at
 * least `least`. */
void forbid(int system_call, int error, unsigned least);
/* The numbers of this thread's open descriptors, but the one that it looks with. */
void list_descriptors(char* text, size_t capacity);

#endif
