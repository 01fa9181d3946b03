#include "proto/capture/capture_writer.h"

#include "proto/capture/chunk.h"
#include "proto/capture/file.h"
#include "proto/capture/file_format.h"
#include "proto/capture/summary/summary_collector.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

namespace sla::capture {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kLongestWait = std::chrono::milliseconds(900);  // of a frame, until its chunk is closed by the next one
constexpr std::size_t kBytesALane = std::size_t{2} << 10;
constexpr std::size_t kFewRows = 16;
constexpr std::size_t kIndexBytes = std::size_t{4} << 20;  // for a moment, when it is written
constexpr std::size_t kMessageFactor = 8;                  // so much more than its bytes does a summary take as a message
constexpr std::size_t kKeptLanes = 2048;                   // of so many the memory of a chunk's summary is kept
static_assert(WriterOptions().most_bytes + wire::kFrameHeaderBytes + wire::kMaxFrameBytes <= kMaxChunkBytes);

std::string_view bytes_of(const auto& record) {
    return {record.data(), record.size()};
}

// What stands under a name that was mistyped, a source file or a program, stays. One without bytes is nobody's work.
Result<void> check_replaced(const std::string& path) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown)) return {};
    std::array<char, kFileMagic.size()> begin{};
    std::ifstream there(path, std::ios::binary);
    there.read(begin.data(), begin.size());
    if (kFileMagic.starts_with({begin.data(), static_cast<std::size_t>(there.gcount())})) return {};
    return invalid_input("'" + path + "' is there, is no capture, and stays; name another file, or remove it first");
}

}  // namespace

struct CaptureWriter::State {
    State(File output, const WriterOptions& wanted)
        : file(std::move(output)), options(wanted), packer(std::make_unique<ChunkPacker>(wanted.effort)) {
        raw.reserve(options.chunk_bytes + options.chunk_bytes / 4);
    }

    Result<void> fail(Error error) {
        failure = std::move(error);
        return *failure;
    }

    Result<void> write_chunk(ChunkKind kind, std::string_view contents, std::uint32_t frames_inside) {
        if (Result<void> done = file.append(packer->pack(kind, contents, frames_inside, chunks)); !done)
            return fail(done.error());
        ++chunks;
        return {};
    }

    // The frames collected, and what they hold in sum.
    Result<void> write_frames() {
        const ChunkPlace place{chunks, file.bytes(), 0, frames};
        if (Result<void> done = write_chunk(ChunkKind::kFrames, raw, frames); !done) return done;
        raw.clear();
        frames = 0;
        const auto stored = static_cast<std::uint32_t>(file.bytes() - place.offset - kChunkHeaderBytes);
        collector.close_chunk({place.sequence, place.offset, stored, place.frames}, detail);
        count();
        summary.Clear();
        encode_detail(detail, summary);
        summary.SerializeToString(&summed_up);
        const bool has_many = detail.lanes.size() > kKeptLanes;
        if (has_many) {
            detail = {};
            summary = {};
        }
        if (summed_up.size() > kMaxChunkBytes) return {};  // hundreds of thousands of channels: readers make their own
        Result<void> done = write_chunk(ChunkKind::kSummary, summed_up, 0);
        if (has_many) summed_up = {};
        return done;
    }

    // A channel's summary takes a few hundred bytes and microseconds a chunk: of many channels chunks are larger, but of those that
    // have a few rows each and are gone.
    [[nodiscard]] bool is_full() const {
        const std::size_t lanes = collector.lanes_with_rows();
        const bool is_short = collector.rows() < kFewRows * lanes;
        const std::size_t largest = std::max(options.chunk_bytes, std::min(4 * options.chunk_bytes, options.most_bytes / 2));
        const std::size_t wanted =
            is_short ? options.chunk_bytes : std::clamp(kBytesALane * lanes, options.chunk_bytes, largest);
        return raw.size() >= wanted || collector.rows() >= options.chunk_rows;
    }

    // Of a piece that is finished.
    void take_memory(State& before) {
        if (before.packer) packer = std::move(before.packer);
        raw.swap(before.raw);
        std::swap(detail, before.detail);
        summary.Swap(&before.summary);
        summed_up.swap(before.summed_up);
    }

    // What is held for the chunks, whatever is in them.
    [[nodiscard]] std::uint64_t chunk_memory() const {
        return raw.capacity() + (packer ? packer->bytes() : 0) + kMessageFactor * summed_up.capacity();
    }

    void count() {
        const EventCount counted = count_events(detail);
        written.events += counted.events;
        written.missed += counted.missed;
    }

    // The index chunk goes where the file ends now.
    Result<void> write_index() {
        const std::uint64_t offset = file.bytes();
        const std::string contents = collector.take_index(last_index_offset);
        if (contents.size() > kMaxChunkBytes) index_whole = false;  // the same
        if (!index_whole) return {};
        Result<void> done = write_chunk(ChunkKind::kIndex, contents, 0);
        if (done) last_index_offset = offset;
        return done;
    }

    // A batch's frame, with so much taken off the number of its first row.
    std::string_view renumbered(std::string_view message, std::uint64_t shift) {
        SLA_CHECK(wire::parse_message(message, frame));
        wire::Batch& batch = *frame.mutable_batch();
        batch.set_first_index(batch.first_index() - shift);
        frame.SerializeToString(&rewritten);
        return rewritten;
    }

    File file;
    WriterOptions options;
    Written written;
    wire::Frame frame;      // renumbered()'s, whose memory is kept
    std::string rewritten;  // likewise
    ChunkDetail detail;     // of the chunk that is written, whose memory is kept
    ChunkSummary summary;   // likewise
    std::string summed_up;  // likewise
    std::string raw;        // the chunk being filled
    std::uint32_t frames = 0;
    std::uint64_t taken = 0;
    std::uint64_t chunks = 0;
    std::uint64_t last_index_offset = 0;
    bool index_whole = true;
    SummaryCollector collector{SummaryCollector::Numbers::kCloseHoles};
    Clock::time_point oldest;  // when the first frame in `raw` came
    std::unique_ptr<ChunkPacker> packer;
    std::optional<Error> failure;  // the first; nothing is written after it
    bool finished = false;
};

CaptureWriter::CaptureWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
CaptureWriter::CaptureWriter(CaptureWriter&&) noexcept = default;
CaptureWriter& CaptureWriter::operator=(CaptureWriter&&) noexcept = default;
CaptureWriter::~CaptureWriter() = default;

Result<CaptureWriter> CaptureWriter::create(const std::string& path, const WriterOptions& options) {
    return start(path, options, false);
}

Result<CaptureWriter> CaptureWriter::create_hidden(const std::string& path) {
    return start(path, {}, true);
}

Result<CaptureWriter> CaptureWriter::start(const std::string& path, const WriterOptions& options, bool hidden) {
    SLA_CHECK(options.chunk_bytes <= options.most_bytes && options.most_bytes <= WriterOptions().most_bytes);
    if (path.empty() || path == "-") return invalid_input("a capture needs a file name, '" + path + "' is none");
    if (Result<void> may_replace = check_replaced(path); !may_replace) return may_replace.error();
    Result<File> file = hidden ? File::create_hidden(path) : File::create(path);
    if (!file) return file.error();
    if (Result<void> written = file->append(bytes_of(encode_file_header())); !written) return written.error();
    return CaptureWriter(std::make_unique<State>(std::move(*file), options));
}

Result<CaptureWriter> CaptureWriter::create_after(CaptureWriter& before, const std::string& path,
                                                  const WriterOptions& options) {
    SLA_CHECK(before.state_->finished);
    Result<CaptureWriter> writer = create(path, options);
    if (!writer) return writer;
    State& state = *writer->state_;
    state.collector = std::move(before.state_->collector);
    state.collector.begin_file();
    state.take_memory(*before.state_);
    return writer;
}

Result<void> CaptureWriter::append(std::string_view message, const FrameFacts& facts) {
    State& state = *state_;
    SLA_CHECK(!state.finished && !message.empty() && message.size() <= wire::kMaxFrameBytes);
    if (state.failure) return *state.failure;
    const bool begins_next =
        state.frames > 0 && state.raw.size() + wire::kFrameHeaderBytes + message.size() > state.options.most_bytes;
    if (Result<void> flushed = begins_next ? flush() : Result<void>(); !flushed) return flushed;
    const std::uint64_t shift = state.collector.add_frame(message, facts);
    append_frame(shift == 0 ? message : state.renumbered(message, shift), state.raw);
    state.taken++;
    const Clock::time_point now = Clock::now();
    if (state.frames++ == 0) state.oldest = now;
    if (state.is_full() || now - state.oldest >= kLongestWait) return flush();
    return {};
}

Result<void> CaptureWriter::flush() {
    State& state = *state_;
    if (state.failure) return *state.failure;
    if (state.frames == 0) return {};
    if (Result<void> done = state.write_frames(); !done) return done;
    if (state.collector.index_due()) return state.write_index();
    return {};
}

Result<void> CaptureWriter::finish() {
    State& state = *state_;
    SLA_CHECK(!state.finished);
    if (Result<void> done = flush(); !done) return done;
    if (Result<void> done = state.write_index(); !done) return done;
    const ClosingMark mark{state.index_whole ? state.last_index_offset : 0, state.chunks};
    if (Result<void> done = state.file.append(bytes_of(encode_closing_mark(mark))); !done) return state.fail(done.error());
    state.finished = true;
    return state.file.finish();
}

std::uint64_t CaptureWriter::bytes_written() const {
    return state_->file.bytes();
}

std::uint32_t CaptureWriter::frames_waiting() const {
    return state_->frames;
}

std::uint64_t CaptureWriter::frames_taken() const {
    return state_->taken;
}

CaptureWriter::Written CaptureWriter::written() const {
    return state_->written;
}

std::uint64_t CaptureWriter::memory() const {
    const SummaryCollector& collector = state_->collector;
    return collector.bytes() + collector.waiting_bytes() + state_->chunk_memory() + kIndexBytes;
}

}  // namespace sla::capture
