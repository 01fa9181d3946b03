#include "viewer/capture_tools/recording_parts.h"

#include "proto/wire/batch_cut.h"
#include "proto/wire/missing_rows.h"
#include "viewer/capture_tools/row_sender.h"
#include "viewer/ingest/frame_item.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace sla::capture_tools {

namespace {

using capture::CaptureIndex;

bool comes_first(const PartExtent& a, const PartExtent& b) {
    if (a.from != b.from) return a.from < b.from;
    return a.until != b.until ? a.until > b.until : a.file_until > b.file_until;
}

// Of a channel whose first rows the agent did not hold any more, another part may have those.
std::uint64_t channel_from(const Part& part, const CaptureIndex::Lane* lane) {
    std::uint64_t from = part.extent.from;
    if (lane == nullptr) return from;
    const bool begins_late = !part.extent.is_cut && lane->summaries.front().first_index > 0;
    if (begins_late) from = std::max<std::uint64_t>(from, lane->summaries.front().first_tick);
    for (const capture::GapRow& gap : lane->gaps) {
        if (gap.cause == wire::LossCause::kNotKept) from = std::max({from, gap.tick + 1, gap.until_tick + 1});
    }
    return from;
}

// That the numbers of both mean the same.
bool agree(const store::Session& a, const store::Session& b) {
    for (const auto& [id, source] : b.sources()) {
        const store::Source* known = a.source(id);
        if (known != nullptr && (known->pid != source.pid || known->host != source.host)) return false;
    }
    for (const store::Lane* lane : b.lanes()) {
        const store::Lane* known = a.lane(lane->channel().id);
        if (known == nullptr) continue;
        if (known->channel().name != lane->channel().name || known->channel().source != lane->channel().source) return false;
    }
    return std::all_of(b.threads().begin(), b.threads().end(), [&](const auto& entry) {
        const store::Thread* known = a.thread(entry.first);
        return known == nullptr || (known->tid == entry.second.tid && known->source == entry.second.source);
    });
}

class Planner {
public:
    explicit Planner(const std::vector<Part>& parts) : parts_(parts), order_(parts.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::size_t a, std::size_t b) { return comes_first(parts_[a].extent, parts_[b].extent); });
        from_ = parts_[order_.front()].extent.from;
        const std::uint32_t file = parts_.front().extent.file;
        is_one_file_ = file != 0 && std::all_of(parts_.begin(), parts_.end(),
                                                [file](const Part& part) { return part.extent.file == file; });
        for (const Part& part : parts_) {
            until_ = std::max(until_, known_until(part.extent));
            reach_ = std::max(reach_, part.extent.reach);
        }
        plan_.shares.resize(parts_.size());
        plan_.behind.resize(parts_.size());
    }

    Result<PartPlan> run() {
        std::set<ChannelId> channels;
        for (const Part& part : parts_) {
            if (!agree(*parts_.front().names, *part.names))
                return invalid_input("'" + part.name + "' and '" + parts_.front().name +
                                     "' say that they are of one recording, but they name its channels otherwise");
            for (const store::Lane* lane : part.names->lanes()) channels.insert(lane->channel().id);
        }
        for (const ChannelId channel : channels) {
            if (Result<void> planned = plan_channel(channel); !planned) return planned.error();
        }
        if (plan_.holes == 0) say_whole();
        return std::move(plan_);
    }

private:
    // Of one part, as it holds this channel.
    struct Member {
        std::size_t part = 0;
        std::size_t rank = 0;  // its place among all parts
        std::uint64_t from = 0;
        std::uint64_t last_tick = 0;
        PartShare* share = nullptr;
    };
    [[nodiscard]] const PartExtent& extent(const Member& member) const { return parts_[member.part].extent; }
    // Up to where nothing that another part may have is missing in it.
    [[nodiscard]] std::uint64_t known_until(const PartExtent& extent) const {
        return is_one_file_ ? extent.file_until : extent.until;
    }

    void say_whole() {
        plan_.end_tick = from_;
        for (const Part& part : parts_) {
            if (part.extent.until > part.extent.from) plan_.end_tick = std::max(*plan_.end_tick, part.extent.until);
        }
        if (!is_one_file_) return;
        plan_.file = parts_.front().extent.file;
        plan_.file_until = until_;
    }

    [[nodiscard]] std::vector<Member> members(ChannelId channel) {
        std::vector<Member> out;
        for (std::size_t rank = 0; rank < order_.size(); ++rank) {
            const std::size_t i = order_[rank];
            if (parts_[i].names->lane(channel) == nullptr) continue;
            const CaptureIndex::Lane* lane = parts_[i].index->lane(channel);
            const std::uint64_t last = lane == nullptr ? 0 : lane->summaries.back().last_tick;
            const std::uint64_t from = is_one_file_ ? parts_[i].extent.from : channel_from(parts_[i], lane);
            out.push_back({i, rank, from, last, &plan_.shares[i][channel]});
        }
        std::stable_sort(out.begin(), out.end(), [](const Member& a, const Member& b) { return a.from < b.from; });
        return out;
    }

    Result<void> plan_channel(ChannelId channel) {
        const std::vector<Member> all = members(channel);
        const Member* now = &all.front();
        now->share->from = now->from;
        if (extent(*now).from > from_) {  // at the start of the whole nobody asked for it
            const std::uint64_t start = parts_[now->part].names->origin().start_tick;
            add_hole(now->share->holes_before, channel, std::max(from_, start), extent(*now).from);
        }
        for (std::size_t i = 1; i < all.size(); ++i) {
            if (Result<void> gone_on = go_on(channel, now, all[i]); !gone_on) return gone_on;
        }
        const std::uint64_t known = known_until(extent(*now));
        if (known < until_) {
            const std::uint64_t tick = std::max(known, now->last_tick);
            add_hole(now->share->holes_behind, channel, tick, std::max(std::min(until_, reach_), tick + 1));
        }
        return {};
    }

    Result<void> go_on(ChannelId channel, const Member*& now, const Member& next) {
        const PartExtent& before = extent(*now);
        const PartExtent& after = extent(next);
        const bool of_one_file = before.file != 0 && before.file == after.file;
        if (after.end <= before.until || (of_one_file && after.file_until <= before.file_until)) {
            *next.share = {store::kNever, store::kNever, store::kNever, {}, {}};
            return {};
        }
        const bool has_the_rest = of_one_file || after.until >= before.end || next.from >= before.end;
        if (!has_the_rest || next.rank < now->rank) {  // parts never wait for each other in a circle
            return invalid_input("'" + parts_[now->part].name + "' and '" + parts_[next.part].name +
                                 "' overlap, and neither is known to have all rows of the time behind");
        }
        const std::uint64_t known = known_until(before);
        now->share->until = next.from;
        next.share->from = next.from;
        next.share->known_until = std::min(known, next.from);
        if (next.from > known) add_hole(next.share->holes_before, channel, std::max(known, now->last_tick), next.from);
        std::vector<std::size_t>& behind = plan_.behind[next.part];
        if (std::find(behind.begin(), behind.end(), now->part) == behind.end()) behind.push_back(now->part);
        now = &next;
        return {};
    }

    void add_hole(std::vector<wire::EventBatch>& to, ChannelId channel, std::uint64_t tick, std::uint64_t until) {
        to.push_back(wire::left_out_row(channel, std::min(tick, until - 1), until - 1));
        ++plan_.holes;
    }

    const std::vector<Part>& parts_;
    std::vector<std::size_t> order_;
    std::uint64_t from_ = 0;
    std::uint64_t until_ = 0;
    std::uint64_t reach_ = 0;
    bool is_one_file_ = false;
    PartPlan plan_;
};

}  // namespace

Result<PartPlan> plan_parts(const std::vector<Part>& parts) {
    return Planner(parts).run();
}

void append_states(const Part& part, const std::map<ChannelId, PartShare>& shares, capture::ChunkReader& chunks,
                   std::vector<wire::EventBatch>& out) {
    std::set<std::uint32_t> numbers;
    for (const CaptureIndex::Lane& lane : part.index->lanes()) {
        const auto share = shares.find(lane.channel);
        if (share == shares.end() || share->second.known_until == store::kNever) continue;
        for (std::size_t i = 0; i < lane.summaries.size() && lane.summaries[i].first_tick < share->second.from; ++i) {
            if (lane.summaries[i].last_tick >= share->second.known_until) numbers.insert(lane.chunk_numbers[i]);
        }
    }
    for (const std::uint32_t number : numbers) {
        if (!chunks.load(part.index->chunks()[number])) continue;  // who reads all of it says so
        while (const auto bytes = chunks.next()) {
            const ingest::FrameItem item = ingest::decode_frame(*bytes);
            if (item.what != ingest::FrameItem::What::kBatch) continue;
            const auto share = shares.find(item.batch.channel);
            if (share == shares.end()) continue;
            for (std::size_t row = 0; row < item.batch.size(); ++row) {
                const std::uint64_t tick = item.batch.ticks[row];
                if (tick >= share->second.from) break;
                if (tick >= share->second.known_until) out.push_back(wire::rows_at(item.batch, row, row + 1));
            }
        }
    }
}

}  // namespace sla::capture_tools
