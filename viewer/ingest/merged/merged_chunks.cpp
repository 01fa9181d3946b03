#include "viewer/ingest/merged/merged_chunks.h"

#include "proto/capture/chunk.h"
#include "proto/capture/summary.pb.h"
#include "proto/wire/batch_codec.h"
#include "viewer/ingest/merged/summary_translation.h"

#include <utility>

namespace sla::ingest {
namespace {

capture::ChunkHeader header_of(capture::ChunkKind kind, const capture::ChunkPlace& place, std::uint32_t frames,
                               const std::string& stored) {
    capture::ChunkHeader header;
    header.kind = kind;
    header.raw_bytes = header.stored_bytes = static_cast<std::uint32_t>(stored.size());
    header.frames = frames;
    header.sequence = place.sequence;
    header.checksum = capture::checksum_of(stored);
    return header;
}

}  // namespace

std::optional<std::string> moved_frame(const MergedPart& part, const FrameItem& item) {
    wire::Frame frame;
    if (item.what == FrameItem::What::kBatch) {
        wire::EventBatch batch = item.batch;
        part.translation.translate(batch);
        wire::encode_batch(batch, *frame.mutable_batch());
        return frame.SerializeAsString();
    }
    if (item.what == FrameItem::What::kDamage) {
        frame.mutable_notice()->set_text(part.of.store->name() + ": " + item.damage);
        frame.mutable_notice()->set_damage(true);
        return frame.SerializeAsString();
    }
    frame = item.message;
    if (!part.translate(frame)) return std::nullopt;
    return frame.SerializeAsString();
}

Result<std::unique_ptr<MergedChunks>> MergedChunks::open(std::shared_ptr<const MergedParts> parts) {
    return std::unique_ptr<MergedChunks>(new MergedChunks(std::move(parts)));
}

Result<MergedChunks::Own> MergedChunks::find(const capture::ChunkPlace& place) {
    const auto [number, offset] = parts_->part_of(place.offset);
    const MergedPart& part = parts_->parts()[number];
    if (!readers_[number]) {
        Result<capture::ChunkReader> opened = part.of.store->open_chunks();
        if (!opened) return opened.error();
        readers_[number].emplace(std::move(*opened));
        if (timeout_) readers_[number]->set_timeout(*timeout_);
    }
    return Own{part, *readers_[number], {place.sequence, offset, place.stored_bytes, place.frames}};
}

Result<capture::ChunkHeader> MergedChunks::fetch_frames(const capture::ChunkPlace& place, std::string& stored) {
    Result<Own> own = find(place);
    if (!own) return own.error();
    if (const Result<void> loaded = own->reader.load(own->place); !loaded) return loaded.error();
    std::string moved;
    std::uint32_t frames = 0;
    while (const auto frame = own->reader.next()) {
        const std::optional<std::string> one = moved_frame(own->part, decode_frame(*frame));
        if (!one) continue;
        capture::append_frame(*one, moved);
        ++frames;
        if (moved.size() > capture::kMaxChunkBytes) return damaged(describe(place) + ": it holds too much");
    }
    stored = std::move(moved);
    return header_of(capture::ChunkKind::kFrames, place, frames, stored);
}

Result<capture::ChunkHeader> MergedChunks::fetch_summary(const capture::ChunkPlace& place, std::string& stored) {
    Result<Own> own = find(place);
    if (!own) return own.error();
    Result<capture::ChunkDetail> detail = own->reader.detail(own->place);
    if (!detail) return detail.error();
    const bool keeps_ticks = own->part.translation.clock().same_clock();
    if (!keeps_ticks || !own->reader.intervals(own->place, detail->intervals)) detail->intervals.clear();
    translate(own->part.translation, *detail);
    std::vector<std::string> lasting;
    for (const std::string& frame : detail->lasting) {
        if (auto one = moved_frame(own->part, decode_frame(frame))) lasting.push_back(std::move(*one));
    }
    detail->lasting = std::move(lasting);
    capture::ChunkSummary message;
    capture::encode_detail(*detail, message);
    stored = message.SerializeAsString();
    if (stored.size() > capture::kMaxChunkBytes) return damaged(describe(place) + ": its summary holds too much");
    return header_of(capture::ChunkKind::kSummary, place, 0, stored);
}

// Of some parts it may come later: which ones is known only when they are opened.
bool MergedChunks::set_timeout(std::chrono::milliseconds timeout) {
    timeout_ = timeout;
    for (auto& reader : readers_) {
        if (reader) reader->set_timeout(timeout);
    }
    return true;
}

std::string MergedChunks::describe(const capture::ChunkPlace& place) const {
    const auto [number, offset] = parts_->part_of(place.offset);
    return parts_->parts()[number].of.store->name() + " (chunk at " + std::to_string(offset) + ")";
}

}  // namespace sla::ingest
