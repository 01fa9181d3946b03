// gaps: every loss, with its cause and its place in time.
#include "viewer/sql/tables/lane_scan.h"

#include <algorithm>
#include <optional>

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

// Loss rows, and before those of each page the page itself, when it cannot be read: which is looked at here.
class LaneGapRows {
public:
    LaneGapRows(const NamedCapture& capture, const LaneTexts& texts, const TickRange& range)
        : capture_(capture), texts_(texts), range_(range) {
        const auto& gaps = texts.lane->gaps();
        const auto first = std::lower_bound(gaps.begin(), gaps.end(), range.first,
                                            [](const store::Gap& gap, std::uint64_t tick) { return gap.tick < tick; });
        next_ = static_cast<std::size_t>(first - gaps.begin());
        if (const store::PageTable* pages = texts.lane->pages()) page_ = pages->page_at(range.first);
    }

    bool next(const Request&, const GoOn& go_on) {
        const auto& gaps = texts_.lane->gaps();
        const bool is_there = next_ < gaps.size() && gaps[next_].tick <= range_.last;
        while (is_before(is_there ? gaps[next_].index : store::kNever)) {
            if (!go_on()) return false;
            const std::optional<store::Gap> page = texts_.lane->unreadable_page(page_++, store::PageSource::Look::kCheck);
            if (!page || page->tick < range_.first) continue;
            gap_ = *page;
            return true;
        }
        if (is_there) gap_ = gaps[next_++];
        return is_there;
    }

    [[nodiscard]] std::uint64_t row() const { return gap_.index; }

    void put(std::size_t column, Cell& cell) const {
        const store::Gap& gap = gap_;
        const time::ClockMap& clock = capture_.clock();
        switch (column) {
            case kGapTimeNs: return cell.nanoseconds(clock.to_ps(gap.tick));
            case kGapTimePs: return cell.integer(clock.to_ps(gap.tick));
            case kGapTick: return cell.natural(gap.tick);
            case kGapUtc: return cell.integer(clock.utc_ns(gap.tick));
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
    // The next page begins before that row, and in the range.
    [[nodiscard]] bool is_before(std::uint64_t row) const {
        const store::PageTable* pages = texts_.lane->pages();
        if (pages == nullptr || page_ >= pages->pages().size()) return false;
        const store::Page page = pages->pages()[page_];
        return page.first <= row && page.first_tick <= range_.last;
    }

    const NamedCapture& capture_;
    const LaneTexts& texts_;
    TickRange range_;
    std::size_t next_ = 0;  // of lane.gaps()
    std::size_t page_ = 0;
    store::Gap gap_;  // the row it stands at
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
