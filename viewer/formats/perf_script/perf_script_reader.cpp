// The text of `perf script`:
//
//   bash  1234 [001]  5678.123456:                      sched:sched_switch: prev_comm=bash ...
//   true  1234        5678.123456:     250000 cycles:u:  7f0a main+0x10 (/usr/bin/true)
//   true  1234        5678.123456:     250000 cycles:u:
//               7f0a main+0x10 (/usr/bin/true)
//               7f01 start+0x5 (/usr/lib/libc.so)
//
// An event type is a channel, what follows its name the text; of a call chain below it the innermost frame. Without either
// it is a tick with the sample's period. Lost events (--show-lost-events) are losses of the lane `lost`.
#include "proto/base/text.h"
#include "viewer/formats/perf_script/perf_script.h"

#include "viewer/formats/lines.h"
#include "viewer/formats/number_text.h"

#include <algorithm>
#include <optional>
#include <string>

namespace sla::formats {

namespace {

constexpr std::string_view kSpaces = " \t";

struct PerfLine {
    std::string_view task;
    std::uint32_t tid = 0;
    std::int64_t time_ps = 0;
    std::optional<std::uint64_t> period;
    std::string_view event;
    std::string_view text;
};

// The first word, taken off the text.
std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    const std::string_view word = text.substr(0, text.find_first_of(kSpaces));
    text.remove_prefix(word.size());
    return word;
}

// The last word, taken off the text.
std::string_view take_last_word(std::string_view& text) {
    text = trimmed(text);
    const std::size_t blank = text.find_last_of(kSpaces);
    const std::string_view word = blank == std::string_view::npos ? text : text.substr(blank + 1);
    text.remove_suffix(word.size());
    return word;
}

// "5678.123456:"; nothing when the word is none.
std::optional<std::int64_t> read_time(std::string_view word) {
    if (!word.ends_with(':') || word.find('.') == std::string_view::npos) return std::nullopt;
    word.remove_suffix(1);
    if (word.find_first_not_of("0123456789.") != std::string_view::npos) return std::nullopt;
    return read_scaled(word, 12);
}

// What stands before the time: the task, whose name may hold blanks, its numbers, perhaps the CPU and flags.
bool read_task(std::string_view before, PerfLine& line) {
    for (int words = 0; words < 4; ++words) {
        std::string_view word = take_last_word(before);
        if (word.empty()) return false;
        if (word.front() == '[') continue;  // the CPU
        if (const std::size_t slash = word.rfind('/'); slash != std::string_view::npos)
            word.remove_prefix(slash + 1);  // PID/TID
        const auto tid = read_number<std::uint32_t>(word);
        if (!tid) continue;  // flags
        line.tid = *tid;
        line.task = trimmed(before);
        return !line.task.empty();
    }
    return false;
}

// "250000 cycles:u: text": the event's name ends at the first colon with a blank or nothing behind it.
bool read_event(std::string_view rest, PerfLine& line) {
    std::string_view behind = rest;
    line.period = read_number<std::uint64_t>(take_word(behind));
    rest = trimmed(line.period ? behind : rest);
    for (std::size_t colon = rest.find(':'); colon != std::string_view::npos; colon = rest.find(':', colon + 1)) {
        const bool ends = colon + 1 == rest.size() || kSpaces.find(rest[colon + 1]) != std::string_view::npos;
        if (!ends) continue;
        line.event = rest.substr(0, colon);
        line.text = trimmed(rest.substr(colon + 1));
        return !line.event.empty() && line.event.find_first_of(kSpaces) == std::string_view::npos;
    }
    constexpr std::string_view kLost = "PERF_RECORD_LOST";
    line.event = rest.substr(0, rest.find_first_of(kSpaces));
    line.text = trimmed(rest.substr(line.event.size()));
    return line.event == kLost;
}

std::optional<PerfLine> parse_perf_line(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = text.find_first_not_of(kSpaces, at);
        if (begin == std::string_view::npos) return std::nullopt;
        const std::size_t end = std::min(text.find_first_of(kSpaces, begin), text.size());
        const auto time = read_time(text.substr(begin, end - begin));
        PerfLine line;
        if (time && read_task(text.substr(0, begin), line) && read_event(text.substr(end), line)) {
            line.time_ps = *time;
            return line;
        }
        at = end;
    }
    return std::nullopt;
}

// "lost 12": the number.
std::optional<std::uint64_t> lost_of(const PerfLine& line) {
    if (line.event != "PERF_RECORD_LOST") return std::nullopt;
    std::string_view text = line.text;
    return read_number<std::uint64_t>(take_last_word(text));
}

class PerfScriptImport {
public:
    explicit PerfScriptImport(CaptureSink& sink) : sink_(sink), source_(sink.source("perf")) {}

    // The event before is reported once it is known that no call chain belongs to it.
    Result<void> take(const PerfLine& line) {
        if (auto reported = report(); !reported.ok()) return reported;
        if (!any_) sink_.set_clock({static_cast<std::uint64_t>(line.time_ps / 1000), 1e9, 0, 0});
        any_ = true;
        const std::optional<std::uint64_t> lost = lost_of(line);
        const auto channel = sink_.channel(source_, lost ? "lost" : line.event);
        if (!channel.ok()) return channel.error();
        channel_ = *channel;
        event_ = {static_cast<std::uint64_t>(line.time_ps / 1000), SLA_CODE_TICK, 0,
                  sink_.thread(source_, line.task, line.tid)};
        text_ = line.text;
        period_ = line.period;
        lost_ = lost;
        waits_ = true;
        return {};
    }
    // A line of a call chain: "7f0a main+0x10 (/usr/bin/true)".
    bool take_frame(std::string_view line) {
        if (!waits_) return false;
        std::string_view rest = line;
        take_word(rest);
        if (text_.empty()) text_ = trimmed(rest);
        return true;
    }
    Result<void> report() {
        if (!waits_) return {};
        waits_ = false;
        wire::RowExtra extra;
        if (lost_) {
            extra.cause = wire::LossCause::kOverrun;
            event_.code = SLA_CODE_GAP;
            event_.value = *lost_;
            return sink_.put(channel_, event_, std::move(extra));
        }
        if (text_.empty()) {
            event_.code = static_cast<std::uint8_t>(period_ ? SLA_CODE_TICK_VALUE : SLA_CODE_TICK);
            event_.value = period_.value_or(0);
            return sink_.put(channel_, event_);
        }
        extra.text = std::move(text_);
        event_.code = SLA_CODE_TEXT;
        return sink_.put(channel_, event_, std::move(extra));
    }
    [[nodiscard]] bool any() const { return any_; }

private:
    CaptureSink& sink_;
    std::uint32_t source_;
    std::uint32_t channel_ = 0;
    SinkEvent event_;
    std::string text_;
    std::optional<std::uint64_t> period_;
    std::optional<std::uint64_t> lost_;
    bool waits_ = false;
    bool any_ = false;
};

}  // namespace

bool is_perf_script(std::string_view line) {
    return parse_perf_line(line).has_value();
}

Result<void> import_perf_script(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress) {
    Lines lines(in, progress);
    PerfScriptImport import(sink);
    SkippedLines skipped;
    while (const auto line = lines.next()) {
        if (trimmed(*line).empty() || line->starts_with('#')) continue;
        if (const auto event = parse_perf_line(*line)) {
            if (auto done = import.take(*event); !done.ok()) return done;
        } else if (const bool indented = kSpaces.find(line->front()) != std::string_view::npos;
                   !(indented && import.take_frame(*line))) {
            skipped.note(lines.number());
        }
    }
    if (!lines.problem().ok()) return lines.problem();
    if (auto reported = import.report(); !reported.ok()) return reported;
    if (!import.any()) return damaged("no line is an event of `perf script`");
    skipped.report(notes);
    return {};
}

}  // namespace sla::formats
