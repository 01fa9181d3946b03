#include "agent/publish/piece.h"

#include "agent/publish/message_key.h"
#include "proto/capture/chunk.h"
#include "proto/capture/summary/summary_collector.h"
#include "proto/fleet/fleet.pb.h"
#include "proto/time/picoseconds.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>

namespace sla::publish {
namespace {

std::optional<fleet::Kind> kind_of(capture::ChunkKind kind) {
    switch (kind) {
        case capture::ChunkKind::kFrames: return fleet::Kind::kFrames;
        case capture::ChunkKind::kSummary: return fleet::Kind::kSummary;
        case capture::ChunkKind::kIndex: return fleet::Kind::kIndex;
    }
    return std::nullopt;
}

}  // namespace

Result<Piece> Piece::open(const std::string& path, fleet::MessageId id, std::string secret, double nominal_hz) {
    Result<ChunkWalker> walker = ChunkWalker::open(path);
    if (!walker) return walker.error();
    return Piece(std::move(*walker), std::move(id), std::move(secret), nominal_hz);
}

Piece::Piece(ChunkWalker walker, fleet::MessageId id, std::string secret, double nominal_hz)
    : walker_(std::move(walker)), id_(std::move(id)), secret_(std::move(secret)), nominal_hz_(nominal_hz) {}

Result<std::optional<Piece::Outgoing>> Piece::next() {
    while (first_open_ < chunks_.size() && chunks_[first_open_].state == State::kAcknowledged) first_open_++;
    if (Result<void> looked = look_ahead(); !looked) return looked.error();
    for (std::size_t number = first_open_; number < chunks_.size(); ++number) {
        Chunk& chunk = chunks_[number];
        if (chunk.state != State::kWaiting || !is_ready(chunk, number)) continue;
        Result<Outgoing> made = outgoing(number);
        if (!made) return made.error();
        chunk.state = State::kSent;
        return std::optional<Outgoing>(std::move(*made));
    }
    return std::optional<Outgoing>();
}

Result<void> Piece::look_ahead() {
    while (!end_known_ && chunks_.size() - first_open_ < kAhead) {
        Result<std::optional<ChunkWalker::Place>> place = walker_.next(is_complete_);
        if (!place) return place.error();
        if (walker_.is_finished()) {
            // Frames without a summary at the very end, or no index: hundreds of thousands of channels.
            if (!chunks_.empty() && !chunks_.back().is_described) {
                Result<void> described = describe(chunks_.back(), nullptr);
                if (!described) return described;
            }
            if (chunks_.empty() || chunks_.back().kind != fleet::Kind::kIndex) {
                Chunk end;
                end.kind = fleet::Kind::kIndex;
                end.is_described = true;
                chunks_.push_back(end);
            }
            end_known_ = true;
            return {};
        }
        if (!*place) return {};
        if (Result<void> taken = take(**place); !taken) return taken;
    }
    return {};
}

Result<void> Piece::take(const ChunkWalker::Place& place) {
    const auto kind = kind_of(place.header.kind);
    if (!kind) return damaged("the spool holds a chunk of a kind that is not known");
    const std::size_t number = chunks_.size();
    Chunk chunk;
    chunk.place = place;
    chunk.kind = *kind;
    if (number > 0 && !chunks_[number - 1].is_described) {
        Chunk& before = chunks_[number - 1];
        const bool is_its_summary = *kind == fleet::Kind::kSummary && before.kind == fleet::Kind::kFrames;
        if (Result<void> described = describe(before, is_its_summary ? &place : nullptr); !described) return described;
        if (is_its_summary) {
            before.partner = number;
            chunk.partner = number - 1;
            chunk.rows = before.rows;
            chunk.times = before.times;
        }
    }
    chunk.is_described = *kind == fleet::Kind::kSummary;
    chunks_.push_back(chunk);
    return {};
}

// What is in a chunk of frames, by its summary, or by itself. An index only waited for what follows.
Result<void> Piece::describe(Chunk& frames, const ChunkWalker::Place* summary) {
    frames.is_described = true;
    if (frames.kind != fleet::Kind::kFrames) return {};
    const ChunkWalker::Place& place = summary != nullptr ? *summary : frames.place;
    Result<std::string> bytes = walker_.read(place);
    if (!bytes) return bytes.error();
    std::string raw;
    const std::string_view stored = std::string_view(*bytes).substr(capture::kChunkHeaderBytes);
    if (Result<void> unpacked = unpacker_.unpack(place.header, stored, raw); !unpacked) return unpacked;
    capture::ChunkDetail detail;
    if (summary != nullptr) {
        if (!capture::read_counts(raw, detail)) return damaged("a summary in the spool cannot be read");
    } else {
        capture::SummaryCollector collector;
        std::string_view contents = raw;
        while (const auto frame = capture::take_frame(contents)) collector.add_frame(*frame, {});
        detail =
            collector.close_chunk({place.header.sequence, place.offset, place.header.stored_bytes, place.header.frames});
    }
    learn_clocks(detail.lasting);
    const capture::EventCount count = capture::count_events(detail);
    frames.rows = count.rows;
    frames.events = count.events;
    frames.missed = count.missed;
    if (count.rows > 0 && !clocks_.empty()) frames.times = {utc_of(count.first_tick), utc_of(count.last_tick)};
    return {};
}

// The best pair of those that the piece has reported so far.
void Piece::learn_clocks(const std::vector<std::string>& lasting) {
    const std::size_t before = clocks_.size();
    wire::Frame frame;
    for (const std::string& message : lasting) {
        if (!wire::parse_message(message, frame) || !frame.has_clock() || frame.clock().domain() != 0) continue;
        const wire::Clock& clock = frame.clock();
        clocks_.push_back(
            {clock.tick(), clock.monotonic_raw_ns(), clock.realtime_ns(), clock.error_ticks(), clock.stamp_ticks()});
    }
    if (clocks_.size() != before) map_ = time::ClockMap::fit(clocks_, clocks_.back().tick, nominal_hz_);
}

std::int64_t Piece::utc_of(std::uint64_t tick) const {
    return clocks_.back().realtime_ns + time::floor_ns(map_.to_ps(tick));
}

bool Piece::is_ready(const Chunk& chunk, std::size_t number) const {
    switch (chunk.kind) {
        case fleet::Kind::kFrames: return chunk.is_described;
        case fleet::Kind::kSummary: return chunk.partner == kNone || chunks_[chunk.partner].state == State::kAcknowledged;
        case fleet::Kind::kIndex: {
            if (!chunk.is_described && !end_known_) return false;
            const auto begin = chunks_.begin() + static_cast<std::ptrdiff_t>(index_begin(number));
            const auto end = chunks_.begin() + static_cast<std::ptrdiff_t>(number);
            return std::all_of(begin, end, [](const Chunk& one) { return one.state == State::kAcknowledged; });
        }
    }
    return false;
}

// The first chunk that an index lists.
std::size_t Piece::index_begin(std::size_t index) const {
    while (index > 0 && chunks_[index - 1].kind != fleet::Kind::kIndex) --index;
    return index;
}

Result<Piece::Outgoing> Piece::outgoing(std::size_t number) {
    const Chunk& chunk = chunks_[number];
    Outgoing made;
    made.headers.id = id_;
    made.headers.id.sequence = number;
    made.headers.id.kind = chunk.kind;
    made.headers.id = with_key(std::move(made.headers.id), secret_);
    made.headers.rows = chunk.rows;
    made.headers.times = chunk.times;
    if (chunk.place.offset != 0) {  // else there is no such chunk: the end of a piece without an index
        Result<std::string> bytes = walker_.read(chunk.place);
        if (!bytes) return bytes.error();
        made.body = std::move(*bytes);
    }
    if (chunk.kind == fleet::Kind::kSummary && chunk.partner != kNone) made.headers.frames_at = chunks_[chunk.partner].at;
    if (chunk.kind != fleet::Kind::kIndex) return made;
    made.headers.is_end = end_known_ && number + 1 == chunks_.size();
    for (std::size_t i = index_begin(number); i < number; ++i) {
        const Chunk& listed = chunks_[i];
        if (listed.kind != fleet::Kind::kFrames) continue;
        made.headers.rows += listed.rows;
        if (!listed.times) continue;
        if (!made.headers.times) made.headers.times = listed.times;
        made.headers.times->first_ns = std::min(made.headers.times->first_ns, listed.times->first_ns);
        made.headers.times->last_ns = std::max(made.headers.times->last_ns, listed.times->last_ns);
    }
    made.body = index_body(number, std::move(made.body));
    return made;
}

std::string Piece::index_body(std::size_t number, std::string chunk) const {
    fleet::FleetIndex index;
    index.set_chunk(std::move(chunk));
    for (std::size_t i = index_begin(number); i < number; ++i) {
        const Chunk& listed = chunks_[i];
        if (listed.kind != fleet::Kind::kFrames) continue;
        index.add_frames_at(listed.at);
        index.add_summaries_at(listed.partner == kNone ? 0 : chunks_[listed.partner].at);
    }
    return index.SerializeAsString();
}

Piece::Chunk* Piece::find(std::uint64_t sequence, fleet::Kind kind) {
    return sequence < chunks_.size() && chunks_[sequence].kind == kind ? &chunks_[sequence] : nullptr;
}

void Piece::acknowledge(std::uint64_t sequence, fleet::Kind kind, std::uint64_t at) {
    Chunk* const chunk = find(sequence, kind);
    if (chunk == nullptr || chunk->state == State::kAcknowledged) return;
    chunk->state = State::kAcknowledged;
    chunk->at = at;
    acknowledged_++;
    events_ += chunk->events;
    missed_ += chunk->missed;
}

std::uint64_t Piece::known_events() const {
    std::uint64_t sum = 0;
    for (const Chunk& chunk : chunks_) sum += chunk.events;
    return sum;
}

bool Piece::is_on_the_way() const {
    return std::any_of(chunks_.begin(), chunks_.end(), [](const Chunk& one) { return one.state == State::kSent; });
}

void Piece::start_over() {
    for (Chunk& chunk : chunks_) {
        if (chunk.state != State::kAcknowledged) continue;
        chunk.state = State::kWaiting;
        chunk.at = 0;
    }
    first_open_ = acknowledged_ = 0;
    events_ = missed_ = 0;
}

void Piece::give_back(std::uint64_t sequence, fleet::Kind kind) {
    Chunk* const chunk = find(sequence, kind);
    if (chunk != nullptr && chunk->state == State::kSent) chunk->state = State::kWaiting;
}

}  // namespace sla::publish
