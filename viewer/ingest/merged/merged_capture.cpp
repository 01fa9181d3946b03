#include "viewer/ingest/merged/merged_capture.h"

#include "proto/capture/pieces/index_join.h"
#include "proto/wire/frame_codec.h"
#include "viewer/ingest/merged/merged_chunks.h"
#include "viewer/ingest/merged/merged_frames.h"
#include "viewer/ingest/merged/summary_translation.h"

#include <algorithm>
#include <utility>

namespace sla::ingest {
namespace {

using capture::CaptureIndex;

class MergedCapture final : public capture::CaptureStore {
public:
    explicit MergedCapture(std::shared_ptr<const MergedParts> parts) : parts_(std::move(parts)) {
        for (const MergedPart& part : parts_->parts()) bytes_ += part.of.store->bytes();
    }

    [[nodiscard]] const std::string& name() const override { return parts_->name(); }
    [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
    [[nodiscard]] Result<CaptureIndex> index(const Progress& progress) const override;
    [[nodiscard]] Result<capture::ChunkReader> open_chunks() const override {
        Result<std::unique_ptr<MergedChunks>> chunks = MergedChunks::open(parts_);
        if (!chunks) return chunks.error();
        return capture::ChunkReader(std::move(*chunks));
    }
    [[nodiscard]] Result<capture::CaptureReader> open_frames() const override {
        Result<std::unique_ptr<MergedFrames>> frames = MergedFrames::open(parts_);
        if (!frames) return frames.error();
        return capture::CaptureReader(std::move(*frames));
    }

private:
    void add(std::size_t number, capture::IndexJoin& join) const;

    std::shared_ptr<const MergedParts> parts_;
    std::uint64_t bytes_ = 0;
};

void MergedCapture::add(std::size_t number, capture::IndexJoin& join) const {
    const MergedPart& part = parts_->parts()[number];
    std::vector<CaptureIndex::Lane> lanes = part.index->lanes();
    for (CaptureIndex::Lane& lane : lanes) translate(part.translation, lane);
    std::vector<capture::ChunkPlace> places = part.index->chunks();
    for (capture::ChunkPlace& place : places) place.offset = parts_->place(number, place.offset);
    join.add_beside(*part.index, std::move(lanes), std::move(places));
    wire::Frame frame;
    for (const std::string& bytes : part.index->lasting()) {
        if (wire::parse_message(bytes, frame) && part.translate(frame)) join.add_frame(frame.SerializeAsString());
    }
    for (capture::Damage damage : part.index->damage()) {
        const bool is_of_chunk = damage.chunk && damage.bytes == 0;
        const bool is_at_its_end = damage.offset + damage.bytes >= part.index->file_bytes();
        damage.offset = is_of_chunk ? parts_->place(number, damage.offset) : is_at_its_end ? bytes_ : 0;
        part.translate(damage);
        join.add_damage(std::move(damage));
    }
}

Result<CaptureIndex> MergedCapture::index(const Progress& /*progress*/) const {
    capture::IndexJoin join;
    for (const std::string& frame : parts_->head()) join.add_frame(frame);
    for (std::size_t i = 0; i < parts_->parts().size(); ++i) add(i, join);
    return join.finish(bytes_);
}

}  // namespace

std::shared_ptr<const capture::CaptureStore> merged_capture(std::shared_ptr<const MergedParts> parts) {
    return std::make_shared<const MergedCapture>(std::move(parts));
}

bool is_merged(const capture::CaptureStore& store) {
    return dynamic_cast<const MergedCapture*>(&store) != nullptr;
}

}  // namespace sla::ingest
