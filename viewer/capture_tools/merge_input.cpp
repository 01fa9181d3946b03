#include "viewer/capture_tools/merge_input.h"

#include "proto/capture/capture_index.h"
#include "proto/wire/clock_codec.h"

#include <algorithm>
#include <filesystem>

namespace sla::capture_tools {

namespace {

enum Thing { kSource, kChannel, kThread, kClockDomain, kHost };

}  // namespace

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
    input->recording_ = capture_id != 0 ? capture_id : number;
    return input;
}

Result<void> MergeInput::match(const MergeInput& reference) {
    auto match = ClockMatch::find(reference.names_, names_, first_tick_, last_tick_);
    if (!match) return damaged("'" + reference.file_.path + "' and '" + file_.path + "': " + match.error().message);
    match_ = *match;
    reached_ = match_.to_reference(first_tick_);
    return {};
}

std::uint32_t MergeInput::id(MergedIds& ids, int thing, std::uint32_t own) const {
    if (own == 0 && thing != kChannel) return 0;  // no thread, no source, the host's own clock
    const auto [at, is_new] = ids.given.try_emplace({recording_, thing, own}, 0);
    if (is_new) at->second = ++ids.newest[thing];
    return at->second;
}

std::uint32_t MergeInput::host_id(MergedIds& ids) const {
    if (match_.same_clock()) return 0;
    const auto [at, is_new] = ids.given.try_emplace({recording_, kHost, 0}, 0);
    if (is_new) at->second = ++ids.newest[kHost];
    return at->second;
}

// Of an input that was merged itself: its hosts are moved once more, and both errors count.
void MergeInput::move_host(wire::Host& host) const {
    if (match_.same_clock()) return;
    time::HostErrors errors = wire::errors_from(host);
    for (time::HostErrors::Step& step : errors.steps) {
        const std::int64_t more = match_.error_ps(step.tick);
        step.error_ps = step.error_ps > INT64_MAX - more ? INT64_MAX : step.error_ps + more;
        step.tick = match_.to_reference(step.tick);
    }
    for (time::AxisJump& jump : errors.jumps) {
        jump.from_tick = match_.to_reference(jump.from_tick);
        jump.until_tick = match_.to_reference(jump.until_tick);
    }
    errors.is_bounded = errors.is_bounded && match_.errors().is_bounded;
    errors.stretch_ppb += match_.errors().stretch_ppb;
    host.clear_ticks();
    host.clear_errors_ns();
    host.clear_jumps();
    wire::fill_errors(errors, host);
}

void MergeInput::name_source(MergedIds& ids, wire::Source& source) {
    const auto [at, is_new] = ids.source_names.try_emplace(source.name(), recording_);
    if (is_new || at->second == recording_) return;
    source.set_name(source.name() + " (" + std::filesystem::path(file_.name).filename().string() + ")");
}

void MergeInput::translate(MergedIds& ids, wire::EventBatch& batch) {
    batch.channel.value = id(ids, kChannel, batch.channel.value);
    std::uint32_t own = 0;
    std::uint32_t merged = 0;
    for (std::uint32_t& thread : batch.threads) {
        if (thread != own) {
            own = thread;
            merged = id(ids, kThread, own);
        }
        thread = merged;
    }
    if (match_.same_clock()) return;
    for (std::uint64_t& tick : batch.ticks) tick = match_.to_reference(tick);
    for (wire::Extra& extra : batch.extras) {
        if (extra.until_tick != 0)
            extra.until_tick = std::max(batch.ticks[extra.position], match_.to_reference(extra.until_tick));
    }
}

// Whether the merged stream wants it.
bool MergeInput::translate(MergedIds& ids, wire::Frame& frame) {
    const auto tick = [&](std::uint64_t own) { return own == 0 ? 0 : match_.to_reference(own); };
    switch (frame.body_case()) {
        case wire::Frame::kSource: {
            wire::Source& source = *frame.mutable_source();
            source.set_id(id(ids, kSource, source.id()));
            source.set_clock_domain(id(ids, kClockDomain, source.clock_domain()));
            source.set_host(source.host() == 0 ? host_id(ids) : id(ids, kHost, source.host()));
            name_source(ids, source);
            return true;
        }
        case wire::Frame::kChannel:
            frame.mutable_channel()->set_id(id(ids, kChannel, frame.channel().id()));
            frame.mutable_channel()->set_source(id(ids, kSource, frame.channel().source()));
            return true;
        case wire::Frame::kThread:
            frame.mutable_thread()->set_id(id(ids, kThread, frame.thread().id()));
            frame.mutable_thread()->set_source(id(ids, kSource, frame.thread().source()));
            return true;
        case wire::Frame::kHost:
            frame.mutable_host()->set_id(id(ids, kHost, frame.host().id()));
            move_host(*frame.mutable_host());
            return frame.host().id() != 0;
        case wire::Frame::kPeerClock: return match_.same_clock();
        case wire::Frame::kClock:
            // Readings of another host's counter would not fit to the merged ticks.
            if (frame.clock().domain() == 0) return match_.same_clock();
            frame.mutable_clock()->set_domain(id(ids, kClockDomain, frame.clock().domain()));
            return true;
        case wire::Frame::kNotice:
            frame.mutable_notice()->set_tick(tick(frame.notice().tick()));
            frame.mutable_notice()->set_source(id(ids, kSource, frame.notice().source()));
            return true;
        case wire::Frame::kShot:
            frame.mutable_shot()->set_tick(tick(frame.shot().tick()));
            frame.mutable_shot()->set_begin_tick(tick(frame.shot().begin_tick()));
            frame.mutable_shot()->set_end_tick(tick(frame.shot().end_tick()));
            return true;
        case wire::Frame::kWatermark: reached_ = std::max(reached_, tick(frame.watermark().tick())); return false;
        default: return false;
    }
}

bool MergeInput::next(MergedIds& ids, ingest::FrameItem& item, bool& keep) {
    const auto frame = reader_.next();
    if (!frame) {
        reached_ = store::kNever;
        return false;
    }
    item = ingest::decode_frame(*frame);
    keep = item.what == ingest::FrameItem::What::kBatch;
    if (keep) translate(ids, item.batch);
    if (item.what == ingest::FrameItem::What::kMessage) keep = translate(ids, item.message);
    return true;
}

}  // namespace sla::capture_tools
