#include "tests/bench/marker/marked_object.h"

#include <sla/marker.h>

SLA_CHANNEL(shared_channel, "bench.shared");

namespace sla::bench {

void mark_in_shared_object(int times) {
    for (int i = 0; i < times; i++) SLA_TICK(shared_channel, i);
}

}  // namespace sla::bench
