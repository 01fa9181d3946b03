#include "viewer/ingest/pages/paged_capture.h"

#include "proto/base/heap_pages.h"
#include "proto/capture/chunk_reader.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/ingest/pages/chunk_decoder.h"
#include "viewer/ingest/pages/chunk_visitor.h"
#include "viewer/ingest/pages/page_reader.h"
#include "viewer/ingest/pages/paged_lane.h"
#include "viewer/store/machine_time.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_set>

namespace sla::ingest {

namespace {

// Who looks at one row has all of its chunk in memory, some 40 bytes each: more do not stay in a cache of pages. Of what is
// written now none has more than a quarter.
constexpr std::uint64_t kMaxRows = std::uint64_t{1} << 22;

}  // namespace

Result<std::shared_ptr<const PagedCapture>> PagedCapture::open(std::shared_ptr<const capture::CaptureStore> store,
                                                               const std::function<bool(double)>& progress) {
    Result<capture::CaptureIndex> index = store->index(progress);
    if (!index) return unavailable(index.error().message);
    std::shared_ptr<PagedCapture> paged(new PagedCapture);
    paged->store_ = std::move(store);
    if (Result<void> taken = paged->take(*index); !taken) return taken.error();
    return std::shared_ptr<const PagedCapture>(std::move(paged));
}

Result<std::shared_ptr<const PagedCapture>> PagedCapture::open_to_go_on(std::shared_ptr<const capture::CaptureStore> store,
                                                                        const std::function<bool(double)>& progress) {
    auto paged = open(std::move(store), progress);
    if (!paged) return paged;
    const auto whole = std::const_pointer_cast<PagedCapture>(*paged);  // nobody else has it yet
    if (Result<void> found = whole->find_open(); !found) return found.error();
    return paged;
}

Result<void> PagedCapture::find_open() {
    std::optional<capture::ChunkReader> reader;
    for (auto& [channel, lane] : lanes_) {
        if (!lane.ends_in_spans) continue;
        sla::ingest::open_chunks(*this, reader);
        const DecodedChunk last =
            decode_chunk(*this, lane.table->pages().back().chunk, reader ? &*reader : nullptr, {channel});
        if (!last.damage.empty())
            return unavailable(path() + ": " + in_words(last.damage.front().events, last.damage.front().why));
        lane.open = last.runs.front().second->spans().still_open();
    }
    return {};
}

void PagedCapture::go_on(FrameApplier& applier) const {
    applier.begin_stream();
    for (const auto& [channel, lane] : lanes_) applier.session().lane(channel)->go_on(lane.open);
}

Result<void> PagedCapture::take(capture::CaptureIndex& index) {
    if (!index.states_known()) return unavailable("a summary is missing or damaged");
    chunks_ = index.chunks();
    if (Result<void> looked = check_damage(index); !looked) return looked;
    note_damage(index);
    if (Result<void> checked = check_stream(index); !checked) return checked;
    if (has_own_times_ && watermark_ == 0) watermark_ = newest_watermark();  // the end may lie behind it, as their rows do
    lasting_ = index.lasting();
    if (Result<void> taken = take_lanes(index.take_lanes()); !taken) return taken;
    return sort_parts();
}

// Two at a time, on two cores when there are.
Result<void> PagedCapture::take_lanes(std::vector<capture::CaptureIndex::Lane> lanes) {
    std::vector<std::optional<Result<Lane>>> made(lanes.size());
    std::vector<ChannelId> channels;
    for (const capture::CaptureIndex::Lane& lane : lanes) channels.push_back(lane.channel);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < lanes.size(); i = next++) {
            // Its summaries take as much memory as the pages that are made of them: not both for longer than one lane.
            const capture::CaptureIndex::Lane one = std::move(lanes[i]);
            made[i].emplace(make_lane(one));
            spread_huge_pages();
        }
    };
    {
        const std::future<void> beside = std::async(std::launch::async | std::launch::deferred, work);
        work();
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
        Result<Lane>& lane = *made[i];
        if (!lane) return lane.error();
        rows_ += lane->table->rows();
        lanes_.emplace_hint(lanes_.end(), channels[i], std::move(*lane));
    }
    return {};
}

Result<PagedCapture::Lane> PagedCapture::make_lane(const capture::CaptureIndex::Lane& from) const {
    std::vector<capture::OpenSpan> open;
    if (from.summaries.back().depth_before > 0) {
        auto reader = store_->open_chunks();
        if (!reader) return reader.error();
        const auto detail = reader->detail(chunks_[from.chunk_numbers.back()]);
        if (!detail) return unavailable(detail.error().message);
        for (capture::OpenSpan span : detail->open) {
            span.id += from.span_base;
            if (span.channel == from.channel) open.push_back(span);
        }
    }
    Lane lane;
    lane.table = std::make_shared<store::PageTable>();
    lane.loss_threads.reserve(from.gaps.size());
    for (const capture::GapRow& row : from.gaps) lane.loss_threads.push_back(row.thread);
    lane.begins_late = from.summaries.front().first_index > 0;
    lane.next_ordinal = from.rows();
    lane.ends_in_spans = from.summaries.back().depth_after > 0;
    if (Result<void> made = make_pages(from, open, *lane.table, lane.gaps); !made) return made.error();
    return lane;
}

// Names and numbers stay the same from the first frame to the last, and every lane has a name.
Result<void> PagedCapture::check_stream(const capture::CaptureIndex& index) {
    std::optional<std::uint64_t> capture_id;
    std::set<std::uint32_t> named;
    wire::Frame frame;
    for (const std::string& bytes : index.lasting()) {
        if (!wire::parse_message(bytes, frame)) return unavailable("a frame of names cannot be read");
        if (frame.has_channel()) named.insert(frame.channel().id());
        has_own_times_ = has_own_times_ || (frame.has_source() && frame.source().clock_domain() != 0);
        if (!frame.has_hello()) continue;
        if (capture_id && *capture_id != frame.hello().capture_id())
            return unavailable("it holds the streams of two agents");
        capture_id = frame.hello().capture_id();
    }
    if (!capture_id) return unavailable("it does not begin with a Hello");
    for (const capture::CaptureIndex::Lane& lane : index.lanes()) {
        if (!named.contains(lane.channel.value)) return unavailable("it holds events of a channel without a name");
    }
    return {};
}

// By chunk, then by channel. Counted first: of a large capture sorting them would take their memory thrice.
Result<void> PagedCapture::sort_parts() {
    first_part_.assign(chunks_.size() + 1, 0);
    std::vector<std::uint64_t> rows(chunks_.size());
    for (const auto& [channel, lane] : lanes_) {
        tables_.emplace_back(channel, lane.table.get());
        for (const store::Page& page : lane.table->pages()) {
            ++first_part_[page.chunk + 1];
            rows[page.chunk] += page.rows;
            if (rows[page.chunk] > kMaxRows)
                return unavailable("it has more rows in one chunk than are unpacked for a look at one");
        }
    }
    std::partial_sum(first_part_.begin(), first_part_.end(), first_part_.begin());
    parts_.reserve(first_part_.back());
    spread_huge_pages();
    parts_.resize(first_part_.back());
    std::vector<std::size_t> next(first_part_.begin(), first_part_.end() - 1);
    for (std::uint32_t lane = 0; lane < tables_.size(); ++lane) {
        const store::PageColumns& pages = tables_[lane].second->pages();
        for (std::uint32_t page = 0; page < pages.size(); ++page) parts_[next[pages[page].chunk]++] = {lane, page};
    }
    return {};
}

std::vector<ChunkPart> PagedCapture::parts_of(std::size_t chunk) const {
    std::vector<ChunkPart> parts;
    for (std::size_t i = first_part_[chunk]; i < first_part_[chunk + 1]; ++i) {
        const Part& part = parts_[i];
        const auto& [channel, table] = tables_[part.lane];
        parts.push_back({channel, table->pages()[part.page], table->open_before(part.page)});
    }
    return parts;
}

std::vector<ChunkLedger::LossRow> PagedCapture::losses_of(const ChunkPart& part) const {
    const auto lane = lanes_.find(part.channel);
    if (lane == lanes_.end() || part.page.gaps == 0) return {};
    const std::deque<store::Gap>& gaps = lane->second.gaps.all();
    const auto is_before = [](const store::Gap& gap, std::uint64_t index) { return gap.index < index; };
    std::vector<LossRow> losses;
    for (auto gap = std::lower_bound(gaps.begin(), gaps.end(), part.page.first, is_before);
         gap != gaps.end() && gap->index < part.page.end(); ++gap) {
        losses.push_back({*gap, lane->second.loss_threads[static_cast<std::size_t>(gap - gaps.begin())]});
    }
    return losses;
}

std::shared_ptr<PageReader> PagedCapture::fill(FrameApplier& applier, std::size_t cache_bytes) const {
    store::Session& session = applier.session();
    for (const std::string& frame : lasting_) applier.apply(std::string_view(frame));
    const auto reader = std::make_shared<PageReader>(shared_from_this(), session, cache_bytes);
    bool begins_late = false;
    for (const auto& [channel, lane] : lanes_) {
        store::Lane* to = session.lane(channel);
        SLA_CHECK(to != nullptr);  // check_stream() saw its name
        to->set_pages(lane.table, *reader, lane.gaps);
        if (lane.begins_late) to->set_begins_late();
        begins_late = begins_late || lane.begins_late;
        applier.go_on_from(channel.value, lane.next_ordinal);
    }
    session.hold(reader);
    for (const capture::LostRows& end : lost_ends_) applier.lose_end(end);
    for (const store::Note& note : notes_) session.add_note(note);
    if (begins_late && session.origin().begin_tick == 0) session.set_begins_late();  // a part says itself where it begins
    session.set_watermark(watermark_);
    session.set_watermark(store::known_by_machine(session));  // where none was found
    if (!session.ended()) session.set_ended(session.watermark(), "the file ends here");
    return reader;
}

}  // namespace sla::ingest
