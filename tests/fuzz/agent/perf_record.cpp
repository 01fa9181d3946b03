// Any bytes as the kernel's ring of perf records, wherever it starts and ends, and as the text of a process's map and of the
// kernel's symbols: nothing is read outside, the tail arrives at the head, and mappings are never upside down.
#include "agent/linux/perf/perf_record.h"
#include "agent/linux/symbols/process_symbols.h"
#include "proto/base/check.h"

#include <algorithm>
#include <cstring>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sla::linux;
    constexpr std::size_t kRing = 1024;
    std::vector<std::byte> ring(kRing);
    std::memcpy(ring.data(), data, std::min(size, kRing));
    std::uint64_t tail = size * 7;
    const std::uint64_t head = tail + std::min(size, kRing + 1);
    std::vector<std::byte> buffer;
    std::size_t records = 0;
    read_perf_records(ring, &tail, head, buffer, [&](const PerfRecord&) { records++; });
    SLA_CHECK(tail == head);
    SLA_CHECK(records <= kRing / sizeof(perf_event_header));
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const Mapping& mapping : parse_mappings(text)) SLA_CHECK(mapping.begin < mapping.end);
    for (const Function& function : parse_kernel_symbols(text)) SLA_CHECK(function.address != 0);
    return 0;
}
