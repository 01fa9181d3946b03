// What a file is of its recording, by its Hello, its end and its rows.
#include "proto/capture/newest_watermark.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "viewer/capture_tools/edge_state.h"
#include "viewer/capture_tools/part_id.h"
#include "viewer/capture_tools/recording_parts.h"
#include "viewer/store/machine_time.h"

#include <algorithm>
#include <optional>

namespace sla::capture_tools {

namespace {

void set_file(PartExtent& extent, const capture::CaptureIndex& index) {
    if (extent.recording == 0 || (extent.is_cut && !index.finished())) return;
    const PartFile file = part_file(extent.capture_id);
    extent.file = extent.is_cut ? file.id : file_id(index, extent.capture_id);
    extent.file_until = !extent.is_cut || file.to_its_end ? store::kNever : extent.reach;
}

}  // namespace

PartExtent extent_of(const capture::CaptureIndex& index, capture::ChunkReader& chunks, const store::Session& names) {
    PartExtent extent;
    std::uint64_t end_tick = 0;
    std::optional<std::uint64_t> ended;
    for (const std::string& bytes : index.lasting()) {
        wire::Frame frame;
        if (!wire::parse_message(bytes, frame)) continue;
        if (frame.has_end()) ended = frame.end().tick();
        if (!frame.has_hello()) continue;
        const wire::Hello& hello = frame.hello();
        if (extent.capture_id != 0) {  // said again, or another agent's recording goes on in the same file
            if (hello.capture_id() != extent.capture_id) extent.recording = 0;
            continue;
        }
        extent.capture_id = hello.capture_id();
        extent.is_cut = hello.part_of() != 0;
        extent.recording = extent.is_cut ? hello.part_of() : hello.capture_id();
        extent.from = begin_of(index, names, hello.begin_tick());
        end_tick = hello.end_tick();
    }
    if (extent.recording == 0) extent.is_cut = false;
    if (!ended) ended = capture::newest_watermark(chunks, index.chunks());
    extent.until = std::min(*ended, store::kNever - 1) + 1;
    if (extent.is_cut && index.finished()) extent.until = end_tick;
    extent.end = extent.until;
    for (const capture::CaptureIndex::Lane& lane : index.lanes())
        extent.end = std::max<std::uint64_t>(extent.end, lane.summaries.back().last_tick + 1);
    extent.reach = std::max<std::uint64_t>(extent.end, std::min(*ended, store::kNever - 1));
    set_file(extent, index);
    return extent;
}

std::uint64_t known_of_file(const capture::CaptureIndex& index, capture::ChunkReader& chunks, const store::Session& names) {
    const bool says_end = index.finished() && names.watermark() > 0;
    if (says_end && !store::has_own_times(names)) return names.watermark();
    if (const std::uint64_t watermark = capture::newest_watermark(chunks, index.chunks()); watermark > 0) return watermark;
    std::uint64_t newest = 0;
    for (const capture::CaptureIndex::Lane& lane : index.lanes()) {
        const store::Lane* const named = names.lane(lane.channel);
        const bool is_own = named != nullptr && store::has_own_time(names, *named);
        if (!is_own) newest = std::max<std::uint64_t>(newest, lane.summaries.back().last_tick);
    }
    return newest;
}

}  // namespace sla::capture_tools
