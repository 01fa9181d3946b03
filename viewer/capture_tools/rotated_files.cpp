#include "viewer/capture_tools/rotated_files.h"

#include "proto/base/how_many.h"
#include "proto/capture/pieces/capture_pieces.h"
#include "proto/capture/pieces/left_open.h"
#include "proto/capture/pieces/repeated_names.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

namespace sla::capture_tools {

namespace {

using capture::CaptureIndex;
using Files = std::vector<MergeInput*>;

const CaptureIndex& index_of(const MergeInput& file) {
    return *file.as_part().index;
}

// Of a channel in a file: ordinals.
struct OrderedRows {
    const MergeInput* file = nullptr;
    std::uint64_t first = 0;
    std::uint64_t end = 0;
};

std::map<ChannelId, std::vector<OrderedRows>> rows_of_channels(const Files& files) {
    std::map<ChannelId, std::vector<OrderedRows>> out;
    for (const MergeInput* file : files) {
        for (const CaptureIndex::Lane& lane : index_of(*file).lanes())
            out[lane.channel].push_back({file, lane.summaries.front().first_index, lane.rows()});
    }
    for (auto& [channel, rows] : out)
        std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return out;
}

// No file waits for itself by way of others.
bool can_wait(const Files& files, const FilesBefore& before) {
    std::set<const MergeInput*> free;
    for (bool is_more = true; std::exchange(is_more, false);) {
        for (const MergeInput* file : files) {
            if (free.contains(file)) continue;
            const auto waits = before.find(file);
            const bool may = waits == before.end() || std::all_of(waits->second.begin(), waits->second.end(),
                                                                  [&](const auto* one) { return free.contains(one); });
            is_more |= may && free.insert(file).second;
        }
    }
    return free.size() == files.size();
}

// "goes on in q-0002.sla"; empty: it does not say.
std::string end_reason(const MergeInput& file) {
    std::string reason;
    for (const std::string& bytes : index_of(file).lasting()) {
        wire::Frame frame;
        if (wire::parse_message(bytes, frame) && frame.has_end()) reason = frame.end().reason();
    }
    return reason;
}

// By what they say that they go on in, which stays when files are renamed; the last says nothing, and has its name.
bool is_missing_between(const MergeInput& file, const MergeInput& next) {
    if (!end_reason(next).empty() && capture::says_goes_on(end_reason(next)))
        return !capture::missing_between(end_reason(file), end_reason(next)).empty();
    return !capture::missing_between(file.name(), next.name()).empty();
}

// The earliest time of rows that ordinals before `next` say are missing.
std::optional<std::uint64_t> jump_before(const MergeInput& next,
                                         const std::map<ChannelId, std::vector<OrderedRows>>& channels) {
    std::optional<std::uint64_t> from;
    for (const auto& [channel, rows] : channels) {
        for (std::size_t i = 1; i < rows.size(); ++i) {
            if (rows[i].file != &next || rows[i - 1].end >= rows[i].first) continue;
            const std::uint64_t until = rows[i - 1].file->as_part().extent.until;
            from = std::min(from.value_or(until), until);
        }
    }
    return from;
}

void sort_by_end(Files& files) {
    const auto end_of = [](const MergeInput* file) {
        const std::string reason = end_reason(*file);
        return std::tuple(file->as_part().extent.until, !capture::says_goes_on(reason), reason.size(), reason);
    };
    std::stable_sort(files.begin(), files.end(),
                     [&](const MergeInput* a, const MergeInput* b) { return end_of(a) < end_of(b); });
}

// The one with its newest rows; else the first that names it.
MergeInput& last_file_of(ChannelId channel, const Files& files) {
    MergeInput* last = nullptr;
    std::uint64_t end = 0;
    for (MergeInput* file : files) {
        const CaptureIndex::Lane* lane = index_of(*file).lane(channel);
        if (lane == nullptr || lane->rows() <= end) continue;
        last = file;
        end = lane->rows();
    }
    if (last != nullptr) return *last;
    const auto named = std::find_if(files.begin(), files.end(),
                                    [&](const MergeInput* file) { return file->names().lane(channel) != nullptr; });
    return named == files.end() ? *files.back() : **named;
}

// So many channels.
std::size_t mark_left_open(const Files& files, std::size_t behind, std::uint64_t from, std::set<ChannelId>& told) {
    capture::OpenChannels before;
    capture::OpenChannels after;
    for (std::size_t i = 0; i < files.size(); ++i) (i < behind ? before : after).add(index_of(*files[i]));
    from = from > 1 ? from - 1 : files[behind - 1]->names().origin().start_tick;
    std::uint64_t until = 0;
    if (auto chunks = capture::ChunkReader::open(files[behind]->path()))
        until = capture::first_watermark(index_of(*files[behind]), *chunks);
    std::size_t count = 0;
    for (const capture::LeftOpen& open : before.left_open(after)) {
        ++count;
        if (!told.insert(open.channel).second) continue;
        const std::uint64_t tick = std::max(from, open.last_tick);
        const std::uint64_t its_until = std::max(tick, open.has_own_time ? after.newest_tick() : until);
        last_file_of(open.channel, files)
            .add_behind(gap_row(open.channel, wire::LossCause::kDamaged, open.events, tick, its_until));
    }
    return count;
}

}  // namespace

std::optional<FilesBefore> files_before(const Files& files) {
    FilesBefore before;
    for (const auto& [channel, rows] : rows_of_channels(files)) {
        for (std::size_t i = 1; i < rows.size(); ++i) {
            if (rows[i - 1].end <= rows[i].first) before[rows[i].file].insert(rows[i - 1].file);
        }
    }
    if (!can_wait(files, before)) return std::nullopt;
    return before;
}

std::vector<std::string> mark_missing_files(Files files) {
    sort_by_end(files);
    const auto channels = rows_of_channels(files);
    std::vector<std::string> out;
    std::set<ChannelId> told;
    for (std::size_t i = 1; i < files.size(); ++i) {
        const auto jump = jump_before(*files[i], channels);
        if (!jump && !is_missing_between(*files[i - 1], *files[i])) continue;
        const std::uint64_t until = files[i - 1]->as_part().extent.until;
        const std::size_t open = mark_left_open(files, i, std::min(until, jump.value_or(until)), told);
        std::string text = "a file is missing between '" + files[i - 1]->path() + "' and '" + files[i]->path() + "'";
        if (open > 0) text += "; " + how_many(open, "channel") + " without rows behind it may have had some in it";
        out.push_back(std::move(text));
    }
    return out;
}

}  // namespace sla::capture_tools
