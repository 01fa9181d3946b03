#include "viewer/cli/part_loader.h"

#include "proto/capture/capture_index.h"
#include "proto/capture/chunk_reader.h"
#include "proto/wire/frame_codec.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/ingest/frame_item.h"

#include <set>

namespace sla::cli {

namespace {

std::optional<std::uint64_t> first_shot(const capture::CaptureIndex& index) {
    for (const std::string& bytes : index.lasting()) {
        wire::Frame frame;
        if (wire::parse_message(bytes, frame) && frame.has_shot()) return frame.shot().tick();
    }
    return std::nullopt;
}

}  // namespace

Result<LoadedPart> load_part(const std::string& path, store::Session& session,
                             const std::function<Result<std::vector<const store::Lane*>>(const store::Session&)>& wanted,
                             const std::function<bool(double)>& progress) {
    const auto index = capture::CaptureIndex::open(path, progress);
    if (!index) return index.error();
    auto chunks = capture::ChunkReader::open(path);
    if (!chunks) return chunks.error();
    ingest::FrameApplier applier(session);
    for (const std::string& frame : index->lasting()) applier.apply(std::string_view(frame));
    const auto lanes = wanted(session);
    if (!lanes) return lanes.error();
    std::set<ChannelId> channels;
    std::set<std::uint32_t> numbers;
    for (const store::Lane* lane : *lanes) {
        channels.insert(lane->channel().id);
        const capture::CaptureIndex::Lane* found = index->lane(lane->channel().id);
        if (found != nullptr) numbers.insert(found->chunk_numbers.begin(), found->chunk_numbers.end());
    }
    std::size_t done = 0;
    for (const std::uint32_t number : numbers) {
        if (Result<void> loaded = chunks->load(index->chunks()[number]); !loaded) {
            session.add_note({0, loaded.error().message, true});
            continue;
        }
        while (const auto frame = chunks->next()) {
            const ingest::FrameItem item = ingest::decode_frame(*frame);
            if (item.what == ingest::FrameItem::What::kBatch && channels.contains(item.batch.channel)) applier.apply(item);
        }
        if (progress && !progress(static_cast<double>(++done) / static_cast<double>(numbers.size())))
            return unavailable("stopped while reading '" + path + "'");
    }
    if (!session.ended()) session.set_ended(session.last_tick(), "the file ends here");
    return LoadedPart{first_shot(*index)};
}

}  // namespace sla::cli
