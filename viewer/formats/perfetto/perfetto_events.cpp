#include "viewer/formats/perfetto/perfetto_events.h"

#include "viewer/formats/names.h"

#include <bit>
#include <cstdint>
#include <optional>

namespace sla::formats {

namespace {

using Event = sla::perfetto::TrackEvent;

// Counters are signed: such a number would stand there as a negative one. As a double it loses its last digits, which stand beside.
bool is_beyond_signed(const store::Event& event) {
    return wire::value_type_of(event.code) == wire::ValueType::kUnsigned && event.value >> 63 != 0;
}

void fill_counter(const store::Event& event, Event& body) {
    body.set_type(Event::TYPE_COUNTER);
    if (wire::value_type_of(event.code) == wire::ValueType::kFloat) {
        body.set_double_counter_value(wire::as_double(event.value));
    } else if (is_beyond_signed(event)) {
        body.set_double_counter_value(static_cast<double>(event.value));
        auto& exact = *body.add_debug_annotations();
        exact.set_name("value");
        exact.set_uint_value(event.value);
    } else {
        body.set_counter_value(static_cast<std::int64_t>(event.value));
    }
}

void fill_slice_or_instant(const store::RowRef& place, const store::Event& event, Event& body) {
    const bool is_begin = event.kind() == wire::Kind::kBegin;
    const bool is_end = event.kind() == wire::Kind::kEnd;
    body.set_type(is_begin ? Event::TYPE_SLICE_BEGIN : is_end ? Event::TYPE_SLICE_END : Event::TYPE_INSTANT);
    if (!is_end) body.set_name_iid(place.lane->channel().id.value + std::uint64_t{1});
    // Begin and end have one word: Perfetto pairs them by it.
    body.add_categories(is_begin || is_end ? std::string("span") : std::string(wire::kind_name(event.kind())));
    if (!wire::has_value(event.code)) return;
    auto& value = *body.add_debug_annotations();
    value.set_name(event.kind() == wire::Kind::kGap ? "lost" : "value");
    value.set_int_value(static_cast<std::int64_t>(event.value));
}

void read_counter(const Event& event, SinkEvent& out) {
    if (event.has_double_counter_value()) {
        out.code = SLA_CODE_VALUE_FLOAT;
        out.value = std::bit_cast<std::uint64_t>(event.double_counter_value());
    } else {
        out.code = SLA_CODE_VALUE_SIGNED;
        out.value = static_cast<std::uint64_t>(event.counter_value());
    }
}

}  // namespace

void fill_track_event(const store::RowRef& place, const store::Event& event, std::string& scratch,
                      sla::perfetto::TrackEvent& body) {
    const bool is_counter = event.kind() == wire::Kind::kLevel || event.kind() == wire::Kind::kValue;
    if (is_counter) {
        fill_counter(event, body);
        scratch = own_text(*place.lane, place.index);
    } else {
        fill_slice_or_instant(place, event, body);
        scratch.clear();
        place.lane->append_text(place.index, scratch);
    }
    if (scratch.empty() && event.kind() != wire::Kind::kText) return;
    auto& text = *body.add_debug_annotations();
    text.set_name(event.kind() == wire::Kind::kGap ? "cause" : "text");
    text.set_string_value(scratch);
}

bool read_track_event(const Event& event, SinkEvent& out, wire::RowExtra& extra) {
    std::optional<std::int64_t> value;
    std::optional<std::uint64_t> exact;  // of a counter
    bool has_text = false;
    for (const auto& one : event.debug_annotations()) {
        if (one.name() == "text") {
            extra.text = one.string_value();
            has_text = true;
        }
        if (one.name() == "cause") extra.cause = wire::loss_cause_named(one.string_value());
        if ((one.name() == "value" || one.name() == "lost") && one.has_int_value()) value = one.int_value();
        if (one.name() == "value" && one.has_uint_value()) exact = one.uint_value();
    }
    const auto with = [&](std::uint8_t without, std::uint8_t with_value) {
        out.code = value ? with_value : without;
        out.value = static_cast<std::uint64_t>(value.value_or(0));
    };
    const std::string category = event.categories().empty() ? "" : event.categories(0);
    switch (event.type()) {
        case Event::TYPE_SLICE_BEGIN: with(SLA_CODE_BEGIN, SLA_CODE_BEGIN_VALUE); return true;
        case Event::TYPE_SLICE_END:
            if (!has_text) extra.text.clear();
            with(SLA_CODE_END, SLA_CODE_END_VALUE);
            return true;
        case Event::TYPE_COUNTER:
            if (!has_text) extra.text.clear();
            read_counter(event, out);
            if (exact) out.code = SLA_CODE_VALUE_UNSIGNED;
            if (exact) out.value = *exact;
            return true;
        case Event::TYPE_INSTANT: break;
        default: return false;
    }
    if (category == "gap" && value) {
        extra.text.clear();
        out.code = SLA_CODE_GAP;
        out.value = static_cast<std::uint64_t>(*value);
        return true;
    }
    if (category == wire::kind_name(wire::Kind::kTick)) {  // of ours, whatever text it has
        if (!has_text) extra.text.clear();
        with(SLA_CODE_TICK, SLA_CODE_TICK_VALUE);
        return true;
    }
    has_text = !extra.text.empty() || (has_text && category == "text");  // an empty one is one too
    if (!has_text || value) {
        extra.text.clear();
        with(SLA_CODE_TICK, SLA_CODE_TICK_VALUE);
    } else {
        out.code = SLA_CODE_TEXT;
    }
    return true;
}

}  // namespace sla::formats
