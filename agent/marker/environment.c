/* The environment, read once a process: in its first attach, on the thread of its first marker, which the program orders
 * with its own setenv as it orders any other call. No other thread ever reads it. */
#define _GNU_SOURCE
#include "agent/marker/process.h"

#include "agent/marker/counter.h"
#include "proto/base/environment.h"
#include "proto/base/runtime_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sla_settings environment; /* under the registry lock until `read_it`; then nobody writes */
static bool read_it;

/* Nothing, where the program has more rights than who started it (set-uid, capabilities): an agent is trusted with the memory
 * of rings, and who starts the program is not to choose which agent. */
static void copy_variable(const char* name, char* to, size_t capacity) {
    const char* value = secure_getenv(name);
    snprintf(to, capacity, "%s", value ? value : "");
}

/* Once a process, for those who asked to be told. */
static void say_what_means_nothing(const char* slots) {
    char clock[48];
    char words[160];
    copy_variable("SLA_CLOCK", clock, sizeof clock); /* the agent's, but people set it for programs */
    if (sla_variable_problem("SLA_RING_SLOTS", slots, words, sizeof words)) sla_debug(words, 0);
    if (sla_variable_problem("SLA_CLOCK", clock, words, sizeof words)) sla_debug(words, 0);
    struct sla_counter_choice unused;
    if (!environment.counters[0] || sla_counter_choose(environment.counters, &unused)) return;
    snprintf(words, sizeof words, "SLA_COUNTERS=%.40s names no two counters: SLA_COUNT reads none", environment.counters);
    sla_debug(words, 0);
}

const struct sla_settings* sla_environment(void) {
    if (read_it) return &environment;
    char debug[4];
    char slots[48];
    copy_variable("SLA_RUNTIME_DIR", environment.runtime_dir, sizeof environment.runtime_dir);
    copy_variable("XDG_RUNTIME_DIR", environment.session_dir, sizeof environment.session_dir);
    copy_variable("SLA_COUNTERS", environment.counters, sizeof environment.counters);
    copy_variable("SLA_RING_SLOTS", slots, sizeof slots);
    copy_variable("SLA_DEBUG", debug, sizeof debug);
    environment.ring_slots = sla_ring_slots_from(slots);
    environment.debug = debug[0] != '\0' && strcmp(debug, "0") != 0;
    const char* preloaded = secure_getenv("LD_PRELOAD");
    environment.valgrind = preloaded && strstr(preloaded, "vgpreload_"); /* every tool of it has one of that name */
    read_it = true;
    if (environment.debug) say_what_means_nothing(slots);
    return &environment;
}

void sla_environment_forget_after_fork(void) {
    read_it = false;
}

int sla_agent_path(char* path, size_t capacity, const char* leaf) {
    const struct sla_settings* known = sla_environment();
    return sla_runtime_path_from(known->runtime_dir, known->session_dir, path, capacity, leaf);
}
