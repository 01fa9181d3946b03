#include "agent/linux/perf/perf_selection.h"

#include "proto/base/text.h"
#include "proto/time/duration.h"

#include <linux/perf_event.h>

#include <array>

namespace sla::linux {
namespace {

struct NamedEvent {
    std::string_view name;
    std::uint32_t type;
    std::uint64_t config;
    std::uint64_t every;  // when nothing is said
};

constexpr std::string_view kTime = "time";
constexpr std::uint64_t kMinPeriodNs = 10'000;

constexpr std::array<NamedEvent, 11> kEvents = {{
    {kTime, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 1'000'000},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 1},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, 1},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, 1},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 1'000'000},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 1'000'000},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, 10'000},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, 10'000},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 100'000},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, 10'000},
}};

Result<void> set_period(SampleRequest& request, const std::string& every) {
    if (request.name == kTime) {
        const auto ps = time::parse_duration(every);
        if (!ps) return invalid_input("--sample time:" + every + ": " + ps.error().message);
        if (*ps / 1000 < static_cast<std::int64_t>(kMinPeriodNs))
            return invalid_input("--sample time:" + every + ": the kernel's timer does no better than 10us");
        request.every = static_cast<std::uint64_t>(*ps / 1000);
        return {};
    }
    request.every = whole_number<std::uint64_t>(every).value_or(0);
    if (request.every == 0) return invalid_input("--sample " + request.name + ":" + every + ": that is no number of events");
    return {};
}

}  // namespace

std::string sample_names() {
    std::string names;
    for (const NamedEvent& event : kEvents) names += std::string(event.name) + ", ";
    return names + "raw-HEX";
}

Result<WatchRequest> parse_watch(const std::string& typed) {
    WatchRequest request;
    const std::size_t first = typed.find(':');
    const std::uint64_t pid = whole_number<std::uint64_t>(std::string_view(typed).substr(0, first)).value_or(0);
    if (first == std::string::npos || pid == 0 || pid > 0x7fffffff)
        return invalid_input("--watch " + typed + ": is not PID:SYMBOL, PID:SYMBOL:rw or PID:SYMBOL:x");
    request.pid = static_cast<pid_t>(pid);
    request.symbol = typed.substr(first + 1);
    const std::size_t last = request.symbol.rfind(':');
    const bool is_scope = last != std::string::npos && last > 0 && request.symbol[last - 1] == ':';  // C++'s ns::name
    if (last != std::string::npos && !is_scope) {
        const std::string access = request.symbol.substr(last + 1);
        request.symbol.resize(last);
        if (access == "rw") {
            request.access = WatchedAccess::kReadWrite;
        } else if (access == "x") {
            request.access = WatchedAccess::kExecute;
        } else if (access != "w") {
            return invalid_input(
                "--watch " + typed + ": '" + access +
                "' is no access; there are w (writes), rw (both; the processor knows no reads alone) and x");
        }
    }
    if (request.symbol.empty()) return invalid_input("--watch " + typed + ": names no symbol");
    return request;
}

Result<SampleRequest> parse_sample(const std::string& typed) {
    constexpr std::string_view kRaw = "raw-";
    SampleRequest request;
    const std::size_t colon = typed.find(':');
    request.name = typed.substr(0, colon);
    bool known = false;
    for (const NamedEvent& event : kEvents) {
        if (event.name != request.name) continue;
        request.type = event.type;
        request.config = event.config;
        request.every = event.every;
        known = true;
    }
    const std::string_view raw = request.name.starts_with(kRaw) ? std::string_view(request.name).substr(kRaw.size()) : "";
    if (const auto number = whole_number<std::uint64_t>(raw, 16)) {
        request.type = PERF_TYPE_RAW;
        request.config = *number;
        request.every = 1'000'000;
        known = true;
    }
    if (!known) return invalid_input("--sample " + typed + ": there are " + sample_names());
    if (colon == std::string::npos) return request;
    if (Result<void> set = set_period(request, typed.substr(colon + 1)); !set) return set.error();
    return request;
}

}  // namespace sla::linux
