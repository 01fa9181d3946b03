#define _GNU_SOURCE
#include "agent/marker/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Channels named at run time, never freed: markers keep pointers to them. */
struct opened {
    sla_channel channel;
    struct opened* next;
    char text[]; /* name, NUL, format, NUL */
};

enum { BUCKETS = 1024 };
static struct opened* opened_by_name[BUCKETS]; /* under the registry lock */

/* What callers get when there is no memory for one more name: usable, and its losses are counted like any other's. */
static sla_channel out_of_memory = {
    .name = "sla.out-of-memory", .format = "", .direct = SLA_DIRECT_NOBODY, .armed = SLA_ARMED_ON};

static struct opened** bucket_of(const char* name) {
    return &opened_by_name[sla_hash_name(name) % BUCKETS];
}

static sla_channel* find(const char* name) {
    for (struct opened* at = *bucket_of(name); at; at = at->next) {
        if (strcmp(at->channel.name, name) == 0) return &at->channel;
    }
    return NULL;
}

static struct opened* make(const char* name, const char* format, enum sla_policy policy, uint32_t capacity,
                           enum sla_stamping stamping) {
    size_t name_bytes = strlen(name) + 1;
    size_t format_bytes = strlen(format) + 1;
    void* memory;
    if (posix_memalign(&memory, _Alignof(struct opened), sizeof(struct opened) + name_bytes + format_bytes) != 0)
        return NULL;
    struct opened* opened = memory;
    memset(opened, 0, sizeof *opened);
    memcpy(opened->text, name, name_bytes);
    memcpy(opened->text + name_bytes, format, format_bytes);
    opened->channel.name = opened->text;
    opened->channel.format = opened->text + name_bytes;
    opened->channel.direct = SLA_DIRECT_NOBODY;
    opened->channel.armed = SLA_ARMED_ON;
    opened->channel.policy = policy;
    opened->channel.capacity = capacity;
    opened->channel.stamping = (uint16_t)stamping;
    return opened;
}

sla_channel* sla_channel_open_stamped(const char* name, const char* format, enum sla_policy policy, uint32_t capacity,
                                      enum sla_stamping stamping) {
    const int errno_before = errno;
    if (!name) name = "";
    struct opened* fresh =
        make(name, format ? format : "", policy, capacity, stamping); /* before the lock: malloc has locks too */
    struct sla_locked locked = sla_lock();
    sla_channel* channel = find(name);
    if (!channel && fresh) {
        struct opened** bucket = bucket_of(name);
        fresh->next = *bucket;
        *bucket = fresh;
        channel = &fresh->channel;
        fresh = NULL;
    }
    sla_unlock(&locked);
    free(fresh);
    errno = errno_before;
    return channel ? channel : &out_of_memory;
}

sla_channel* sla_channel_open_with(const char* name, const char* format, enum sla_policy policy, uint32_t capacity) {
    return sla_channel_open_stamped(name, format, policy, capacity, SLA_RDTSC);
}

sla_channel* sla_channel_open(const char* name) {
    return sla_channel_open_with(name, "", SLA_DROP_NEWEST, 0);
}
