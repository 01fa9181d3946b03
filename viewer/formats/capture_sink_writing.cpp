// What a CaptureSink writes: its clock, and its rows slice of time by slice, as soon as none before them can come.
#include "viewer/formats/capture_sink.h"

#include "proto/base/random_id.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/clock_codec.h"
#include "proto/wire/version.h"

#include <algorithm>
#include <utility>

namespace sla::formats {

namespace {

constexpr std::size_t kBatchEvents = 4096;
constexpr std::size_t kBatchTextBytes = std::size_t{256} << 10;
constexpr std::size_t kSlices = 32;

}  // namespace

Result<void> CaptureSink::begin() {
    wire::Frame frame;
    auto& hello = *frame.mutable_hello();
    hello.set_version(wire::kWireVersion);
    hello.set_agent("sla import " + std::string(wire::kProductVersion) + " (" + what_ + ")");
    hello.set_capture_id(random_id());  // no other capture's
    hello.set_start_tick(clock_.origin_tick);
    if (known_ && known_->from_ps) hello.set_begin_tick(std::min(map_.to_tick(*known_->from_ps), kLastTick));
    begun_ = true;
    return append(frame);
}

// Everything at or below that tick is written.
Result<void> CaptureSink::write_watermark(std::uint64_t tick) {
    wire::Frame frame;
    frame.mutable_watermark()->set_tick(std::min(tick, by_machine_));
    if (frame.watermark().tick() == 0) return {};
    return append(frame);
}

Result<void> CaptureSink::write_clock() {
    for (const time::ClockSnapshot& snapshot : snapshots_of(clock_)) {
        wire::Frame frame;
        wire::fill_clock(snapshot, *frame.mutable_clock());
        if (auto written = append(frame); !written.ok()) return written;
    }
    return {};
}

Result<void> CaptureSink::write_skew() {
    if (!clock_.skew) return {};
    wire::Frame frame;
    wire::Status& status = *frame.mutable_status();
    status.set_tick(clock_.origin_tick);
    status.set_ticks_per_second(map_.ticks_per_second());
    status.set_clock_error_ppb(clock_.error_ppb);
    wire::ClockHealth& health = *status.mutable_clock_health();
    health.set_invariant(true);
    health.set_cores(2);
    health.set_skew_ticks(clock_.skew->ticks);
    health.set_synchronized(clock_.skew->synchronized);
    health.set_text("as the capture says that this was made of");
    return append(frame);
}

Result<void> CaptureSink::write_lane(std::uint32_t id, Lane& lane, std::uint64_t until) {
    std::size_t done = 0;
    while (done < lane.rows.size() && lane.rows[done].event.tick <= until) {
        wire::EventBatch batch;
        batch.channel = ChannelId{id};
        batch.first_index = lane.written;
        std::size_t text_bytes = 0;
        for (; done < lane.rows.size() && lane.rows[done].event.tick <= until; ++done) {
            if (batch.size() >= kBatchEvents || text_bytes >= kBatchTextBytes) break;
            const Row& row = lane.rows[done];
            batch.add(row.event.tick, row.event.code, row.event.value, row.event.thread);
            if (!row.extra) continue;
            text_bytes += extras_[*row.extra].text.size();
            batch.attach(extras_[*row.extra]);
            extras_[*row.extra] = {};  // its memory
        }
        wire::Frame frame;
        wire::encode_batch(batch, *frame.mutable_batch());
        lane.written += batch.size();
        if (auto written = append(frame); !written.ok()) return written;
    }
    lane.rows.erase(lane.rows.begin(), lane.rows.begin() + static_cast<std::ptrdiff_t>(done));
    return {};
}

Result<void> CaptureSink::drain(bool all) {
    if (!begun_) {
        if (auto begun = begin(); !begun.ok()) return begun;
        if (auto written = write_clock(); !written.ok()) return written;
    }
    for (const std::string& name : std::exchange(names_, {})) {
        if (auto written = writer_.append(name); !written.ok()) return written;
    }
    std::vector<std::uint64_t> ticks;  // of some of the events: where slices end
    for (Lane& lane : lanes_) {
        const auto earlier = [](const Row& a, const Row& b) { return a.event.is_before(b.event); };
        if (!std::exchange(lane.sorted, true)) std::stable_sort(lane.rows.begin(), lane.rows.end(), earlier);
        for (std::size_t i = 0; i < lane.rows.size(); i += 64) ticks.push_back(lane.rows[i].event.tick);
        if (lane.rows.empty()) continue;
        const std::uint64_t newest = lane.rows.back().event.tick;
        newest_ = std::max(newest_, newest);
        if (!with_own_time_.contains(lane.source)) by_machine_ = std::max(by_machine_, newest);
    }
    std::sort(ticks.begin(), ticks.end());
    const std::size_t slices = all ? kSlices : kSlices / 2;
    for (std::size_t slice = 1; slice <= slices && !ticks.empty(); ++slice) {
        const std::uint64_t until = slice == kSlices ? kLastTick : ticks[(ticks.size() - 1) * slice / kSlices];
        for (std::size_t i = 0; i < lanes_.size(); ++i) {
            if (auto written = write_lane(static_cast<std::uint32_t>(i + 1), lanes_[i], until); !written.ok())
                return written;
        }
        const bool is_last = until == kLastTick;
        drained_to_ = is_last ? newest_ : until;  // nothing reports a time behind the last row
        if (!is_last && drained_to_ == 0) continue;
        const std::uint64_t final_tick = is_last ? drained_to_ : drained_to_ - 1;  // more of the slice's last tick may come
        if (auto written = write_watermark(final_tick); !written.ok()) return written;
    }
    held_ = 0;
    for (const Lane& lane : lanes_) held_ += lane.rows.size();
    std::deque<wire::RowExtra> kept;  // extras of rows that stay
    for (Lane& lane : lanes_) {
        for (Row& row : lane.rows) {
            if (!row.extra) continue;
            held_ += extras_[*row.extra].text.size() / (kHeldTextBytes / kWindowEvents);
            kept.push_back(std::move(extras_[*row.extra]));
            row.extra = kept.size() - 1;
        }
    }
    extras_ = std::move(kept);
    return {};
}

Result<void> CaptureSink::finish() {
    if (auto drained = drain(true); !drained.ok()) return drained;
    if (auto written = write_clock(); !written.ok()) return written;
    if (auto written = write_skew(); !written.ok()) return written;
    if (known_) {
        const std::uint64_t known = std::min(map_.to_tick(known_->until_ps), kLastTick);
        drained_to_ = std::max(drained_to_, known);
        by_machine_ = std::max(by_machine_, known);
        if (auto written = write_watermark(by_machine_); !written.ok()) return written;
    }
    for (const auto& [ps, text] : damage_) {
        wire::Frame notice;
        if (ps) notice.mutable_notice()->set_tick(std::min(map_.to_tick(*ps), kLastTick));
        notice.mutable_notice()->set_text(text);
        notice.mutable_notice()->set_damage(true);
        if (auto written = append(notice); !written.ok()) return written;
    }
    wire::Frame frame;
    frame.mutable_end()->set_tick(drained_to_);
    frame.mutable_end()->set_reason("imported from " + what_);
    if (auto written = append(frame); !written.ok()) return written;
    return writer_.finish();
}

}  // namespace sla::formats
