#include "viewer/ingest/merged/merged_parts.h"

#include "proto/wire/clock_codec.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/utf8.h"
#include "proto/wire/version.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/ingest/merged/clock_status.h"

#include <algorithm>
#include <utility>

namespace sla::ingest {
namespace {

// Part `number` of `all`. What no sound capture has so many of becomes one thing, which a reader then notices.
std::uint32_t interleaved(std::uint32_t own, std::size_t number, std::size_t all) {
    const std::uint64_t id = std::uint64_t{own} * all + number;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(id, UINT32_MAX));
}

// Stamped by the same counter as the reference: exact wherever they lie.
time::HostErrors no_errors() {
    time::HostErrors errors;
    errors.steps = {{0, 0}, {SLA_TICK_MASK, 0}};
    return errors;
}

std::pair<std::int64_t, std::uint64_t> begin_of(const MergedPart& part) {
    return {part.names->clock().origin_realtime_ns(), part.names->origin().start_tick};
}

}  // namespace

bool MergedPart::translate(wire::Frame& frame) const {
    const bool is_clock = frame.has_clock() && frame.clock().domain() == 0;
    if ((is_clock || frame.has_peer_clock()) && !is_reference()) return false;
    return translation.translate(frame);
}

void MergedPart::translate(capture::Damage& damage) const {
    damage.what = of.store->name() + ": " + damage.what;
    for (capture::LostRows& lost : damage.lost) {
        lost.channel.value = translation.id(NamedThing::kChannel, lost.channel.value);
        lost.first_tick = translation.tick(lost.first_tick);
        lost.last_tick = translation.tick(lost.last_tick);
        for (capture::GapRow& loss : lost.losses) {
            loss.channel = lost.channel;
            loss.thread = translation.id(NamedThing::kThread, loss.thread);
            loss.tick = translation.tick(loss.tick);
            loss.until_tick = translation.tick(loss.until_tick);
        }
    }
}

Result<void> MergedParts::add(const MergedInput& input, const capture::CaptureStore::Progress& progress) {
    Result<capture::CaptureIndex> index = input.store->index(progress);
    if (!index) return index.error();
    MergedPart part;
    part.of = input;
    part.names = std::make_unique<store::Session>();
    FrameApplier applier(*part.names);
    for (const std::string& bytes : index->lasting()) {
        applier.apply(std::string_view(bytes));
        wire::Frame frame;
        if (!wire::parse_message(bytes, frame)) continue;
        if (auto status = clock_status(frame)) part.clock_status = std::move(status);
    }
    if (!part.names->has_origin()) return damaged(input.store->name() + ": it does not say when it began");
    std::uint64_t first = store::kNever;
    for (const auto& lane : index->lanes()) {
        first = std::min(first, lane.summaries.front().first_tick);
        part.last_tick = std::max(part.last_tick, lane.summaries.back().last_tick);
    }
    part.first_tick = first == store::kNever ? 0 : first;
    part.last_tick = std::max(part.last_tick, part.first_tick);
    part.index = std::make_shared<const capture::CaptureIndex>(std::move(*index));
    parts_.push_back(std::move(part));
    return {};
}

void MergedParts::match() {
    const auto leads = std::min_element(parts_.begin(), parts_.end(),
                                        [](const auto& a, const auto& b) { return begin_of(a) < begin_of(b); });
    std::rotate(parts_.begin(), leads, leads + 1);
    std::vector<ClockMatch> clocks;
    for (auto part = parts_.begin(); part != parts_.end();) {
        auto clock = ClockMatch::find(*parts_.front().names, *part->names, part->first_tick, part->last_tick);
        if (!clock) {
            note(part->of.store->name() + " is left out: " + clock.error().message, true);
            part = parts_.erase(part);
            continue;
        }
        clocks.push_back(std::move(*clock));
        ++part;
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const auto id = [i, all = parts_.size()](NamedThing, std::uint32_t own) { return interleaved(own, i, all); };
        parts_[i].translation = StreamTranslation(std::move(clocks[i]), static_cast<std::uint32_t>(i), id);
    }
}

void MergedParts::note(const std::string& text, bool is_damage) {
    wire::Frame frame;
    frame.mutable_notice()->set_text(wire::to_utf8(text));
    frame.mutable_notice()->set_damage(is_damage);
    notes_.push_back(frame.SerializeAsString());
}

void MergedParts::add_skew() {
    std::vector<StatusOfPart> statuses;
    const double ticks_per_second = parts_.front().names->clock().ticks_per_second();
    for (const MergedPart& part : parts_) {
        if (!part.clock_status || part.clock_status->status().clock_health().cores() < 2) continue;
        statuses.push_back({&*part.clock_status, part.translation.tick(part.clock_status->status().tick()),
                            ticks_per_second / part.names->clock().ticks_per_second()});
    }
    if (const auto whole = widest_skew(statuses)) head_.push_back(whole->SerializeAsString());
}

void MergedParts::make_head() {
    wire::Frame frame;
    wire::Hello& hello = *frame.mutable_hello();
    const store::Origin& origin = parts_.front().names->origin();
    hello.set_version(wire::kWireVersion);
    hello.set_agent(origin.agent);
    hello.set_host(wire::to_utf8(parts_.front().of.host));
    hello.set_agent_pid(origin.agent_pid);
    hello.set_boot_id(origin.boot_id);
    hello.set_start_tick(origin.start_tick);
    std::uint64_t id = 1;
    for (const MergedPart& part : parts_) id = id * 0x9e3779b97f4a7c15ULL + part.names->origin().capture_id;
    hello.set_capture_id(id);
    head_.push_back(frame.SerializeAsString());
    for (const MergedPart& part : parts_) {
        if (part.is_reference()) continue;
        const ClockMatch& clock = part.translation.clock();
        wire::Host& host = *frame.mutable_host();
        host.Clear();
        host.set_id(part.translation.host());
        host.set_name(wire::to_utf8(part.of.host));
        host.set_boot_id(part.names->origin().boot_id);
        host.set_placed_by(clock.same_clock() ? "the counter that both hosts share" : clock.placed_by());
        wire::fill_errors(clock.same_clock() ? no_errors() : clock.errors(), host);
        wire::fill_wall(part.names->wall().newest(), *host.mutable_wall());
        head_.push_back(frame.SerializeAsString());
        if (!clock.same_clock()) note("'" + part.of.host + "' " + clock.text(), false);
    }
    add_skew();
    std::move(notes_.begin(), notes_.end(), std::back_inserter(head_));
    notes_.clear();
}

Result<std::shared_ptr<const MergedParts>> MergedParts::open(std::string name, std::vector<MergedInput> inputs,
                                                             const std::vector<std::string>& left_out,
                                                             const capture::CaptureStore::Progress& progress) {
    std::shared_ptr<MergedParts> whole(new MergedParts(std::move(name)));
    Error problem = not_found(whole->name_ + ": there are no captures in it");
    for (const std::string& reason : left_out) whole->note(reason, true);
    for (const MergedInput& input : inputs) {
        if (progress && !progress(0)) return unavailable("stopped while " + whole->name_ + " was opened");
        if (const Result<void> added = whole->add(input, progress); !added) {
            problem = added.error();
            whole->note(problem.message, true);
        }
    }
    if (whole->parts_.empty()) return problem;
    whole->match();
    whole->make_head();
    return std::shared_ptr<const MergedParts>(std::move(whole));
}

}  // namespace sla::ingest
