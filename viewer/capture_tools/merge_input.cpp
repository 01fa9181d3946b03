#include "viewer/capture_tools/merge_input.h"

#include "proto/wire/frame_codec.h"
#include "viewer/capture_tools/edge_state.h"
#include "viewer/ingest/merged/clock_status.h"

#include <algorithm>
#include <filesystem>

namespace sla::capture_tools {

namespace {

bool is_earlier(const wire::EventBatch& a, const wire::EventBatch& b) {
    return a.ticks.front() < b.ticks.front();
}

}  // namespace

// 0 means none, and is nobody's in the merged stream.
std::uint32_t MergedIds::give(std::uint64_t recording, ingest::NamedThing thing, std::uint32_t own) {
    const auto [at, is_new] = given.try_emplace({recording, thing, own}, own);
    if (!is_new) return at->second;
    std::uint32_t& last = newest[thing];
    if (recording != first_recording || own == 0 || !used.insert({thing, own}).second) {
        at->second = last + 1;
        used.insert({thing, at->second});
    }
    last = std::max(last, at->second);
    return at->second;
}

Result<std::unique_ptr<MergeInput>> MergeInput::open(const NamedFile& file, std::size_t number) {
    auto index = capture::CaptureIndex::open(file.path);
    if (!index) return index.error();
    auto reader = capture::CaptureReader::open(file.path);
    if (!reader) return reader.error();
    auto chunks = capture::ChunkReader::open(file.path);
    if (!chunks) return chunks.error();
    std::unique_ptr<MergeInput> input(new MergeInput(file, std::move(*reader), std::move(*index)));
    ingest::FrameApplier applier(input->names_);
    for (const std::string& bytes : input->index_->lasting()) {
        applier.apply(std::string_view(bytes));
        wire::Frame frame;
        if (!wire::parse_message(bytes, frame)) continue;
        if (auto status = ingest::clock_status(frame)) input->clock_status_ = std::move(status);
    }
    if (!input->names_.has_origin()) return damaged("'" + file.path + "' does not say when it began; it cannot be merged");
    std::uint64_t first = store::kNever;
    for (const auto& lane : input->index_->lanes()) {
        first = std::min(first, lane.summaries.front().first_tick);
        input->last_tick_ = std::max(input->last_tick_, lane.summaries.back().last_tick);
    }
    input->first_tick_ = first == store::kNever ? 0 : first;
    input->last_tick_ = std::max(input->last_tick_, input->first_tick_);
    const store::Origin& origin = input->names_.origin();
    input->begin_tick_ = std::max(origin.start_tick, begin_of(*input->index_, input->names_, origin.begin_tick));
    input->extent_ = extent_of(*input->index_, *chunks, input->names_);
    input->known_ = known_of_file(*input->index_, *chunks, input->names_);
    input->numbering_ = input->extent_.capture_id != 0 ? input->extent_.capture_id : number;
    input->recording_ = input->extent_.recording != 0 ? input->extent_.recording : input->numbering_;
    return input;
}

void MergeInput::take_part(std::map<ChannelId, PartShare> shares, std::vector<std::string> head) {
    is_part_ = true;
    shares_ = std::move(shares);
    head_ = std::move(head);
    std::vector<wire::EventBatch> before;
    std::vector<wire::EventBatch> behind;
    for (auto& [channel, share] : shares_) {
        std::move(share.holes_before.begin(), share.holes_before.end(), std::back_inserter(before));
        std::move(share.holes_behind.begin(), share.holes_behind.end(), std::back_inserter(behind));
    }
    if (auto chunks = capture::ChunkReader::open(file_.path)) append_states(as_part(), shares_, *chunks, before);
    for (const capture::CaptureIndex::Lane& lane : index_->lanes()) {
        const auto share = shares_.find(lane.channel);
        if (share == shares_.end() || share->second.from == store::kNever) continue;
        const std::uint64_t last = lane.summaries.back().last_tick;
        promised_.push_back({lane.channel, lane.rows(), share->second.from, std::min(last, share->second.until),
                             last < share->second.until});
    }
    std::stable_sort(before.begin(), before.end(), is_earlier);
    std::stable_sort(behind.begin(), behind.end(), is_earlier);
    before_.assign(std::make_move_iterator(before.begin()), std::make_move_iterator(before.end()));
    behind_.assign(std::make_move_iterator(behind.begin()), std::make_move_iterator(behind.end()));
}

Result<ingest::ClockMatch> MergeInput::find_clock(const MergeInput& reference, std::uint64_t first,
                                                  std::uint64_t last) const {
    if (extent_.recording != 0 && extent_.recording == reference.extent_.recording) return ingest::ClockMatch();
    auto match = ingest::ClockMatch::find(reference.names_, names_, first, last);
    if (!match) return damaged("'" + reference.file_.path + "' and '" + file_.path + "': " + match.error().message);
    return match;
}

void MergeInput::match(ingest::ClockMatch clock, MergedIds& ids) {
    using ingest::NamedThing;
    ids_ = &ids;
    if (!ids.first_recording) ids.first_recording = recording_;
    const auto give = [&ids, recording = recording_](NamedThing thing, std::uint32_t own) {
        return ids.give(recording, thing, own);
    };
    const std::uint32_t host = clock.same_clock() ? 0 : give(NamedThing::kHost, 0);
    translation_ = ingest::StreamTranslation(std::move(clock), host, give);
    reach(this->clock().to_reference(next_tick()));
}

// Its end is not what a file says, but where it ends.
void MergeInput::reach(std::uint64_t tick) {
    reached_ = std::max(reached_, std::min(tick, store::kNever - 1));
}

// Nothing before it is still to come, as far as is known before any row was read.
std::uint64_t MergeInput::next_tick() const {
    const std::uint64_t from = is_part_ ? std::max(first_tick_, extent_.from) : first_tick_;
    return before_.empty() ? from : std::min<std::uint64_t>(from, before_.front().ticks.front());
}

bool MergeInput::follows_others() const {
    if (before_.empty()) return is_part_;
    const auto share = shares_.find(before_.front().channel);
    return share != shares_.end() && share->second.known_until > 0;
}

std::vector<RowSender::Promised> MergeInput::promised() const {
    std::vector<RowSender::Promised> out = promised_;
    for (RowSender::Promised& one : out) {
        one.channel.value = translation_.id(ingest::NamedThing::kChannel, one.channel.value);
        one.from_tick = clock().to_reference(one.from_tick);
        one.until_tick = clock().to_reference(one.until_tick);
    }
    return out;
}

std::vector<wire::Frame> MergeInput::take_head() {
    std::vector<wire::Frame> frames;
    for (const std::string& bytes : std::exchange(head_, {})) {
        ingest::FrameItem item = ingest::decode_frame(bytes);
        if (item.what == ingest::FrameItem::What::kMessage && translate(item.message))
            frames.push_back(std::move(item.message));
    }
    return frames;
}

void MergeInput::name_source(wire::Source& source) {
    const auto [at, is_new] = ids_->source_names.try_emplace(source.name(), recording_);
    if (is_new || at->second == recording_) return;
    source.set_name(source.name() + " (" + std::filesystem::path(file_.name).filename().string() + ")");
}

// Whether the merged stream wants it.
bool MergeInput::translate(wire::Frame& frame) {
    if (frame.has_source()) name_source(*frame.mutable_source());
    if (frame.has_watermark()) reach(translation_.tick(frame.watermark().tick()));
    if (frame.has_end()) end_tick_ = translation_.tick(frame.end().tick());
    return translation_.translate(frame);
}

MergeInput::Item MergeInput::made(wire::EventBatch row) const {
    Item item;
    item.frame.what = ingest::FrameItem::What::kBatch;
    item.frame.batch = std::move(row);
    translation_.translate(item.frame.batch);
    item.is_kept = true;
    item.counts = false;
    item.end = item.frame.batch.size();
    return item;
}

void MergeInput::set_rows(Item& item) const {
    const wire::EventBatch& batch = item.frame.batch;
    item.end = batch.size();
    if (!is_part_) return;
    const auto share = shares_.find(batch.channel);
    if (share == shares_.end()) return;
    const auto at = [&](std::uint64_t tick) {
        return static_cast<std::size_t>(std::lower_bound(batch.ticks.begin(), batch.ticks.end(), tick) -
                                        batch.ticks.begin());
    };
    item.begin = at(share->second.from);
    item.end = share->second.until == store::kNever ? batch.size() : at(share->second.until);
}

const ingest::KnownRows& MergeInput::known_rows() {
    if (known_rows_) return *known_rows_;
    known_rows_.emplace();
    auto index = capture::CaptureIndex::open(file_.path);
    if (index.ok() && ingest::is_of_one_agent(*index))
        known_rows_->add(std::make_shared<const capture::CaptureIndex>(std::move(index).value()));
    for (const auto& [own, extent] : known_rows_->extents())
        own_channels_[ChannelId{translation_.id(ingest::NamedThing::kChannel, own.value)}] = own;
    return *known_rows_;
}

std::map<ChannelId, ingest::KnownRows::Extent> MergeInput::extents() {
    std::map<ChannelId, ingest::KnownRows::Extent> extents;
    for (const auto& [own, known] : known_rows().extents()) {
        ingest::KnownRows::Extent& extent = extents[ChannelId{translation_.id(ingest::NamedThing::kChannel, own.value)}];
        extent = known;
        extent.first_tick = clock().to_reference(known.first_tick);
        extent.last_tick = clock().to_reference(known.last_tick);
    }
    return extents;
}

ingest::KnownRows::Missing MergeInput::missing(ChannelId channel, std::uint64_t first, std::uint64_t end) {
    const ingest::KnownRows& known = known_rows();
    const auto own = own_channels_.find(channel);
    ingest::KnownRows::Missing missing{{}, end - first};
    if (own != own_channels_.end()) missing = known.missing(own->second, first, end);
    for (capture::GapRow& loss : missing.losses) {
        loss.channel = channel;
        loss.thread = translation_.id(ingest::NamedThing::kThread, loss.thread);
        loss.tick = translation_.tick(loss.tick);
        loss.until_tick = translation_.tick(loss.until_tick);
    }
    return missing;
}

std::optional<MergeInput::Item> MergeInput::next() {
    if (!before_.empty()) {
        Item item = made(std::move(before_.front()));
        before_.pop_front();
        reach(clock().to_reference(next_tick()));
        return item;
    }
    const auto frame = reader_.next();
    if (!frame && !behind_.empty()) {
        Item item = made(std::move(behind_.front()));
        behind_.pop_front();
        return item;
    }
    if (!frame) {
        reached_ = store::kNever;
        return std::nullopt;
    }
    Item item;
    item.frame = ingest::decode_frame(*frame);
    if (item.frame.what == ingest::FrameItem::What::kBatch) {
        set_rows(item);
        translation_.translate(item.frame.batch);
        item.is_kept = true;
    }
    if (item.frame.what == ingest::FrameItem::What::kMessage) {
        item.is_kept = translate(item.frame.message) && !is_part_;  // a part has said it all before its rows
    }
    return item;
}

}  // namespace sla::capture_tools
