#include "proto/capture/capture_reader.h"

#include "proto/capture/chunk_scanner.h"
#include "proto/capture/chunk_summary.h"
#include "proto/capture/closing.h"
#include "proto/capture/summary.pb.h"
#include "proto/wire/frame_codec.h"

#include <utility>

namespace sla::capture {
namespace {

constexpr std::size_t kMaxLostRows = 256;  // of one damage; a forged file must not fill memory

}  // namespace

struct CaptureReader::State {
    State(File file, std::optional<ClosingMark> closing) : scanner(std::move(file), kFileHeaderBytes), mark(closing) {}

    void look_at(const ChunkScanner::Chunk& next);
    void judge_damage(std::uint64_t next_sequence);
    void look_at_summary();
    void rescue(const ChunkDetail& detail);

    ChunkScanner scanner;
    std::optional<ClosingMark> mark;
    ChunkScanner::Chunk chunk;
    std::string raw;                             // the chunk's contents
    std::string_view contents;                   // of raw, what was not handed out yet
    std::optional<std::uint64_t> newest_frames;  // sequence of the newest sound chunk of frames
    bool summarized = true;                      // its summary was seen
    std::size_t judged = 0;                      // of the damages, those before the newest sound chunk
};

void CaptureReader::State::look_at(const ChunkScanner::Chunk& next) {
    chunk = next;
    if (next.header.kind == ChunkKind::kSummary) {
        look_at_summary();
    } else {
        judge_damage(next.header.sequence);
    }
    judged = scanner.damage().size();
    if (next.header.kind != ChunkKind::kFrames) return;
    newest_frames = next.header.sequence;
    summarized = false;
    contents = raw;
}

// If a single chunk is missing before one that is no summary, it was a summary or an index itself: behind lost frames
// their summary would have come.
void CaptureReader::State::judge_damage(std::uint64_t next_sequence) {
    if (scanner.damage().size() == judged || !newest_frames) return;
    const std::uint64_t expected = *newest_frames + (summarized ? 2 : 1);
    if (next_sequence == expected + 1) scanner.newest_damage().harmless = true;
}

// A summary whose chunk did not come tells what the damage before it took.
void CaptureReader::State::look_at_summary() {
    ChunkSummary message;
    ChunkDetail detail;
    if (!wire::parse_message(raw, message) || !decode_detail(message, detail)) {
        scanner.add_damage(chunk.offset, kChunkHeaderBytes + chunk.header.stored_bytes, "a summary does not make sense");
        scanner.newest_damage().harmless = true;
        return;
    }
    if (newest_frames == detail.place.sequence) {
        summarized = true;
    } else {
        rescue(detail);
    }
}

// Hands out what nobody can do without: names, clocks, the end.
void CaptureReader::State::rescue(const ChunkDetail& detail) {
    if (!scanner.damage().empty()) {
        Damage& damage = scanner.newest_damage();
        damage.chunk = detail.place.sequence;
        for (const LaneSummary& lane : detail.lanes) {
            if (damage.lost.size() == kMaxLostRows) break;
            damage.lost.push_back({lane.channel, lane.first_index, lane.rows, lane.first_tick, lane.last_tick});
        }
    }
    raw.clear();
    for (const std::string& frame : detail.lasting) append_frame(frame, raw);
    contents = raw;
}

CaptureReader::CaptureReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
CaptureReader::CaptureReader(CaptureReader&&) noexcept = default;
CaptureReader& CaptureReader::operator=(CaptureReader&&) noexcept = default;
CaptureReader::~CaptureReader() = default;

Result<CaptureReader> CaptureReader::open(const std::string& path) {
    Result<File> file = File::open(path);
    if (!file) return file.error();
    const Result<bool> sound = check_file_header(*file);
    if (!sound) return sound.error();
    const std::optional<ClosingMark> mark = read_closing_mark(*file);
    auto state = std::make_unique<State>(std::move(*file), mark);
    if (!*sound) {
        state->scanner.add_damage(0, kFileHeaderBytes, "the file's header is damaged");
        state->scanner.newest_damage().harmless = true;
    }
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
        if (!chunk) {
            if (state.mark) state.judge_damage(state.mark->chunks);
            return std::nullopt;
        }
        state.look_at(*chunk);
    }
}

const std::vector<Damage>& CaptureReader::damage() const {
    return state_->scanner.damage();
}
bool CaptureReader::finished() const {
    return state_->mark.has_value();
}
std::uint64_t CaptureReader::file_bytes() const {
    return state_->scanner.file().bytes();
}
std::uint64_t CaptureReader::position() const {
    return state_->scanner.position();
}

}  // namespace sla::capture
