#include "proto/base/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As it is written; 0: no number. What 64 bits do not hold is the largest that they do. */
static uint64_t slots_written(const char* value) {
    if (value[strspn(value, "0123456789")] != '\0') return 0;
    return strtoull(value, NULL, 10);
}

uint64_t sla_ring_slots_from(const char* value) {
    uint64_t slots = value ? slots_written(value) : 0;
    if (slots == 0) return 0;
    if (slots < SLA_FEWEST_RING_SLOTS) return SLA_FEWEST_RING_SLOTS;
    return slots < SLA_MOST_RING_SLOTS ? slots : SLA_MOST_RING_SLOTS;
}

static int clock_problem(const char* value, char* words, size_t capacity) {
    if (strcmp(value, "raw") == 0) return 0;
    snprintf(words, capacity, "SLA_CLOCK=%.40s is ignored: there is only raw, for CLOCK_MONOTONIC_RAW", value);
    return 1;
}

static int ring_slots_problem(const char* value, char* words, size_t capacity) {
    const unsigned long long fewest = SLA_FEWEST_RING_SLOTS;
    const unsigned long long most = SLA_MOST_RING_SLOTS;
    const unsigned long long taken = sla_ring_slots_from(value);
    if (taken == 0) {
        snprintf(words, capacity, "SLA_RING_SLOTS=%.40s is ignored: it is no number of slots, %llu to %llu", value, fewest,
                 most);
        return 1;
    }
    if (taken == slots_written(value)) return 0;
    snprintf(words, capacity, "SLA_RING_SLOTS=%.40s is taken as %llu: a ring has %llu to %llu slots", value, taken, fewest,
             most);
    return 1;
}

int sla_variable_problem(const char* name, const char* value, char* words, size_t capacity) {
    snprintf(words, capacity, "%s", "");
    if (!value || !*value) return 0;
    if (strcmp(name, "SLA_CLOCK") == 0) return clock_problem(value, words, capacity);
    if (strcmp(name, "SLA_RING_SLOTS") == 0) return ring_slots_problem(value, words, capacity);
    return 0;
}
