#include "viewer/capture_tools/merged_head.h"

#include "proto/wire/clock_codec.h"
#include "proto/wire/version.h"
#include "viewer/capture_tools/notice.h"
#include "viewer/ingest/merged/clock_status.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace sla::capture_tools {

namespace {

wire::Frame hello_of(const MergeInputs& inputs, const MergedRecordings& recordings) {
    wire::Frame frame;
    wire::Hello& hello = *frame.mutable_hello();
    const store::Origin& origin = inputs.front()->names().origin();
    hello.set_version(wire::kWireVersion);
    hello.set_agent(origin.agent);
    hello.set_host(origin.host);
    hello.set_agent_pid(origin.agent_pid);
    hello.set_boot_id(origin.boot_id);
    std::uint64_t id = 1;
    std::uint64_t start = store::kNever;
    std::uint64_t begin = store::kNever;
    for (const auto& input : inputs) {
        id = id * 0x9e3779b97f4a7c15ULL + input->names().origin().capture_id;
        start = std::min(start, input->start());
        begin = std::min(begin, input->begin());
    }
    const std::optional<MergedRecordings::Whole>& whole = recordings.whole;
    hello.set_capture_id(whole ? part_id(id, whole->file) : id);
    hello.set_start_tick(start);
    if (begin > start) hello.set_begin_tick(begin);
    if (whole) {
        hello.set_part_of(whole->recording);
        hello.set_end_tick(whole->end_tick);
    }
    return frame;
}

// Another one of its recording has the same clock, and speaks for it.
bool is_spoken_for(const MergeInput& input, const MergedRecordings& recordings) {
    const auto clock = recordings.clock_of.find(&input);
    return clock != recordings.clock_of.end() && clock->second != &input;
}

void add_clocks(const MergeInputs& inputs, const MergedRecordings& recordings, std::vector<std::string>& remarks,
                std::vector<wire::Frame>& out) {
    const MergeInput& first = *inputs.front();
    const auto clock_for = [&](const MergeInput* input) {
        const auto shared = recordings.clock_of.find(input);
        return shared == recordings.clock_of.end() ? input : shared->second;
    };
    for (const auto& input : inputs) {
        const bool is_firsts = clock_for(input.get()) == clock_for(&first);
        if (is_firsts || is_spoken_for(*input, recordings)) continue;
        std::string text = "'" + input->path() + "': stamped by the same counter as '" + first.path() + "'";
        if (!input->clock().same_clock()) {
            const auto knows_boot = [](const MergeInput& one) { return !one.names().origin().boot_id.empty(); };
            const bool is_told = knows_boot(first) && knows_boot(*input);
            text = "'" + input->path() + "': " + (is_told ? "" : "as far as is known ") + "another machine or boot than '" +
                   first.path() + "', " + input->clock().text();
        }
        remarks.push_back(text);
        out.push_back(notice(0, text, NoticeAbout::kAnything));
    }
}

// One host for all files of a recording; how well its stamps were moved is said before any of them.
void add_hosts(const MergeInputs& inputs, const MergedRecordings& recordings, std::vector<wire::Frame>& out) {
    std::map<std::uint32_t, std::pair<const MergeInput*, time::HostErrors>> hosts;
    for (const auto& input : inputs) {
        const std::uint32_t id = input->host_id();
        if (id == 0 || is_spoken_for(*input, recordings)) continue;
        const time::HostErrors& errors = input->clock().errors();
        auto& [newest, all] = hosts.try_emplace(id, input.get(), time::HostErrors{}).first->second;
        newest = input.get();
        all.steps.insert(all.steps.end(), errors.steps.begin(), errors.steps.end());
        all.jumps.insert(all.jumps.end(), errors.jumps.begin(), errors.jumps.end());
        all.is_bounded = all.is_bounded && errors.is_bounded;
        all.stretch_ppb = std::max(all.stretch_ppb, errors.stretch_ppb);
    }
    for (auto& [id, one] : hosts) {
        auto& [input, errors] = one;
        std::stable_sort(errors.steps.begin(), errors.steps.end(),
                         [](const auto& a, const auto& b) { return a.tick < b.tick; });
        wire::Host& host = *out.emplace_back().mutable_host();
        host.set_id(id);
        host.set_name(input->names().origin().host);
        host.set_boot_id(input->names().origin().boot_id);
        host.set_placed_by(input->clock().placed_by());
        wire::fill_errors(errors, host);
        wire::fill_wall(input->names().wall().newest(), *host.mutable_wall());
    }
}

// How well the cores' clocks agree: as the newest of those that share the reference's clock says it, and of each other one.
void add_status(const MergeInputs& inputs, std::vector<wire::Frame>& out) {
    const MergeInput* newest = nullptr;
    std::vector<ingest::StatusOfPart> statuses;
    const double ticks_per_second = inputs.front()->names().clock().ticks_per_second();
    for (const auto& input : inputs) {
        const auto& status = input->clock_status();
        if (!status) continue;
        if (input->clock().same_clock()) {
            const bool is_newer = newest == nullptr || status->status().tick() > newest->clock_status()->status().tick();
            if (is_newer) newest = input.get();
        } else if (status->status().clock_health().cores() > 1) {
            const double scale = ticks_per_second / input->names().clock().ticks_per_second();
            statuses.push_back({&*status, input->clock().to_reference(status->status().tick()), scale});
        }
    }
    if (newest != nullptr)
        statuses.insert(statuses.begin(), {&*newest->clock_status(), newest->clock_status()->status().tick(), 1});
    if (auto whole = ingest::widest_skew(statuses)) out.push_back(std::move(*whole));
}

}  // namespace

std::vector<wire::Frame> merged_head(const MergeInputs& inputs, const MergedRecordings& recordings,
                                     std::vector<std::string>& remarks) {
    std::vector<wire::Frame> out{hello_of(inputs, recordings)};
    add_hosts(inputs, recordings, out);
    add_clocks(inputs, recordings, remarks, out);
    add_status(inputs, out);
    for (const auto& input : inputs) {
        std::vector<wire::Frame> head = input->take_head();
        std::move(head.begin(), head.end(), std::back_inserter(out));
    }
    return out;
}

}  // namespace sla::capture_tools
