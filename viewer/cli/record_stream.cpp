#include "proto/capture/capture_writer.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "viewer/cli/command.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/progress.h"
#include "viewer/cli/record.h"
#include "viewer/ingest/stream_client.h"

namespace sla::cli {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Frames on their way from the stream into the file.
class StreamToFile {
public:
    explicit StreamToFile(capture::CaptureWriter& writer) : writer_(writer) {}

    Result<void> take(const std::string& message) {
        wire::Frame frame;
        capture::FrameFacts facts;
        if (wire::parse_message(message, frame)) {
            if (frame.has_batch()) {
                facts = {frame.batch().channel(), frame.batch().first_tick(), frame.batch().last_tick(),
                         frame.batch().count()};
                events_ += frame.batch().count();
            }
            if (frame.has_watermark()) watermark_ = frame.watermark().tick();
            ended_ = ended_ || frame.has_end();
        }
        return writer_.append(message, facts);
    }
    // The stream went on, we stop here: that is an end on purpose.
    Result<void> end(const std::string& reason) {
        if (ended_) return {};
        wire::Frame frame;
        frame.mutable_end()->set_tick(watermark_);
        frame.mutable_end()->set_reason(reason);
        return writer_.append(frame.SerializeAsString());
    }
    [[nodiscard]] std::uint64_t events() const { return events_; }

private:
    capture::CaptureWriter& writer_;
    std::uint64_t events_ = 0;
    std::uint64_t watermark_ = 0;
    bool ended_ = false;
};

Result<void> pour(ingest::StreamClient& client, StreamToFile& file, Clock::time_point until) {
    Progress progress("recording (Ctrl-C ends it)");
    constexpr int kFramesPerLook = 64;
    std::string message;
    while (interrupted() == 0 && Clock::now() < until) {
        client.wait(milliseconds(100));
        for (int i = 0; i < kFramesPerLook && client.next_raw(message); ++i) {
            if (auto taken = file.take(message); !taken.ok()) return taken;
        }
        progress.show(-1);
        if (client.drained()) break;
    }
    return {};
}

}  // namespace

int record_stream(const RecordOptions& options) {
    ingest::StreamOptions stream;
    stream.client = "sla record";
    stream.address = wire::default_address();
    if (!options.address.empty()) {
        const auto address = wire::parse_address(options.address);
        if (!address.ok()) return complain(address.error());
        stream.address = *address;
    }
    stream.skip_history = true;
    ingest::StreamClient client(stream);
    client.keep_raw();
    client.start();
    while (client.report().state == ingest::StreamState::kConnecting && interrupted() == 0) client.wait(milliseconds(100));
    if (client.report().frames == 0 && client.report().state == ingest::StreamState::kLost) {
        return complain(unavailable(client.report().message));  // before a file is made
    }
    auto writer = capture::CaptureWriter::create(options.file);
    if (!writer.ok()) return complain(writer.error());
    StreamToFile file(*writer);
    const auto until =
        options.for_ps ? Clock::now() + std::chrono::microseconds(*options.for_ps / 1'000'000) : Clock::time_point::max();
    if (const auto poured = pour(client, file, until); !poured.ok()) return complain(poured.error());
    const auto report = client.report();
    const bool lost = report.state == ingest::StreamState::kLost;
    if (lost) remark(report.message);
    if (!lost) {
        if (const auto ended = file.end("recording stopped"); !ended.ok()) return complain(ended.error());
    }
    if (const auto finished = writer->finish(); !finished.ok()) return complain(finished.error());
    tell_summary(options.file);
    return lost ? kOutsideFailed : kDone;
}

}  // namespace sla::cli
