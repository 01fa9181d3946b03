#include "viewer/ingest/spill_file.h"

#include "proto/wire/batch_codec.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <utility>

namespace sla::ingest {

namespace {

constexpr std::size_t kBatchRows = 8192;

}  // namespace

SpillFile::SpillFile(std::string directory) : directory_(std::move(directory)), path_("the spill file in " + directory_) {}

std::uint32_t SpillFile::add(ChunkPart part, const std::shared_ptr<const store::Run>& rows) {
    const std::lock_guard lock(mutex_);
    entry_bytes_ += sizeof(Entry) + part.open.size() * sizeof(store::NumberedSpan);
    entries_.push_back({std::move(part), {}, rows});
    return static_cast<std::uint32_t>(entries_.size() - 1);
}

Result<void> SpillFile::open_file() {
    Result<capture::File> file = capture::File::create_unnamed(directory_);
    if (!file) return file.error();
    const auto header = capture::encode_file_header();
    if (Result<void> done = file->append({header.data(), header.size()}); !done) return done;
    const std::lock_guard lock(mutex_);
    file_.emplace(std::move(*file));
    return {};
}

// How many frames.
std::uint32_t SpillFile::encode(ChannelId channel, const store::Run& rows) {
    std::uint32_t frames = 0;
    raw_.clear();
    for (std::uint64_t at = rows.first_index(); at < rows.end_index();) {
        auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kBatchRows, rows.end_index() - at));
        rows.copy_to(batch_, at, count);
        while (wire::encoded_bound(batch_) > wire::kMaxFrameBytes) rows.copy_to(batch_, at, count /= 2);  // texts are long
        batch_.channel = channel;
        wire::encode_batch(batch_, *frame_.mutable_batch());
        frame_.SerializeToString(&message_);
        capture::append_frame(message_, raw_);
        at += batch_.size();
        ++frames;
    }
    return frames;
}

Result<void> SpillFile::write_next(const store::Run& rows) {
    if (!file_) {
        if (Result<void> opened = open_file(); !opened) return opened;
    }
    const std::size_t chunk = written_;
    ChannelId channel;
    {
        const std::lock_guard lock(mutex_);
        channel = entries_[chunk].part.channel;
    }
    const std::uint32_t frames = encode(channel, rows);
    const std::uint64_t offset = file_->bytes();
    if (Result<void> done = file_->append(packer_.pack(capture::ChunkKind::kFrames, raw_, frames, chunk)); !done)
        return done;
    const auto stored = static_cast<std::uint32_t>(file_->bytes() - offset - capture::kChunkHeaderBytes);
    const std::lock_guard lock(mutex_);
    entries_[chunk].place = {chunk, offset, stored, frames};
    ++written_;
    written_bytes_ = file_->bytes();
    return {};
}

void SpillFile::hold(std::vector<std::shared_ptr<const store::Run>> rows) {
    const std::lock_guard lock(mutex_);
    held_ = std::move(rows);
}

std::uint64_t SpillFile::bytes() const {
    const std::lock_guard lock(mutex_);
    return written_bytes_;
}

std::uint64_t SpillFile::memory_bytes() const {
    const std::lock_guard lock(mutex_);
    return entry_bytes_;
}

std::size_t SpillFile::chunk_count() const {
    const std::lock_guard lock(mutex_);
    return written_;
}

capture::ChunkPlace SpillFile::place_of(std::size_t chunk) const {
    const std::lock_guard lock(mutex_);
    return entries_[chunk].place;
}

std::vector<ChunkPart> SpillFile::parts_of(std::size_t chunk) const {
    const std::lock_guard lock(mutex_);
    return {entries_[chunk].part};
}

std::shared_ptr<const store::Run> SpillFile::rows_in_memory(std::size_t chunk) const {
    const std::lock_guard lock(mutex_);
    return entries_[chunk].rows.lock();
}

Result<capture::ChunkReader> SpillFile::open_chunks() const {
    const std::lock_guard lock(mutex_);
    if (!file_) return unavailable("nothing was written to " + path_ + " yet");
    Result<capture::File> file = file_->read_while_written();
    if (!file) return file.error();
    return capture::ChunkReader(std::move(*file));
}

}  // namespace sla::ingest
