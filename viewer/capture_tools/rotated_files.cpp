#include "viewer/capture_tools/rotated_files.h"

#include "proto/base/how_many.h"
#include "proto/capture/pieces/capture_pieces.h"
#include "proto/capture/pieces/left_open.h"
#include "proto/capture/pieces/repeated_names.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/missing_rows.h"

#include <algorithm>
#include <string_view>
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

// A snapshot beside the recording that it was taken of: where it begins the other has rows before, of a guest that runs ahead of
// the machine's clock far later ones than of the rest. Read side by side those would be taken for missing.
void wait_for_rows_before(const Files& files, FilesBefore& before) {
    for (const auto& [channel, rows] : rows_of_channels(files)) {
        for (std::size_t i = 1; i < rows.size(); ++i) {
            const OrderedRows& first = rows[i - 1];
            if (first.first == rows[i].first || first.end <= rows[i].first) continue;
            if (!before[rows[i].file].insert(first.file).second || can_wait(files, before)) continue;
            before[rows[i].file].erase(first.file);
        }
    }
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

struct FileEnd {
    MergeInput* file = nullptr;
    std::uint64_t until = 0;
    std::string reason;
};

std::vector<FileEnd> in_order(const Files& files) {
    std::vector<FileEnd> ends;
    for (MergeInput* file : files) ends.push_back({file, file->as_part().extent.until, end_reason(*file)});
    const auto key = [](const FileEnd& end) {
        return std::tuple(end.until, !capture::says_goes_on(end.reason), end.reason.size(), std::string_view(end.reason));
    };
    std::stable_sort(ends.begin(), ends.end(), [&](const FileEnd& a, const FileEnd& b) { return key(a) < key(b); });
    return ends;
}

// By what they say that they go on in, which stays when files are renamed; the last says nothing, and has its name.
bool is_missing_between(const FileEnd& file, const FileEnd& next) {
    if (capture::says_goes_on(next.reason)) return !capture::missing_between(file.reason, next.reason).empty();
    return !capture::missing_between(file.file->name(), next.file->name()).empty();
}

// The earliest time of rows that ordinals before a file say are missing.
std::map<const MergeInput*, std::uint64_t> jumps_before(const std::vector<FileEnd>& ends, const Files& files) {
    std::map<const MergeInput*, std::uint64_t> until;
    for (const FileEnd& end : ends) until.emplace(end.file, end.until);
    std::map<const MergeInput*, std::uint64_t> jumps;
    for (const auto& [channel, rows] : rows_of_channels(files)) {
        for (std::size_t i = 1; i < rows.size(); ++i) {
            if (rows[i - 1].end >= rows[i].first) continue;
            const std::uint64_t from = until.at(rows[i - 1].file);
            const auto [at, is_new] = jumps.try_emplace(rows[i].file, from);
            at->second = std::min(at->second, from);
        }
    }
    return jumps;
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
            .add_behind(wire::gap_row(open.channel, wire::LossCause::kDamaged, open.events, tick, its_until));
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
    wait_for_rows_before(files, before);
    return before;
}

std::vector<std::string> mark_missing_files(Files files) {
    const std::vector<FileEnd> ends = in_order(files);
    std::transform(ends.begin(), ends.end(), files.begin(), [](const FileEnd& end) { return end.file; });
    const auto jumps = jumps_before(ends, files);
    std::vector<std::string> out;
    std::set<ChannelId> told;
    for (std::size_t i = 1; i < files.size(); ++i) {
        const auto jump = jumps.find(files[i]);
        if (jump == jumps.end() && !is_missing_between(ends[i - 1], ends[i])) continue;
        const std::uint64_t from = jump == jumps.end() ? ends[i - 1].until : std::min(ends[i - 1].until, jump->second);
        const std::size_t open = mark_left_open(files, i, from, told);
        std::string text = "a file is missing between '" + files[i - 1]->path() + "' and '" + files[i]->path() + "'";
        if (open > 0) text += "; " + how_many(open, "channel") + " without rows behind it may have had some in it";
        out.push_back(std::move(text));
    }
    return out;
}

}  // namespace sla::capture_tools
