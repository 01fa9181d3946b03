// pairs(A, B): from each start of A to the first start of B at or after it, as `sla stats --pair A:B` measures it. Names may be
// patterns; each two channels that match are a pair, within one capture, but of a name that several programs have only the
// one of A's own program. What only says what held where a part begins starts none.
#include "viewer/analysis/intervals/pair_walk.h"
#include "viewer/analysis/selection.h"
#include "viewer/sql/tables/table.h"

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sla::sql {

namespace {

enum PairColumn : std::size_t {
    kPairBeginNs,
    kPairEndNs,
    kPairWidth,
    kPairError,
    kPairState,
    kPairFrom,
    kPairTo,
    kPairBeginTick,
    kPairEndTick,
    kPairBeginPs,
    kPairBeginUtc,
    kPairCapture,
    kPairA,
    kPairB,
};

struct LanePair {
    const LaneTexts* from = nullptr;
    const LaneTexts* to = nullptr;
};

class PairScan final : public Scan {
public:
    PairScan(const Captures& captures, const Request& request, const GoOn& go_on)
        : captures_(captures), request_(request), go_on_(go_on) {
        for (const NameTest& test : {from_, to_}) look_for(test);
    }

    [[nodiscard]] const char* problem() const override { return problem_.empty() ? nullptr : problem_.c_str(); }

    bool next() override {
        if (!found_.empty()) found_.pop_front();
        for (;;) {
            // Both ends rise: behind the last begin that is wanted nothing follows.
            if (!found_.empty() && found_.front().begin_tick <= range_.last) {
                begun_alike_ = found_.front().begin_tick == begin_tick_ ? begun_alike_ + 1 : 0;
                begin_tick_ = found_.front().begin_tick;
                return true;
            }
            const bool is_over = !found_.empty() || !walk_;
            found_.clear();
            if (!go_on_() || (is_over && !step())) return false;
            const auto keep = [this](const analysis::Interval& interval) { found_.push_back(interval); };
            if (!walk_->go_on(kStartsPerLook, keep)) walk_.reset();
        }
    }
    [[nodiscard]] std::uint64_t number() const override;
    void put(std::size_t column, Cell& cell) override;

private:
    static constexpr std::uint64_t kStartsPerLook = 1 << 10;

    [[nodiscard]] NameTest test_of(Role role) const { return {role, Test::kGlob, std::string(request_.text_of(role)), {}}; }
    void look_for(const NameTest& wanted);
    bool step();
    void pair_up(const NamedCapture& capture);
    void put_end(std::size_t column, const analysis::Interval& interval, Cell& cell) const;

    const Captures& captures_;
    const Request& request_;
    const GoOn& go_on_;
    NameTest from_ = test_of(Role::kFirst);
    NameTest to_ = test_of(Role::kSecond);
    std::string problem_;
    std::size_t capture_ = 0;  // the one behind that whose pairs these are
    std::vector<LanePair> pairs_;
    std::size_t pair_ = 0;  // the one behind that which is walked over
    TickRange range_;
    analysis::Selection selection_;
    std::optional<analysis::PairWalk> walk_;
    std::deque<analysis::Interval> found_;      // in front the one it stands at
    std::uint64_t begin_tick_ = store::kNever;  // of that one, or of the one before
    std::uint64_t begun_alike_ = 0;             // pairs of these channels before it that begin at its tick
};

bool is_called(const LaneTexts& lane, const NameTest& wanted) {
    return lane.channel == wanted.text || wanted.matches(lane.channel);
}

// A slip in a name would be answered by no row.
void PairScan::look_for(const NameTest& wanted) {
    if (!problem_.empty()) return;
    std::vector<std::string> names;
    for (const NamedCapture& capture : captures_) {
        for (const LaneTexts& lane : capture.lanes()) {
            if (is_called(lane, wanted)) return;
            names.emplace_back(lane.channel);
        }
    }
    // None at all: of an archive it is asked beforehand which rows a question needs.
    if (!names.empty()) problem_ = analysis::unknown_channel(wanted.text, names).message;
}

// Its lanes with their partners.
void PairScan::pair_up(const NamedCapture& capture) {
    std::vector<const LaneTexts*> ends;
    std::vector<const store::Lane*> lanes;
    for (const LaneTexts& b : capture.lanes()) {
        if (!is_called(b, to_)) continue;
        ends.push_back(&b);
        lanes.push_back(b.lane);
    }
    const analysis::Partners partners(lanes);
    for (const LaneTexts& a : capture.lanes()) {
        if (!is_called(a, from_)) continue;
        for (const LaneTexts* b : ends) {
            if (partners.are(*a.lane, *b->lane)) pairs_.push_back({&a, b});
        }
    }
}

// To the next two channels; false: there are none.
bool PairScan::step() {
    while (pair_ == pairs_.size()) {
        if (capture_ == captures_.size()) return false;
        const NamedCapture& capture = captures_[capture_++];
        pairs_.clear();
        pair_ = 0;
        if (!request_.matches(Role::kCapture, capture.name())) continue;
        range_ = request_.ticks(capture);
        if (range_.empty()) continue;
        pair_up(capture);
    }
    const LanePair& pair = pairs_[pair_++];
    const store::Session& session = captures_[capture_ - 1].session();
    selection_.from = range_.first;
    selection_ = analysis::from_begin(session, std::move(selection_));
    const std::uint64_t final_tick = session.final_tick();
    selection_.until = final_tick == store::kNever ? store::kNever : final_tick + 1;
    walk_.emplace(*pair.from->lane, *pair.to->lane, selection_);
    begin_tick_ = store::kNever;
    return true;
}

// Of its starts' rows, as many as there are rows at all for each channel it may end with.
std::uint64_t PairScan::number() const {
    const LanePair& pair = pairs_[pair_ - 1];
    const auto to = static_cast<std::uint64_t>(pair.to - captures_[capture_ - 1].lanes().data());
    return to * captures_.back().rows_until() + pair.from->rows_before + pair.from->lane->lower_bound(begin_tick_) +
           begun_alike_;
}

void PairScan::put_end(std::size_t column, const analysis::Interval& interval, Cell& cell) const {
    if (interval.state == analysis::IntervalState::kUnfinished) return cell.null();
    const time::ClockMap& clock = captures_[capture_ - 1].clock();
    if (column == kPairEndNs) return cell.nanoseconds(clock.to_ps(interval.end_tick));
    if (column == kPairEndTick) return cell.natural(interval.end_tick);
    if (column == kPairWidth) return cell.nanoseconds(clock.ticks_to_ps(static_cast<std::int64_t>(interval.width())));
    const auto stamps = interval.one_thread ? time::Stamps::kOneThread : time::Stamps::kTwoThreads;
    const LanePair& pair = pairs_[pair_ - 1];
    cell.nanoseconds(captures_[capture_ - 1].session().error_between(*pair.from->lane, interval.begin_tick, *pair.to->lane,
                                                                     interval.end_tick, stamps));
}

void PairScan::put(std::size_t column, Cell& cell) {
    const NamedCapture& capture = captures_[capture_ - 1];
    const analysis::Interval& interval = found_.front();
    switch (column) {
        case kPairBeginNs: return cell.nanoseconds(capture.clock().to_ps(interval.begin_tick));
        case kPairBeginPs: return cell.integer(capture.clock().to_ps(interval.begin_tick));
        case kPairBeginTick: return cell.natural(interval.begin_tick);
        case kPairBeginUtc: return cell.integer(capture.clock().utc_ns(interval.begin_tick));
        case kPairEndNs:
        case kPairEndTick:
        case kPairWidth:
        case kPairError: return put_end(column, interval, cell);
        case kPairState:
            switch (interval.state) {
                case analysis::IntervalState::kWhole: return cell.standing("whole");
                case analysis::IntervalState::kLossy: return cell.standing("lossy");
                case analysis::IntervalState::kUnfinished: return cell.standing("unfinished");
            }
            return;
        case kPairFrom: return cell.standing(pairs_[pair_ - 1].from->channel);
        case kPairTo: return cell.standing(pairs_[pair_ - 1].to->channel);
        case kPairCapture: return cell.standing(capture.name());
        case kPairA: return cell.text(request_.text_of(Role::kFirst));
        case kPairB: return cell.text(request_.text_of(Role::kSecond));
        default: return cell.null();
    }
}

double count_starts(const Captures& captures) {
    double rows = 0;
    for (const NamedCapture& capture : captures) rows += static_cast<double>(capture.session().events());
    return rows;
}

}  // namespace

Table pairs_table() {
    Table table;
    table.name = "pairs";
    table.what = "pairs('A', 'B'): from each start of channel A to the next start of B; names may be patterns";
    table.columns = {{"begin_ns", "REAL", Role::kNanoseconds},
                     {"end_ns", "REAL"},
                     {"width_ns", "REAL"},
                     {"error_ns", "REAL"},
                     {"state", "TEXT"},
                     {"a_channel", "TEXT"},
                     {"b_channel", "TEXT"},
                     {"begin_tick", "INTEGER", Role::kTick},
                     {"end_tick", "INTEGER"},
                     {"begin_ps", "INTEGER", Role::kPicoseconds},
                     {"begin_utc_ns", "INTEGER", Role::kUtc},
                     {"capture", "TEXT", Role::kCapture},
                     {"a", "TEXT", Role::kFirst, true},
                     {"b", "TEXT", Role::kSecond, true}};
    table.rows = count_starts;
    table.scan = scan_of<PairScan>;
    return table;
}

}  // namespace sla::sql
