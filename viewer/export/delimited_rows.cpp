#include "viewer/export/delimited_rows.h"

#include "viewer/export/names.h"

namespace sla::exporting {

namespace {

// Of a row without its names and text: its head, a value and three times of at most 24 each, separators.
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
      quoting_(make_delimited_writer(tabs, {})),
      head_(separator_) {}

DelimitedRows::LaneState& DelimitedRows::make_state(std::size_t place, const store::Lane& lane) {
    if (place >= states_.size()) states_.resize(place + 1);
    auto state = std::make_unique<LaneState>();
    state->source = separator_ + quoting_->prepare(source_text(session_, lane)) + separator_;
    state->channel = separator_ + quoting_->prepare(lane.channel().name) + separator_;
    state->has_text = lane.has_texts() || !lane.channel().format.empty() || !lane.gaps().empty();
    states_[place] = std::move(state);
    return *states_[place];
}

void DelimitedRows::make_names(LaneState& state, std::uint32_t thread, wire::Kind kind) {
    if (thread != state.thread) state.names = {};
    state.thread = thread;
    state.names[static_cast<std::size_t>(kind)] =
        PaddedText(state.source + quoting_->prepare(thread_text(session_, thread)) + state.channel + wire::kind_name(kind) +
                   separator_);
}

// Inlined: handing six numbers over by memory costs a third of what making their text does.
[[gnu::always_inline]] inline char* DelimitedRows::put_deltas(const analysis::DeltaTracker::TickDeltas& deltas, char* at) {
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
    if (error != error_ps_ || !error_known_) make_error_text(error);
    return error_text_.put(at);
}

void DelimitedRows::write(const store::MergedRows::Row& row, const store::Lane& lane, ByteBuffer& out) {
    const auto code = static_cast<std::uint8_t>(row.code);
    const wire::Kind kind = wire::kind_of(code);
    LaneState& state = state_of(row.lane, lane);
    const PaddedText& names = names_of(state, row.thread, kind);
    char* begin = out.reserve(kNumbersRoom + names.room());
    char* at = head_.put(begin, row.tick, clock_.to_ps(row.tick));
    at = names.put(at);
    at = put_value(code, row.value, at);
    *at++ = separator_;
    if (state.has_text) {
        out.commit(at - begin);
        put_text(lane, row.index, kind, out);
        at = begin = out.reserve(kNumbersRoom);
    }
    at = put_deltas(deltas_.next(state.last, row.tick, row.thread), at);
    out.commit(at - begin);
}

void DelimitedRows::put_text(const store::Lane& lane, std::uint64_t index, wire::Kind kind, ByteBuffer& out) {
    scratch_.clear();
    lane.append_text(index, scratch_);
    if (scratch_.empty() && kind != wire::Kind::kText) return;
    out.put(quoting_->prepare(scratch_));
}

void DelimitedRows::make_error_text(std::optional<std::int64_t> error) {
    char text[40];
    char* end = text;
    *end++ = separator_;
    if (error) end = put_ns(*error, end);
    *end++ = '\n';
    error_text_ = PaddedText(std::string_view(text, static_cast<std::size_t>(end - text)));
    error_ps_ = error;
    error_known_ = true;
}

}  // namespace sla::exporting
