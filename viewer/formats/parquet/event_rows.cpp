#include "viewer/formats/parquet/event_rows.h"

#include "viewer/formats/names.h"
#include "viewer/formats/stamp_errors.h"
#include "viewer/store/unreadable_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace sla::formats::parquet {

EventRows::EventRows(const store::Session& session, const std::vector<const store::Lane*>& lanes, std::string source_facts)
    : session_(session), clock_(session.clock()), deltas_(session), source_facts_(std::move(source_facts)) {
    for (const store::Lane* lane : lanes) {
        LaneState state;
        state.lane = lane;
        state.source.text = source_text(session, *lane);
        state.channel.text = lane->channel().name;
        if (const store::Source* source = session.source_of(*lane); source != nullptr) state.pid = source->pid;
        state.has_text = may_have_text(*lane);
        state.last.host = session.errors_of(*lane);
        lanes_.push_back(std::move(state));
    }
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
        kinds_[kind].text = wire::kind_name(static_cast<wire::Kind>(kind));
}

void EventRows::reach_back(std::uint64_t tick) {
    struct Before {
        store::Event event;
        LaneState* state = nullptr;
    };
    std::vector<Before> before;
    for (LaneState& state : lanes_) {
        const std::uint64_t rows = state.lane->lower_bound(tick);
        if (rows > 0) before.push_back({(*state.lane)[rows - 1], &state});
    }
    std::stable_sort(before.begin(), before.end(),
                     [](const Before& a, const Before& b) { return a.event.tick < b.event.tick; });
    for (const Before& one : before) deltas_.next(one.state->last, one.event.tick, one.event.thread);
}

void EventRows::put_name(EventColumn column, Name& name) {
    if (name.group != file_.group()) {
        name.number = file_.column(column).intern(name.text);
        name.group = file_.group();
    }
    file_.column(column).text(name.number);
}

EventRows::Name& EventRows::thread_of(std::uint32_t id) {
    if (last_thread_name_ == nullptr || id != last_thread_) {
        const auto [at, fresh] = threads_.try_emplace(id);
        if (fresh) at->second.text = thread_text(session_, id);
        last_thread_ = id;
        last_thread_name_ = &at->second;
    }
    return *last_thread_name_;
}

void EventRows::put_ns(EventColumn column, bool is_known, std::int64_t ps) {
    is_known ? file_.column(column).real(static_cast<double>(ps) / 1000.0) : file_.column(column).null();
}

void EventRows::put_time(std::uint64_t tick) {
    const std::int64_t ps = clock_.to_ps(tick);
    file_.column(kTick).natural(tick);
    put_ns(kTimeNs, true, ps);
    file_.column(kTimePs).integer(ps);
    const auto utc = clock_.utc_ns(tick);
    utc ? file_.column(kUtcNs).integer(*utc) : file_.column(kUtcNs).null();
}

void EventRows::put_value(std::uint8_t code, std::uint64_t value) {
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const wire::ValueType type = wire::value_type_of(code);
    const bool is_signed = type == wire::ValueType::kSigned;
    const bool is_unsigned = type == wire::ValueType::kUnsigned;
    const bool is_int = is_signed || (is_unsigned && value <= kMax);
    if (type == wire::ValueType::kNone) {
        file_.column(kValue).null();
    } else if (type == wire::ValueType::kFloat) {
        file_.column(kValue).real(wire::as_double(value));
    } else {
        file_.column(kValue).real(is_int ? static_cast<double>(static_cast<std::int64_t>(value))
                                         : static_cast<double>(value));
    }
    is_int ? file_.column(kValueInt).natural(value) : file_.column(kValueInt).null();
    is_unsigned && !is_int ? file_.column(kValueUnsigned).natural(value) : file_.column(kValueUnsigned).null();
}

void EventRows::put_text(const store::MergedRows::Row& row, const LaneState& state) {
    scratch_.clear();
    if (state.has_text || row.code == SLA_CODE_GAP) state.lane->append_text(row.index, scratch_);
    ColumnWriter& column = file_.column(kText);
    if (scratch_.empty() && wire::kind_of(static_cast<std::uint8_t>(row.code)) != wire::Kind::kText) return column.null();
    column.text(column.intern(scratch_));
}

void EventRows::put_deltas(const analysis::DeltaTracker::TickDeltas& deltas) {
    put_ns(kDeltaAnyNs, deltas.has_any, clock_.ticks_to_ps(static_cast<std::int64_t>(deltas.any)));
    put_ns(kDeltaChannelNs, deltas.has_channel, clock_.ticks_to_ps(static_cast<std::int64_t>(deltas.channel)));
    put_ns(kErrorNs, deltas.has_any || deltas.has_channel, deltas.error_ps);
}

void EventRows::put_rare(const store::MergedRows::Row& row, const LaneState& state) {
    const bool is_gap = row.code == SLA_CODE_GAP;
    const auto details = is_gap ? std::array<std::uint64_t, 2>{} : state.lane->details(row.index);
    const bool has_details = details[0] != 0 || details[1] != 0;
    has_details ? file_.column(kDetail0).natural(details[0]) : file_.column(kDetail0).null();
    has_details ? file_.column(kDetail1).natural(details[1]) : file_.column(kDetail1).null();
    state.pid != 0 ? file_.column(kPid).natural(state.pid) : file_.column(kPid).null();
    const std::optional<store::Gap> gap = is_gap ? store::loss_of_row(*state.lane, row.index) : std::nullopt;
    gap && gap->has_end() ? file_.column(kUntilTick).natural(gap->until_tick) : file_.column(kUntilTick).null();
}

Result<void> EventRows::put(const store::MergedRows::Row& row, Output& output) {
    LaneState& state = lanes_[row.lane];
    const auto code = static_cast<std::uint8_t>(row.code);
    put_time(row.tick);
    put_name(kSource, state.source);
    put_name(kThread, thread_of(row.thread));
    put_name(kChannel, state.channel);
    put_name(kKind, kinds_[static_cast<std::size_t>(wire::kind_of(code))]);
    put_value(code, row.value);
    put_text(row, state);
    put_deltas(deltas_.next(state.last, row.tick, row.thread));
    put_rare(row, state);
    return file_.end_row(output);
}

Result<void> EventRows::finish(Output& output) {
    return file_.finish(output, {{kOriginTickKey, std::to_string(clock_.origin_tick())},
                                 {kTicksPerSecondKey, fmt::format("{}", clock_.ticks_per_second())},
                                 {kClockErrorKey, fmt::format("{}", clock_.slope_error_ppb())},
                                 {kOriginRealtimeKey, std::to_string(clock_.origin_realtime_ns())},
                                 {kStampErrorsKey, stamp_errors_text(session_)},
                                 {kSourcesKey, source_facts_},
                                 {kHostKey, session_.origin().host},
                                 {kCaptureKey, fmt::format("{}", session_.origin().capture_id)}});
}

}  // namespace sla::formats::parquet
