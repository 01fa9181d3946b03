#include "viewer/capture_tools/capture_cut.h"

#include "proto/capture/capture_index.h"
#include "proto/capture/capture_store.h"
#include "proto/capture/chunk_reader.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/own_recording.h"
#include "proto/wire/version.h"
#include "viewer/capture_tools/edge_state.h"
#include "viewer/capture_tools/notice.h"
#include "viewer/capture_tools/part_id.h"
#include "viewer/capture_tools/part_rows.h"
#include "viewer/capture_tools/recording_parts.h"
#include "viewer/capture_tools/row_sender.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/ingest/frame_item.h"
#include "viewer/ingest/known_rows.h"
#include "viewer/ingest/merged/clock_status.h"

#include <algorithm>
#include <memory>
#include <set>

namespace sla::capture_tools {

namespace {

class Cutter {
public:
    Cutter(const CutPlan& plan, capture::CaptureIndex index, capture::ChunkReader chunks)
        : plan_(plan), index_(std::move(index)), chunks_(std::move(chunks)) {
        if (!index_.finished()) {
            report_.damage.emplace_back("the capture is not finished: what came behind its end is missing");
            pending_.push_back(report_.damage.back());
        }
        for (const capture::Damage& damage : index_.damage()) {
            report_.damage.push_back(damage.what);
            if (damage.is_pending()) pending_.push_back(damage.what);
        }
        wire::Frame frame;
        for (const std::string& bytes : index_.lasting()) {
            applier_.apply(std::string_view(bytes));
            if (wire::parse_message(bytes, frame) && frame.has_end()) end_tick_ = frame.end().tick();
        }
    }

    Result<CutReport> run(const std::function<bool(double)>& progress);

private:
    void make_own(wire::Hello& hello);
    Result<void> send_names(capture::CaptureWriter& writer);
    Result<void> send_states(RowSender& sender, const std::function<bool(double)>& progress);
    Result<void> send_chunk(capture::CaptureWriter& writer, RowSender& sender, std::uint32_t number);
    Result<void> send_end(capture::CaptureWriter& writer);
    [[nodiscard]] Error nothing_there() const;
    [[nodiscard]] Error stopped() const { return unavailable("stopped; '" + plan_.to_file + "' was not made"); }
    [[nodiscard]] bool is_kept(const wire::Frame& frame) const;
    [[nodiscard]] bool goes_on(SourceId source) const;
    [[nodiscard]] std::uint64_t newest() const;
    [[nodiscard]] bool wants(ChannelId channel) const { return wanted_.contains(channel); }

    const CutPlan& plan_;
    const wire::OwnRecording own_recording_;
    capture::CaptureIndex index_;
    capture::ChunkReader chunks_;
    store::Session session_;  // names and clocks; no events
    ingest::FrameApplier applier_{session_};
    analysis::Selection part_;
    std::set<ChannelId> wanted_;
    std::vector<std::string> pending_;  // damage that left no gap row
    std::uint64_t end_tick_ = 0;        // of the source; 0: it says none
    CutReport report_;
};

Error Cutter::nothing_there() const {
    const std::string damage = report_.damage.empty() ? "" : "; it is damaged, `sla verify` says where";
    return not_found("no events there in '" + plan_.from_file + "'" + damage);
}

bool Cutter::is_kept(const wire::Frame& frame) const {
    switch (frame.body_case()) {
        case wire::Frame::kChannel: return wants(ChannelId{frame.channel().id()});
        case wire::Frame::kShot: return part_.holds(frame.shot().tick());
        case wire::Frame::kStatus:
        case wire::Frame::kLedgers:  // it counts what is cut off, too
        case wire::Frame::kRetired:
        case wire::Frame::kEnd: return false;
        default: return true;
    }
}

void Cutter::make_own(wire::Hello& hello) {
    const PartExtent source = extent_of(index_, chunks_, session_);
    hello.set_version(wire::kWireVersion);
    own_recording_.rename(hello);
    // Rows count anew: their numbers only say whether a channel had rows before, and where the part begins is said here.
    hello.set_begin_tick(std::max(part_.from, begin_of(index_, session_, hello.begin_tick())));
    hello.clear_part_of();
    hello.clear_end_tick();
    const std::uint64_t end = std::min(source.until, part_.until);
    const bool is_known = source.file != 0 || end > hello.begin_tick();
    if (source.recording == 0 || !is_known) return;  // nothing of that time is known to be whole
    hello.set_part_of(source.recording);
    hello.set_end_tick(std::max(end, hello.begin_tick()));
    const bool to_its_end = source.file_until == store::kNever && part_.until > newest();
    hello.set_capture_id(part_id(hello.capture_id(), {source.file, to_its_end}));
}

Result<void> Cutter::send_names(capture::CaptureWriter& writer) {
    for (const std::string& bytes : index_.lasting()) {
        wire::Frame frame;
        if (!wire::parse_message(bytes, frame)) continue;
        if (const auto status = ingest::clock_status(frame)) {
            if (Result<void> sent = writer.append(status->SerializeAsString()); !sent) return sent;
        }
        if (!is_kept(frame)) continue;
        if (frame.has_hello()) make_own(*frame.mutable_hello());
        if (frame.has_source() && goes_on(SourceId{frame.source().id()})) frame.mutable_source()->set_ended(false);
        if (Result<void> sent = writer.append(frame.SerializeAsString()); !sent) return sent;
    }
    const std::string text = "cut from " + plan_.from_file + std::string(kOnlyTells);
    return writer.append(notice(part_.from, text, NoticeAbout::kAnything).SerializeAsString());
}

// Where the part ends: what ended later had not ended yet.
bool Cutter::goes_on(SourceId source) const {
    const auto& lanes = index_.lanes();
    return std::any_of(lanes.begin(), lanes.end(), [&](const capture::CaptureIndex::Lane& lane) {
        const store::Lane* const named = session_.lane(lane.channel);
        return named != nullptr && named->channel().source == source && lane.summaries.back().last_tick >= part_.until;
    });
}

Result<void> Cutter::send_states(RowSender& sender, const std::function<bool(double)>& progress) {
    if (part_.from == 0) {
        for (const capture::CaptureIndex::Lane& lane : index_.lanes()) {
            if (lane.summaries.front().first_index > 0) sender.begin_late(lane.channel);
        }
        return {};
    }
    const auto go_on = [&] { return !progress || progress(0); };
    const auto all = states_before(part_.from, index_, wanted_, chunks_, go_on);
    if (!all) return stopped();
    for (const ChannelId channel : all->late) sender.begin_late(channel);
    for (const wire::EventBatch& states : all->rows) {
        report_.states += states.size();
        if (Result<void> sent = sender.send_states(states); !sent) return sent;
    }
    return {};
}

Result<void> Cutter::send_chunk(capture::CaptureWriter& writer, RowSender& sender, std::uint32_t number) {
    if (Result<void> loaded = chunks_.load(index_.chunks()[number]); !loaded) {
        report_.damage.push_back(loaded.error().message);
        return {};
    }
    while (const auto bytes = chunks_.next()) {
        const ingest::FrameItem item = ingest::decode_frame(*bytes);
        Result<void> sent;
        if (item.what == ingest::FrameItem::What::kBatch && wants(item.batch.channel)) {
            const auto& ticks = item.batch.ticks;
            const auto begin = std::lower_bound(ticks.begin(), ticks.end(), part_.from) - ticks.begin();
            const auto end = std::lower_bound(ticks.begin(), ticks.end(), part_.until) - ticks.begin();
            sent = sender.send(item.batch, static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
        } else if (item.what == ingest::FrameItem::What::kMessage && item.message.has_watermark()) {
            const std::uint64_t tick = item.message.watermark().tick();
            if (part_.holds(tick)) sent = writer.append(*bytes);
        }
        if (!sent) return sent;
    }
    return {};
}

// How far the source reaches, whatever channels are wanted.
std::uint64_t Cutter::newest() const {
    std::uint64_t newest = end_tick_;
    for (const capture::CaptureIndex::Lane& lane : index_.lanes())
        newest = std::max<std::uint64_t>(newest, lane.summaries.back().last_tick);
    return newest;
}

// As far as the source reaches, also where nothing happened. Where that says no end the part that reaches as far says none.
Result<void> Cutter::send_end(capture::CaptureWriter& writer) {
    const std::uint64_t known = known_of_file(index_, chunks_, session_);
    const std::uint64_t reached = std::max(known, newest());
    wire::Frame frame;
    frame.mutable_watermark()->set_tick(std::min(known, part_.until));
    if (Result<void> sent = writer.append(frame.SerializeAsString()); !sent) return sent;
    if (end_tick_ == 0 && part_.until > reached) return {};
    frame.mutable_end()->set_tick(std::min(reached, part_.until));
    frame.mutable_end()->set_reason("cut from " + plan_.from_file);
    return writer.append(frame.SerializeAsString());
}

Result<CutReport> Cutter::run(const std::function<bool(double)>& progress) {
    auto part = analysis::select(session_, plan_.channels, plan_.range);
    if (!part) return part.error();
    part_ = *part;
    if (plan_.ticks) part_.from = plan_.ticks->first, part_.until = plan_.ticks->last + 1;
    for (const store::Lane* lane : part_.lanes) wanted_.insert(lane->channel().id);
    report_.channels = wanted_.size();
    auto writer = capture::CaptureWriter::create_hidden(plan_.to_file);
    if (!writer) return writer.error();
    ingest::KnownRows known;
    known.add(std::shared_ptr<const capture::CaptureIndex>(std::shared_ptr<const void>(), &index_));
    RowSender sender(*writer, [&known](ChannelId channel, std::uint64_t first, std::uint64_t end) {
        return known.missing(channel, first, end);
    });
    sender.narrow(part_.from, part_.until);
    const PartRows rows(index_, wanted_, part_.from, part_.until);
    rows.begin(sender);
    if (Result<void> sent = send_names(*writer); !sent) return sent.error();
    if (Result<void> sent = send_states(sender, progress); !sent) return sent.error();
    const std::set<std::uint32_t> numbers = rows.chunks();
    std::size_t done = 0;
    for (const std::uint32_t number : numbers) {
        if (Result<void> sent = send_chunk(*writer, sender, number); !sent) return sent.error();
        if (progress && !progress(static_cast<double>(++done) / static_cast<double>(numbers.size()))) {
            return stopped();
        }
    }
    if (Result<void> sent = rows.end(sender); !sent) return sent.error();
    report_.rows = sender.rows();
    if (sender.rows() == report_.states + sender.told()) return nothing_there();
    for (const std::string& damage : pending_) {  // no gap row reports it: the part shall not look whole
        const wire::Frame report = notice(part_.from, plan_.from_file + ": " + damage, NoticeAbout::kDamage);
        Result<void> sent = writer->append(report.SerializeAsString());
        if (!sent) return sent.error();
    }
    if (Result<void> sent = send_end(*writer); !sent) return sent.error();
    if (Result<void> finished = writer->finish(); !finished) return finished.error();
    return report_;
}

}  // namespace

Result<CutReport> cut_capture(const CutPlan& plan, const std::function<bool(double)>& progress) {
    auto store = capture::CaptureStore::open(plan.from_file);
    if (!store) return store.error();
    return cut_capture(**store, plan, progress);
}

Result<CutReport> cut_capture(const capture::CaptureStore& store, const CutPlan& plan,
                              const std::function<bool(double)>& progress) {
    auto index = store.index(progress);
    if (!index) return index.error();
    auto chunks = store.open_chunks();
    if (!chunks) return chunks.error();
    return Cutter(plan, std::move(*index), std::move(*chunks)).run(progress);
}

}  // namespace sla::capture_tools
