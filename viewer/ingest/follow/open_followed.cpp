#include "viewer/ingest/follow/open_followed.h"

#include "viewer/fleet/fleet_capture.h"
#include "viewer/ingest/merged/merged_capture.h"

#include <algorithm>
#include <utility>

namespace sla::ingest {
namespace {

constexpr auto kTimeout = std::chrono::seconds(2);  // it asks again anyway

// Rows of another channel that are older than the newest one may lie in a batch that their agent has not closed yet: for half a
// second at most, and this is a whole one at 6 GHz. What it leaves out is complete when the next watermark comes.
constexpr std::uint64_t kOpenBatchesTicks = 6'000'000'000;

std::uint64_t last_tick_of(const capture::CaptureIndex& index) {
    std::uint64_t last = 0;
    for (const auto& lane : index.lanes()) last = std::max(last, lane.summaries.back().last_tick);
    return last;
}

}  // namespace

Result<FollowedFleet> open_followed(const std::string& address, const FileOptions& options) {
    Result<fleet::OpenedFleet> opened = fleet::open_fleet(address, fleet::Opening::kToFollow, options.progress);
    if (!opened) return opened.error();
    if (fleet::rows_of(*opened) <= options.rows_in_memory) {  // they will be read whole, by a window that waits for nobody
        if (const auto fetched = fleet::fetch_rows(*opened, options.progress); !fetched) return fetched.error();
    }
    FollowOptions follow;
    const auto find = [&](const std::shared_ptr<const capture::CaptureStore>& store) -> const fleet::FleetMember& {
        return *std::find_if(opened->members.begin(), opened->members.end(),
                             [&](const fleet::FleetMember& one) { return one.capture.store == store; });
    };
    const auto add = [&](const fleet::FleetMember& member, std::uint64_t last_tick) {
        follow.hosts.push_back({member.run, opened->reader->messages(member.run, kTimeout),
                                opened->reader->name_of(member.run), member.capture.tail,
                                last_tick - std::min(last_tick, kOpenBatchesTicks)});
    };
    follow.runs = [reader = opened->reader] { return reader->runs([](double) { return false; }); };
    std::shared_ptr<const capture::CaptureStore> store = opened->members.front().capture.store;
    if (opened->members.size() == 1 && opened->left_out.empty()) {
        const auto index = store->index(options.progress);
        if (!index) return index.error();
        add(opened->members.front(), last_tick_of(*index));
    } else {
        std::vector<MergedInput> inputs;
        for (const fleet::FleetMember& member : opened->members) inputs.push_back({member.run.host, member.capture.store});
        const auto parts = MergedParts::open(opened->name, std::move(inputs), opened->left_out, options.progress);
        if (!parts) return parts.error();
        for (const MergedPart& part : (*parts)->parts()) add(find(part.of.store), part.last_tick);
        store = merged_capture(*parts);
        follow.parts = *parts;
    }
    const bool is_running = std::any_of(follow.hosts.begin(), follow.hosts.end(),
                                        [](const FollowedHost& host) { return host.run.ended_ns == 0; });
    FileOptions how = options;
    how.is_followed = options.is_followed && is_running;  // nothing comes behind what has ended
    auto source = FileSource::open(store, how);
    if (!source) return source.error();
    return FollowedFleet{opened->name, std::move(*source), std::move(follow), is_running};
}

}  // namespace sla::ingest
