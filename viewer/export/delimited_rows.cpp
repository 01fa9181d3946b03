#include "viewer/export/delimited_rows.h"

#include "viewer/export/names.h"

namespace sla::exporting {

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
    char* const begin = out.reserve(DecimalCounter::kMost + 1 + 24 + 1);
    char* at = begin;
    std::memcpy(at, index_.begin(), DecimalCounter::kMost);
    at += index_.length();
    index_.next();
    *at++ = separator_;
    at = tick_.put(at, event.tick);
    *at++ = separator_;
    out.commit(at - begin);
    put_time(clock_.to_ps(event.tick), out);
    out.put(prefix_of(words, event.thread));
    out.put(kinds_[static_cast<std::size_t>(event.kind())]);
    put_value(event, out);
    out.put(separator_);
    if (words.has_text) put_text(place, event, out);
    put_deltas(deltas_.next(place), out);
    ++rows_;
}

// Beyond the first hundred microseconds the leading digits are ready.
void DelimitedRows::put_time(std::int64_t ps, ByteBuffer& out) {
    if (ps < static_cast<std::int64_t>(kTenTo8)) return out.put_ns(ps);
    char* const begin = out.reserve(32);
    char* const end = ps_.put(begin, static_cast<std::uint64_t>(ps));
    std::memmove(end - 2, end - 3, 3);  // 12345678 -> 12345.678
    end[-3] = '.';
    out.commit(end + 1 - begin);
}

void DelimitedRows::put_value(const store::Event& event, ByteBuffer& out) const {
    switch (wire::value_type_of(event.code)) {
        case wire::ValueType::kNone: return;
        case wire::ValueType::kSigned: return out.put_signed(static_cast<std::int64_t>(event.value));
        case wire::ValueType::kUnsigned: return out.put_unsigned(event.value);
        case wire::ValueType::kFloat: return out.put_float(wire::as_double(event.value));
    }
}

void DelimitedRows::put_text(const store::Place& place, const store::Event& event, ByteBuffer& out) {
    scratch_.clear();
    place.lane->append_text(place.index, scratch_);
    if (scratch_.empty() && event.kind() != wire::Kind::kText) return;
    out.put(quoting_->prepare(scratch_));
}

void DelimitedRows::put_deltas(const analysis::Deltas& deltas, ByteBuffer& out) {
    out.put(separator_);
    const std::size_t before = out.size();
    if (deltas.any_ps) out.put_ns(*deltas.any_ps);
    const std::size_t length = out.size() - before;
    out.put(separator_);
    if (deltas.channel_ps && deltas.any_ps && *deltas.channel_ps == *deltas.any_ps) {
        out.repeat(before, length);
    } else if (deltas.channel_ps) {
        out.put_ns(*deltas.channel_ps);
    }
    if (deltas.error_ps != error_ps_ || error_text_.empty()) {
        ByteBuffer text;
        text.put(separator_);
        if (deltas.error_ps) text.put_ns(*deltas.error_ps);
        text.put('\n');
        error_text_ = text.view();
        error_ps_ = deltas.error_ps;
    }
    out.put(error_text_);
}

}  // namespace sla::exporting
