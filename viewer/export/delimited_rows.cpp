#include "viewer/export/delimited_rows.h"

#include "viewer/export/names.h"

namespace sla::exporting {

namespace {

constexpr std::size_t kMostNumbers = 160;  // index, tick, time, kind, value and what is written beyond their ends
constexpr std::size_t kMostDeltas = 64;

char* put_words(std::string_view words, char* at) {
    std::memcpy(at, words.data(), words.size());
    return at + words.size();
}

char* put_value(const store::Event& event, char* at) {
    switch (wire::value_type_of(event.code)) {
        case wire::ValueType::kNone: return at;
        case wire::ValueType::kUnsigned: return put_digits(at, event.value);
        case wire::ValueType::kSigned: {
            const bool negative = static_cast<std::int64_t>(event.value) < 0;
            if (negative) *at++ = '-';
            return put_digits(at, negative ? std::uint64_t{0} - event.value : event.value);
        }
        case wire::ValueType::kFloat: return fmt::format_to(at, "{}", wire::as_double(event.value));
    }
    return at;
}

}  // namespace

DelimitedRows::DelimitedRows(const store::Session& session, const analysis::Selection& selection, bool tabs)
    : session_(session),
      separator_(tabs ? '\t' : ','),
      clock_(session.clock()),
      deltas_(session.clock(), selection.from, selection.filter.has_value()),
      quoting_(make_delimited_writer(tabs, {})) {
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
        kinds_[kind] = std::string(wire::kind_name(static_cast<wire::Kind>(kind))) + separator_;
}

DelimitedRows::LaneWords& DelimitedRows::words_of(const store::Lane& lane) {
    LaneWords*& recent = recent_[lane.channel().id.value % recent_.size()];
    if (recent == nullptr || recent->lane != &lane) recent = &make_words(lane);
    return *recent;
}

DelimitedRows::LaneWords& DelimitedRows::make_words(const store::Lane& lane) {
    LaneWords& words = all_words_[&lane];
    if (words.lane != nullptr) return words;
    words.lane = &lane;
    words.source = separator_ + quoting_->prepare(source_text(session_, lane)) + separator_;
    words.channel = separator_ + quoting_->prepare(lane.channel().name) + separator_;
    words.has_text = lane.has_texts() || !lane.channel().format.empty() || !lane.gaps().empty();
    return words;
}

const std::string& DelimitedRows::prefix_of(LaneWords& words, std::uint32_t thread) {
    if (words.thread != thread || words.prefix.empty()) {
        words.thread = thread;
        words.prefix = words.source + quoting_->prepare(thread_text(session_, thread)) + words.channel;
    }
    return words.prefix;
}

void DelimitedRows::write(const store::Place& place, ByteBuffer& out) {
    const store::Event event = (*place.lane)[place.index];
    LaneWords& words = words_of(*place.lane);
    prefix_of(words, event.thread);
    const analysis::Deltas deltas = deltas_.next(place);
    char* begin = out.reserve(kMostNumbers + words.prefix.size() + 2 * kMostDeltas);
    char* at = put_head(event, words, begin);
    if (words.has_text) {
        out.commit(at - begin);
        put_text(place, event, out);
        at = begin = out.reserve(2 * kMostDeltas);
    }
    at = put_deltas(deltas, at);
    out.commit(at - begin);
    ++rows_;
}

char* DelimitedRows::put_head(const store::Event& event, const LaneWords& words, char* at) {
    std::memcpy(at, index_.begin(), DecimalCounter::kMost);
    at += index_.length();
    index_.next();
    *at++ = separator_;
    at = tick_.put(at, event.tick);
    *at++ = separator_;
    at = put_time(clock_.to_ps(event.tick), at);
    at = put_words(words.prefix, at);
    at = put_words(kinds_[static_cast<std::size_t>(event.kind())], at);
    at = put_value(event, at);
    *at++ = separator_;
    return at;
}

// Beyond the first hundred microseconds the leading digits are ready.
char* DelimitedRows::put_time(std::int64_t ps, char* at) {
    if (ps < static_cast<std::int64_t>(kTenTo8)) return put_ns_of_ps(at, ps);
    return with_point(ps_.put(at, static_cast<std::uint64_t>(ps)));
}

void DelimitedRows::put_text(const store::Place& place, const store::Event& event, ByteBuffer& out) {
    scratch_.clear();
    place.lane->append_text(place.index, scratch_);
    if (scratch_.empty() && event.kind() != wire::Kind::kText) return;
    out.put(quoting_->prepare(scratch_));
}

char* DelimitedRows::put_deltas(const analysis::Deltas& deltas, char* at) {
    *at++ = separator_;
    const char* const any = at;
    if (deltas.any_ps) at = put_ns_of_ps(at, *deltas.any_ps);
    const auto length = static_cast<std::size_t>(at - any);
    *at++ = separator_;
    if (deltas.channel_ps && deltas.any_ps && *deltas.channel_ps == *deltas.any_ps) {
        std::memcpy(at, any, length);
        at += length;
    } else if (deltas.channel_ps) {
        at = put_ns_of_ps(at, *deltas.channel_ps);
    }
    if (deltas.error_ps != error_ps_ || error_text_.empty()) make_error_text(deltas.error_ps);
    return put_words(error_text_, at);
}

void DelimitedRows::make_error_text(const std::optional<std::int64_t>& error_ps) {
    ByteBuffer text;
    text.put(separator_);
    if (error_ps) text.put_ns(*error_ps);
    text.put('\n');
    error_text_ = text.view();
    error_ps_ = error_ps;
}

}  // namespace sla::exporting
