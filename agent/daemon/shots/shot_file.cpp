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
    ShotWriter(capture::CaptureWriter& writer, const wire::Shot& shot, std::uint64_t all_at)
        : writer_(writer), shot_(shot), all_at_(all_at) {}

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
        // The ledgers count more than the window; other shots have files of their own; our end comes with finish().
        const bool counts = frame.has_status() || frame.has_ledgers();
        const bool other_shot =
            frame.has_shot() && (frame.shot().trigger() != shot_.trigger() || frame.shot().number() != shot_.number());
        if (frame.has_watermark() || counts || frame.has_end() || other_shot) return {};
        return writer_.append(delivery.message());
    }
    Result<void> finish() {
        wire::Frame frame;
        frame.mutable_watermark()->set_tick(shot_.end_tick());
        if (Result<void> written = writer_.append(frame.SerializeAsString()); !written) return written;
        const std::string end =
            stream::end_frame(shot_.end_tick(), "the window of shot " + std::to_string(shot_.number()) + " ends");
        if (Result<void> written = writer_.append(std::string_view(end).substr(wire::kFrameHeaderBytes)); !written)
            return written;
        return writer_.finish();
    }
    [[nodiscard]] bool is_complete() const { return watermark_ >= all_at_; }
    [[nodiscard]] const ShotFacts& facts() const { return facts_; }

private:
    Result<void> take_batch(const retain::Delivery& delivery) {
        const retain::BatchFacts& facts = delivery.facts;
        if (time_of(facts.channel) != shot_.time_source()) return {};
        std::uint64_t& next_index = next_index_[facts.channel.value];
        if (facts.first_tick > shot_.end_tick()) return {};
        const bool may_be_gap = facts.rows <= kMaxGapRows;  // which may reach into the window
        if (facts.last_tick < shot_.begin_tick() && !may_be_gap) return {};
        wire::Frame frame;
        wire::EventBatch batch;
        if (!wire::parse_message(delivery.message(), frame)) return {};
        if (Result<void> decoded = wire::decode_batch(frame.batch(), batch); !decoded) return decoded;
        for (const wire::Extra& extra : batch.extras) take_missing(extra, batch);
        wire::EventBatch part = wire::rows_between(batch, shot_.begin_tick(), shot_.end_tick());
        if (part.empty()) return {};
        part.first_index = next_index;
        next_index += part.size();
        facts_.events += static_cast<std::uint64_t>(
            std::count_if(part.codes.begin(), part.codes.end(), [](std::uint8_t code) { return code != SLA_CODE_GAP; }));
        wire::Frame out;
        wire::encode_batch(part, *out.mutable_batch());
        const auto rows = static_cast<std::uint32_t>(part.size());
        return writer_.append(out.SerializeAsString(), {part.channel.value, part.ticks.front(), part.ticks.back(), rows});
    }

    // The source that makes up the channel's time; 0: the machine's clock stamps it.
    [[nodiscard]] std::uint32_t time_of(ChannelId channel) const {
        const auto time = times_.find(channel.value);
        return time == times_.end() ? 0 : time->second;
    }

    // What the retention gave up of the window is a gap from the window's beginning on.
    void take_missing(const wire::Extra& extra, wire::EventBatch& batch) {
        if (!wire::explains_missing_rows(extra.cause) || extra.until_tick < shot_.begin_tick()) return;
        std::uint64_t& tick = batch.ticks[extra.position];
        if (tick > shot_.end_tick()) return;
        if (tick < shot_.begin_tick()) {
            tick = shot_.begin_tick();
            batch.values[extra.position] = 0;  // nobody knows how many of them were in the window
        }
        facts_.is_whole = false;
    }

    static constexpr std::uint32_t kMaxGapRows = 2;
    capture::CaptureWriter& writer_;
    const wire::Shot& shot_;
    std::uint64_t all_at_;
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

Result<ShotFacts> write_shot_file(const std::string& path, const wire::Shot& shot, std::uint64_t all_at,
                                  retain::Retention& retention, const std::function<bool()>& give_up) {
    Result<capture::CaptureWriter> writer = capture::CaptureWriter::create_hidden(path);
    if (!writer) return writer.error();
    ShotWriter file(*writer, shot, all_at);
    Result<void> written = pour(file, retention, give_up);
    if (written) written = file.finish();
    return written ? Result<ShotFacts>(file.facts()) : written.error();
}

}  // namespace sla::daemon
