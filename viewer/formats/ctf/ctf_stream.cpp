#include "viewer/formats/ctf/ctf_stream.h"

#include "viewer/formats/names.h"
#include "viewer/store/unreadable_pages.h"

#include <algorithm>
#include <utility>

namespace sla::formats {

namespace {

constexpr std::size_t kPacketBytes = std::size_t{256} << 10;

template <typename T>
void put_little(T value, ByteBuffer& out) {
    char bytes[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<char>(value >> (8 * i));
    out.put(std::string_view(bytes, sizeof bytes));
}

}  // namespace

Result<void> CtfStream::put(const store::RowRef& place, const store::Event& event, std::uint64_t next_tick) {
    const store::Lane& lane = *place.lane;
    const std::uint64_t index = place.index;
    if (!open_) begin_ = event.tick;
    open_ = true;
    const auto details = lane.details(index);
    const bool detailed = details[0] != 0 || details[1] != 0;
    const bool is_other = event.kind() != wire::Kind::kText && event.kind() != wire::Kind::kGap;
    std::string text = is_other ? own_text(lane, index) : std::string();
    const bool has_text = !text.empty();
    const auto id = static_cast<std::uint8_t>((event.code & 15) | (detailed ? kCtfDetails : 0) | (has_text ? kCtfText : 0));
    ids_[id] = true;
    put_little(id, events_);
    put_little(event.tick, events_);
    put_little(event.thread, events_);
    put_fields(lane, index, event);
    if (has_text) put_text(std::move(text));
    if (detailed) {
        put_little(details[0], events_);
        put_little(details[1], events_);
    }
    last_ = event.tick;
    if (event.kind() == wire::Kind::kGap) {
        // The loss lies between the end of this packet and the end of the next one, which is empty.
        if (auto closed = close_packet(event.tick); !closed.ok()) return closed;
        discarded_ += event.value;
        begin_ = event.tick;
        open_ = true;
        return close_packet(std::clamp(lane.loss_until(index, event.tick), event.tick, next_tick));
    }
    return events_.size() >= kPacketBytes ? close_packet(last_) : Result<void>();
}

void CtfStream::put_fields(const store::Lane& lane, std::uint64_t index, const store::Event& event) {
    if (event.kind() == wire::Kind::kText) {
        put_text(lane.text(index));
    } else if (event.kind() == wire::Kind::kLevel) {
        put_little(static_cast<std::uint8_t>(event.value != 0), events_);
    } else if (wire::has_value(event.code)) {
        put_little(event.value, events_);
    }
    if (event.kind() != wire::Kind::kGap) return;
    const std::optional<store::Gap> gap = store::loss_of_row(lane, index);
    put_little(!gap ? event.tick : gap->until_tick, events_);
    put_little(static_cast<std::uint8_t>(!gap ? wire::LossCause::kNone : gap->cause), events_);
}

void CtfStream::put_text(std::string text) {
    std::replace(text.begin(), text.end(), '\0', ' ');  // ends a string in CTF
    events_.put(text);
    events_.put('\0');
}

Result<void> CtfStream::close_packet(std::uint64_t end_tick) {
    ByteBuffer head;
    const std::uint64_t bits = (kCtfHeadBytes + events_.size()) * 8;
    put_little(kCtfMagic, head);
    put_little(id_, head);
    for (const std::uint64_t word : {begin_, end_tick, bits, bits, discarded_}) put_little(word, head);
    if (auto written = output_.write(head.view()); !written.ok()) return written;
    if (auto written = output_.write(events_.view()); !written.ok()) return written;
    events_.clear();
    open_ = false;
    return {};
}

Result<void> CtfStream::finish() {
    if (open_) {
        if (auto closed = close_packet(last_); !closed.ok()) return closed;
    }
    return output_.finish();
}

}  // namespace sla::formats
