#include "proto/base/random_id.h"
#include "proto/capture/capture_writer.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/clock_codec.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/analysis/known_extents.h"
#include "viewer/formats/names.h"
#include "viewer/formats/output.h"
#include "viewer/formats/sla/session_frames.h"
#include "viewer/formats/sla/sla.h"
#include "viewer/formats/source_facts.h"
#include "viewer/store/unreadable_pages.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sla::formats {

namespace {

// Rows are held lane by lane until there are many, then go out as one batch a lane with a watermark behind them.
class SlaWriter {
public:
    // `lanes`: those of the selection, in the order in which put() names them.
    SlaWriter(const store::Session& session, const analysis::Selection& selection,
              const std::vector<const store::Lane*>& lanes, capture::CaptureWriter& writer)
        : session_(session),
          selection_(selection),
          lanes_(lanes),
          writer_(writer),
          known_(analysis::known_extent(session, selection).until),
          batches_(lanes.size()) {
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            batches_[i].channel = lanes[i]->channel().id;
            const bool has_others_before = selection.from > 0 && lanes[i]->lower_bound(selection.from) > 0;
            if (has_others_before || lanes[i]->begins_late()) batches_[i].first_index = 1;
        }
    }

    Result<void> put_head() {
        store::Origin origin = session_.origin();
        const std::uint64_t begin = begin_of_part(session_, selection_);
        if (begin > origin.start_tick) origin.begin_tick = begin;
        if (is_part()) origin.capture_id = random_id();
        append(frame_of(origin));
        for (const auto& [id, host] : session_.hosts()) append(frame_of(host));
        const std::set<SourceId> behind = sources_behind(session_, selection_.until);
        for (const auto& [id, source] : session_.sources()) {
            wire::Frame frame = frame_of(source);
            if (behind.contains(id)) frame.mutable_source()->set_ended(false);
            append(frame);
        }
        for (const store::Lane* lane : lanes_) append(frame_of(lane->channel()));
        for (const auto& [id, thread] : session_.threads()) append(frame_of(thread));
        put_clock();
        return std::exchange(done_, {});
    }

    Result<void> put(const store::RowRef& place, std::size_t lane, const store::Event& event) {
        if (held_ >= kRowsHeld || text_bytes_ >= kTextHeld) {
            flush();
            if (place.tick > 0) put_watermark(std::min(place.tick - 1, known_));
        }
        add(place, batches_[lane], event);
        ++held_;
        return std::exchange(done_, {});
    }

    Result<void> put_tail() {
        flush();
        for (const store::Shot& shot : session_.shots()) append(frame_of(shot));
        for (const store::Note& note : session_.notes()) append(frame_of(note));
        put_watermark(known_);
        wire::Frame frame;
        frame.mutable_end()->set_tick(std::max(known_, std::min(session_.last_tick(), last_tick())));
        frame.mutable_end()->set_reason("saved");
        append(frame);
        return std::exchange(done_, {});
    }

private:
    static constexpr std::size_t kRowsHeld = 32768;
    static constexpr std::size_t kTextHeld = std::size_t{256} << 10;
    static_assert(kRowsHeld <= wire::kMaxBatchEvents);

    // Its rows have other numbers than those of the recording: it is not to be taken for a file of it.
    [[nodiscard]] bool is_part() const {
        const bool is_range = selection_.from > 0 || selection_.until != store::kNever || selection_.filter;
        return is_range || lanes_.size() < session_.lanes().size() || session_.begins_late();
    }
    // No row that is written comes behind it.
    [[nodiscard]] std::uint64_t last_tick() const { return std::min(session_.final_tick(), selection_.until); }

    // After the first failure nothing is written any more.
    void append(const wire::Frame& frame) {
        if (done_.ok()) done_ = writer_.append(frame.SerializeAsString());
    }

    // All that times and their errors are made of.
    void put_clock() {
        for (const time::ClockSnapshot& snapshot : session_.snapshots()) {
            wire::Frame frame;
            wire::fill_clock(snapshot, *frame.mutable_clock());
            append(frame);
        }
        for (const store::PeerClock& peer : session_.peer_clocks()) append(frame_of(peer));
        if (session_.health().known) append(frame_of(session_.health()));
    }

    void add(const store::RowRef& place, wire::EventBatch& batch, const store::Event& event) {
        batch.add(place.tick, event.code, event.value, event.thread);
        wire::RowExtra extra;
        if (event.kind() == wire::Kind::kGap) {
            const std::optional<store::Gap> gap = store::loss_of_row(*place.lane, place.index);
            if (!gap) return;
            extra.cause = gap->cause;
            if (gap->has_end()) extra.until_tick = gap->until_tick;
        } else {
            extra.detail = place.lane->details(place.index);
            extra.text = own_text(*place.lane, place.index);
            text_bytes_ += extra.text.size();
        }
        batch.attach(extra);
    }

    void flush() {
        for (wire::EventBatch& batch : batches_) {
            if (batch.empty()) continue;
            wire::Frame frame;
            wire::encode_batch(batch, *frame.mutable_batch());
            append(frame);
            batch.first_index += batch.size();
            batch.clear();
        }
        held_ = 0;
        text_bytes_ = 0;
    }

    void put_watermark(std::uint64_t tick) {
        wire::Frame frame;
        frame.mutable_watermark()->set_tick(tick);
        append(frame);
    }

    const store::Session& session_;
    const analysis::Selection& selection_;
    const std::vector<const store::Lane*>& lanes_;
    capture::CaptureWriter& writer_;
    std::uint64_t known_;                    // as far as is known that nothing else happened, by the machine's clock
    std::vector<wire::EventBatch> batches_;  // by lane
    std::size_t held_ = 0;                   // rows in them
    std::size_t text_bytes_ = 0;
    Result<void> done_;
};

}  // namespace

Result<ExportReport> write_sla(const store::Session& session, const analysis::Selection& selection, const std::string& path,
                               const Progress& progress) {
    if (is_kept_from_outputs(path)) return invalid_input("'" + path + "' is the capture itself; name another file");
    auto writer = capture::CaptureWriter::create_hidden(path);
    if (!writer.ok()) return writer.error();
    analysis::EventWalk walk(session, selection, progress);
    SlaWriter out(session, selection, walk.lanes(), *writer);
    if (auto put = out.put_head(); !put.ok()) return put.error();
    ExportReport report;
    while (const auto place = walk.next()) {
        if (auto put = out.put(*place, walk.lane(), walk.event()); !put.ok()) return put.error();
        ++report.events;
    }
    if (walk.stopped()) return unavailable("stopped; nothing was written");
    if (auto put = out.put_tail(); !put.ok()) return put.error();
    if (auto finished = writer->finish(); !finished.ok()) return finished.error();
    report.left_out.emplace_back("the agent's own counts of each channel and its triggers are not in it");
    return report;
}

}  // namespace sla::formats
