// Value change dump (IEEE 1364-2001, clause 18), with GTKWave's `string` and 64-bit integers. Times are picoseconds from the
// capture's start, so that no two ticks fall together.
//
// Comments carry what VCD has no words for, so that `sla import` gets it back:
//   sla-clock ORIGIN_TICK TICKS_PER_SECOND ERROR_PPB REALTIME_NS ZERO_PS     time 0 of the file is ZERO_PS of the capture
//   sla-lane NUMBER SOURCE CHANNEL FORMAT                                    percent-coded; FORMAT `-` for none
//   sla-var CODE NUMBER ROLE EVENT_CODE                                      ROLE as in VcdRole
//   sla-open CODE COUNT                                                      spans still open after a loss
//   sla-stamps ERRORS                                                        how unsure its ticks are (stamp_errors.h)
//   sla-sources FACTS                                                        by the SOURCEs of lanes (source_facts.h)
//
// What holds where a part begins stands in a $dumpall at that time: no event happened then.
#include "proto/wire/version.h"
#include "viewer/formats/names.h"
#include "viewer/formats/percent.h"
#include "viewer/formats/source_facts.h"
#include "viewer/formats/stamp_errors.h"
#include "viewer/formats/vcd/vcd.h"
#include "viewer/formats/vcd/vcd_variables.h"
#include "viewer/formats/write_rows.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace sla::formats {

namespace {

class VcdWriter {
public:
    VcdWriter(const store::Session& session, const analysis::Selection& selection)
        : session_(session),
          source_facts_(source_facts_text(session, selection, SourceTexts(session))),
          from_(selection.from) {
        lanes_.reserve(selection.lanes.size());
        for (const store::Lane* lane : selection.lanes) {
            at_.emplace(lane, lanes_.size());
            lanes_.emplace_back(*lane, lanes_.size());
            lanes_.back().hold(held_at_begin(session, selection, *lane));
        }
    }

    // Every row, before the first is put. False: stopped.
    [[nodiscard]] bool see(analysis::EventWalk& walk) {
        while (const auto place = walk.next()) {
            zero_ps_ = std::min(zero_ps_, session_.clock().to_ps(place->tick));
            lanes_[at_.at(place->lane)].see(place->index, walk.event());
        }
        if (walk.stopped()) return false;
        std::size_t next_code = 0;
        for (VcdLane& lane : lanes_) lane.declare(next_code);
        return true;
    }

    void put_head(ByteBuffer& out) {
        const auto& clock = session_.clock();
        if (const std::int64_t seconds = clock.origin_realtime_ns() / 1'000'000'000; seconds != 0)
            out.put(fmt::format("$date {:%Y-%m-%dT%H:%M:%SZ} $end\n", fmt::gmtime(seconds)));
        out.put(fmt::format("$version sla {} $end\n", wire::kProductVersion));
        out.put(fmt::format("$comment sla-clock {} {} {} {} {} $end\n", clock.origin_tick(), clock.ticks_per_second(),
                            clock.slope_error_ppb(), clock.origin_realtime_ns(), zero_ps_));
        out.put(fmt::format("$comment sla-stamps {} $end\n", stamp_errors_text(session_)));
        if (!source_facts_.empty()) out.put(fmt::format("$comment sla-sources {} $end\n", source_facts_));
        for (const VcdLane& lane : lanes_) put_remarks(lane, out);
        out.put("$timescale 1 ps $end\n");
        put_scopes(out);
        out.put("$enddefinitions $end\n#0\n$dumpvars\n");
        for (const VcdLane& lane : lanes_) lane.put_start(out);
        out.put("$end\n");
        if (std::any_of(lanes_.begin(), lanes_.end(), [](const VcdLane& lane) { return lane.holds_anything(); }))
            put_held(out);
    }

    void put(const store::RowRef& place, const store::Event& event, ByteBuffer& out) {
        put_time(session_.clock().to_ps(place.tick), out);
        lanes_[at_.at(place.lane)].put_event(place.index, event, out);
    }

private:
    void put_time(std::int64_t time_ps, ByteBuffer& out) {
        const std::int64_t ps = std::max<std::int64_t>(time_ps - zero_ps_, 0);
        if (ps == last_ps_) return;
        out.put('#');
        out.put_signed(ps);
        out.put('\n');
        last_ps_ = ps;
    }

    void put_held(ByteBuffer& out) {
        put_time(session_.clock().to_ps(from_), out);
        out.put("$dumpall\n");
        for (const VcdLane& lane : lanes_) lane.put_held(out);
        out.put("$end\n");
    }

    void put_remarks(const VcdLane& lane, ByteBuffer& out) const {
        const store::Channel& channel = lane.lane().channel();
        out.put(fmt::format("$comment sla-lane {} {} {} {} $end\n", lane.number(), percent_coded(sources_.of(lane.lane())),
                            percent_coded(channel.name), channel.format.empty() ? "-" : percent_coded(channel.format)));
        for (const VcdVariable& variable : lane.variables()) {
            out.put(fmt::format("$comment sla-var {} {} {} {} $end\n", variable.code, lane.number(),
                                static_cast<int>(variable.role), variable.event_code));
        }
    }

    // "emulated PC", "irq.0" -> emulated_PC, irq; the last part is the variable's own.
    [[nodiscard]] std::vector<std::string> scopes_of(const VcdLane& lane) const {
        std::vector<std::string> scopes = {sources_.of(lane.lane())};
        if (scopes[0].empty()) scopes[0] = "capture";
        const std::string& name = lane.lane().channel().name;
        std::size_t start = 0;
        for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', start)) {
            scopes.push_back(name.substr(start, dot - start));
            start = dot + 1;
        }
        for (std::string& scope : scopes) {
            for (char& c : scope) c = c <= ' ' || c == '\x7f' ? '_' : c;
            if (scope.empty()) scope = "_";
        }
        return scopes;
    }

    void put_scopes(ByteBuffer& out) const {
        std::vector<std::pair<std::vector<std::string>, const VcdLane*>> order;
        for (const VcdLane& lane : lanes_) order.emplace_back(scopes_of(lane), &lane);
        std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<std::string> open;
        const auto close_to = [&](std::size_t depth) {
            for (; open.size() > depth; open.pop_back()) out.put("$upscope $end\n");
        };
        for (const auto& [scopes, lane] : order) {
            const auto [differs, unused] = std::mismatch(open.begin(), open.end(), scopes.begin(), scopes.end());
            close_to(static_cast<std::size_t>(differs - open.begin()));
            for (std::size_t i = open.size(); i < scopes.size(); ++i) {
                out.put(fmt::format("$scope module {} $end\n", scopes[i]));
                open.push_back(scopes[i]);
            }
            for (const VcdVariable& variable : lane->variables())
                out.put(fmt::format("$var {} {} {} $end\n", variable.type, variable.code, variable.name));
        }
        close_to(0);
    }

    const store::Session& session_;
    std::string source_facts_;
    std::uint64_t from_;
    SourceTexts sources_{session_};
    std::vector<VcdLane> lanes_;
    std::unordered_map<const store::Lane*, std::size_t> at_;
    std::int64_t zero_ps_ = 0;  // the earliest event may lie before the capture's start; VCD times may not
    std::int64_t last_ps_ = 0;
};

// While progress is asked the session may grow: of two walks both are over what is final now.
analysis::Selection as_they_are(const store::Session& session, const analysis::Selection& selection) {
    analysis::Selection rows = selection;
    const auto last = analysis::last_final_tick(session, selection);
    rows.until = !last ? 0 : *last == store::kNever ? store::kNever : *last + 1;
    return rows;
}

// Of two walks over the same rows.
Progress half_of(const Progress& progress, std::uint64_t walk) {
    if (!progress) return {};
    return [&progress, walk](std::uint64_t done, std::uint64_t all) { return progress(walk * all + done, 2 * all); };
}

}  // namespace

Result<ExportReport> write_vcd(const store::Session& session, const analysis::Selection& selection, Output& output,
                               const Progress& progress) {
    const analysis::Selection rows = as_they_are(session, selection);
    VcdWriter writer(session, rows);
    const Progress first = half_of(progress, 0);
    analysis::EventWalk seeing(session, rows, first);
    if (!writer.see(seeing)) return unavailable("stopped; nothing was written");
    const Progress second = half_of(progress, 1);
    analysis::EventWalk walk(session, rows, second);
    ExportReport report;
    ByteBuffer buffer;
    if (auto done = write_events(writer, walk, buffer, output, report.events); !done.ok()) return done.error();
    if (auto finished = output.finish(buffer.view()); !finished.ok()) return finished.error();
    report.left_out.emplace_back(
        "vcd has no place for threads and for details of events; a loss has its number, not its cause");
    return report;
}

}  // namespace sla::formats
