// The event table for people, streamed: widths are chosen beforehand.
#include "proto/time/duration.h"
#include "viewer/analysis/delta_tracker.h"
#include "viewer/formats/names.h"
#include "viewer/formats/table/people_table.h"
#include "viewer/formats/table/rows/table_rows.h"
#include "viewer/formats/write_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace sla::formats {

namespace {

constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

// One unit for all times of a table, so that they can be compared at a glance.
struct TimeColumn {
    const char* name;
    double ps;
    int decimals;  // down to the nanosecond
};

TimeColumn time_column(std::int64_t until_ps) {
    constexpr std::int64_t kMillisecond = 1'000'000'000;
    if (until_ps < kMillisecond) return {"time \u00b5s", 1e6, 3};
    if (until_ps < 10'000 * kMillisecond) return {"time ms", 1e9, 6};
    return {"time s", 1e12, 9};
}

class PeopleRows final : public TableRows {
public:
    PeopleRows(const store::Session& session, const analysis::Selection& selection, const ExtraColumns* extra, Widths widths)
        : session_(&session),
          extra_(extra),
          deltas_(session),
          time_(time_column(widths == Widths::kOfAnything ? kForever : end_of(session, selection))) {
        std::size_t channel = widths == Widths::kOfAnything ? kMaxChannel : 7;
        for (const store::Lane* lane : selection.lanes) channel = std::max(channel, lane->channel().name.size());
        channel_ = std::min(channel, kMaxChannel);
        std::size_t width = 0;
        const auto add = [&](const std::string& name, std::size_t wide, bool right) {
            columns_.push_back({name, wide, right});
            width += wide + 2;
        };
        add(time_.name, 14, true);
        add("delta", 10, true);
        add("of channel", 10, true);
        add("channel", channel_, false);
        add("thread", kThread, false);
        add("kind", 5, false);
        add("value", 12, true);
        if (extra != nullptr) {
            for (const Column& column : extra->columns()) add(column.name, column.width, column.right);
        }
        add("text", std::max(kPeopleWidth, width + kMinText) - width, false);
        writer_ = make_text_writer(columns_);
    }
    void begin(ByteBuffer& out) override { writer_->begin(out); }

    void write(const store::RowRef& place, const store::Event& event, ByteBuffer& out) override {
        const auto deltas = deltas_.next(last_of(*place.lane), event.tick, event.thread);
        writer_->begin_row(out);
        const double at = static_cast<double>(session_->clock().to_ps(event.tick));
        writer_->text(out, fmt::format("{:.{}f}", at / time_.ps, time_.decimals));
        writer_->text(out, deltas.has_any ? duration(deltas.any) : "");
        writer_->text(out, deltas.has_channel ? duration(deltas.channel) : "");
        writer_->text(out, shortened(place.lane->channel().name, channel_));
        writer_->text(out, shortened(thread_text(*session_, event.thread), kThread));
        writer_->text(out, wire::kind_name(event.kind()));
        writer_->value(out, event.code, event.value);
        if (extra_ != nullptr) extra_->write(place, *writer_, out);
        text_.clear();
        place.lane->append_text(place.index, text_);
        writer_->text(out, cut_off(text_, columns_.back().width));
        writer_->end_row(out);
        ++rows_;
    }
    void end(ByteBuffer& out) override { writer_->end(out); }

    void refresh(const store::Session& session) override {
        if (&session == session_) return deltas_.set_clock(session.clock());
        session_ = &session;
        last_.clear();
        deltas_ = analysis::DeltaTracker(session);
    }

private:
    static constexpr std::size_t kMaxChannel = 26;
    static constexpr std::size_t kThread = 16;
    static constexpr std::size_t kMinText = 12;

    static std::int64_t end_of(const store::Session& session, const analysis::Selection& selection) {
        return session.clock().to_ps(std::min(selection.until, session.last_tick()));
    }
    [[nodiscard]] std::string duration(std::uint64_t ticks) const {
        return time::format_duration(session_->clock().ticks_to_ps(static_cast<std::int64_t>(ticks)));
    }

    analysis::DeltaTracker::Stamp& last_of(const store::Lane& lane) {
        const auto [at, is_new] = last_.try_emplace(&lane);
        if (is_new) at->second.host = session_->errors_of(lane);
        return at->second;
    }

    const store::Session* session_;
    const ExtraColumns* extra_;
    analysis::DeltaTracker deltas_;
    TimeColumn time_;
    std::size_t channel_ = 0;
    std::vector<Column> columns_;
    std::unique_ptr<RowWriter> writer_;
    std::unordered_map<const store::Lane*, analysis::DeltaTracker::Stamp> last_;
    std::string text_;
};

}  // namespace

std::unique_ptr<TableRows> make_people_rows(const store::Session& session, const analysis::Selection& selection,
                                            const ExtraColumns* extra, Widths widths) {
    return std::make_unique<PeopleRows>(session, selection, extra, widths);
}

Result<std::uint64_t> write_people_table(const store::Session& session, const analysis::Selection& selection, Output& output,
                                         const Progress& progress, const ExtraColumns* extra) {
    analysis::EventWalk walk(session, selection, progress);
    PeopleRows rows(session, selection, extra, Widths::kOfSelection);
    ByteBuffer buffer;
    rows.begin(buffer);
    const auto write = [&] {
        const auto place = walk.next();
        if (place) rows.write(*place, walk.event(), buffer);
        return place.has_value();
    };
    if (auto done = write_rows(walk, write, buffer, output); !done.ok()) return done.error();
    if (auto finished = output.finish(buffer.view()); !finished.ok()) return finished.error();
    return rows.rows();
}

}  // namespace sla::formats
