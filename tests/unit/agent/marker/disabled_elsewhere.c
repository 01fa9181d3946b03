/* Compiled for a processor that has no markers: with SLA_DISABLE a program is the same there as without them. */
#include <sla/marker.h>
#include <sla/moment.h>

SLA_CHANNEL(work, "test.work");
SLA_CHANNEL_WITH(exact, "test.exact", "", SLA_DROP_NEWEST, 0, SLA_RDTSCP);

int work_on(int number);
int work_on(int number) {
    SLA_SPAN(work, number);
    SLA_TICK(work);
    SLA_TICK(work, number);
    SLA_BEGIN(exact, number);
    SLA_END(exact);
    SLA_LEVEL(work, number > 0);
    SLA_VALUE(work, number);
    SLA_VALUE(work, 1.5);
    SLA_TEXT(work, "a word");
    return sla_channel_prepare(work);
}
