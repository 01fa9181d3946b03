/* Programs that mark what the library calls: their allocator, their system calls. */
#define _GNU_SOURCE
#include "tests/integration/guest/guest.h"

#include <unistd.h>

SLA_CHANNEL(main_channel, "guest.main");
SLA_CHANNEL(other_channel, "guest.other");

static unsigned long nested;

static void mark_call(void) {
    nested++;
    SLA_VALUE(other_channel, 7);
}

static void mark_both(void) {
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    for (int i = 0; i < 10; i++) SLA_VALUE(other_channel, i);
}

/* marked-creation: the first marker creates the library's thread, for which the C library allocates. */
static int marked_creation(int argc, char** argv) {
    (void)argc;
    (void)argv;
    alarm(5);
    hook_calls(mark_call);
    SLA_VALUE(main_channel, 0);
    hook_calls(NULL);
    REQUIRE(nested > 0);
    mark_both();
    return 0;
}

/* marked-calls: a marker in a call that a first marker makes. */
static int marked_calls(int argc, char** argv) {
    (void)argc;
    (void)argv;
    alarm(5);
    REQUIRE(sla_attach() == 1);
    hook_calls(mark_call);
    SLA_VALUE(main_channel, 0);
    hook_calls(NULL);
    mark_both();
    say("nested", nested);
    return 0;
}

const struct guest kNestedGuests[] = {{"marked-creation", marked_creation}, {"marked-calls", marked_calls}, {NULL, NULL}};
