#include "viewer/capture_tools/merge_input.h"

#include "proto/capture/capture_index.h"
#include "viewer/capture_tools/edge_state.h"

#include <algorithm>
#include <filesystem>

namespace sla::capture_tools {

Result<std::unique_ptr<MergeInput>> MergeInput::open(const NamedFile& file, std::size_t number) {
    const auto index = capture::CaptureIndex::open(file.path);
    if (!index) return index.error();
    auto reader = capture::CaptureReader::open(file.path);
    if (!reader) return reader.error();
    std::unique_ptr<MergeInput> input(new MergeInput(file, std::move(*reader)));
    ingest::FrameApplier applier(input->names_);
    for (const std::string& frame : index->lasting()) applier.apply(std::string_view(frame));
    if (!input->names_.has_origin()) return damaged("'" + file.path + "' does not say when it began; it cannot be merged");
    const std::uint64_t capture_id = input->names_.origin().capture_id;
    std::uint64_t first = store::kNever;
    for (const auto& lane : index->lanes()) {
        first = std::min(first, lane.summaries.front().first_tick);
        input->last_tick_ = std::max(input->last_tick_, lane.summaries.back().last_tick);
    }
    input->first_tick_ = first == store::kNever ? 0 : first;
    input->last_tick_ = std::max(input->last_tick_, input->first_tick_);
    const store::Origin& origin = input->names_.origin();
    input->begin_tick_ = std::max({origin.start_tick, origin.begin_tick, late_begin(*index)});
    input->recording_ = capture_id != 0 ? capture_id : number;
    return input;
}

Result<void> MergeInput::match(const MergeInput& reference, MergedIds& ids) {
    using ingest::NamedThing;
    auto match = ingest::ClockMatch::find(reference.names_, names_, first_tick_, last_tick_);
    if (!match) return damaged("'" + reference.file_.path + "' and '" + file_.path + "': " + match.error().message);
    ids_ = &ids;
    const auto give = [&ids, recording = recording_](NamedThing thing, std::uint32_t own) {
        const auto [at, is_new] = ids.given.try_emplace({recording, thing, own}, 0);
        if (is_new) at->second = ++ids.newest[thing];
        return at->second;
    };
    const std::uint32_t host = match->same_clock() ? 0 : give(NamedThing::kHost, 0);
    translation_ = ingest::StreamTranslation(std::move(*match), host, give);
    reached_ = clock().to_reference(first_tick_);
    return {};
}

void MergeInput::name_source(wire::Source& source) {
    const auto [at, is_new] = ids_->source_names.try_emplace(source.name(), recording_);
    if (is_new || at->second == recording_) return;
    source.set_name(source.name() + " (" + std::filesystem::path(file_.name).filename().string() + ")");
}

// Whether the merged stream wants it.
bool MergeInput::translate(wire::Frame& frame) {
    if (frame.has_source()) name_source(*frame.mutable_source());
    if (frame.has_watermark()) reached_ = std::max(reached_, translation_.tick(frame.watermark().tick()));
    return translation_.translate(frame);
}

bool MergeInput::next(ingest::FrameItem& item, bool& keep) {
    const auto frame = reader_.next();
    if (!frame) {
        reached_ = store::kNever;
        return false;
    }
    item = ingest::decode_frame(*frame);
    keep = item.what == ingest::FrameItem::What::kBatch;
    if (keep) translation_.translate(item.batch);
    if (item.what == ingest::FrameItem::What::kMessage) keep = translate(item.message);
    return true;
}

}  // namespace sla::capture_tools
