/* A marked program that makes nearly no call of its own: what fails in it is the marker library's. Marks for a tenth of a
 * second on two channels, then says how many events it made, how many of them while no agent listened, and of how many it
 * cannot know, since an agent came or went meanwhile. */
#include <sla/marker.h>

#include <stdio.h>
#include <time.h>

SLA_CHANNEL(first, "fault.first");
SLA_CHANNEL(second, "fault.second");

int main(void) {
    enum { ROUNDS = 60, EACH = 20 };
    const struct timespec pause = {0, 1500000};
    unsigned long made = 0;
    unsigned long unheard = 0;
    unsigned long unsure = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < EACH; i++) {
            sla_channel* channel = i % 2 ? second : first;
            const int before = sla_on(channel);
            SLA_VALUE(channel, made);
            const int after = sla_on(channel);
            unheard += !before && !after;
            unsure += before != after;
            made++;
        }
        nanosleep(&pause, NULL);
    }
    printf("offered %lu unheard %lu unsure %lu\n", made, unheard, unsure);
    return fflush(stdout) == 0 ? 0 : 1;
}
