// Trace event JSON, read event by event: the file is never in memory as a whole.
//
// What `sla export` wrote comes back as it was: lanes and threads stand in the metadata of its tracks. Of any other trace
// each thread is a lane with its spans nested, their names as texts; counters are lanes of their own.
#include "proto/time/tick_rate.h"
#include "viewer/formats/chrome/chrome.h"
#include "viewer/formats/chrome/chrome_event.h"
#include "viewer/formats/chrome/chrome_tracks.h"
#include "viewer/formats/chrome/event_list.h"
#include "viewer/formats/lines.h"
#include "viewer/formats/source_facts.h"
#include "viewer/formats/stamp_errors.h"

#include <algorithm>
#include <cerrno>
#include <ios>
#include <optional>
#include <string>
#include <utility>

namespace sla::formats {

namespace {

constexpr std::uint64_t kZeroTick = std::uint64_t{1} << 58;
constexpr const char* kTooFar = "its time is more than 104 days away from the first";
constexpr __int128 kFarthestPs = static_cast<__int128>(INT64_MAX) * 1000;  // 292 years
constexpr std::int64_t kFarFromStartPs = 86'400'000'000'000'000;           // a day

class ChromeImport {
public:
    ChromeImport(CaptureSink& sink, Notes& notes) : sink_(sink), notes_(notes), tracks_(sink) {
        sink_.set_clock({kZeroTick, own_hertz(), 0, 0});
    }

    void about(const Json& other) {
        const std::string version = text_of(other, "version");
        if (!version.starts_with("sla ")) return;
        SinkClock clock;
        // By reference: a number with a fraction, or beyond 64 bits, is of the wrong type then.
        if (const Json* tick = member(other, "origin_tick"))
            clock.origin_tick = tick->get_ref<const Json::number_unsigned_t&>();
        clock.ticks_per_second = other.value("ticks_per_second", 1e9);
        clock.error_ppb = other.value("clock_error_ppb", 0.0);
        if (const Json* since_1970 = member(other, "origin_realtime_ns"))
            clock.realtime_ns = since_1970->get_ref<const Json::number_integer_t&>();
        read_stamp_errors(text_of(other, "stamp_errors"), clock);
        read_source_facts(text_of(other, "sources"), sink_);
        if (!time::is_tick_rate(clock.ticks_per_second) || !(clock.error_ppb >= 0)) return;
        ours_ = true;
        sink_.set_clock(clock);
    }

    Result<void> event(const Json& event) {
        ++seen_;
        const std::string phase = text_of(event, "ph");
        if (phase == "M") return tracks_.metadata(event);
        const Json* time = member(event, "ts");
        const auto ps = time == nullptr ? std::nullopt : picoseconds_of(*time);
        if (phase.size() != 1 || !ps) {
            ++(phase.size() == 1 ? untimed_ : unknown_);
            return {};
        }
        std::uint64_t tick = 0;
        if (*ps > kFarthestPs || *ps < -kFarthestPs) return wrong("its time is out of range");
        if (!std::exchange(has_time_, true)) begin_at(*ps);
        if (!place(*ps, tick)) return wrong(kTooFar);
        switch (phase[0]) {
            case 'B': return span(event, tick, true);
            case 'E': return span(event, tick, false);
            case 'X': return whole_span(event, *ps, tick);
            case 'i':
            case 'I':
            case 'R': return instant(event, tick);
            case 'C': return counter(event, tick);
            default: ++unknown_; return {};
        }
    }

    // An element of the list that is no event.
    void skip() { ++strange_; }
    // The list ends without its end.
    void cut_off() { notes_.emplace_back("the list of events is not closed; what stands in it is here"); }

    void finish() {
        if (untimed_ > 0) notes_.push_back(std::to_string(untimed_) + " events without a time (ts) are left out");
        if (strange_ > 0)
            notes_.push_back(std::to_string(strange_) + " elements of the list are no events and are left out");
        if (unknown_ > 0)
            notes_.push_back(std::to_string(unknown_) +
                             " events of kinds that captures have no word for are left out (async, "
                             "flows, objects, samples)");
    }
    [[nodiscard]] std::uint64_t seen() const { return seen_; }
    // Written by `sla export`, maybe of a capture without events.
    [[nodiscard]] bool is_ours() const { return ours_; }

private:
    [[nodiscard]] Error wrong(const std::string& what) const {
        return damaged("event " + std::to_string(seen_) + ": " + what);
    }
    // Of another tool's trace: a first time far from 0 is none since the trace's beginning, but since the machine's, or 1970.
    void begin_at(__int128 first_ps) {
        if (ours_ || (first_ps <= kFarFromStartPs && first_ps >= -kFarFromStartPs)) return;
        zero_ps_ = first_ps;
        SinkClock clock{kZeroTick, own_hertz(), 0, 0};
        clock.realtime_ns = realtime_of_first(first_ps);
        sink_.set_clock(clock);
        notes_.push_back(first_time_note(first_ps));
    }
    [[nodiscard]] double own_hertz() const { return 1e12 / static_cast<double>(sink_.own_tick_ps()); }
    bool place(__int128 time_ps, std::uint64_t& tick) {
        constexpr __int128 kFarthest = 9'000'000'000'000'000'000;
        const __int128 most = (static_cast<__int128>(1) << 58) * sink_.own_tick_ps();
        const __int128 farthest = ours_ ? kFarthest : std::min(kFarthest, most);
        const __int128 ps = time_ps - zero_ps_;
        const bool is_too_far = ps > farthest || ps < -farthest;
        if (is_too_far && farthest < kFarthest && ps <= kFarthest && ps >= -kFarthest) sink_.say_too_long();
        if (is_too_far) return false;
        tick = sink_.clock().to_tick(static_cast<std::int64_t>(ps));
        return true;
    }

    Result<void> put(const ChromeTrack& track, std::uint64_t tick, std::uint8_t code, std::uint64_t value,
                     wire::RowExtra extra, std::uint64_t turn = SinkEvent::kUsualTurn) {
        const SinkEvent event{tick, code, value, track.thread, turn};
        const bool plain = extra.is_plain() && code != SLA_CODE_GAP;
        return plain ? sink_.put(track.channel, event) : sink_.put(track.channel, event, std::move(extra));
    }

    Result<void> span(const Json& event, std::uint64_t tick, bool begins, std::uint64_t turn = SinkEvent::kUsualTurn) {
        const auto track = tracks_.of(event);
        if (!track.ok()) return track.error();
        const Json* args = member(event, "args");
        std::uint64_t value = 0;
        const std::uint8_t code = begins ? valued(args, SLA_CODE_BEGIN, SLA_CODE_BEGIN_VALUE, value)
                                         : valued(args, SLA_CODE_END, SLA_CODE_END_VALUE, value);
        wire::RowExtra extra = extra_of(event);
        if (!track->ours && begins) extra.text = text_of(event, "name");
        return put(*track, tick, code, value, std::move(extra), turn);
    }
    // Tools write them when they end, the inner ones first, and many begin at one tick: there the widest is the outermost, behind
    // the ends of those before, and one without width ends last.
    Result<void> whole_span(const Json& event, __int128 ps, std::uint64_t tick) {
        const Json* duration = member(event, "dur");
        const __int128 width = (duration == nullptr ? std::nullopt : picoseconds_of(*duration)).value_or(0);
        std::uint64_t end = 0;
        if (width < 0 || !place(ps + width, end)) return wrong(width < 0 ? "its duration is below zero" : kTooFar);
        const std::uint64_t ends_last = ~std::uint64_t{0};
        const std::uint64_t begin_turn = ends_last - 1 - (end - tick);
        if (auto begun = span(event, tick, true, begin_turn); !begun.ok()) return begun;
        const auto track = tracks_.of(event);
        if (!track.ok()) return track.error();
        return put(*track, end, SLA_CODE_END, 0, {}, end > tick ? 0 : ends_last);
    }
    Result<void> instant(const Json& event, std::uint64_t tick) {
        const auto track = tracks_.of(event);
        if (!track.ok()) return track.error();
        const Json* args = member(event, "args");
        wire::RowExtra extra = extra_of(event);
        const std::string kind = track->ours ? text_of(event, "cat") : "text";
        if (kind == "gap" && args != nullptr) {
            extra.cause = wire::loss_cause_named(text_of(*args, "cause"));
            const Json* until = member(*args, "until_us");
            const auto until_ps = until == nullptr ? std::nullopt : picoseconds_of(*until);
            if (until_ps) place(*until_ps, extra.until_tick);
            return put(*track, tick, SLA_CODE_GAP, unsigned_of(*args, "lost"), std::move(extra));
        }
        if (kind == "text") {
            if (!track->ours) extra.text = text_of(event, "name");
            return put(*track, tick, SLA_CODE_TEXT, 0, std::move(extra));
        }
        std::uint64_t value = 0;
        const std::uint8_t code = valued(args, SLA_CODE_TICK, SLA_CODE_TICK_VALUE, value);
        return put(*track, tick, code, value, std::move(extra));
    }
    Result<void> counter(const Json& event, std::uint64_t tick) {
        const Json* args = member(event, "args");
        if (args == nullptr || !args->is_object()) return {};
        const bool ours = tracks_.is_ours(event);
        for (const auto& [series, number] : args->items()) {
            if (ours && series != "value" && series != "unsigned" && series != "float" && series != "level") continue;
            SinkEvent out{tick, SLA_CODE_VALUE_SIGNED, 0, 0};
            if (!read_counter(series, number, ours, out)) continue;
            const auto track = ours ? tracks_.of(event) : tracks_.of_counter(event, args->size() > 1 ? series : "");
            if (!track.ok()) return track.error();
            if (auto done = put(*track, tick, out.code, out.value, ours ? extra_of(event) : wire::RowExtra()); !done.ok())
                return done;
        }
        return {};
    }
    CaptureSink& sink_;
    Notes& notes_;
    ChromeTracks tracks_;
    bool ours_ = false;
    bool has_time_ = false;
    __int128 zero_ps_ = 0;
    std::uint64_t seen_ = 0;
    std::uint64_t unknown_ = 0;
    std::uint64_t untimed_ = 0;
    std::uint64_t strange_ = 0;
};

}  // namespace

Result<void> import_chrome(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress) {
    ChromeImport import(sink, notes);
    const auto take = [&](const Json& event) -> Result<void> {
        if (auto taken = import.event(event); !taken.ok()) return taken;
        if (!progress || import.seen() % 4096 != 0) return {};
        const auto at = in.tellg();
        return progress(at < 0 ? 0 : static_cast<std::uint64_t>(at), 0) ? Result<void>() : import_stopped();
    };
    EventList list({take, [&] { import.skip(); }, [&](const Json& other) { import.about(other); }});
    try {
        Json::sax_parse(in, &list);
    } catch (const std::ios_base::failure&) {
        return read_failed(errno);
    } catch (const Json::exception&) {
        return damaged("something in it is not of the type it should be");
    }
    if (!list.problem().ok()) return list.problem();
    if (list.bad_byte() != 0) {
        in.clear();
        const bool at_end = in.peek() == std::istream::traits_type::eof();
        if (!(at_end && list.is_bare_list() && import.seen() > 0))
            return damaged("this is no JSON at byte " + std::to_string(list.bad_byte()));
        import.cut_off();
    }
    if (import.seen() == 0 && !import.is_ours())
        return damaged("it holds no trace events; is it a trace of chrome://tracing or Perfetto's JSON?");
    import.finish();
    return {};
}

}  // namespace sla::formats
