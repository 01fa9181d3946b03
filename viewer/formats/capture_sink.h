// CaptureSink: events from anywhere become a capture file. Names and the clock are written as they are learned; events
// may come somewhat out of order and are put right within a window of kWindowEvents, or of kHeldTextBytes of texts: late by
// about half of it they may be.
//
// The file appears under its name when it is whole; dropped before finish(), it leaves nothing.
// Memory is bounded by the window. One owner, one thread.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_writer.h"
#include "proto/time/clock_map.h"
#include "proto/wire/event.h"
#include "viewer/store/names.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sla::formats {

// What a file says of its clock, and the readings that say the same in a capture.
// Ticks must stay below 2^59.
struct SinkClock {
    std::uint64_t origin_tick = 0;
    double ticks_per_second = 1e9;
    double error_ppb = 0;
    std::int64_t realtime_ns = 0;                        // of the origin; 0: not known
    std::uint32_t stamp_ticks = 0;                       // what a stamp costs; 0: not known
    std::optional<time::SkewBound> skew = std::nullopt;  // of the cores that stamped, where they were compared
};

// Two readings so far apart that whole nanoseconds give the rate exactly; the second one's error carries the rate's.
std::vector<time::ClockSnapshot> snapshots_of(const SinkClock& clock);

struct SinkEvent {
    static constexpr std::uint64_t kUsualTurn = 1;

    std::uint64_t tick = 0;
    std::uint8_t code = SLA_CODE_TICK;
    std::uint64_t value = 0;
    std::uint32_t thread = 0;
    // Of the channel's events of one tick those of a lower turn come first; of one turn they stay as they were put.
    std::uint64_t turn = kUsualTurn;

    [[nodiscard]] bool is_before(const SinkEvent& other) const {
        return tick != other.tick ? tick < other.tick : turn < other.turn;
    }
};

// What a file may say of a source beside its name and process.
struct SourceFacts {
    std::string name;
    std::uint32_t pid = 0;
    store::SourceKind kind = store::SourceKind::kProgram;
    std::uint32_t clock_domain = 0;   // 0: the host's TSC
    std::uint32_t section_ticks = 0;  // what an empty section costs; 0: not measured
    bool ended = true;                // by the end of the file
    std::string command = {};         // empty: not known
};

// Of a row of a table: its kind's name (wire::kind_name) and whether it has a value, which has set the code where it is of a kind
// that comes in several ("value"). An error: there is no such kind, or it is one of "value" and "level", which are nothing
// without a value.
Result<void> set_kind(SinkEvent& event, std::string_view kind, bool has_value);

class CaptureSink {
public:
    static constexpr std::size_t kWindowEvents = std::size_t{1} << 21;
    static constexpr std::size_t kHeldTextBytes = std::size_t{64} << 20;

    // `what`: for people, as in "csv".
    static Result<CaptureSink> create(const std::string& path, const std::string& what);

    // Of a file that has no ticks of its own they are so many picoseconds each. Where it lasts too long for them its reader says so
    // and fails: it can be read again, with longer ones.
    void set_own_tick_ps(std::int64_t ps) { own_tick_ps_ = ps; }
    [[nodiscard]] std::int64_t own_tick_ps() const { return own_tick_ps_; }
    void say_too_long() { is_too_long_ = true; }
    [[nodiscard]] bool is_too_long() const { return is_too_long_; }

    // The last clock set before the first event is written out (the window fills) gives the origin; the last one of all the
    // rate.
    void set_clock(const SinkClock& clock);
    // Of the clock as it is set now.
    [[nodiscard]] const time::ClockMap& clock() const { return map_; }

    // Each of the source of that name and process, or of that name where none has both. Before sources are asked for; then once
    // more only where a part of the same capture follows: sources that go on as the part before ends may have ended by the end of
    // this one.
    void describe_sources(std::vector<SourceFacts> facts);
    // Picoseconds since the clock's origin: silence is known, too. Nothing for `from`: from there on. Before the first event.
    void set_known(std::optional<std::int64_t> from_ps, std::int64_t until_ps) { known_ = Known{from_ps, until_ps}; }
    // What was wrong with what it is made of, and when, if that is known.
    void add_damage(std::optional<std::int64_t> ps, std::string text);
    // Numbers for names; the same name gives the same number, of sources the same name and process.
    std::uint32_t source(std::string_view name, std::uint32_t pid = 0);
    // Names that are learned later; others may have the same.
    void rename_source(std::uint32_t source, std::string_view name, std::uint32_t pid);
    std::uint32_t thread(std::uint32_t source, std::string_view name, std::uint32_t tid);
    void rename_thread(std::uint32_t thread, std::uint32_t source, std::string_view name, std::uint32_t tid);
    // As tables write it: "name/tid", a number, or a name; 0 of an empty one.
    std::uint32_t thread_of_text(std::uint32_t source, std::string_view text);
    Result<std::uint32_t> channel(std::uint32_t source, std::string_view name, std::string_view format = "");
    void rename_channel(std::uint32_t channel, std::uint32_t source, std::string_view name);

    Result<void> put(std::uint32_t channel, const SinkEvent& event);
    // With text, details, or the story of a gap; its position does not matter.
    Result<void> put(std::uint32_t channel, const SinkEvent& event, wire::RowExtra extra);

    Result<void> finish();

    [[nodiscard]] std::uint64_t events() const { return events_; }
    [[nodiscard]] std::size_t channels() const { return lanes_.size(); }

private:
    static constexpr std::uint64_t kLastTick = (std::uint64_t{1} << 59) - 1;
    struct Row {
        SinkEvent event;
        std::optional<std::size_t> extra;  // in extras_
    };
    struct Known {
        std::optional<std::int64_t> from_ps;
        std::int64_t until_ps = 0;
    };
    struct Lane {
        std::vector<Row> rows;
        std::uint32_t source = 0;
        bool sorted = true;
        std::uint64_t written = 0;  // events
    };

    CaptureSink(capture::CaptureWriter writer, std::string what);
    Result<void> add(std::uint32_t channel, const SinkEvent& event, std::optional<wire::RowExtra> extra);
    template <typename Frame>
    Result<void> append(const Frame& frame);
    void announce_source(std::uint32_t source, const std::string& name, std::uint32_t pid);
    [[nodiscard]] const SourceFacts* facts_of(const std::string& name, std::uint32_t pid) const;
    void announce_thread(std::uint32_t thread, std::uint32_t source, const std::string& name, std::uint32_t tid);
    void announce_channel(std::uint32_t channel, std::uint32_t source, const std::string& name, std::string_view format);
    Result<void> begin();
    // Writes everything up to the given share of the window.
    Result<void> drain(bool all);
    Result<void> write_lane(std::uint32_t id, Lane& lane, std::uint64_t until);
    // Up to that tick, but no further than is known by the machine's clock.
    Result<void> write_watermark(std::uint64_t tick);
    Result<void> write_clock();
    Result<void> write_skew();

    capture::CaptureWriter writer_;
    std::string what_;
    SinkClock clock_;
    time::ClockMap map_;
    std::vector<std::string> names_;  // frames of sources, threads and channels that are not written yet
    std::optional<Known> known_;
    std::vector<std::pair<std::optional<std::int64_t>, std::string>> damage_;
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> sources_;
    std::map<std::string, SourceFacts, std::less<>> facts_;  // by "name/pid" and, of the first of a name, by "name"
    std::set<std::uint32_t> living_;                         // sources that were announced as such,
    std::set<std::uint32_t> with_own_time_;                  // and those that make up their time
    std::map<std::string, std::uint32_t, std::less<>> threads_;
    std::map<std::string, std::uint32_t, std::less<>> channels_;
    std::vector<Lane> lanes_;  // by channel number, from 1
    std::deque<wire::RowExtra> extras_;
    std::size_t held_ = 0;
    std::uint64_t events_ = 0;
    std::uint64_t newest_ = 0;      // tick of the latest row,
    std::uint64_t by_machine_ = 0;  // and of the latest that the machine's clock stamps
    std::uint64_t drained_to_ = 0;  // nothing below this tick may come any more
    bool begun_ = false;
    std::int64_t own_tick_ps_ = 1;
    bool is_too_long_ = false;
};

}  // namespace sla::formats
