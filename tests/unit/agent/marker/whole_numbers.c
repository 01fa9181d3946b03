/* What SLA_TICK, SLA_BEGIN, SLA_END and SLA_SPAN take as a value, in C and in C++; with DECIMALS what they refuse. */
#include <sla/marker.h>

#ifdef __cplusplus
#include <atomic>
#endif

SLA_CHANNEL(rx, "net.rx");

enum state { kIdle, kBusy };
struct __attribute__((packed)) header {
    char kind;
    int length;
    unsigned flags : 3;
};

#ifdef __cplusplus
enum class Color { kRed };
struct Limits {
    static const int kMost = 3;  // declared only: nothing may refer to it
};
struct Handle {
    Handle(const Handle&) = delete;
    explicit operator uint64_t() const { return 1; }
};
template <typename Number>
void mark_number(const Number& number) {
    SLA_TICK(rx, number);
    SLA_SPAN(rx, number);
}
void mark_more(const std::atomic<int>& depth, const Handle& handle);
void mark_more(const std::atomic<int>& depth, const Handle& handle) {
    SLA_TICK(rx, depth);
    SLA_TICK(rx, handle);
    SLA_TICK(rx, Color::kRed);
    SLA_TICK(rx, Limits::kMost);
    SLA_TICK(rx, [&] { return depth + 1; }());
    mark_number(5);
    mark_number(Color::kRed);
}
#endif

void mark_all(const struct header* header, enum state state, const volatile long* counter, void* memory, double seconds);
void mark_all(const struct header* header, enum state state, const volatile long* counter, void* memory, double seconds) {
#ifdef DECIMALS
    DECIMALS(rx, seconds);
#else
    SLA_TICK(rx, header->length);
    SLA_TICK(rx, header->flags);
    SLA_TICK(rx, header->kind);
    SLA_BEGIN(rx, state);
    SLA_END(rx, kBusy);
    SLA_TICK(rx, state == kIdle);
    SLA_TICK(rx, *counter);
    SLA_TICK(rx, memory);
    SLA_TICK(rx, sizeof *header);
    SLA_SPAN(rx, 5u);
    SLA_SPAN(rx);
    SLA_TICK(rx, (int64_t)(seconds * 1e6));
    SLA_VALUE(rx, seconds);
    if (memory)
        SLA_TICK(rx, 1);
    else
        SLA_END(rx, 2);
#endif
    (void)header, (void)state, (void)counter, (void)memory, (void)seconds;
}
