#include "viewer/cli/counters/marked_sections.h"

#include "proto/wire/glob.h"
#include "viewer/ingest/open.h"
#include "viewer/store/session.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace sla::cli {

using counters::Event;

namespace {

using Pair = std::array<std::uint64_t, 2>;

// The counters at one end of a span; nothing: they could not be read there.
std::optional<Pair> counts_at(const store::Lane& lane, std::uint64_t row) {
    const auto code = lane[row].code;
    if (code != SLA_CODE_BEGIN_VALUE && code != SLA_CODE_END_VALUE) return std::nullopt;
    return Pair{lane[row].value, lane.details(row)[0]};
}

void add_lane(const store::Lane& lane, std::span<const Event> pair, counters::SectionTable& table) {
    const std::string& section = lane.channel().name;
    std::map<std::uint32_t, std::vector<std::optional<Pair>>> open;  // by thread, the innermost last
    std::uint64_t unknown = 0;
    for (std::uint64_t row = 0; row < lane.size(); ++row) {
        const wire::Kind kind = lane[row].kind();
        auto& begins = open[lane.thread(row)];
        if (kind == wire::Kind::kGap) {
            unknown += begins.size();
            begins.clear();
        } else if (kind == wire::Kind::kBegin) {
            begins.push_back(counts_at(lane, row));
        } else if (kind == wire::Kind::kEnd && !begins.empty()) {
            const std::optional<Pair> before = begins.back();
            const std::optional<Pair> after = counts_at(lane, row);
            begins.pop_back();
            if (!before || !after) {
                ++unknown;
                continue;
            }
            for (std::size_t i = 0; i < pair.size(); ++i) table.add(section, pair[i], (*after)[i] - (*before)[i]);
        }
    }
    if (unknown > 0) table.note(section, std::to_string(unknown) + " without counters at both ends, or lost");
}

}  // namespace

bool is_read_by_markers(const Event& event) {
    constexpr std::array kRead{"cycles",      "instructions",  "cache-references", "cache-misses",
                               "branches",    "branch-misses", "ref-cycles",       "task-clock",
                               "page-faults", "minor-faults",  "major-faults",     "context-switches"};
    return event.world == counters::World::kHost &&
           (std::find(kRead.begin(), kRead.end(), event.word) != kRead.end() || event.is_raw());
}

std::string marker_counters(std::span<const Event> pair) {
    return pair.front().word + "," + pair.back().word;
}

Result<void> add_marked_sections(const std::string& capture, const std::vector<std::string>& channels,
                                 std::span<const Event> pair, counters::SectionTable& table) {
    store::Session session;
    if (auto loaded = ingest::load(capture, session); !loaded.ok()) return loaded;
    for (const store::Lane* lane : session.lanes()) {
        const std::string& name = lane->channel().name;
        const bool wanted = std::any_of(channels.begin(), channels.end(),
                                        [&](const std::string& glob) { return wire::glob_match(glob, name); });
        if (wanted) add_lane(*lane, pair, table);
    }
    return {};
}

}  // namespace sla::cli
