#include "viewer/ingest/follow/open_followed.h"

#include "viewer/fleet/fleet_capture.h"
#include "viewer/ingest/merged/merged_capture.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sla::ingest {
namespace {

constexpr auto kTimeout = std::chrono::seconds(2);  // it asks again anyway

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
    // By shard: hosts of one are asked for together.
    std::map<std::uint32_t, std::shared_ptr<const fleet::MessageStore>> streams;
    const auto add = [&](const fleet::FleetMember& member) {
        auto& stream = streams[member.run.shard];
        if (stream == nullptr) stream = opened->reader->messages(member.run, kTimeout);
        follow.hosts.push_back(
            {member.run, stream, opened->reader->name_of(member.run), member.capture.tail, member.capture.complete_until});
    };
    follow.runs = [reader = opened->reader] { return reader->runs([](double) { return false; }); };
    std::shared_ptr<const capture::CaptureStore> store = opened->members.front().capture.store;
    if (opened->members.size() == 1 && opened->left_out.empty()) {
        add(opened->members.front());
    } else {
        std::vector<MergedInput> inputs;
        for (const fleet::FleetMember& member : opened->members) inputs.push_back({member.run.host, member.capture.store});
        const auto parts = MergedParts::open(opened->name, std::move(inputs), opened->left_out, options.progress);
        if (!parts) return parts.error();
        for (const MergedPart& part : (*parts)->parts()) add(find(part.of.store));
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
