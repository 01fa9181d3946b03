// What only C++ gives a marker: objects that convert to numbers, enumerators of their own type, templates.
#include "tests/unit/agent/marker/all_macros.c"

#include <atomic>

namespace {

enum class Color : unsigned char { kRed };

struct Limits {
    static const int kMost = 5;  // declared, and nowhere defined: a reference to it does not link
};
struct Handle {
    explicit operator uint64_t() const { return 3; }
};
struct Loose {
    operator int() { return 3; }
};

template <typename T>
T marked(T value) {
    SLA_TICK(plain, value);
    SLA_SPAN(plain, value);
    SLA_VALUE(plain, value);
    return value;
}

}  // namespace

int user_marks_more(std::atomic<int>& counted, bool truth);
int user_marks_more(std::atomic<int>& counted, bool truth) {
    const Handle handle;
    Loose loose;
    static_cast<void>(handle);
    static_cast<void>(loose);
    SLA_TICK(plain, Color::kRed);
    SLA_VALUE(plain, Color::kRed);
    SLA_TICK(plain, counted);
    SLA_TICK(plain, Limits::kMost);
    SLA_VALUE(plain, Limits::kMost);
    SLA_TICK(plain, handle);
    SLA_TICK(plain, loose);
    SLA_TICK(plain, Loose());
    SLA_TICK(plain, truth);
    SLA_VALUE(plain, truth);
    SLA_TICK(plain, nullptr);
    truth ? SLA_TICK(plain) : SLA_TICK(plain, 3);
    return static_cast<int>(marked(3UL) + marked(3U)) + static_cast<int>(marked(2.5F));
}
