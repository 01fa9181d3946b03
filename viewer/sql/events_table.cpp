// events: every row of the capture in order of time, as `sla table` writes them. A row costs some 20 ns beside what SQLite
// does with it; of what the question does not look at nothing is made.
#include "viewer/sql/table.h"
#include "viewer/store/merged_rows.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace sla::sql {

namespace {

enum EventColumn : std::size_t {
    kTickColumn,
    kTimeNsColumn,
    kSourceColumn,
    kThreadColumn,
    kChannelColumn,
    kKindColumn,
    kValueColumn,
    kTextColumn,
    kDeltaColumn,
    kErrorColumn,
    kTimePsColumn,
    kUtcColumn,
    kDetail0Column,
    kDetail1Column,
    kEventCaptureColumn,
};

void put_value(std::uint8_t code, std::uint64_t value, Cell& cell) {
    switch (wire::value_type_of(code)) {
        case wire::ValueType::kNone: return cell.null();
        case wire::ValueType::kSigned: return cell.integer(static_cast<std::int64_t>(value));
        case wire::ValueType::kUnsigned: return cell.natural(value);
        case wire::ValueType::kFloat: return cell.real(wire::as_double(value));
    }
}

// In the chunks that will be read, lanes that no row is wanted of need not be made ready.
class Narrowing {
public:
    Narrowing(const store::Session& session, const std::vector<const store::Lane*>& lanes, const TickRange& range)
        : pages_(lanes.size() < session.lanes().size() ? session.page_source() : nullptr) {
        if (pages_ == nullptr) return;
        std::vector<ChannelId> channels;
        for (const store::Lane* lane : lanes) channels.push_back(lane->channel().id);
        for (const store::Lane* lane : lanes) {
            if (lane->pages() == nullptr) continue;
            const auto& pages = lane->pages()->pages();
            for (std::size_t at = lane->pages()->page_at(range.first); at < pages.size(); ++at) {
                if (pages[at].first_tick > range.last) break;
                chunks_.push_back(pages[at].chunk);
            }
        }
        std::sort(chunks_.begin(), chunks_.end());
        chunks_.erase(std::unique(chunks_.begin(), chunks_.end()), chunks_.end());
        for (const std::uint32_t chunk : chunks_) pages_->narrow(chunk, channels);
    }
    ~Narrowing() {
        for (const std::uint32_t chunk : chunks_) pages_->narrow(chunk, {});
    }
    Narrowing(const Narrowing&) = delete;
    Narrowing& operator=(const Narrowing&) = delete;

private:
    store::PageSource* pages_;
    std::vector<std::uint32_t> chunks_;
};

// The rows of one capture.
class CaptureEvents {
public:
    CaptureEvents(const NamedCapture& capture, const Request& request) : capture_(&capture) {
        TickRange range = request.ticks(capture);
        range.last = std::min(range.last, capture.session().final_tick());
        if (range.empty()) return;
        choose_kinds(request);
        std::vector<const store::Lane*> lanes;
        for (const LaneTexts* texts : request.lanes(capture)) {
            if (!may_hold(*texts->lane)) continue;
            lanes_.push_back(texts);
            lanes.push_back(texts->lane);
        }
        if (request.counts_only) {
            for (const store::Lane* lane : lanes) count_ += rows_in(*lane, range);
            return;
        }
        has_threads_ = request.has(Role::kThread);
        narrowing_.emplace(capture.session(), lanes, range);
        rows_.emplace(std::move(lanes), range.first, range.last);
    }

    // False: there are no more, or stopped.
    bool next(const Request& request, const GoOn& go_on) {
        if (!rows_) {
            if (count_ == 0) return false;
            --count_;
            return true;
        }
        for (std::uint32_t looked_at = 1;; ++looked_at) {
            row_ = rows_->next();
            if (row_ == nullptr) return false;
            if (is_wanted(request)) return true;
            if (looked_at % kRowsPerLook == 0 && !go_on()) return false;
        }
    }
    void put(std::size_t column, Cell& cell);

private:
    static constexpr std::uint32_t kRowsPerLook = 1 << 14;

    static std::uint64_t rows_in(const store::Lane& lane, const TickRange& range) {
        const std::uint64_t first = lane.lower_bound(range.first);
        return std::max(first, lane.upper_bound(range.last)) - first;
    }
    void choose_kinds(const Request& request) {
        for (std::size_t code = 0; code < kinds_.size(); ++code) {
            const wire::Kind kind = wire::kind_of(static_cast<std::uint8_t>(code));
            kinds_[code] = request.matches(Role::kKind, wire::kind_name(kind));
            wanted_ |= kinds_[code] ? store::kind_bit(kind) : std::uint8_t{0};
        }
    }
    [[nodiscard]] bool may_hold(const store::Lane& lane) const {
        for (const wire::Kind kind : {wire::Kind::kTick, wire::Kind::kBegin, wire::Kind::kEnd, wire::Kind::kLevel,
                                      wire::Kind::kValue, wire::Kind::kText, wire::Kind::kGap}) {
            const bool is_there = kind == wire::Kind::kGap ? !lane.gaps().empty() : lane.has(kind);
            if (is_there && (wanted_ & store::kind_bit(kind)) != 0) return true;
        }
        return false;
    }
    bool is_wanted(const Request& request) {
        if (!kinds_[row_->code]) return false;
        if (!has_threads_) return true;
        if (row_->thread != thread_ || !knows_thread_) {
            thread_ = row_->thread;
            knows_thread_ = true;
            is_thread_ = request.matches(Role::kThread, capture_->thread_text(thread_));
        }
        return is_thread_;
    }
    [[nodiscard]] const store::Lane& lane() const { return *lanes_[row_->lane]->lane; }
    void put_distance(bool as_error, Cell& cell) const;
    void put_text(Cell& cell);

    const NamedCapture* capture_;
    std::vector<const LaneTexts*> lanes_;
    std::optional<Narrowing> narrowing_;
    std::optional<store::MergedRows> rows_;  // none: rows are only counted
    const store::MergedRows::Row* row_ = nullptr;
    std::uint64_t count_ = 0;
    std::array<bool, 256> kinds_{};  // by code
    std::uint8_t wanted_ = 0;        // kind_bit()s
    bool has_threads_ = false;       // the request names some
    bool knows_thread_ = false;
    bool is_thread_ = false;
    std::uint32_t thread_ = 0;
    std::string scratch_;
};

// From the row before in the channel, and the error of that time.
void CaptureEvents::put_distance(bool as_error, Cell& cell) const {
    if (row_->index == 0) return cell.null();
    const store::Event before = lane()[row_->index - 1];
    const auto stamps = before.thread == row_->thread ? time::Stamps::kOneThread : time::Stamps::kTwoThreads;
    const time::ClockMap& clock = capture_->clock();
    cell.nanoseconds(as_error ? capture_->session().error_between(lane(), before.tick, lane(), row_->tick, stamps)
                              : clock.ticks_to_ps(static_cast<std::int64_t>(row_->tick - before.tick)));
}

void CaptureEvents::put_text(Cell& cell) {
    scratch_.clear();
    lane().append_text(row_->index, scratch_);
    scratch_.empty() ? cell.null() : cell.text(scratch_);
}

void CaptureEvents::put(std::size_t column, Cell& cell) {
    const time::ClockMap& clock = capture_->clock();
    switch (column) {
        case kTickColumn: return cell.natural(row_->tick);
        case kTimeNsColumn: return cell.nanoseconds(clock.to_ps(row_->tick));
        case kTimePsColumn: return cell.integer(clock.to_ps(row_->tick));
        case kUtcColumn:
            if (capture_->knows_utc()) return cell.integer(capture_->utc_ns(row_->tick));
            return cell.null();
        case kSourceColumn: return cell.standing(lanes_[row_->lane]->source);
        case kChannelColumn: return cell.standing(lanes_[row_->lane]->channel);
        case kThreadColumn: return cell.standing(capture_->thread_text(row_->thread));
        case kKindColumn: return cell.standing(wire::kind_name(wire::kind_of(static_cast<std::uint8_t>(row_->code))));
        case kValueColumn: return put_value(static_cast<std::uint8_t>(row_->code), row_->value, cell);
        case kTextColumn: return put_text(cell);
        case kDeltaColumn: return put_distance(false, cell);
        case kErrorColumn: return put_distance(true, cell);
        case kDetail0Column: return cell.natural(lane().details(row_->index)[0]);
        case kDetail1Column: return cell.natural(lane().details(row_->index)[1]);
        case kEventCaptureColumn: return cell.standing(capture_->name());
        default: return cell.null();
    }
}

class EventScan final : public Scan {
public:
    EventScan(const Captures& captures, const Request& request, const GoOn& go_on)
        : captures_(captures), request_(request), go_on_(go_on) {}

    bool next() override {
        for (;;) {
            if (events_ && events_->next(request_, go_on_)) return true;
            events_.reset();
            do {
                if (at_ == captures_.size()) return false;
            } while (!request_.matches(Role::kCapture, captures_[at_++].name()));
            events_.emplace(captures_[at_ - 1], request_);
        }
    }
    void put(std::size_t column, Cell& cell) override { events_->put(column, cell); }

private:
    const Captures& captures_;
    const Request& request_;
    const GoOn& go_on_;
    std::size_t at_ = 0;  // the capture behind the one that is read
    std::optional<CaptureEvents> events_;
};

double count_events(const Captures& captures) {
    double rows = 0;
    for (const NamedCapture& capture : captures) {
        for (const LaneTexts& lane : capture.lanes()) rows += static_cast<double>(lane.lane->size());
    }
    return rows;
}

}  // namespace

Table events_table() {
    Table table;
    table.name = "events";
    table.what = "every event and every loss (kind 'gap'), in order of time";
    table.columns = {{"tick", "INTEGER", Role::kTick},
                     {"time_ns", "REAL", Role::kNanoseconds},
                     {"source", "TEXT", Role::kSource},
                     {"thread", "TEXT", Role::kThread},
                     {"channel", "TEXT", Role::kChannel},
                     {"kind", "TEXT", Role::kKind},
                     {"value", ""},
                     {"text", "TEXT"},
                     {"delta_ns", "REAL"},
                     {"error_ns", "REAL"},
                     {"time_ps", "INTEGER", Role::kPicoseconds},
                     {"utc_ns", "INTEGER", Role::kUtc},
                     {"detail0", "INTEGER"},
                     {"detail1", "INTEGER"},
                     {"capture", "TEXT", Role::kCapture}};
    table.is_in_tick_order = true;
    table.rows = count_events;
    table.scan = [](const Captures& captures, const Request& request, const GoOn& go_on) -> std::unique_ptr<Scan> {
        return std::make_unique<EventScan>(captures, request, go_on);
    };
    return table;
}

}  // namespace sla::sql
