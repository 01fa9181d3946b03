// Any bytes as pages of the kernel's trace: records lie within their page, rows come in no worse order than the pages say,
// and every handler takes any record.
#include "agent/linux/events/translator.h"
#include "agent/linux/tracefs/trace_stream.h"
#include "proto/base/check.h"
#include "tests/unit/agent/linux/formats.h"
#include "tests/unit/agent/linux/recording_lanes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sla::linux;
    constexpr std::size_t kPage = 512;
    RecordingLanes sink;
    Translator translator(sink, {[](std::int32_t) { return std::string(); }, [](std::int32_t tid) { return tid; }});
    for (const EventFormat& format : {irq_entry(), irq_exit(), softirq_entry(), sys_enter(), sys_exit(), sched_switch(),
                                      kvm_pio(), kvm_exit(), kvm_entry()})
        translator.add_event(format);
    TraceStream stream;
    for (int cpu = 0; cpu < 2; cpu++) {
        stream.add(CpuReader(
            cpu,
            [&data, &size](std::byte* buffer, std::size_t bytes) -> long {
                const std::size_t count = std::min({bytes, size, kPage});
                std::copy_n(reinterpret_cast<const std::byte*>(data), count, buffer);
                data += count;
                size -= count;
                return static_cast<long>(count);
            },
            kPage));
    }
    for (int step = 0; step < 100 && !stream.fill(1'000'000'000, 4).drained; step++)
        stream.take(~std::uint64_t{0}, [&](int cpu, const auto& item) { translator.take(cpu, item); });
    stream.take(~std::uint64_t{0}, [&](int cpu, const auto& item) { translator.take(cpu, item); });
    for (const auto& row : sink.rows) SLA_CHECK(row.extra.text.size() <= SLA_TEXT_BYTES && !row.lane.empty());
    return 0;
}
