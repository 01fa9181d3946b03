// Trace event JSON, as chrome://tracing and Perfetto read it: spans are B and E, ticks, texts and losses instants, levels
// and values counters. `ts` is in microseconds with six decimals.
//
// A process is a source. A thread is one of its threads with the spans of all its channels, nested (thread_tracks.h), or one
// lane of one of its threads, for all else. The metadata event of a thread says in `args` which lane and thread it is, and
// `otherData` holds the clock, so that `sla import` gets the same events back: a span's name is its channel.
#include "proto/wire/version.h"
#include "viewer/formats/chrome/chrome.h"
#include "viewer/formats/json_text.h"
#include "viewer/formats/names.h"
#include "viewer/formats/source_facts.h"
#include "viewer/formats/stamp_errors.h"
#include "viewer/formats/thread_tracks.h"
#include "viewer/formats/write_rows.h"
#include "viewer/store/unreadable_pages.h"

#include <fmt/format.h>

#include <set>

namespace sla::formats {

namespace {

void put_us(std::int64_t ps, ByteBuffer& out) {
    const bool below = ps < 0;
    const std::uint64_t size = below ? std::uint64_t{0} - static_cast<std::uint64_t>(ps) : static_cast<std::uint64_t>(ps);
    if (below) out.put('-');
    out.put_unsigned(size / 1'000'000);
    char rest[7] = {'.'};
    std::uint64_t left = size % 1'000'000;
    for (int i = 6; i > 0; --i, left /= 10) rest[i] = static_cast<char>('0' + left % 10);
    out.put(std::string_view(rest, sizeof rest));
}

class ChromeWriter {
public:
    ChromeWriter(const store::Session& session, const analysis::Selection& selection)
        : session_(session),
          clock_(session.clock()),
          threads_(session, selection),
          source_facts_(source_facts_text(session, selection)) {}

    void put_head(ByteBuffer& out) const {
        out.put("{\"displayTimeUnit\":\"ns\",\"otherData\":{");
        out.put(
            fmt::format("\"version\":\"sla {}\",\"origin_tick\":{},\"ticks_per_second\":{},\"clock_error_ppb\":{},"
                        "\"origin_realtime_ns\":{},\"stamp_errors\":\"{}\",\"sources\":\"{}\"}},"
                        "\"traceEvents\":[",
                        wire::kProductVersion, clock_.origin_tick(), clock_.ticks_per_second(), clock_.slope_error_ppb(),
                        clock_.origin_realtime_ns(), stamp_errors_text(session_), source_facts_));
    }
    static void put_tail(ByteBuffer& out) { out.put("\n]}\n"); }

    void put(const store::RowRef& place, const store::Event& event, ByteBuffer& out) {
        const auto row = threads_.row_of(place, event);
        const Track track = row ? tracks_.of_thread(event.thread, *row) : tracks_.of(*place.lane, event.thread);
        if (row) put_channel(*place.lane, out);
        if (track.fresh && row) put_thread(*place.lane, event.thread, *row, track.number, out);
        if (track.fresh && !row) put_track(*place.lane, event.thread, track.number, out);
        begin(phase_of(event.kind()), place.lane->channel(), track.number, out);
        out.put(",\"ts\":");
        put_us(clock_.to_ps(event.tick), out);
        if (phase_of(event.kind()) == "i") out.put(",\"s\":\"t\"");
        out.put(",\"cat\":\"");
        // Begin and end have one word: Perfetto pairs them by it.
        const std::string_view phase = phase_of(event.kind());
        out.put(phase == "B" || phase == "E" ? std::string_view("span") : wire::kind_name(event.kind()));
        out.put('"');
        put_args(place, event, out);
        out.put('}');
    }

private:
    static std::string_view phase_of(wire::Kind kind) {
        switch (kind) {
            case wire::Kind::kBegin: return "B";
            case wire::Kind::kEnd: return "E";
            case wire::Kind::kLevel:
            case wire::Kind::kValue: return "C";
            default: return "i";
        }
    }
    void begin(std::string_view phase, const store::Channel& channel, std::uint32_t track, ByteBuffer& out) {
        out.put(rows_++ == 0 ? "\n{\"ph\":\"" : ",\n{\"ph\":\"");
        out.put(phase);
        out.put("\",\"pid\":");
        out.put_unsigned(channel.source.value);
        out.put(",\"tid\":");
        out.put_unsigned(track);
        out.put(",\"name\":");
        put_json_text(out, channel.name);
    }
    void begin_metadata(std::string_view name, SourceId source, std::uint32_t track, ByteBuffer& out) {
        out.put(rows_++ == 0 ? "\n{\"ph\":\"M\",\"pid\":" : ",\n{\"ph\":\"M\",\"pid\":");
        out.put_unsigned(source.value);
        out.put(",\"tid\":");
        out.put_unsigned(track);
        out.put(",\"name\":\"");
        out.put(name);
        out.put("\",\"args\":{");
    }
    void put_process(const store::Lane& lane, std::uint32_t track, ByteBuffer& out) {
        const SourceId id = lane.channel().source;
        if (!sources_.insert(id.value).second) return;
        const store::Source* source = session_.source_of(lane);
        begin_metadata("process_name", id, track, out);
        out.put("\"name\":");
        put_json_text(out, source_text(session_, lane));
        out.put(",\"pid\":");
        out.put_unsigned(source == nullptr ? 0 : source->pid);
        out.put("}}");
    }
    void put_its_thread(std::uint32_t id, ByteBuffer& out) const {
        const store::Thread* thread = session_.thread(ThreadId{id});
        out.put(",\"thread\":");
        put_json_text(out, thread == nullptr ? "" : thread->name);
        out.put(",\"tid\":");
        out.put_unsigned(thread == nullptr ? id : thread->tid);
        out.put("}}");
    }
    void put_place(SourceId source, std::uint32_t track, std::uint64_t place, ByteBuffer& out) {
        begin_metadata("thread_sort_index", source, track, out);
        out.put("\"sort_index\":");
        out.put_unsigned(place);
        out.put("}}");
    }
    void put_track(const store::Lane& lane, std::uint32_t id, std::uint32_t track, ByteBuffer& out) {
        const store::Channel& channel = lane.channel();
        put_process(lane, track, out);
        begin_metadata("thread_name", channel.source, track, out);
        out.put("\"name\":");
        put_json_text(out, channel.name + " " + thread_text(session_, id));
        out.put(",\"channel\":");
        put_json_text(out, channel.name);
        out.put(",\"format\":");
        put_json_text(out, channel.format);
        put_its_thread(id, out);
        put_place(channel.source, track, channel.id.value, out);
    }
    // Above the lanes of its source.
    void put_thread(const store::Lane& lane, std::uint32_t id, std::size_t row, std::uint32_t track, ByteBuffer& out) {
        const SourceId source = lane.channel().source;
        put_process(lane, track, out);
        begin_metadata("thread_name", source, track, out);
        out.put("\"name\":");
        put_json_text(out, thread_text(session_, id) + (row == 0 ? std::string() : fmt::format(" ({})", row + 1)));
        out.put(",\"spans\":true");
        put_its_thread(id, out);
        put_place(source, track, 0, out);
    }
    // What spans on the tracks of threads are of, which only their names say; no other reader looks at it.
    void put_channel(const store::Lane& lane, ByteBuffer& out) {
        const store::Channel& channel = lane.channel();
        if (!channels_.insert(channel.id.value).second) return;
        put_process(lane, 0, out);
        begin_metadata("sla_channel", channel.source, 0, out);
        out.put("\"channel\":");
        put_json_text(out, channel.name);
        out.put(",\"format\":");
        put_json_text(out, channel.format);
        out.put("}}");
    }
    void put_args(const store::RowRef& place, const store::Event& event, ByteBuffer& out) {
        out.put(",\"args\":{");
        const std::size_t empty = out.size();
        const auto key = [&](std::string_view name) {
            if (out.size() != empty) out.put(',');
            out.put('"');
            out.put(name);
            out.put("\":");
        };
        put_value(event, key, out);
        const bool is_loss = event.kind() == wire::Kind::kGap;
        const std::optional<store::Gap> gap = is_loss ? store::loss_of_row(*place.lane, place.index) : std::nullopt;
        if (gap) {
            key("until_us");
            put_us(clock_.to_ps(gap->until_tick), out);
        }
        const bool counter = phase_of(event.kind()) == "C";  // every argument of a counter is drawn
        scratch_.clear();
        place.lane->append_text(place.index, scratch_);
        const bool has_text = !scratch_.empty() || event.kind() == wire::Kind::kText;
        if (has_text && !counter) {
            key(gap ? "cause" : "text");
            put_json_text(out, scratch_);
        }
        out.put('}');
        put_details(place, counter && has_text, out);
    }
    // Beside the arguments, where other readers do not look.
    void put_details(const store::RowRef& place, bool with_text, ByteBuffer& out) const {
        const auto details = place.lane->details(place.index);
        const bool any = details[0] != 0 || details[1] != 0;
        if (!any && !with_text) return;
        out.put(",\"sla\":{");
        if (any) {
            out.put("\"detail0\":");
            out.put_unsigned(details[0]);
            out.put(",\"detail1\":");
            out.put_unsigned(details[1]);
        }
        if (with_text) {
            out.put(any ? ",\"text\":" : "\"text\":");
            put_json_text(out, scratch_);
        }
        out.put('}');
    }
    template <typename Key>
    static void put_value(const store::Event& event, const Key& key, ByteBuffer& out) {
        switch (wire::value_type_of(event.code)) {
            case wire::ValueType::kNone: return;
            case wire::ValueType::kSigned: key("value"); return out.put_signed(static_cast<std::int64_t>(event.value));
            case wire::ValueType::kUnsigned:
                key(event.kind() == wire::Kind::kGap ? "lost" : event.kind() == wire::Kind::kLevel ? "level" : "unsigned");
                return out.put_unsigned(event.value);
            case wire::ValueType::kFloat: key("float"); return put_json_float(out, wire::as_double(event.value));
        }
    }

    const store::Session& session_;
    time::ClockMap clock_;
    Tracks tracks_;
    ThreadTracks threads_;
    std::string source_facts_;
    std::set<std::uint32_t> sources_;
    std::set<std::uint32_t> channels_;
    std::string scratch_;
    std::uint64_t rows_ = 0;
};

}  // namespace

Result<ExportReport> write_chrome(const store::Session& session, const analysis::Selection& selection, Output& output,
                                  const Progress& progress) {
    ChromeWriter writer(session, selection);
    analysis::EventWalk walk(session, selection, progress);
    ExportReport report;
    ByteBuffer buffer;
    if (auto done = write_events(writer, walk, buffer, output, report.events); !done.ok()) return done.error();
    ChromeWriter::put_tail(buffer);
    if (auto finished = output.finish(buffer.view()); !finished.ok()) return finished.error();
    return report;
}

}  // namespace sla::formats
