#include "agent/daemon/shots/shot_file.h"

#include "agent/stream/end_frame.h"
#include "proto/capture/capture_writer.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/batch_cut.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/missing_rows.h"
#include "proto/wire/own_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace sla::daemon {
namespace {

constexpr std::size_t kReadBytes = std::size_t{4} << 20;

class ShotWriter {
public:
    ShotWriter(capture::CaptureWriter& writer, const shots::ShotOrder& order)
        : writer_(writer), order_(order), shot_(order.shot) {}

    Result<void> take(const retain::Delivery& delivery) {
        if (delivery.facts.rows > 0) return take_batch(delivery);
        wire::Frame frame;
        if (!wire::parse_message(delivery.message(), frame)) return {};
        if (frame.has_hello()) {
            own_recording_.rename(*frame.mutable_hello());
            return writer_.append(frame.SerializeAsString());
        }
        if (frame.has_source() && frame.source().clock_domain() != 0) own_times_.insert(frame.source().id());
        if (frame.has_channel() && own_times_.contains(frame.channel().source()))
            times_[frame.channel().id()] = frame.channel().source();
        if (frame.has_watermark()) watermark_ = frame.watermark().tick();
        // Other shots have their own files, and ledgers count more than the window; our shot and end come with finish().
        const bool is_of_more = frame.has_shot() || frame.has_status() || frame.has_ledgers();
        if (frame.has_watermark() || is_of_more || frame.has_end()) return {};
        return writer_.append(delivery.message());
    }
    // The shot's window is what there is of it. Of very many shots the retention keeps no more than the newest.
    Result<void> finish() {
        wire::Frame frame;
        *frame.mutable_shot() = shot_;
        if (Result<void> written = writer_.append(frame.SerializeAsString()); !written) return written;
        frame.mutable_watermark()->set_tick(shot_.end_tick());
        if (Result<void> written = writer_.append(frame.SerializeAsString()); !written) return written;
        const std::string end = stream::end_frame(
            shot_.end_tick(),
            fmt::format(
                "the window of shot {} {}", shot_.number(),
                order_.is_cut_short() ? "was cut short: its trigger was removed or set anew, or the agent ended" : "ends"));
        if (Result<void> written = writer_.append(std::string_view(end).substr(wire::kFrameHeaderBytes)); !written)
            return written;
        return writer_.finish();
    }
    [[nodiscard]] bool is_complete() const { return watermark_ >= order_.all_at; }
    [[nodiscard]] const ShotFacts& facts() const { return facts_; }

private:
    // Also what began before the window and lasts into it: without it the begin of the window would look silent.
    Result<void> take_batch(const retain::Delivery& delivery) {
        const retain::BatchFacts& facts = delivery.facts;
        if (time_of(facts.channel) != shot_.time_source()) return {};
        // What a channel was before its rows here they do not say: they count from 1 where there were others before.
        if (facts.first_index > 0 || facts.first_tick < shot_.begin_tick()) next_index_.try_emplace(facts.channel.value, 1);
        if (facts.first_tick > shot_.end_tick() || facts.reach() < shot_.begin_tick()) return {};
        wire::Frame frame;
        wire::EventBatch batch;
        if (!wire::parse_message(delivery.message(), frame)) return {};
        if (Result<void> decoded = wire::decode_batch(frame.batch(), batch); !decoded) return decoded;
        for (const wire::Extra& extra : batch.extras) note_missing(extra, batch);
        if (Result<void> written = write(wire::losses_across(batch, shot_.begin_tick())); !written) return written;
        return write(wire::rows_between(batch, shot_.begin_tick(), shot_.end_tick()));
    }
    Result<void> write(wire::EventBatch rows) {
        if (rows.empty()) return {};
        std::uint64_t& next_index = next_index_[rows.channel.value];
        rows.first_index = next_index;
        next_index += rows.size();
        facts_.events += static_cast<std::uint64_t>(
            std::count_if(rows.codes.begin(), rows.codes.end(), [](std::uint8_t code) { return code != SLA_CODE_GAP; }));
        wire::Frame out;
        wire::encode_batch(rows, *out.mutable_batch());
        const auto count = static_cast<std::uint32_t>(rows.size());
        return writer_.append(out.SerializeAsString(), {rows.channel.value, rows.ticks.front(), rows.ticks.back(), count});
    }
    // The retention gave up some of the window.
    void note_missing(const wire::Extra& extra, const wire::EventBatch& batch) {
        const bool is_in_window = extra.until_tick >= shot_.begin_tick() && batch.ticks[extra.position] <= shot_.end_tick();
        if (is_in_window && wire::explains_missing_rows(extra.cause)) facts_.is_whole = false;
    }

    // The source that makes up the channel's time; 0: the machine's clock stamps it.
    [[nodiscard]] std::uint32_t time_of(ChannelId channel) const {
        const auto time = times_.find(channel.value);
        return time == times_.end() ? 0 : time->second;
    }

    capture::CaptureWriter& writer_;
    const shots::ShotOrder& order_;
    const wire::Shot& shot_;
    const wire::OwnRecording own_recording_;
    ShotFacts facts_;
    std::uint64_t watermark_ = 0;
    std::map<std::uint32_t, std::uint64_t> next_index_;  // by channel, in the file
    std::set<std::uint32_t> own_times_;                  // sources that make up their time,
    std::map<std::uint32_t, std::uint32_t> times_;       // and their channels
};

Result<void> pour(ShotWriter& shot, retain::Retention& retention, const std::function<bool()>& give_up) {
    retain::Cursor cursor;
    std::vector<retain::Delivery> deliveries;
    bool more = true;
    while (more && !shot.is_complete()) {
        deliveries.clear();
        more = retention.read(cursor, kReadBytes, deliveries);
        for (const retain::Delivery& delivery : deliveries) {
            if (Result<void> taken = shot.take(delivery); !taken) return taken;
        }
        if (!deliveries.empty() || shot.is_complete()) continue;
        if (give_up()) break;
        retention.wait(std::chrono::milliseconds(50));
    }
    return {};
}

}  // namespace

std::string numbered(const std::string& path, std::uint64_t number) {
    constexpr std::string_view kCaptureEnding = ".sla";
    const std::string stem = path.ends_with(kCaptureEnding) ? path.substr(0, path.size() - kCaptureEnding.size()) : path;
    return fmt::format("{}-{:04}.sla", stem, number);
}

Result<ShotFacts> write_shot_file(const std::string& path, const shots::ShotOrder& order, retain::Retention& retention,
                                  const std::function<bool()>& give_up) {
    Result<capture::CaptureWriter> writer = capture::CaptureWriter::create_hidden(path);
    if (!writer) return writer.error();
    ShotWriter file(*writer, order);
    Result<void> written = pour(file, retention, give_up);
    if (written) written = file.finish();
    return written ? Result<ShotFacts>(file.facts()) : written.error();
}

}  // namespace sla::daemon
