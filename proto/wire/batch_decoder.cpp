#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/columns/column_decoder.h"
#include "proto/wire/columns/extra_columns.h"

#include <fmt/format.h>

#include <limits>

namespace sla::wire {
namespace {

// Null, or what is wrong with an extra of an event of that code and tick.
const char* wrong_with(const Batch::Extra& extra, bool has_columns, std::uint8_t code, std::uint64_t tick) {
    if (extra.text().size() > kMaxTextBytes) return "a text is too long";
    if (extra.cause() < 0 || extra.cause() > static_cast<int>(kLastLossCause)) return "a cause of loss is not known";
    if (code != SLA_CODE_GAP && (extra.cause() != 0 || extra.until_tick() != 0))
        return "a loss is told of an event that is no gap";
    if (extra.until_tick() != 0 && extra.until_tick() < tick) return "a gap ends before it begins";
    if (has_columns && (extra.detail0() != 0 || extra.detail1() != 0 || !extra.text().empty()))
        return "details or a text stand beside their columns";
    return nullptr;
}

Result<void> decode_extra_columns(const Batch& in, EventBatch& out) {
    if (const char* wrong = decode_details(in.packed_detail0(), out.codes, out.details[0]))
        return bad_column(in, "detail0", wrong);
    if (const char* wrong = decode_details(in.packed_detail1(), out.codes, out.details[1]))
        return bad_column(in, "detail1", wrong);
    if (const char* wrong = decode_texts(in.packed_texts(), out.codes, out.texts)) return bad_column(in, "texts", wrong);
    return {};
}

Result<void> decode_extras(const Batch& in, EventBatch& out) {
    if (static_cast<std::size_t>(in.extras_size()) > out.size())
        return bad_column(in, "extras", "there are more than events");
    out.extras.clear();
    const bool has_columns = in.encoding() == Batch::ENCODING_EXTRAS;
    std::size_t next_position = 0;
    for (const Batch::Extra& extra : in.extras()) {
        const std::uint32_t position = extra.position();
        if (position >= out.size()) return bad_column(in, "extras", "a position is beyond the last event");
        if (position < next_position) return bad_column(in, "extras", "the positions do not rise");
        next_position = std::size_t{position} + 1;
        const char* wrong = wrong_with(extra, has_columns, out.codes[position], out.ticks[position]);
        if (wrong != nullptr) return bad_column(in, "extras", wrong);
        out.set_details(position, {extra.detail0(), extra.detail1()});
        out.texts.add(position, extra.text());
        if (extra.cause() != 0 || extra.until_tick() != 0)
            out.extras.push_back({position, static_cast<LossCause>(extra.cause()), extra.until_tick()});
    }
    return {};
}

Result<void> check_size(const Batch& in) {
    if (in.count() == 0) return bad_column(in, "count", "there are no events");
    if (in.count() > kMaxBatchEvents) {
        return bad_column(in, "count", fmt::format("{} events, {} are allowed", in.count(), kMaxBatchEvents));
    }
    if (in.first_index() > std::numeric_limits<std::uint64_t>::max() - in.count()) {
        return bad_column(in, "first_index", "it is beyond 64 bits");
    }
    return in.encoding() == Batch::ENCODING_VARINTS ? check_varint_size(in) : check_packed_size(in);
}

}  // namespace

Error bad_column(const Batch& in, std::string_view column, std::string_view why) {
    return damaged(fmt::format("batch of channel {} at event {}: {}: {}", in.channel(), in.first_index(), column, why));
}

Result<void> decode_batch(const Batch& in, EventBatch& out) {
    if (!Batch::Encoding_IsValid(in.encoding())) {
        return bad_column(in, "encoding", fmt::format("{} is not known here; use a newer program", in.encoding()));
    }
    if (Result<void> size = check_size(in); !size) return size;
    out.channel = ChannelId{in.channel()};
    out.first_index = in.first_index();
    out.ticks.resize(in.count());
    out.codes.resize(in.count());
    out.values.resize(in.count());
    out.threads.resize(in.count());
    for (auto& column : out.details) column.clear();
    out.texts.clear();
    const bool is_packed = in.encoding() != Batch::ENCODING_VARINTS;
    Result<void> columns = is_packed ? decode_packed_columns(in, out) : decode_varint_columns(in, out);
    if (!columns) return columns;
    if (in.encoding() == Batch::ENCODING_EXTRAS) {
        if (Result<void> extras = decode_extra_columns(in, out); !extras) return extras;
    }
    return decode_extras(in, out);
}

}  // namespace sla::wire
