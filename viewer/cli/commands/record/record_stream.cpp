#include "viewer/capture_tools/stream_to_file.h"
#include "viewer/cli/command.h"
#include "viewer/cli/commands/record/record.h"
#include "viewer/cli/commands/record/written_name.h"
#include "viewer/cli/input.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/text/progress.h"
#include "viewer/ingest/stream_client.h"

namespace sla::cli {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr auto kMaxSilence = std::chrono::milliseconds(2500);

// How long the agent has said nothing at the end; it reports how it is every second.
Result<Clock::duration> pour(ingest::StreamClient& client, capture_tools::StreamToFile& file, WrittenName& name,
                             Clock::time_point until) {
    Progress progress("recording (Ctrl-C ends it)");
    constexpr int kFramesPerLook = 64;
    std::string message;
    auto flush_at = Clock::now() + kFlushEvery;
    auto received_at = Clock::now();
    while (interrupted() == 0 && Clock::now() < until) {
        client.wait(milliseconds(100));
        for (int i = 0; i < kFramesPerLook && client.next_raw(message); ++i) {
            if (auto taken = file.take(message); !taken.ok()) return taken.error();
            received_at = Clock::now();
        }
        if (Clock::now() >= flush_at) {
            if (auto flushed = file.flush(); !flushed.ok()) return flushed.error();
            if (auto kept = name.look(file.file()); !kept.ok()) return kept.error();
            flush_at = Clock::now() + kFlushEvery;
        }
        progress.show(-1);
        if (client.drained()) break;
    }
    return Clock::now() - received_at;
}

}  // namespace

std::string trouble_of(const ingest::StreamReport& report, Clock::duration silence) {
    if (report.state == ingest::StreamState::kLost) return report.message;
    if (report.state != ingest::StreamState::kLive || silence < kMaxSilence) return {};
    const auto silent_s = std::chrono::duration_cast<std::chrono::seconds>(silence).count();
    return "the agent has said nothing for " + std::to_string(silent_s) +
           " s, as if it were stopped: what happened since is not recorded";
}

Result<void> wait_for_agent(ingest::StreamClient& client, const wire::Address& address) {
    while (client.report().state == ingest::StreamState::kConnecting && interrupted() == 0) client.wait(milliseconds(100));
    const ingest::StreamReport report = client.report();
    if (report.frames == 0 && report.state == ingest::StreamState::kLost) return unavailable(report.message);
    if (report.state != ingest::StreamState::kConnecting) return {};
    return unavailable("stopped before the agent at " + address.text() + " answered; nothing is recorded");
}

int record_stream(const RecordOptions& options) {
    ingest::StreamOptions stream;
    stream.client = "sla record";
    const auto address = agent_address(options.address);
    if (!address.ok()) return complain(address.error());
    stream.address = *address;
    stream.skip_history = true;
    ingest::StreamClient client(stream);
    client.keep_raw();
    client.start();
    if (const auto there = wait_for_agent(client, *address); !there.ok()) return complain(there.error());
    auto series = capture::CaptureSeries::create(options.file, options.rotation);
    if (!series.ok()) return complain(series.error());
    capture_tools::StreamToFile file(std::move(*series));
    WrittenName name(file.file());
    const auto until = options.end();
    const auto poured = pour(client, file, name, until);
    if (!poured.ok()) {
        static_cast<void>(file.end("recording stopped"));  // it may only have been moved
        return complain(poured.error());
    }
    const std::string trouble = trouble_of(client.report(), *poured);
    if (!trouble.empty()) {
        warn(trouble);
        if (const auto noted = file.note_damage(trouble); !noted.ok()) return complain(noted.error());
    }
    if (const auto ended = file.end(trouble.empty() ? "recording stopped" : ""); !ended.ok()) return complain(ended.error());
    if (const auto kept = name.look(file.file()); !kept.ok()) return complain(kept.error());
    report_recorded(options);
    return trouble.empty() ? kDone : kOutsideFailed;
}

}  // namespace sla::cli
