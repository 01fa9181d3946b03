/* Every marker from C11; prints how many marker arguments were evaluated (none when compiled out). */
#include <sla/marker.h>
#include <stdio.h>

SLA_CHANNEL(work, "outside.work");
SLA_CHANNEL(note, "outside.note");
SLA_CHANNEL_WITH(exact, "outside.exact", "", SLA_DROP_NEWEST, 0, SLA_RDTSCP);

static int evaluated;
static int count(int value) {
    ++evaluated;
    return value;
}

static void span_to_the_end_of_the_scope(void) {
    SLA_SPAN(work);
    SLA_SPAN(work, count(4));
    SLA_TICK(work);
}

int main(void) {
    (void)sla_channel_prepare(work);
    SLA_BEGIN(work);
    SLA_BEGIN(work, count(1));
    SLA_TICK(work, count(2));
    SLA_END(work);
    SLA_END(work, count(3));
    span_to_the_end_of_the_scope();
    SLA_LEVEL(work, count(1));
    SLA_VALUE(work, count(5));
    SLA_VALUE(work, 2.5);
    SLA_TEXT(note, "done");
    SLA_TICK(exact, count(6));
    (void)count;
    printf("c11 %d\n", evaluated);
    return 0;
}
