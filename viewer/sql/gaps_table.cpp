// gaps: every loss, with its cause and its place in time.
#include "viewer/sql/lane_scan.h"

#include <algorithm>

namespace sla::sql {

namespace {

enum GapColumn : std::size_t {
    kGapTimeNs,
    kGapUntilNs,
    kGapSource,
    kGapChannel,
    kGapLost,
    kGapCause,
    kGapTick,
    kGapUntilTick,
    kGapTimePs,
    kGapUtc,
    kGapCapture,
};

class LaneGapRows {
public:
    LaneGapRows(const NamedCapture& capture, const LaneTexts& texts, const TickRange& range)
        : capture_(capture), texts_(texts), last_(range.last) {
        const auto& gaps = texts.lane->gaps();
        const auto first = std::lower_bound(gaps.begin(), gaps.end(), range.first,
                                            [](const store::Gap& gap, std::uint64_t tick) { return gap.tick < tick; });
        next_ = static_cast<std::size_t>(first - gaps.begin());
    }

    bool next(const Request&, const GoOn&) {
        const auto& gaps = texts_.lane->gaps();
        return next_ < gaps.size() && gaps[next_++].tick <= last_;
    }

    [[nodiscard]] std::uint64_t row() const { return texts_.lane->gaps()[next_ - 1].index; }

    void put(std::size_t column, Cell& cell) const {
        const store::Gap& gap = texts_.lane->gaps()[next_ - 1];
        const time::ClockMap& clock = capture_.clock();
        switch (column) {
            case kGapTimeNs: return cell.nanoseconds(clock.to_ps(gap.tick));
            case kGapTimePs: return cell.integer(clock.to_ps(gap.tick));
            case kGapTick: return cell.natural(gap.tick);
            case kGapUtc: return capture_.knows_utc() ? cell.integer(capture_.utc_ns(gap.tick)) : cell.null();
            case kGapUntilNs: return gap.has_end() ? cell.nanoseconds(clock.to_ps(gap.until_tick)) : cell.null();
            case kGapUntilTick: return gap.has_end() ? cell.natural(gap.until_tick) : cell.null();
            case kGapSource: return cell.standing(texts_.source);
            case kGapChannel: return cell.standing(texts_.channel);
            case kGapLost: return gap.is_uncounted() ? cell.null() : cell.natural(gap.lost);
            case kGapCause: return cell.standing(wire::loss_cause_name(gap.cause));
            case kGapCapture: return cell.standing(capture_.name());
            default: return cell.null();
        }
    }

private:
    const NamedCapture& capture_;
    const LaneTexts& texts_;
    std::uint64_t last_;
    std::size_t next_ = 0;
};

}  // namespace

Table gaps_table() {
    Table table;
    table.name = "gaps";
    table.what = "where events were lost, how many (null: nobody counted), and why";
    table.columns = {{"time_ns", "REAL", Role::kNanoseconds},
                     {"until_ns", "REAL"},
                     {"source", "TEXT", Role::kSource},
                     {"channel", "TEXT", Role::kChannel},
                     {"lost", "INTEGER"},
                     {"cause", "TEXT"},
                     {"tick", "INTEGER", Role::kTick},
                     {"until_tick", "INTEGER"},
                     {"time_ps", "INTEGER", Role::kPicoseconds},
                     {"utc_ns", "INTEGER", Role::kUtc},
                     {"capture", "TEXT", Role::kCapture}};
    table.groups_by = {Role::kCapture, Role::kSource, Role::kChannel};
    table.rows = [](const Captures& captures) {
        return sum_of_lanes(captures, [](const store::Lane& lane) { return lane.gaps().size(); });
    };
    table.scan = scan_of<LaneScan<LaneGapRows>>;
    return table;
}

}  // namespace sla::sql
