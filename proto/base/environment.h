/* Variables of the environment whose value may mean nothing. Who reads such a value goes on as if it were not set; who is asked
 * (a program with SLA_DEBUG, `sla doctor`, the agent's log) says so in these words. C, so that the marker library can use it too;
 * no allocation, and reads no environment. */
#ifndef SLA_PROTO_BASE_ENVIRONMENT_H
#define SLA_PROTO_BASE_ENVIRONMENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SLA_FEWEST_RING_SLOTS UINT64_C(2)
#define SLA_MOST_RING_SLOTS (UINT64_C(1) << 24)

/* A value of $SLA_RING_SLOTS, within a ring's bounds; 0: not set, or no number of slots. */
uint64_t sla_ring_slots_from(const char* value);

/* What is wrong with a value of SLA_RING_SLOTS or SLA_CLOCK: writes words and returns 1. 0, and no words: nothing, or it is not
 * set (NULL or ""), or the variable is another one. */
int sla_variable_problem(const char* name, const char* value, char* words, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
