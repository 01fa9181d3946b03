#include "shared.h"

#include <sla/marker.h>

#include <cstdint>
#include <cstdio>
#include <thread>

namespace {

SLA_CHANNEL(work, "outside.work");
SLA_CHANNEL_WITH(exact, "outside.exact", "", SLA_OVERWRITE, 1024, SLA_LFENCE_RDTSC);

int evaluated = 0;
[[maybe_unused]] double count(double value) {
    ++evaluated;
    return value;
}

}  // namespace

int main() {
    std::thread other([] {
        static_cast<void>(sla_channel_prepare(work));
        SLA_BEGIN(work);
        SLA_VALUE(work, count(2.5));
        SLA_END(work, count(1));
    });
    other.join();
    const int in_shared_object = mark_in_shared_object();
    SLA_TICK(work, count(3));
    SLA_SPAN(exact, static_cast<std::uint64_t>(count(4)));
    std::printf("program %d, shared object %d\n", evaluated, in_shared_object);
}
