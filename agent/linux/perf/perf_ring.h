// The ring of one perf event, shared with the kernel: a page of positions and the records behind it. One owner thread.
#pragma once

#include "agent/linux/perf/perf_record.h"
#include "proto/base/result.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace sla::linux {

class PerfRing {
public:
    // Other events of the same CPU may be sent here too (PERF_EVENT_IOC_SET_OUTPUT). `fd` must live at least as long.
    static Result<PerfRing> map(int fd);
    ~PerfRing();
    PerfRing(PerfRing&& other) noexcept;
    PerfRing& operator=(PerfRing&&) = delete;

    // Gives every record that is there. False: there were damaged ones.
    bool drain(const std::function<void(const PerfRecord&)>& visit);

private:
    explicit PerfRing(std::byte* base) : base_(base) {}
    std::byte* base_;  // of the mapping
    std::vector<std::byte> buffer_;
};

}  // namespace sla::linux
