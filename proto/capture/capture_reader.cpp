#include "proto/capture/capture_reader.h"

#include "proto/capture/chunk_scanner.h"
#include "proto/wire/frame_codec.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace sla::capture {
namespace {

constexpr std::size_t kLengthBytes = 4;

// The next frame of an unpacked chunk, cut off its front; nothing when the chunk is not made of frames.
std::optional<std::string_view> take_frame(std::string_view& contents) {
    if (contents.size() < kLengthBytes) return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
        length |= static_cast<std::size_t>(static_cast<unsigned char>(contents[i])) << (8 * i);
    }
    if (length == 0 || length > wire::kMaxFrameBytes || length > contents.size() - kLengthBytes) return std::nullopt;
    const std::string_view frame = contents.substr(kLengthBytes, length);
    contents.remove_prefix(kLengthBytes + length);
    return frame;
}

bool has_closing_mark(const File& file) {
    if (file.bytes() < kFileHeaderBytes + kClosingMarkBytes) return false;
    std::array<char, kClosingMarkBytes> bytes;
    return decode_closing_mark({bytes.data(), file.read_at(file.bytes() - bytes.size(), bytes.data(), bytes.size())})
        .has_value();
}

bool has_chunk_behind_header(const File& file) {
    std::array<char, kChunkHeaderBytes> bytes;
    return decode_chunk_header({bytes.data(), file.read_at(kFileHeaderBytes, bytes.data(), bytes.size())}).has_value();
}

// Whether the file header was sound; false when only it is damaged and the rest may well be read.
Result<bool> check_file_header(const File& file) {
    if (file.bytes() == 0) return damaged("'" + file.path() + "' is empty: nothing was recorded into it");
    std::array<char, kFileHeaderBytes> bytes;
    const std::string_view header(bytes.data(), file.read_at(0, bytes.data(), bytes.size()));
    if (const std::optional<std::uint32_t> version = decode_file_header(header)) {
        if (*version == kFormatVersion) return true;
        return damaged(fmt::format("'{}' is a capture of version {}, this program reads version {}; use a newer program",
                                   file.path(), *version, kFormatVersion));
    }
    if (has_chunk_behind_header(file)) return false;
    const std::string_view magic = kFileMagic.substr(0, header.size());
    if (header.starts_with(magic) && header.size() < kFileHeaderBytes) {
        return damaged("'" + file.path() + "' is cut off within its header: nothing was recorded into it");
    }
    return damaged("'" + file.path() + "' is not a capture: it does not begin like one (sla record makes them)");
}

}  // namespace

struct CaptureReader::State {
    State(File file, bool is_finished) : scanner(std::move(file), kFileHeaderBytes), finished(is_finished) {}

    ChunkScanner scanner;
    bool finished;
    ChunkScanner::Chunk chunk;
    std::string raw;            // the chunk's contents
    std::string_view contents;  // of raw, what was not handed out yet
};

CaptureReader::CaptureReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
CaptureReader::CaptureReader(CaptureReader&&) noexcept = default;
CaptureReader& CaptureReader::operator=(CaptureReader&&) noexcept = default;
CaptureReader::~CaptureReader() = default;

Result<CaptureReader> CaptureReader::open(const std::string& path) {
    Result<File> file = File::open(path);
    if (!file) return file.error();
    const Result<bool> sound = check_file_header(*file);
    if (!sound) return sound.error();
    const bool finished = has_closing_mark(*file);
    auto state = std::make_unique<State>(std::move(*file), finished);
    if (!*sound) state->scanner.add_damage(0, kFileHeaderBytes, "the file's header is damaged");
    return CaptureReader(std::move(state));
}

std::optional<std::string_view> CaptureReader::next() {
    State& state = *state_;
    for (;;) {
        if (const std::optional<std::string_view> frame = take_frame(state.contents)) return frame;
        if (!state.contents.empty()) {
            state.scanner.add_damage(state.chunk.offset, kChunkHeaderBytes + state.chunk.header.stored_bytes,
                                     "a chunk is not made of frames to its end");
            state.contents = {};
        }
        const std::optional<ChunkScanner::Chunk> chunk = state.scanner.next(state.raw);
        if (!chunk) return std::nullopt;
        if (chunk->header.kind != ChunkKind::kFrames) continue;
        state.chunk = *chunk;
        state.contents = state.raw;
    }
}

const std::vector<Damage>& CaptureReader::damage() const {
    return state_->scanner.damage();
}
bool CaptureReader::finished() const {
    return state_->finished;
}
std::uint64_t CaptureReader::file_bytes() const {
    return state_->scanner.file().bytes();
}
std::uint64_t CaptureReader::position() const {
    return state_->scanner.position();
}

}  // namespace sla::capture
