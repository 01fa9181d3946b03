#include "shared.h"

#include <sla/marker.h>

namespace {

SLA_CHANNEL(inside, "outside.shared");

int evaluated = 0;
[[maybe_unused]] int count(int value) {
    ++evaluated;
    return value;
}

}  // namespace

int mark_in_shared_object() {
    SLA_SPAN(inside, count(1));
    SLA_TICK(inside, count(2));
    SLA_LEVEL(inside, count(1) != 0);
    SLA_TEXT(inside, "from a shared object");
    return evaluated;
}
