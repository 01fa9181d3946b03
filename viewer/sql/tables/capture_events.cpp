#include "viewer/sql/tables/capture_events.h"

#include "viewer/sql/tables/event_groups.h"

#include <algorithm>
#include <utility>

namespace sla::sql {

namespace {

void put_value(std::uint8_t code, std::uint64_t value, Cell& cell) {
    switch (wire::value_type_of(code)) {
        case wire::ValueType::kNone: return cell.null();
        case wire::ValueType::kSigned: return cell.integer(static_cast<std::int64_t>(value));
        case wire::ValueType::kUnsigned: return cell.natural(value);
        case wire::ValueType::kFloat: return cell.real(wire::as_double(value));
    }
}

// No row has to be looked at to know that it counts.
bool is_countable(const Request& request, bool are_alike) {
    if (!request.bounds.empty() || request.has(Role::kKind) || request.has(Role::kThread)) return false;
    return request.counts_only || (request.texts_of_lanes_only && are_alike);
}

}  // namespace

Narrowing::Narrowing(const store::Session& session, const std::vector<const store::Lane*>& lanes, const TickRange& range)
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
Narrowing::~Narrowing() {
    for (const std::uint32_t chunk : chunks_) pages_->narrow(chunk, {});
}

CaptureEvents::CaptureEvents(const NamedCapture& capture, const Request& request,
                             const std::vector<const LaneTexts*>& wanted, bool are_alike, const GoOn& go_on)
    : capture_(&capture) {
    TickRange range = request.ticks(capture);
    range.last = std::min(range.last, capture.session().final_tick());
    if (range.empty()) return;
    choose_kinds(request);
    std::vector<const store::Lane*> lanes;
    for (const LaneTexts* texts : wanted) {
        if (!may_hold(*texts->lane, go_on)) continue;
        lanes_.push_back(texts);
        lanes.push_back(texts->lane);
    }
    if (is_countable(request, are_alike)) {
        for (const LaneTexts* texts : lanes_) {
            const std::uint64_t first = texts->lane->lower_bound(range.first);
            const std::uint64_t end = std::max(first, texts->lane->upper_bound(range.last));
            counted_.push_back({texts->rows_before + first, end - first});
        }
        return;
    }
    has_threads_ = request.has(Role::kThread);
    narrowing_.emplace(capture.session(), lanes, range);
    rows_.emplace(std::move(lanes), range.first, range.last);
}

void CaptureEvents::choose_kinds(const Request& request) {
    for (std::size_t code = 0; code < kinds_.size(); ++code) {
        const wire::Kind kind = wire::kind_of(static_cast<std::uint8_t>(code));
        kind_texts_[code] = wire::kind_name(kind);
        kinds_[code] = request.matches(Role::kKind, wire::kind_name(kind));
        wanted_ |= kinds_[code] ? store::kind_bit(kind) : std::uint8_t{0};
    }
}

bool CaptureEvents::may_hold(const store::Lane& lane, const GoOn& go_on) const {
    return std::any_of(kEveryKind.begin(), kEveryKind.end(), [&](wire::Kind kind) {
        return (wanted_ & store::kind_bit(kind)) != 0 && has_kind(lane, kind, go_on);
    });
}

bool CaptureEvents::count_one() {
    while (!counted_.empty() && counted_.back().left == 0) counted_.pop_back();
    if (counted_.empty()) return false;
    --counted_.back().left;
    return true;
}

std::uint64_t CaptureEvents::number() const {
    if (row_ == nullptr) return counted_.back().first_number + counted_.back().left;
    return texts().rows_before + row_->index;
}

bool CaptureEvents::next(const Request& request, const GoOn& go_on) {
    if (!rows_) return count_one();
    for (std::uint32_t looked_at = 1;; ++looked_at) {
        row_ = rows_->next();
        if (row_ == nullptr) return false;
        if (is_wanted(request)) return true;
        if (looked_at % kRowsPerLook == 0 && !go_on()) return false;
    }
}

bool CaptureEvents::is_wanted(const Request& request) {
    if (!kinds_[row_->code]) return false;
    if (!has_threads_) return true;
    if (row_->thread != thread_ || !knows_thread_) {
        thread_ = row_->thread;
        knows_thread_ = true;
        const auto [at, fresh] = threads_.try_emplace(thread_);
        if (fresh) at->second = request.matches(Role::kThread, capture_->thread_text(thread_));
        is_thread_ = at->second;
    }
    return is_thread_;
}

std::string_view CaptureEvents::thread_text() {
    if (row_->thread != reported_thread_ || reported_text_.empty()) {
        reported_thread_ = row_->thread;
        reported_text_ = capture_->thread_text(reported_thread_);
    }
    return reported_text_;
}

// From the row before in the channel, and the error of that time; none from one that is held (as analysis::DeltaTracker).
void CaptureEvents::put_distance(bool as_error, Cell& cell) const {
    if (row_->index == 0) return cell.null();
    const store::Event before = lane()[row_->index - 1];
    if (is_held(before.tick)) return cell.null();
    const auto stamps = before.thread == row_->thread ? time::Stamps::kOneThread : time::Stamps::kTwoThreads;
    const time::ClockMap& clock = capture_->clock();
    cell.nanoseconds(as_error ? capture_->session().error_between(lane(), before.tick, lane(), row_->tick, stamps)
                              : clock.ticks_to_ps(static_cast<std::int64_t>(row_->tick - before.tick)));
}

void CaptureEvents::put_text(Cell& cell) {
    scratch_.clear();
    lane().append_text(row_->index, scratch_);
    scratch_.empty() && lane()[row_->index].kind() != wire::Kind::kText ? cell.null() : cell.text(scratch_);
}

void CaptureEvents::put(std::size_t column, Cell& cell) {
    const time::ClockMap& clock = capture_->clock();
    switch (column) {
        case kTickColumn: return cell.natural(row_->tick);
        case kTimeNsColumn: return cell.nanoseconds(clock.to_ps(row_->tick));
        case kTimePsColumn: return cell.integer(clock.to_ps(row_->tick));
        case kUtcColumn: return cell.integer(clock.utc_ns(row_->tick));
        case kSourceColumn: return cell.standing(texts().source);
        case kChannelColumn: return cell.standing(texts().channel);
        case kThreadColumn: return cell.standing(thread_text());
        case kKindColumn: return cell.standing(kind_texts_[row_->code]);
        case kValueColumn: return put_value(static_cast<std::uint8_t>(row_->code), row_->value, cell);
        case kTextColumn: return put_text(cell);
        case kDeltaColumn: return put_distance(false, cell);
        case kErrorColumn: return put_distance(true, cell);
        case kDetail0Column: return cell.natural(lane().details(row_->index)[0]);
        case kDetail1Column: return cell.natural(lane().details(row_->index)[1]);
        case kEventCaptureColumn: return cell.standing(capture_->name());
        case kChannelIdColumn: return cell.natural(lane().channel().id.value);
        case kRowColumn: return cell.natural(row_->index);
        case kHeldColumn: return cell.integer(is_held(row_->tick) ? 1 : 0);
        default: return cell.null();
    }
}

}  // namespace sla::sql
