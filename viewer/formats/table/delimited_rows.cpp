#include "viewer/formats/table/delimited_rows.h"

#include "viewer/formats/names.h"

namespace sla::formats {

namespace {

// Of a row without its names and text: its head, a value and three times of at most 24 each, separators.
constexpr std::size_t kNumbersBytes = 256;

constexpr auto kValueTypes = [] {
    std::array<wire::ValueType, 256> types{};
    for (std::size_t code = 0; code < types.size(); ++code)
        types[code] = wire::value_type_of(static_cast<std::uint8_t>(code));
    return types;
}();

char* put_value(std::uint8_t code, std::uint64_t value, char* at) {
    switch (kValueTypes[code]) {
        case wire::ValueType::kNone: return at;
        case wire::ValueType::kUnsigned: return put_number(at, value);
        case wire::ValueType::kSigned: {
            const bool negative = static_cast<std::int64_t>(value) < 0;
            *at = '-';
            return put_number(at + (negative ? 1 : 0), negative ? std::uint64_t{0} - value : value);
        }
        case wire::ValueType::kFloat: return put_real(at, wire::as_double(value));
    }
    return at;
}

}  // namespace

DelimitedRows::DelimitedRows(const store::Session& session, bool tabs)
    : session_(session),
      separator_(tabs ? '\t' : ','),
      clock_(session.clock()),
      times_(session.clock()),
      deltas_(session.clock()),
      quoting_(make_delimited_writer(tabs, {})),
      head_(separator_) {}

DelimitedRows::LaneState& DelimitedRows::make_state(std::size_t place, const store::Lane& lane) {
    if (place >= states_.size()) states_.resize(place + 1);
    auto state = std::make_unique<LaneState>();
    state->source = separator_ + quoting_->prepare(source_text(session_, lane)) + separator_;
    state->channel = separator_ + quoting_->prepare(lane.channel().name) + separator_;
    state->has_text = lane.has_texts() || !lane.channel().format.empty() || !lane.gaps().empty();
    state->last.host = session_.errors_of(lane);
    states_[place] = std::move(state);
    return *states_[place];
}

void DelimitedRows::make_names(LaneState& state, std::uint32_t thread, std::uint8_t code) {
    if (thread != state.thread) {
        state.place_of = {};
        state.names.resize(1);
    }
    state.thread = thread;
    state.place_of[code] = static_cast<std::uint8_t>(state.names.size());
    state.names.emplace_back(state.source + quoting_->prepare(thread_text(session_, thread)) + state.channel +
                             wire::kind_name(wire::kind_of(code)) + separator_);
}

// Inlined: handing six numbers over by memory costs a third of what making their text does.
[[gnu::always_inline]] inline char* DelimitedRows::put_deltas(const analysis::DeltaTracker::TickDeltas& deltas, char* at) {
    *at++ = separator_;
    if (deltas.has_any) at = times_.put(at, deltas.any);
    *at++ = separator_;
    if (deltas.has_channel) at = times_.put(at, deltas.channel);
    const std::int64_t error_ps = deltas.has_any || deltas.has_channel ? deltas.error_ps : kNoError;
    if (error_ps != error_ps_) make_error_text(error_ps);
    return error_text_.put(at);
}

void DelimitedRows::write(const store::MergedRows::Row& row, const store::Lane& lane, ByteBuffer& out) {
    const auto code = static_cast<std::uint8_t>(row.code);
    LaneState& state = state_of(row.lane, lane);
    const PaddedText& names = names_of(state, row.thread, code);
    char* begin = out.reserve(kNumbersBytes + names.capacity());
    char* at = head_.put(begin, row.tick, clock_.to_ps(row.tick));
    at = names.put(at);
    at = put_value(code, row.value, at);
    *at++ = separator_;
    if (state.has_text) {
        out.commit(at - begin);
        put_text(lane, row.index, code, out);
        at = begin = out.reserve(kNumbersBytes);
    }
    at = put_deltas(deltas_.next(state.last, row.tick, row.thread), at);
    out.commit(at - begin);
}

void DelimitedRows::put_text(const store::Lane& lane, std::uint64_t index, std::uint8_t code, ByteBuffer& out) {
    scratch_.clear();
    lane.append_text(index, scratch_);
    if (scratch_.empty() && wire::kind_of(code) != wire::Kind::kText) return;
    out.put(quoting_->prepare(scratch_));
}

void DelimitedRows::make_error_text(std::int64_t error_ps) {
    char text[40];
    char* end = text;
    *end++ = separator_;
    if (error_ps != kNoError) end = put_nanoseconds(end, static_cast<std::uint64_t>(error_ps));
    *end++ = '\n';
    error_text_ = PaddedText(std::string_view(text, static_cast<std::size_t>(end - text)));
    error_ps_ = error_ps;
}

}  // namespace sla::formats
