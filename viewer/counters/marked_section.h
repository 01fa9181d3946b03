// A section of a marked program: the spans that SLA_COUNT_BEGIN and SLA_COUNT_END (<sla/count.h>) put on a channel, with two
// counters at both ends. Fed with the channel's rows as they come.
//
//   lane ─ rows not taken yet ─► pairs begin and end by thread, innermost first ─► a value of each counter into the table
//
// One owner, one thread; the same as the session's.
#pragma once

#include "viewer/counters/section_table.h"
#include "viewer/store/lane.h"

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sla::counters {

// The marker library can read it.
bool is_read_by_markers(const Event& event);
// Which two a process that runs was asked to read (SLA_COUNTERS in its environment, else cycles and instructions).
Result<std::vector<Event>> marker_events_of(pid_t process);
// The same of an environment as the kernel shows it: NAME=VALUE, each ended by a zero byte. What the marker library does not take
// for two is an error.
Result<std::vector<Event>> marker_events_in(std::string_view environment);

class MarkedSection {
public:
    // `pair`: the counters, one or two, in the order in which markers read them. Rows before `first` are of no interest.
    explicit MarkedSection(std::vector<Event> pair, std::uint64_t first = 0) : pair_(std::move(pair)), next_(first) {}

    // The lane's rows from the last one taken on, at most so many. A span that has no counters at an end, or lost one, is not
    // counted, and the rows' notes say how many.
    void take(const store::Lane& lane, SectionTable& table, std::uint64_t most_rows);
    // No rows come any more: those that are open did not end.
    void finish(SectionTable& table);
    [[nodiscard]] const std::vector<Event>& events() const { return pair_; }

private:
    using Counters = std::optional<std::array<std::uint64_t, 2>>;  // nothing: they could not be read there

    void take_row(const store::Lane& lane, std::uint64_t row, SectionTable& table);
    void note_missed(std::uint64_t spans, const char* why, SectionTable& table) const;
    void take_loss(const store::Lane& lane, std::uint64_t row);
    [[nodiscard]] bool is_in_loss(std::uint32_t thread, std::uint64_t tick) const;

    std::vector<Event> pair_;
    std::uint64_t next_;
    const store::Lane* lane_ = nullptr;  // that next_ is about; another one, with older rows, may go on from last_tick_
    std::uint64_t last_tick_ = 0;
    std::map<std::uint32_t, std::vector<Counters>> open_;  // by thread, the innermost last
    std::map<std::uint32_t, std::uint64_t> lost_until_;    // by thread; 0: nobody knows whose
    std::uint64_t unknown_ = 0;                            // since the last note
};

}  // namespace sla::counters
