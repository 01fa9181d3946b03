#include "proto/capture/file_finisher.h"

#include "proto/capture/chunk.h"
#include "proto/capture/closing.h"
#include "proto/capture/file.h"
#include "proto/capture/summary/summary_collector.h"

#include <array>
#include <optional>

namespace sla::capture {
namespace {

// Goes over the whole chunks from the front, and knows then what its writer knew.
class Replay {
public:
    explicit Replay(const File& file) : file_(file) {}

    // False at the first place where no whole chunk is.
    bool next() {
        std::array<char, kChunkHeaderBytes> record;
        const auto header = decode_chunk_header({record.data(), file_.read_at(end_, record.data(), record.size())});
        if (!header || header->sequence != chunks_ || header->stored_bytes > file_.bytes() - end_) return false;
        std::string stored(header->stored_bytes, '\0');
        if (file_.read_at(end_ + kChunkHeaderBytes, stored.data(), stored.size()) != stored.size()) return false;
        if (!unpacker_.unpack(*header, stored, raw_)) return false;
        take(*header);
        chunks_++;
        end_ += kChunkHeaderBytes + stored.size();
        return true;
    }

    // Behind the last whole chunk.
    Result<void> write_rest(File& out) {
        if (waiting_) {
            ChunkSummary summary;
            encode_detail(collector_.close_chunk(*waiting_), summary);
            if (Result<void> done = write(out, ChunkKind::kSummary, summary.SerializeAsString()); !done) return done;
        }
        const std::uint64_t index_at = out.bytes();
        const std::string index = collector_.take_index(last_index_);
        const bool fits = index.size() <= kMaxChunkBytes;
        if (Result<void> done = fits ? write(out, ChunkKind::kIndex, index) : Result<void>(); !done) return done;
        const auto mark = encode_closing_mark({fits ? index_at : 0, chunks_});
        Result<void> done = out.append({mark.data(), mark.size()});
        return done ? out.finish() : done;
    }

    [[nodiscard]] std::uint64_t end() const { return end_; }

private:
    void take(const ChunkHeader& header) {
        if (waiting_) {  // its summary, or what came when that was too large
            (void)collector_.close_chunk(*waiting_);
            waiting_.reset();
        }
        if (header.kind == ChunkKind::kIndex) {
            (void)collector_.take_index(last_index_);
            last_index_ = end_;
        }
        if (header.kind != ChunkKind::kFrames) return;
        std::string_view contents = raw_;
        while (const auto frame = take_frame(contents)) collector_.add_frame(*frame, {});
        waiting_ = ChunkPlace{header.sequence, end_, header.stored_bytes, header.frames};
    }

    Result<void> write(File& out, ChunkKind kind, const std::string& contents) {
        if (contents.size() > kMaxChunkBytes) return {};  // readers make their own
        return out.append(packer_.pack(kind, contents, 0, chunks_++));
    }

    const File& file_;
    std::uint64_t end_ = kFileHeaderBytes;
    std::uint64_t chunks_ = 0;
    std::uint64_t last_index_ = 0;
    std::optional<ChunkPlace> waiting_;  // the newest chunk of frames, until something follows it
    SummaryCollector collector_;
    ChunkUnpacker unpacker_;
    ChunkPacker packer_;
    std::string raw_;
};

}  // namespace

Result<Finished> finish_file(const std::string& path) {
    Result<File> file = File::open(path);
    if (!file) return file.error();
    if (const auto version = check_file_header(*file); !version) return version.error();
    if (read_closing_mark(*file)) return Finished{0, true};
    Replay replay(*file);
    while (replay.next()) {
    }
    Result<File> out = File::open_to_append(path, replay.end());
    if (!out) return out.error();
    const std::uint64_t cut = file->bytes() - replay.end();
    if (Result<void> done = replay.write_rest(*out); !done) return done.error();
    return Finished{cut, false};
}

}  // namespace sla::capture
