#include "viewer/capture_tools/shot_filter.h"

#include "proto/wire/batch_codec.h"
#include "proto/wire/batch_cut.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/missing_rows.h"
#include "viewer/capture_tools/notice.h"
#include "viewer/capture_tools/row_sender.h"
#include "viewer/ingest/merged/clock_status.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sla::capture_tools {

namespace {

constexpr std::uint64_t kForever = std::numeric_limits<std::uint64_t>::max();
constexpr double kSlack = 1.02;  // the agent's clock gets better known while it runs
constexpr int kWatermarksToEnd = 3;

// The gap row alone, behind the others.
void add_loss(wire::EventBatch& to, const wire::EventBatch& rows, const wire::Extra& loss) {
    to.channel = rows.channel;
    to.extras.push_back({static_cast<std::uint32_t>(to.size()), loss.cause, loss.until_tick});
    to.add(rows.ticks[loss.position], SLA_CODE_GAP, rows.values[loss.position], rows.threads[loss.position]);
}

}  // namespace

Result<void> ShotFilter::take(std::string_view message) {
    wire::Frame frame;
    if (ended_ || !wire::parse_message(message, frame)) return {};
    switch (frame.body_case()) {
        case wire::Frame::kBatch: {
            wire::EventBatch batch;
            if (const auto decoded = wire::decode_batch(frame.batch(), batch); !decoded.ok()) return decoded;
            hold(std::move(batch));
            return {};
        }
        case wire::Frame::kSource: learn(frame.source()); return writer_.append(message);
        case wire::Frame::kChannel:
            if (times_.contains(frame.channel().source())) channels_[frame.channel().id()].time = frame.channel().source();
            return writer_.append(message);
        case wire::Frame::kHello:
            own_recording_.rename(*frame.mutable_hello());
            return writer_.append(frame.SerializeAsString());
        case wire::Frame::kShot:
            if (!triggers_.contains(frame.shot().trigger_name())) return {};
            keep_open(frame.shot());
            return writer_.append(message);
        case wire::Frame::kWatermark: return go_on_to(frame.watermark().tick());
        case wire::Frame::kStatus:  // its ledger counts what is left out too
            ticks_per_second_ = frame.status().ticks_per_second();
            for (const wire::TriggerStatus& one : frame.status().triggers()) {
                if (triggers_.contains(one.name())) problems_[one.name()] = one.problem();
            }
            if (const auto status = ingest::clock_status(frame)) return writer_.append(status->SerializeAsString());
            return {};
        case wire::Frame::kLedgers: return {};
        case wire::Frame::kEnd: return finish(frame.end().reason());
        default: return writer_.append(message);
    }
}

void ShotFilter::learn(const wire::Source& source) {
    if (source.clock_domain() == 0) return;
    Time& time = times_[source.id()];
    time.is_over = false;
    time.watermarks_to_end = source.ended() ? kWatermarksToEnd : 0;
}

void ShotFilter::hold(wire::EventBatch batch) {
    Channel& channel = channels_[batch.channel.value];
    if (!std::exchange(channel.has_begun, true) && batch.first_index > 0) channel.next_index = 1;
    if (channel.time != 0 && !batch.empty()) {
        Time& time = times_[channel.time];
        time.newest = std::max(time.newest, batch.ticks.back());
    }
    channel.held.push_back(std::move(batch));
}

// Triggers reach back as far as they were told to, and report as they find: shots come in no order of their begins.
void ShotFilter::keep_open(const wire::Shot& shot) {
    std::deque<wire::Shot>& open = times_[shot.time_source()].open;
    const auto behind = std::upper_bound(open.begin(), open.end(), shot, [](const wire::Shot& a, const wire::Shot& b) {
        return a.begin_tick() < b.begin_tick();
    });
    open.insert(behind, shot);
}

void ShotFilter::go_on(Time& time) {
    time.now = std::max(time.now, std::exchange(time.newest_before, time.newest));
    if (time.watermarks_to_end > 0 && --time.watermarks_to_end == 0) time.is_over = true;
}

Result<void> ShotFilter::go_on_to(std::uint64_t watermark) {
    watermark_ = std::max(watermark_, watermark);
    for (auto& [id, time] : times_) go_on(time);
    times_[0].now = std::max(times_[0].now, watermark + 1);
    if (ticks_per_second_ <= 0) return {};
    for (auto& [id, time] : times_) {
        if (const auto written = write_complete(id, time); !written.ok()) return written;
    }
    return {};
}

// A shot that we have not received by now happened after it: the agent reports shots first. It may reach back to before a
// window that is over; rows stand in order of time, so that one waits.
Result<void> ShotFilter::write_complete(std::uint32_t time_id, Time& time) {
    const double reach = static_cast<double>(pre_ps_) * 1e-12 * ticks_per_second_ * kSlack + 2;
    const bool is_bounded = reach < static_cast<double>(time.now);  // an agent may say of its clock whatever it likes
    std::uint64_t needed = time.is_over ? kForever : is_bounded ? time.now - static_cast<std::uint64_t>(reach) : 0;
    while (!time.open.empty() && time.has(time.open.front()) && time.open.front().begin_tick() <= needed) {
        if (const auto written = write_window(time.open.front()); !written.ok()) return written;
        time.open.pop_front();
    }
    for (const wire::Shot& shot : time.open) needed = std::min<std::uint64_t>(needed, shot.begin_tick());
    for (auto& [id, channel] : channels_) {
        if (channel.time == time_id) drop_before(channel, needed);
    }
    return {};
}

void ShotFilter::leave_out(Channel& channel, const wire::EventBatch& rows) {
    if (rows.empty()) return;
    if (!channel.left_out) channel.left_out_from = rows.ticks.front();
    channel.left_out_until = rows.ticks.back();
    channel.left_out = true;
    for (const wire::Extra& loss : rows.extras) add_loss(channel.lasting, rows, loss);
}

void ShotFilter::drop_before(Channel& channel, std::uint64_t tick) {
    while (!channel.held.empty() && channel.held.front().ticks.back() < tick) {
        leave_out(channel, channel.held.front());
        channel.held.pop_front();
    }
    if (channel.lasting.empty()) return;
    wire::EventBatch lasting;
    for (const wire::Extra& loss : channel.lasting.extras) {
        if (loss.until_tick >= tick) add_loss(lasting, channel.lasting, loss);
    }
    channel.lasting = std::move(lasting);
}

Result<void> ShotFilter::write_window(const wire::Shot& shot) {
    for (auto& [id, channel] : channels_) {
        if (channel.time != shot.time_source()) continue;
        if (const auto written = write_part(channel, shot); !written.ok()) return written;
    }
    ++shots_;
    if (shot.time_source() != 0) return {};
    written_until_ = std::max<std::uint64_t>(written_until_, shot.end_tick());
    wire::Frame frame;
    frame.mutable_watermark()->set_tick(written_until_);
    return writer_.append(frame.SerializeAsString());
}

// What the channel has of the window; what lies before it is left out.
Result<void> ShotFilter::write_part(Channel& channel, const wire::Shot& shot) {
    std::deque<wire::EventBatch> inside;
    for (const wire::EventBatch& batch : std::exchange(channel.held, {})) {
        leave_out(channel, wire::rows_between(batch, 0, shot.begin_tick() - std::min<std::uint64_t>(1, shot.begin_tick())));
        inside.push_back(wire::rows_between(batch, shot.begin_tick(), shot.end_tick()));
        wire::EventBatch behind = wire::rows_between(batch, shot.end_tick() + 1, kForever);
        if (!behind.empty()) channel.held.push_back(std::move(behind));
    }
    inside.push_front(wire::losses_across(std::exchange(channel.lasting, {}), shot.begin_tick()));
    for (wire::EventBatch& rows : inside) {
        if (const auto written = write_rows(channel, std::move(rows)); !written.ok()) return written;
    }
    return {};
}

Result<void> ShotFilter::write_rows(Channel& channel, wire::EventBatch rows) {
    if (rows.empty()) return {};
    events_ += static_cast<std::uint64_t>(
        std::count_if(rows.codes.begin(), rows.codes.end(), [](std::uint8_t code) { return code != SLA_CODE_GAP; }));
    if (const auto written = write_gap(rows.channel, channel); !written.ok()) return written;
    rows.first_index = channel.next_index;
    channel.next_index += rows.size();
    wire::Frame frame;
    wire::encode_batch(rows, *frame.mutable_batch());
    const auto count = static_cast<std::uint32_t>(rows.size());
    return writer_.append(frame.SerializeAsString(), {rows.channel.value, rows.ticks.front(), rows.ticks.back(), count});
}

// What was left out before this moment: rows of any thread.
Result<void> ShotFilter::write_gap(ChannelId id, Channel& channel) {
    if (!std::exchange(channel.left_out, false)) return {};
    wire::EventBatch gap = wire::left_out_row(id, channel.left_out_from, channel.left_out_until);
    gap.first_index = channel.next_index++;
    wire::Frame frame;
    wire::encode_batch(gap, *frame.mutable_batch());
    const std::uint64_t tick = gap.ticks.front();
    return writer_.append(frame.SerializeAsString(), {id.value, tick, tick, 1});
}

Result<void> ShotFilter::note_damage(const std::string& text) {
    return writer_.append(notice(watermark_, text, NoticeAbout::kDamage).SerializeAsString());
}

Result<void> ShotFilter::finish(const std::string& reason) {
    if (ended_) return {};
    ended_ = true;
    for (auto& [id, time] : times_) {
        for (const wire::Shot& shot : std::exchange(time.open, {})) {
            if (const auto written = write_window(shot); !written.ok()) return written;
        }
    }
    for (auto& [id, channel] : channels_) {  // behind the last window nothing is kept, which is no silence
        drop_before(channel, kForever);
        if (const auto written = write_gap(ChannelId{id}, channel); !written.ok()) return written;
    }
    if (reason.empty()) return {};
    wire::Frame frame;
    frame.mutable_end()->set_tick(watermark_);
    frame.mutable_end()->set_reason(reason);
    return writer_.append(frame.SerializeAsString());
}

}  // namespace sla::capture_tools
