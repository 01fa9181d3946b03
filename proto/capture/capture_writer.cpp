#include "proto/capture/capture_writer.h"

#include "proto/capture/chunk.h"
#include "proto/capture/chunk_index.h"
#include "proto/capture/file.h"
#include "proto/wire/frame_codec.h"

#include <optional>
#include <utility>

namespace sla::capture {
namespace {

constexpr std::size_t kChunkTarget = std::size_t{1} << 20;
constexpr int kChunksPerIndex = 256;
constexpr std::size_t kLengthBytes = 4;
static_assert(kChunkTarget + kLengthBytes + wire::kMaxFrameBytes <= kMaxChunkBytes);

std::string_view bytes_of(const auto& record) {
    return {record.data(), record.size()};
}

}  // namespace

struct CaptureWriter::State {
    explicit State(File output) : file(std::move(output)) { raw.reserve(kChunkTarget + kChunkTarget / 4); }

    Result<void> fail(Error error) {
        failure = std::move(error);
        return *failure;
    }

    Result<void> write_chunk(ChunkKind kind, std::string_view contents, std::uint32_t frames_inside) {
        if (Result<void> done = file.append(packer.pack(kind, contents, frames_inside, chunks)); !done)
            return fail(done.error());
        ++chunks;
        return {};
    }

    // The index chunk goes where the file ends now.
    Result<void> write_index() {
        const std::uint64_t offset = file.bytes();
        const std::string contents = index.take(last_index_offset);
        if (contents.size() > kMaxChunkBytes) return {};  // tens of thousands of channels: the file lives without
        Result<void> done = write_chunk(ChunkKind::kIndex, contents, 0);
        if (done) last_index_offset = offset;
        return done;
    }

    File file;
    std::string raw;  // the chunk being filled
    std::uint32_t frames = 0;
    std::uint64_t chunks = 0;
    std::uint64_t last_index_offset = 0;
    IndexCollector index;
    ChunkPacker packer;
    std::optional<Error> failure;  // the first; nothing is written after it
    bool finished = false;
};

CaptureWriter::CaptureWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
CaptureWriter::CaptureWriter(CaptureWriter&&) noexcept = default;
CaptureWriter& CaptureWriter::operator=(CaptureWriter&&) noexcept = default;
CaptureWriter::~CaptureWriter() = default;

Result<CaptureWriter> CaptureWriter::create(const std::string& path) {
    if (path.empty() || path == "-") return invalid_input("a capture needs a file name, '" + path + "' is none");
    Result<File> file = File::create(path);
    if (!file) return file.error();
    if (Result<void> written = file->append(bytes_of(encode_file_header())); !written) return written.error();
    return CaptureWriter(std::make_unique<State>(std::move(*file)));
}

Result<void> CaptureWriter::append(std::string_view message, const FrameFacts& facts) {
    State& state = *state_;
    SLA_CHECK(!state.finished && !message.empty() && message.size() <= wire::kMaxFrameBytes);
    if (state.failure) return *state.failure;
    const auto length = static_cast<std::uint32_t>(message.size());
    for (std::size_t i = 0; i < kLengthBytes; ++i) state.raw += static_cast<char>(length >> (8 * i) & 0xff);
    state.raw += message;
    ++state.frames;
    state.index.add_frame(facts);
    if (state.raw.size() >= kChunkTarget) return flush();
    return {};
}

Result<void> CaptureWriter::flush() {
    State& state = *state_;
    if (state.failure) return *state.failure;
    if (state.frames == 0) return {};
    const std::uint64_t offset = state.file.bytes();
    if (Result<void> done = state.write_chunk(ChunkKind::kFrames, state.raw, state.frames); !done) return done;
    state.index.close_chunk(offset);
    state.raw.clear();
    state.frames = 0;
    if (state.index.chunks() >= kChunksPerIndex) return state.write_index();
    return {};
}

Result<void> CaptureWriter::finish() {
    State& state = *state_;
    SLA_CHECK(!state.finished);
    if (Result<void> done = flush(); !done) return done;
    if (Result<void> done = state.write_index(); !done) return done;
    const ClosingMark mark{state.last_index_offset, state.chunks};
    if (Result<void> done = state.file.append(bytes_of(encode_closing_mark(mark))); !done) return state.fail(done.error());
    state.finished = true;
    return state.file.finish();
}

std::uint64_t CaptureWriter::bytes_written() const {
    return state_->file.bytes();
}

}  // namespace sla::capture
