#include "viewer/formats/perfetto/perfetto_counters.h"

#include <bit>

namespace sla::formats {

namespace {

bool is_whole(const SinkEvent& event) {
    return event.code == SLA_CODE_VALUE_SIGNED;
}

std::int64_t whole(const SinkEvent& event) {
    return static_cast<std::int64_t>(event.value);
}

double real(const SinkEvent& event) {
    if (event.code == SLA_CODE_VALUE_FLOAT) return std::bit_cast<double>(event.value);
    return is_whole(event) ? static_cast<double>(whole(event)) : static_cast<double>(event.value);
}

void set_real(SinkEvent& event, double value) {
    event.code = SLA_CODE_VALUE_FLOAT;
    event.value = std::bit_cast<std::uint64_t>(value);
}

// Whole as long as they fit.
void add(SinkEvent& event, const SinkEvent& more) {
    std::int64_t sum = 0;
    if (is_whole(event) && is_whole(more) && !__builtin_add_overflow(whole(event), whole(more), &sum)) {
        event.value = static_cast<std::uint64_t>(sum);
    } else {
        set_real(event, real(event) + real(more));
    }
}

void multiply(SinkEvent& event, std::int64_t by) {
    std::int64_t product = 0;
    if (is_whole(event) && !__builtin_mul_overflow(whole(event), by, &product)) {
        event.value = static_cast<std::uint64_t>(product);
    } else {
        set_real(event, real(event) * static_cast<double>(by));
    }
}

}  // namespace

void PerfettoCounters::resolve(std::uint64_t track, const sla::perfetto::CounterDescriptor& counter, SinkEvent& event) {
    if (counter.is_incremental()) {
        const auto [sum, is_first] = sums_.try_emplace(track, event);
        if (!is_first) add(sum->second, event);
        event.code = sum->second.code;
        event.value = sum->second.value;
    }
    if (counter.unit_multiplier() > 1) multiply(event, counter.unit_multiplier());
}

}  // namespace sla::formats
