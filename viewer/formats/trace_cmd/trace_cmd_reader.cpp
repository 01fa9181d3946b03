// The text of `trace-cmd report` (and of tracefs' own `trace` file):
//
//            bash-1234  [001] d..2.  5678.123456: sched_switch: prev_comm=bash ...
//
// An event type is a channel, what follows its name the text. Times with a point are seconds, others ticks, taken as
// nanoseconds. Lines that say that events were lost are losses of the lane `lost`, at the event before them.
#include "proto/base/text.h"
#include "viewer/formats/lines.h"
#include "viewer/formats/number_text.h"
#include "viewer/formats/trace_cmd/trace_cmd.h"

#include <utility>
#include <vector>

namespace sla::formats {

namespace {

struct ReportLine {
    std::string_view task;
    std::uint32_t pid = 0;
    std::int64_t time_ps = 0;
    bool seconds = false;
    std::string_view event;
    std::string_view text;
};

// The word before the first ": " that is a time; flags may stand before it.
std::optional<std::string_view> take_time(std::string_view& rest) {
    for (int words = 0; words < 4; ++words) {
        rest = trimmed(rest);
        const std::size_t end = rest.find_first_of(" \t");
        if (end == std::string_view::npos) return std::nullopt;
        std::string_view word = rest.substr(0, end);
        rest.remove_prefix(end);
        if (!word.ends_with(':')) continue;
        word.remove_suffix(1);
        return word;
    }
    return std::nullopt;
}

std::optional<ReportLine> parse_line(std::string_view line) {
    const std::size_t open = line.find(" [");
    const std::size_t close = line.find(']', open == std::string_view::npos ? line.size() : open);
    if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
    ReportLine out;
    std::string_view task = trimmed(line.substr(0, open));
    if (task.ends_with(')')) task = trimmed(task.substr(0, task.rfind('(')));  // "(tgid)" of the trace file
    const std::size_t dash = task.rfind('-');
    const auto pid = dash == std::string_view::npos ? std::nullopt : read_number<std::uint32_t>(task.substr(dash + 1));
    if (!pid) return std::nullopt;
    out.task = task.substr(0, dash);
    out.pid = *pid;
    std::string_view rest = line.substr(close + 1);
    const auto time = take_time(rest);
    if (!time) return std::nullopt;
    out.seconds = time->find('.') != std::string_view::npos;
    const auto ps = read_scaled(*time, out.seconds ? 12 : 3);
    if (!ps || *ps < 0) return std::nullopt;
    out.time_ps = *ps;
    rest = trimmed(rest);
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    out.event = trimmed(rest.substr(0, colon));
    out.text = trimmed(rest.substr(colon + 1));
    return out;
}

// "CPU:1 [LOST 12 EVENTS]", "CPU 0: 12 events lost" and the like: the number; 0 where it is not known, as in "CPU:0 [EVENTS DROPPED]".
std::optional<std::uint64_t> parse_loss(std::string_view line) {
    if (!line.starts_with("CPU")) return std::nullopt;
    const bool upper = line.find("LOST") != std::string_view::npos || line.find("DROPPED") != std::string_view::npos;
    if (!upper && line.find("lost") == std::string_view::npos) return std::nullopt;
    std::size_t at = line.find_first_of("[ ", 4);
    at = line.find_first_of("0123456789", at == std::string_view::npos ? line.size() : at);
    if (at == std::string_view::npos) return 0;
    const std::size_t end = std::min(line.find_first_not_of("0123456789", at), line.size());
    return read_number<std::uint64_t>(line.substr(at, end - at)).value_or(0);
}

class TraceCmdImport {
public:
    explicit TraceCmdImport(CaptureSink& sink) : sink_(sink), source_(sink.source("linux")) {}

    Result<void> take(const ReportLine& line) {
        if (first_ps_ < 0) {
            // Ticks count in nanoseconds from the clock's own zero; the capture starts with the first event.
            sink_.set_clock({static_cast<std::uint64_t>(line.time_ps / 1000), 1e9, 0, 0});
            first_ps_ = line.time_ps;
            ticks_ = !line.seconds;
        }
        tick_ = static_cast<std::uint64_t>(line.time_ps / 1000);
        for (const std::uint64_t lost : std::exchange(early_losses_, {})) {
            if (auto put = put_loss(lost); !put.ok()) return put;
        }
        const auto channel = sink_.channel(source_, line.event);
        if (!channel.ok()) return channel.error();
        wire::RowExtra extra;
        extra.text = std::string(line.text);
        const auto code = static_cast<std::uint8_t>(line.text.empty() ? SLA_CODE_TICK : SLA_CODE_TEXT);
        return sink_.put(*channel, {tick_, code, 0, sink_.thread(source_, line.task, line.pid)}, std::move(extra));
    }
    Result<void> take_loss(std::uint64_t lost) {
        if (any()) return put_loss(lost);
        early_losses_.push_back(lost);
        return {};
    }
    [[nodiscard]] bool any() const { return first_ps_ >= 0; }
    [[nodiscard]] bool ticks() const { return ticks_; }

private:
    Result<void> put_loss(std::uint64_t lost) {
        const auto channel = sink_.channel(source_, "lost");
        if (!channel.ok()) return channel.error();
        wire::RowExtra extra;
        extra.cause = wire::LossCause::kOverrun;
        return sink_.put(*channel, {tick_, SLA_CODE_GAP, lost, 0}, std::move(extra));
    }

    CaptureSink& sink_;
    std::uint32_t source_;
    std::uint64_t tick_ = 0;
    std::int64_t first_ps_ = -1;
    std::vector<std::uint64_t> early_losses_;  // before the first event, which says when
    bool ticks_ = false;
};

}  // namespace

Result<void> import_trace_cmd(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress) {
    Lines lines(in, progress);
    TraceCmdImport import(sink);
    SkippedLines skipped;
    while (const auto line = lines.next()) {
        if (trimmed(*line).empty() || line->starts_with('#') || line->starts_with("cpus=") || line->starts_with("version"))
            continue;
        Result<void> done;
        if (const auto event = parse_line(*line)) {
            done = import.take(*event);
        } else if (const auto lost = parse_loss(*line)) {
            done = import.take_loss(*lost);
        } else {
            skipped.note(lines.number());
        }
        if (!done.ok()) return done;
    }
    if (!lines.problem().ok()) return lines.problem();
    if (!import.any()) return damaged("no line is an event of `trace-cmd report`");
    skipped.report(notes);
    if (import.ticks()) notes.emplace_back("its times have no point, so they are taken as nanoseconds");
    return {};
}

}  // namespace sla::formats
