/* How the macros of <sla/marker.h> are made, in either language, and what is left of them with SLA_DISABLE. Programs include
 * that one.
 *
 *   SLA_TICK(rx, len) ──► code, value's bits ──► sla_mark (<sla/write.h>)
 *   SLA_SPAN(rx)      ──► the same as it begins, and at the end of the scope
 */
#ifndef SLA_MACROS_H
#define SLA_MACROS_H

#include <sla/write.h>

static inline uint64_t sla_double_bits(double number) {
    uint64_t bits;
    __builtin_memcpy(&bits, &number, sizeof bits);
    return bits;
}

#ifdef __x86_64__ /* as in <sla/write.h> */

#ifdef __cplusplus
namespace sla_detail {
inline void mark_value(sla_channel* channel, double number) noexcept {
    sla_mark(channel, SLA_CODE_VALUE_FLOAT, sla_double_bits(number));
}
inline void mark_value(sla_channel* channel, float number) noexcept {
    mark_value(channel, static_cast<double>(number));
}
inline void mark_value(sla_channel* channel, long double number) noexcept {
    mark_value(channel, static_cast<double>(number));
}
template <typename Number, bool IsEnum = __is_enum(Number)>
struct Whole {
    typedef Number type;
};
template <typename Number>
struct Whole<Number, true> {
    typedef __underlying_type(Number) type;
};
template <typename Number>
inline void mark_value(sla_channel* channel, Number number) noexcept {
    typedef typename Whole<Number>::type Integer;
    sla_mark(channel, static_cast<Integer>(-1) < static_cast<Integer>(1) ? SLA_CODE_VALUE_SIGNED : SLA_CODE_VALUE_UNSIGNED,
             static_cast<uint64_t>(number));
}
/* (uint64_t)(value) of what people give a marker: numbers and enumerators by value, bit-fields among them; addresses; objects
 * that convert to a number. */
template <typename Value>
struct Plain {
    enum { kIsObject = __is_class(Value) };
};
template <typename Value>
struct Plain<Value&> : Plain<Value> {};
template <bool Is>
struct When;
template <>
struct When<true> {
    typedef uint64_t type;
};
template <typename Value>
inline __attribute__((always_inline)) typename When<!Plain<Value>::kIsObject>::type bits_of(Value value) noexcept {
    return static_cast<uint64_t>(value);
}
template <typename Value>
inline __attribute__((always_inline)) typename When<Plain<Value>::kIsObject>::type bits_of(Value&& value) {
    return static_cast<uint64_t>(value);
}
template <typename Value>
inline __attribute__((always_inline)) uint64_t bits_of(Value* value) noexcept {
    return reinterpret_cast<uintptr_t>(value);
}
inline uint64_t bits_of(decltype(nullptr)) noexcept {
    return 0;
}
struct Span {
    sla_channel* channel;
    explicit Span(sla_channel* of) noexcept : channel(of) { sla_mark(of, SLA_CODE_BEGIN, 0); }
    Span(sla_channel* of, uint64_t id) noexcept : channel(of) { sla_mark(of, SLA_CODE_BEGIN_VALUE, id); }
    ~Span() { sla_mark(channel, SLA_CODE_END, 0); }
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;
};
}  // namespace sla_detail
#else
static inline void sla_span_leave(sla_channel** channel) {
    sla_mark(*channel, SLA_CODE_END, 0);
}
#endif

#endif /* __x86_64__ */

#define SLA_CONCAT_(a, b) a##b
#define SLA_CONCAT(a, b) SLA_CONCAT_(a, b)
#define SLA_PICK_(one, two, name, ...) name
#define SLA_FIRST_(one, ...) one
#define SLA_SECOND_(one, two, ...) two

#ifdef SLA_DISABLE

/* A name that needs no storage, wherever it stands; sizeof uses it, as it uses a channel in a variable of the program's. */
#define SLA_CHANNEL(variable, name) enum { variable }
#define SLA_CHANNEL_WITH(variable, name, format, policy, ...) enum { variable }
#define SLA_UNUSED_1_(channel) ((void)sizeof((void)(channel), 0))
#define SLA_UNUSED_2_(channel, value) ((void)sizeof((void)(channel), (void)(value), 0))
#define SLA_UNUSED_(...) SLA_PICK_(__VA_ARGS__, SLA_UNUSED_2_, SLA_UNUSED_1_, 0)(__VA_ARGS__)
#define SLA_TICK(...) SLA_UNUSED_(__VA_ARGS__)
#define SLA_BEGIN(...) SLA_UNUSED_(__VA_ARGS__)
#define SLA_END(...) SLA_UNUSED_(__VA_ARGS__)
#define SLA_SPAN(...) SLA_UNUSED_(__VA_ARGS__)
#define SLA_LEVEL(channel, on) SLA_UNUSED_2_(channel, on)
#define SLA_VALUE(channel, number) SLA_UNUSED_2_(channel, number)
#define SLA_TEXT(channel, string) SLA_UNUSED_2_(channel, string)
static inline int sla_nothing_to_prepare(void) {
    return 0;
}
#define sla_channel_prepare(channel) (SLA_UNUSED_1_(channel), sla_nothing_to_prepare())
/* Of functions that mark a channel too nothing is left: there is none to name. */
#define sla_record(channel, code, value) SLA_UNUSED_2_(channel, value)
#define sla_record_wide(channel, code, value, detail0, detail1) \
    ((void)sizeof((void)(channel), (void)(value), (void)(detail0), (void)(detail1), 0))
#define sla_record_at(channel, code, tick, value, detail0, detail1) \
    ((void)sizeof((void)(channel), (void)(tick), (void)(value), (void)(detail0), (void)(detail1), 0))
#define sla_text(channel, text) SLA_UNUSED_2_(channel, text)
#define sla_text_bytes(channel, text, bytes) ((void)sizeof((void)(channel), (void)(text), (void)(bytes), 0))

#else

/* An array of one, so that the variable and what sla_channel_open returns go into the macros alike. */
#define SLA_CHANNEL(variable, name) SLA_CHANNEL_WITH(variable, name, "", SLA_DROP_NEWEST, 0)
/* SLA_CHANNEL_WITH(variable, name, format, policy, capacity) or (..., capacity, stamping): see sla_channel_open_with and
 * sla_channel_open_stamped. */
#define SLA_CHANNEL_FIELDS_(name, format, policy, capacity, stamping) \
    name, format, SLA_DIRECT_NOBODY, 0, SLA_ARMED_ON, 0, policy, capacity, 0, 0, stamping, 0
#define SLA_CHANNEL_WITH(variable, name, format, policy, ...)                                                           \
    static sla_channel variable[1] __attribute__((unused)) = {                                                          \
        {SLA_CHANNEL_FIELDS_(name, format, policy, SLA_FIRST_(__VA_ARGS__, 0), SLA_SECOND_(__VA_ARGS__, SLA_RDTSC, 0)), \
         {0, 0, 0, SLA_NULL_, SLA_NULL_, 0},                                                                            \
         SLA_NULL_}};                                                                                                   \
    __attribute__((destructor)) static void sla_unload_##variable(void) {                                               \
        sla_channel_forget(variable);                                                                                   \
    }                                                                                                                   \
    struct sla_unload_of_##variable

#ifdef __cplusplus
#define SLA_BITS_(value) ::sla_detail::bits_of(value)
#else
#define SLA_BITS_(value) ((uint64_t)(value))
#endif

#define SLA_TICK_1_(channel) sla_mark(channel, SLA_CODE_TICK, 0)
#define SLA_TICK_2_(channel, value) sla_mark(channel, SLA_CODE_TICK_VALUE, SLA_BITS_(value))
#define SLA_TICK(...) SLA_PICK_(__VA_ARGS__, SLA_TICK_2_, SLA_TICK_1_, 0)(__VA_ARGS__)

#define SLA_BEGIN_1_(channel) sla_mark(channel, SLA_CODE_BEGIN, 0)
#define SLA_BEGIN_2_(channel, id) sla_mark(channel, SLA_CODE_BEGIN_VALUE, SLA_BITS_(id))
#define SLA_BEGIN(...) SLA_PICK_(__VA_ARGS__, SLA_BEGIN_2_, SLA_BEGIN_1_, 0)(__VA_ARGS__)

#define SLA_END_1_(channel) sla_mark(channel, SLA_CODE_END, 0)
#define SLA_END_2_(channel, value) sla_mark(channel, SLA_CODE_END_VALUE, SLA_BITS_(value))
#define SLA_END(...) SLA_PICK_(__VA_ARGS__, SLA_END_2_, SLA_END_1_, 0)(__VA_ARGS__)

#define SLA_LEVEL(channel, on) sla_mark(channel, SLA_CODE_LEVEL, (on) ? 1u : 0u)
#define SLA_TEXT(channel, string)                                                \
    do {                                                                         \
        sla_channel* sla_text_channel_ = (channel);                              \
        if (sla_on(sla_text_channel_)) sla_mark_text(sla_text_channel_, string); \
    } while (0)

#ifdef __cplusplus
#define SLA_SPAN_1_(channel) const ::sla_detail::Span SLA_CONCAT(sla_span_, __COUNTER__)(channel)
#define SLA_SPAN_2_(channel, id) const ::sla_detail::Span SLA_CONCAT(sla_span_, __COUNTER__)(channel, SLA_BITS_(id))
#define SLA_SPAN(...) SLA_PICK_(__VA_ARGS__, SLA_SPAN_2_, SLA_SPAN_1_, 0)(__VA_ARGS__)
#define SLA_VALUE(channel, number) ::sla_detail::mark_value(channel, number)
#else
#define SLA_SPAN_VARIABLE_(channel, id) \
    __attribute__((cleanup(sla_span_leave), unused)) sla_channel* SLA_CONCAT(sla_span_, id) = (channel)
#define SLA_SPAN_1_(channel)                  \
    SLA_SPAN_VARIABLE_(channel, __COUNTER__); \
    SLA_BEGIN_1_(channel)
#define SLA_SPAN_2_(channel, id)              \
    SLA_SPAN_VARIABLE_(channel, __COUNTER__); \
    SLA_BEGIN_2_(channel, id)
#define SLA_SPAN(...) SLA_PICK_(__VA_ARGS__, SLA_SPAN_2_, SLA_SPAN_1_, 0)(__VA_ARGS__)
#define SLA_VALUE_CODE_(number)                            \
    _Generic((number), float                               \
             : SLA_CODE_VALUE_FLOAT, double                \
             : SLA_CODE_VALUE_FLOAT, long double           \
             : SLA_CODE_VALUE_FLOAT, _Bool                 \
             : SLA_CODE_VALUE_UNSIGNED, unsigned char      \
             : SLA_CODE_VALUE_UNSIGNED, unsigned short     \
             : SLA_CODE_VALUE_UNSIGNED, unsigned           \
             : SLA_CODE_VALUE_UNSIGNED, unsigned long      \
             : SLA_CODE_VALUE_UNSIGNED, unsigned long long \
             : SLA_CODE_VALUE_UNSIGNED, default            \
             : SLA_CODE_VALUE_SIGNED)
#define SLA_VALUE_BITS_(number)                               \
    _Generic((number), float                                  \
             : sla_double_bits((double)(number)), double      \
             : sla_double_bits((double)(number)), long double \
             : sla_double_bits((double)(number)), default     \
             : (uint64_t)(number))
#define SLA_VALUE(channel, number) sla_mark(channel, SLA_VALUE_CODE_(number), SLA_VALUE_BITS_(number))
#endif

#endif /* SLA_DISABLE */

#endif
