#include "viewer/ingest/known_rows.h"

#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sla::ingest {

namespace {

using capture::GapRow;
using capture::LostRows;

bool is_row_before(const GapRow& row, std::uint64_t index) {
    return row.index < index;
}

// The first of a lane's summaries that ends behind that row.
std::size_t first_behind(const capture::SummaryBlocks& summaries, std::uint64_t index) {
    std::size_t begin = 0;
    std::size_t end = summaries.size();
    while (begin < end) {
        const std::size_t middle = begin + (end - begin) / 2;
        const capture::LaneSummary one = summaries[middle];
        if (one.first_index + one.rows <= index) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

// What stands in place of its rows [first, end).
void add_losses(const LostRows& part, std::uint64_t first, std::uint64_t end, std::vector<GapRow>& out) {
    auto loss = std::lower_bound(part.losses.begin(), part.losses.end(), first, is_row_before);
    const auto last = std::lower_bound(loss, part.losses.end(), end, is_row_before);
    GapRow events;
    events.channel = part.channel;
    events.index = first;
    events.tick = part.first_tick;
    events.until_tick = part.last_tick;
    events.lost = end - first - std::min(end - first, static_cast<std::uint64_t>(last - loss));
    events.cause = wire::LossCause::kDamaged;
    for (; loss != last && loss->index == events.index; ++loss, ++events.index) {
        events.tick = std::max(events.tick, loss->tick);
        out.push_back(*loss);
    }
    if (events.lost > 0) out.push_back(events);
    out.insert(out.end(), loss, last);
}

}  // namespace

bool is_of_one_agent(const capture::CaptureIndex& index) {
    std::optional<std::uint64_t> capture_id;
    wire::Frame frame;
    for (const std::string& bytes : index.lasting()) {
        if (!wire::parse_message(bytes, frame) || !frame.has_hello()) continue;
        if (capture_id && *capture_id != frame.hello().capture_id()) return false;
        capture_id = frame.hello().capture_id();
    }
    return capture_id.has_value();
}

void KnownRows::extend(ChannelId channel, const Extent& by) {
    const auto [at, is_first] = extents_.try_emplace(channel, by);
    if (is_first) return;
    Extent& extent = at->second;
    if (by.first_ordinal < extent.first_ordinal) {
        extent.first_ordinal = by.first_ordinal;
        extent.first_tick = by.first_tick;
    }
    if (by.next_ordinal > extent.next_ordinal) {
        extent.next_ordinal = by.next_ordinal;
        extent.last_tick = by.last_tick;
    }
}

void KnownRows::add(std::shared_ptr<const capture::CaptureIndex> index) {
    index_ = std::move(index);
    for (const capture::CaptureIndex::Lane& lane : index_->lanes()) {
        const capture::LaneSummary first = lane.summaries.front();
        extend(lane.channel, {first.first_index, lane.rows(), first.first_tick, lane.summaries.back().last_tick});
    }
}

void KnownRows::add(const LostRows& rows) {
    if (rows.rows == 0) return;
    extend(rows.channel, {rows.first_index, rows.first_index + rows.rows, rows.first_tick, rows.last_tick});
    if (rows.are_losses_known) rows_[rows.channel].try_emplace(rows.first_index, rows);
}

std::vector<LostRows> KnownRows::parts(ChannelId channel, std::uint64_t first, std::uint64_t end) const {
    std::vector<LostRows> parts;
    if (const auto told = rows_.find(channel); told != rows_.end()) {
        for (auto at = told->second.begin(); at != told->second.end() && at->first < end; ++at) {
            if (at->first + at->second.rows > first) parts.push_back(at->second);
        }
    }
    const capture::CaptureIndex::Lane* const lane = index_ == nullptr ? nullptr : index_->lane(channel);
    for (std::size_t i = lane == nullptr ? 0 : first_behind(lane->summaries, first);
         lane != nullptr && i < lane->summaries.size(); ++i) {
        const capture::LaneSummary one = lane->summaries[i];
        if (one.first_index >= end) break;
        if (one.opaque) continue;
        LostRows part{channel, one.first_index, one.rows, one.first_tick, one.last_tick, {}, true};
        const auto begin = std::lower_bound(lane->gaps.begin(), lane->gaps.end(), one.first_index, is_row_before);
        part.losses.assign(begin, std::lower_bound(begin, lane->gaps.end(), one.first_index + one.rows, is_row_before));
        if (part.losses.size() == one.gap_rows) parts.push_back(std::move(part));
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const LostRows& a, const LostRows& b) { return a.first_index < b.first_index; });
    return parts;
}

KnownRows::Missing KnownRows::missing(ChannelId channel, std::uint64_t first, std::uint64_t end) const {
    Missing missing;
    std::uint64_t next = first;
    for (const LostRows& part : parts(channel, first, end)) {
        const std::uint64_t from = std::max(next, part.first_index);
        const std::uint64_t until = std::min(end, part.first_index + part.rows);
        if (from >= until) continue;
        missing.unknown_rows += from - next;
        add_losses(part, from, until, missing.losses);
        next = until;
    }
    missing.unknown_rows += end - std::min(next, end);
    return missing;
}

}  // namespace sla::ingest
