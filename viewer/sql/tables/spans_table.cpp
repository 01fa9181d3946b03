// spans: every begin with the end that belongs to it, if it has one. Pages are read as the walk comes to them.
#include "viewer/sql/tables/lane_scan.h"

#include <algorithm>

namespace sla::sql {

namespace {

enum SpanColumn : std::size_t {
    kSpanBeginNs,
    kSpanEndNs,
    kSpanWidth,
    kSpanError,
    kSpanSource,
    kSpanThread,
    kSpanChannel,
    kSpanState,
    kSpanDepth,
    kSpanValue,
    kSpanText,
    kSpanId,
    kSpanBeginTick,
    kSpanEndTick,
    kSpanBeginPs,
    kSpanBeginUtc,
    kSpanCapture,
};

class LaneSpanRows {
public:
    LaneSpanRows(const NamedCapture& capture, const LaneTexts& texts, const TickRange& range)
        : capture_(capture), texts_(texts), last_(std::min(range.last, capture.session().final_tick())) {
        const store::LaneSpans spans = texts.lane->spans();
        end_ = spans.size();
        id_ = end_ == 0 ? 0 : spans.lower_bound(range.first);
    }

    bool next(const Request& request, const GoOn& go_on) {
        for (std::uint32_t looked_at = 1; id_ < end_; ++looked_at) {
            span_ = texts_.lane->spans()[id_++];
            if (span_.begin_tick > last_) return false;
            if (request.matches(Role::kThread, capture_.thread_text(span_.thread))) return true;
            if (looked_at % kSpansPerLook == 0 && !go_on()) return false;
        }
        return false;
    }

    // That it begins with.
    [[nodiscard]] std::uint64_t row() const { return span_.begin_index; }

    void put(std::size_t column, Cell& cell) {
        const time::ClockMap& clock = capture_.clock();
        switch (column) {
            case kSpanBeginNs: return cell.nanoseconds(clock.to_ps(span_.begin_tick));
            case kSpanBeginPs: return cell.integer(clock.to_ps(span_.begin_tick));
            case kSpanBeginTick: return cell.natural(span_.begin_tick);
            case kSpanBeginUtc: return cell.integer(clock.utc_ns(span_.begin_tick));
            case kSpanEndNs:
            case kSpanEndTick:
            case kSpanWidth:
            case kSpanError: return put_end(column, cell);
            case kSpanSource: return cell.standing(texts_.source);
            case kSpanChannel: return cell.standing(texts_.channel);
            case kSpanThread: return cell.standing(capture_.thread_text(span_.thread));
            case kSpanState: return cell.standing(state());
            case kSpanDepth: return cell.integer(span_.depth);
            case kSpanValue: return put_value(cell);
            case kSpanText: return put_text(cell);
            case kSpanId: return cell.natural(id_ - 1);
            case kSpanCapture: return cell.standing(capture_.name());
            default: return cell.null();
        }
    }

private:
    static constexpr std::uint32_t kSpansPerLook = 1 << 12;

    [[nodiscard]] const char* state() const {
        switch (span_.state) {
            case store::SpanState::kClosed: return "closed";
            case store::SpanState::kCut: return "cut";
            case store::SpanState::kOpen: break;
        }
        return "open";
    }
    // Where a span was cut its end is not known.
    void put_end(std::size_t column, Cell& cell) const {
        if (span_.state != store::SpanState::kClosed) return cell.null();
        const time::ClockMap& clock = capture_.clock();
        if (column == kSpanEndNs) return cell.nanoseconds(clock.to_ps(span_.end_tick));
        if (column == kSpanEndTick) return cell.natural(span_.end_tick);
        if (column == kSpanError) {
            return cell.nanoseconds(capture_.session().error_between(*texts_.lane, span_.begin_tick, *texts_.lane,
                                                                     span_.end_tick, time::Stamps::kOneThread));
        }
        cell.nanoseconds(clock.ticks_to_ps(static_cast<std::int64_t>(span_.end_tick - span_.begin_tick)));
    }
    void put_value(Cell& cell) const {
        const store::Event event = (*texts_.lane)[span_.begin_index];
        event.code == SLA_CODE_BEGIN_VALUE ? cell.integer(static_cast<std::int64_t>(event.value)) : cell.null();
    }
    void put_text(Cell& cell) {
        scratch_.clear();
        texts_.lane->append_text(span_.begin_index, scratch_);
        scratch_.empty() ? cell.null() : cell.text(scratch_);
    }

    const NamedCapture& capture_;
    const LaneTexts& texts_;
    std::uint64_t last_;
    std::uint64_t id_ = 0;  // the span behind the one it stands at
    std::uint64_t end_ = 0;
    store::Span span_;
    std::string scratch_;
};

}  // namespace

Table spans_table() {
    Table table;
    table.name = "spans";
    table.what = "begin to end, nested per thread; without an end when it is 'open', or 'cut' by a loss";
    table.columns = {{"begin_ns", "REAL", Role::kNanoseconds},
                     {"end_ns", "REAL"},
                     {"width_ns", "REAL"},
                     {"error_ns", "REAL"},
                     {"source", "TEXT", Role::kSource},
                     {"thread", "TEXT", Role::kThread},
                     {"channel", "TEXT", Role::kChannel},
                     {"state", "TEXT"},
                     {"depth", "INTEGER"},
                     {"value", "INTEGER"},
                     {"text", "TEXT"},
                     {"id", "INTEGER"},
                     {"begin_tick", "INTEGER", Role::kTick},
                     {"end_tick", "INTEGER"},
                     {"begin_ps", "INTEGER", Role::kPicoseconds},
                     {"begin_utc_ns", "INTEGER", Role::kUtc},
                     {"capture", "TEXT", Role::kCapture}};
    table.groups_by = {Role::kCapture, Role::kSource, Role::kChannel};
    table.rows = [](const Captures& captures) {
        return sum_of_lanes(captures, [](const store::Lane& lane) { return lane.spans().size(); });
    };
    table.scan = scan_of<LaneScan<LaneSpanRows>>;
    return table;
}

}  // namespace sla::sql
