/* All markers, with arguments of the types that people give them, in C and in C++: compiled with all warnings. */
#include <sla/count.h>
#include <sla/marker.h>
#include <sla/moment.h>

SLA_CHANNEL(plain, "user.plain");
SLA_CHANNEL_WITH(ring, "user.ring", "", SLA_OVERWRITE, 4096);
SLA_CHANNEL_WITH(ordered, "user.ordered", "x86.port", SLA_DROP_NEWEST, 0, SLA_RDTSCP);

enum user_state { user_idle, user_busy };

struct user_flags {
    unsigned bits : 3;
};

struct user_numbers {
    int i;
    unsigned u;
    long l;
    unsigned long ul;
    short s;
    unsigned char c;
    float f;
    double d;
    long double ld;
    uint64_t u64;
    int64_t i64;
    enum user_state state;
    struct user_flags flags;
    const char* text;
};

// Two of them on one line.
#define USER_SPANS() \
    SLA_SPAN(plain); \
    SLA_SPAN(ring, 1)

int user_marks(const struct user_numbers* of);
int user_marks(const struct user_numbers* of) {
    sla_channel* opened = sla_channel_open("user.opened");
    SLA_SPAN(plain);
    SLA_SPAN(ring, of->i);
    USER_SPANS();
    SLA_TICK(plain);
    SLA_TICK(opened, of->i);
    SLA_TICK(ring, of->u);
    SLA_TICK(ring, of->ul);
    SLA_TICK(ring, of->u64);
    SLA_TICK(ring, of->i64);
    SLA_TICK(ring, of->s);
    SLA_TICK(ring, of->c);
    SLA_TICK(ring, of->d);
    SLA_TICK(ring, of->state);
    SLA_TICK(ring, of->flags.bits);
    SLA_TICK(ring, of->text);
    SLA_TICK(ring, &user_marks);
    SLA_BEGIN(ordered);
    SLA_END(ordered);
    SLA_BEGIN(ordered, of->l);
    SLA_END(ordered, of->i == 3);
    SLA_LEVEL(plain, of->i);
    SLA_LEVEL(plain, of->i > 2);
    SLA_LEVEL(plain, of->flags.bits);
    SLA_LEVEL(plain, of->text);
    SLA_VALUE(plain, of->i);
    SLA_VALUE(plain, of->u);
    SLA_VALUE(plain, of->l);
    SLA_VALUE(plain, of->ul);
    SLA_VALUE(plain, of->u64);
    SLA_VALUE(plain, of->s);
    SLA_VALUE(plain, of->c);
    SLA_VALUE(plain, of->f);
    SLA_VALUE(plain, of->d);
    SLA_VALUE(plain, of->ld);
    SLA_VALUE(plain, of->i > 2);
    SLA_VALUE(plain, of->state);
    SLA_TEXT(plain, "text");
    SLA_TEXT(plain, of->text);
    SLA_COUNT(plain);
    SLA_COUNT_BEGIN(plain);
    SLA_COUNT_END(plain);
    sla_record(plain, SLA_CODE_TICK_VALUE, of->u64);
    sla_record_wide(ring, SLA_CODE_TICK_VALUE, of->u64, 1, of->u64);
    sla_record_at(ring, SLA_CODE_TICK_VALUE, sla_now(), of->u64, 1, 2);
    sla_text(plain, of->text);
    sla_text_bytes(plain, of->text, 3);
    sla_count(plain);
    sla_count_begin(plain);
    sla_count_end(plain);
#ifndef SLA_DISABLE
    const struct sla_event moment[] = {{plain, SLA_CODE_TICK_VALUE, of->u64, 1, 2, SLA_WIDTH_PLAIN},
                                       {opened, SLA_CODE_BEGIN, 0, 0, 0, SLA_WIDTH_WIDE}};
    sla_record_moment(moment, 2, 0);
#endif
    return sla_channel_prepare(opened);
}
