#include "proto/capture/pieces/hole_losses.h"

#include "proto/capture/capture_index.h"
#include "proto/capture/newest_watermark.h"
#include "proto/capture/pieces/capture_pieces.h"
#include "proto/capture/pieces/left_open.h"

#include <algorithm>
#include <set>

namespace sla::capture {
namespace {

struct Hole {
    std::size_t behind = 0;  // the first file that is there again
    std::uint64_t from_tick = 0;
    std::uint64_t until_tick = 0;
};

GapRow loss_of(const LeftOpen& open, const Hole& hole, std::uint64_t until_tick) {
    GapRow loss;
    loss.channel = open.channel;
    loss.index = open.next_index;
    loss.tick = std::max(open.last_tick, hole.from_tick);
    loss.until_tick = std::max(loss.tick, until_tick);
    loss.lost = open.events;
    loss.cause = wire::LossCause::kDamaged;
    return loss;
}

std::uint64_t watermark_at(const std::string& file, const CaptureIndex& index, bool at_its_end) {
    auto chunks = ChunkReader::open(file);
    if (!chunks) return 0;
    return at_its_end ? newest_watermark(*chunks, index.chunks()) : first_watermark(index, *chunks);
}

}  // namespace

std::map<std::size_t, std::vector<GapRow>> losses_in_holes(const FileRow& row) {
    std::vector<Hole> holes;
    std::vector<OpenChannels> parts(1);  // between them
    std::optional<std::size_t> newest;
    for (std::size_t i = 0; i < row.files.size(); ++i) {
        const auto index = CaptureIndex::of_file(row.files[i], {});
        if (!index) continue;
        const bool is_hole = newest && (*newest + 1 < i || !missing_between(row.files[*newest], row.files[i]).empty());
        if (is_hole) {
            const auto last = CaptureIndex::of_file(row.files[*newest], {});
            const std::uint64_t from = last ? watermark_at(row.files[*newest], *last, true) : 0;
            holes.push_back({i, from, watermark_at(row.files[i], *index, false)});
            parts.emplace_back();
        }
        parts.back().add(*index);
        newest = i;
    }
    std::vector<OpenChannels> behind = parts;  // each with all that come after it
    for (std::size_t i = holes.size(); i-- > 0;) behind[i].add(behind[i + 1]);
    OpenChannels before;
    std::map<std::size_t, std::vector<GapRow>> losses;
    std::set<ChannelId> told;
    for (std::size_t i = 0; i < holes.size(); ++i) {
        before.add(parts[i]);
        for (const LeftOpen& open : before.left_open(behind[i + 1])) {
            if (!told.insert(open.channel).second) continue;  // it may have had rows in any of the holes behind, too
            const std::uint64_t until = open.has_own_time ? behind[i + 1].newest_tick() : holes.back().until_tick;
            losses[holes[i].behind].push_back(loss_of(open, holes[i], until));
        }
    }
    return losses;
}

}  // namespace sla::capture
