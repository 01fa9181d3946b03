// What the kernel writes for our perf events: samples, losses, and programs that took another name.
//
//   perf_event_mmap_page │ data: ... tail ─► record │ record │ ... ─► head          records wrap around the end
//
// Every event of ours asks for the same sample: id, ip, pid and tid, time, address, cpu. Source: perf_event_open(2). The
// bytes are the kernel's; a record that breaks its own rules ends the reading of what is there.
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sla::linux {

inline constexpr std::uint64_t kPerfSampleType =
    PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU;

struct PerfRecord {
    enum class Kind : std::uint8_t { kOther, kSample, kLost, kRenamed };
    Kind kind = Kind::kOther;
    std::uint64_t id = 0;  // which of our events
    std::uint64_t ip = 0;
    std::uint64_t time_ns = 0;  // CLOCK_MONOTONIC_RAW
    std::uint64_t address = 0;
    std::uint64_t lost = 0;
    pid_t pid = 0;
    pid_t tid = 0;
    std::uint32_t cpu = 0;
};

// What stands behind the header of a record.
PerfRecord parse_perf_record(std::uint32_t type, std::span<const std::byte> body);

// Gives every record from *tail up to `head` and moves *tail behind them. `ring`: the data, a power of two of bytes;
// `buffer` is kept between calls. False: a record was damaged, and what stood behind it is skipped.
bool read_perf_records(std::span<const std::byte> ring, std::uint64_t* tail, std::uint64_t head,
                       std::vector<std::byte>& buffer, const std::function<void(const PerfRecord&)>& visit);

}  // namespace sla::linux
