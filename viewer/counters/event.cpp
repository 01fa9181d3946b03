#include "viewer/counters/event.h"

#include "proto/base/text.h"

#include <linux/perf_event.h>

#include <algorithm>
#include <optional>

namespace sla::counters {

namespace {

struct HostEvent {
    const char* word;
    std::uint32_t type;
    std::uint64_t config;
    const char* meaning;
};

constexpr std::uint64_t cache(std::uint64_t which, std::uint64_t operation, std::uint64_t result) {
    return which | operation << 8 | result << 16;
}

constexpr std::uint64_t kRead = PERF_COUNT_HW_CACHE_OP_READ;
constexpr std::uint64_t kAccess = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
constexpr std::uint64_t kMiss = PERF_COUNT_HW_CACHE_RESULT_MISS;

// perf_event_open(2) has their definitions.
constexpr HostEvent kHostEvents[] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, "clocks of the core, at its present speed"},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, "instructions retired"},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, "clocks at the nominal speed"},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "branches retired"},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, "branches predicted wrongly"},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, "accesses to the last cache"},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, "accesses the last cache could not answer"},
    {"stalled-front", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, "clocks without instructions to issue"},
    {"stalled-back", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, "clocks waiting for data or units"},
    {"l1d-reads", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_L1D, kRead, kAccess), "reads of the first data cache"},
    {"l1d-read-misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_L1D, kRead, kMiss), "those it could not answer"},
    {"l1i-read-misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_L1I, kRead, kMiss), "misses of the code cache"},
    {"dtlb-read-misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_DTLB, kRead, kMiss), "misses of the data TLB"},
    {"itlb-read-misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_ITLB, kRead, kMiss), "misses of the code TLB"},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, "ns on a processor"},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, "page faults"},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, "page faults without a read from a disk"},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, "page faults with one"},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, "switches to another task"},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, "moves to another processor"},
    {"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS, "misaligned accesses the kernel mended"},
    {"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS, "instructions the kernel emulated"},
};

Event made(const HostEvent& found) {
    return {World::kHost, found.word, found.meaning, 0, found.type, found.config};
}

Event made(const common::PentiumEvent& found) {
    return {World::kPentium, std::string(found.word), std::string(found.name), found.select, 0, 0};
}

std::optional<Event> find_host(std::string_view word) {
    const auto* found = std::find_if(std::begin(kHostEvents), std::end(kHostEvents),
                                     [word](const HostEvent& event) { return word == event.word; });
    if (found != std::end(kHostEvents)) return made(*found);
    if (word.size() < 2 || word[0] != 'r') return std::nullopt;
    constexpr int kHexadecimal = 16;
    const auto number = whole_number<std::uint64_t>(word.substr(1), kHexadecimal);
    if (!number) return std::nullopt;
    return Event{World::kHost, std::string(word), "the processor's own number", 0, PERF_TYPE_RAW, *number};
}

std::optional<Event> find_event(World world, std::string_view word) {
    if (world == World::kHost) return find_host(word);
    const common::PentiumEvent* found = common::find_pentium_event(word);
    return found == nullptr ? std::nullopt : std::optional(made(*found));
}

void add_once(std::vector<Event>& out, Event event) {
    if (std::find(out.begin(), out.end(), event) == out.end()) out.push_back(std::move(event));
}

}  // namespace

std::string Event::name() const {
    return (world == World::kHost ? "host:" : "pentium:") + word;
}

bool Event::is_software() const {
    return world == World::kHost && type == PERF_TYPE_SOFTWARE;
}

bool Event::is_raw() const {
    return world == World::kHost && type == PERF_TYPE_RAW;
}

std::vector<Event> events_of(World world) {
    std::vector<Event> out;
    if (world == World::kHost) {
        for (const HostEvent& event : kHostEvents) out.push_back(made(event));
    } else {
        for (const common::PentiumEvent& event : common::pentium_events()) out.push_back(made(event));
    }
    return out;
}

Result<std::vector<Event>> parse_events(std::string_view list, World usual) {
    std::vector<Event> out;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        const std::string_view typed = list.substr(at, comma - at);
        at = comma + 1;
        std::string_view word = typed;
        World world = usual;
        for (const auto& [prefix, of] : {std::pair("host:", World::kHost), std::pair("pentium:", World::kPentium)}) {
            if (!word.starts_with(prefix)) continue;
            word.remove_prefix(std::string_view(prefix).size());
            world = of;
        }
        if (word == "all") {
            for (Event& event : events_of(world)) add_once(out, std::move(event));
            continue;
        }
        auto found = find_event(world, word);
        if (!found) {
            const auto other = find_event(world == World::kHost ? World::kPentium : World::kHost, word);
            return invalid_input("--events: there is no event '" + std::string(typed) +
                                 (other && !other->is_raw() ? "' of this world; do you mean " + other->name() + "?"
                                                            : "'; `sla counters list` has them all"));
        }
        add_once(out, std::move(*found));
    }
    return out;
}

}  // namespace sla::counters
