#include "viewer/export/delimited_rows.h"

#include "viewer/export/names.h"

namespace sla::exporting {

namespace {

// Of a row without its names and text: the index (20), tick, time, value and three times of at most 24 each, separators.
constexpr std::size_t kNumbersRoom = 256;

char* put_value(std::uint8_t code, std::uint64_t value, char* at) {
    switch (wire::value_type_of(code)) {
        case wire::ValueType::kNone: return at;
        case wire::ValueType::kUnsigned: return put_number(at, value);
        case wire::ValueType::kSigned: {
            const bool negative = static_cast<std::int64_t>(value) < 0;
            *at = '-';
            return put_number(at + (negative ? 1 : 0), negative ? std::uint64_t{0} - value : value);
        }
        case wire::ValueType::kFloat: return fmt::format_to(at, "{}", wire::as_double(value));
    }
    return at;
}

// Of a walk times do not go back.
char* put_ns(std::int64_t ps, char* at) {
    return put_nanoseconds(at, static_cast<std::uint64_t>(ps));
}

}  // namespace

DelimitedRows::DelimitedRows(const store::Session& session, const analysis::Selection& selection, bool tabs)
    : session_(session),
      separator_(tabs ? '\t' : ','),
      clock_(session.clock()),
      deltas_(session.clock(), selection.from, selection.filter.has_value()),
      quoting_(make_delimited_writer(tabs, {})) {
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
        kinds_[kind] = PaddedText(std::string(wire::kind_name(static_cast<wire::Kind>(kind))) + separator_);
}

DelimitedRows::LaneState& DelimitedRows::state_of(const store::Lane& lane) {
    LaneState*& recent = recent_[lane.channel().id.value % recent_.size()];
    if (recent == nullptr || recent->lane != &lane) recent = &make_state(lane);
    return *recent;
}

DelimitedRows::LaneState& DelimitedRows::make_state(const store::Lane& lane) {
    LaneState& state = states_[&lane];
    if (state.lane != nullptr) return state;
    state.lane = &lane;
    state.source = separator_ + quoting_->prepare(source_text(session_, lane)) + separator_;
    state.channel = separator_ + quoting_->prepare(lane.channel().name) + separator_;
    state.has_text = lane.has_texts() || !lane.channel().format.empty() || !lane.gaps().empty();
    return state;
}

const PaddedText& DelimitedRows::prefix_of(LaneState& state, std::uint32_t thread) {
    if (state.thread != thread || state.prefix.length() == 0) {
        state.thread = thread;
        state.prefix = PaddedText(state.source + quoting_->prepare(thread_text(session_, thread)) + state.channel);
    }
    return state.prefix;
}

void DelimitedRows::write(const store::Place& place, const store::Event& event, ByteBuffer& out) {
    LaneState& state = state_of(*place.lane);
    const PaddedText& prefix = prefix_of(state, event.thread);
    char* begin = out.reserve(kNumbersRoom + prefix.room());
    char* at = begin;
    std::memcpy(at, index_.begin(), DecimalCounter::kMost);
    at += index_.length();
    index_.next();
    *at++ = separator_;
    at = tick_.put<false>(at, event.tick);
    *at++ = separator_;
    at = put_time(clock_.to_ps(event.tick), at);
    at = prefix.put(at);
    at = kinds_[static_cast<std::size_t>(event.kind())].put(at);
    at = put_value(event.code, event.value, at);
    *at++ = separator_;
    if (state.has_text) {
        out.commit(at - begin);
        put_text(place, event.kind(), out);
        at = begin = out.reserve(kNumbersRoom);
    }
    at = put_deltas(deltas_.next(state.last, event.tick, event.thread), at);
    out.commit(at - begin);
    ++rows_;
}

char* DelimitedRows::put_time(std::int64_t ps, char* at) {
    if (ps >= 0) return ps_.put<true>(at, static_cast<std::uint64_t>(ps));
    *at = '-';
    return put_nanoseconds(at + 1, static_cast<std::uint64_t>(-ps));
}

void DelimitedRows::put_text(const store::Place& place, wire::Kind kind, ByteBuffer& out) {
    scratch_.clear();
    place.lane->append_text(place.index, scratch_);
    if (scratch_.empty() && kind != wire::Kind::kText) return;
    out.put(quoting_->prepare(scratch_));
}

char* DelimitedRows::put_deltas(const analysis::DeltaTracker::TickDeltas& deltas, char* at) {
    const auto ps_of = [this](std::uint64_t ticks) { return clock_.ticks_to_ps(static_cast<std::int64_t>(ticks)); };
    *at++ = separator_;
    char* const any = at;
    if (deltas.has_any) at = put_ns(ps_of(deltas.any), at);
    const auto length = static_cast<std::size_t>(at - any);
    *at++ = separator_;
    if (deltas.has_channel && deltas.has_any && deltas.channel == deltas.any) {
        char same[32];  // a fixed size is a move, not a call; the length is what counts
        std::memcpy(same, any, sizeof same);
        std::memcpy(at, same, sizeof same);
        at += length;
    } else if (deltas.has_channel) {
        at = put_ns(ps_of(deltas.channel), at);
    }
    const auto error = deltas.has_any || deltas.has_channel ? std::optional(deltas.error_ps) : std::nullopt;
    if (error != error_ps_ || !error_known_) {
        char text[40];
        char* end = text;
        *end++ = separator_;
        if (error) end = put_ns(*error, end);
        *end++ = '\n';
        error_text_ = PaddedText(std::string_view(text, static_cast<std::size_t>(end - text)));
        error_ps_ = error;
        error_known_ = true;
    }
    return error_text_.put(at);
}

}  // namespace sla::exporting
