#include "viewer/capture_tools/saved_history.h"

#include "proto/base/new_file.h"
#include "proto/time/tick_clock.h"
#include "viewer/capture_tools/stream_to_file.h"

#include <algorithm>
#include <chrono>

namespace sla::capture_tools {

namespace {

using std::chrono::milliseconds;

// How far a history that began at `first` has come on its way to now; its batches come in time order. Only this machine's
// own ticks are comparable with ours.
class Share {
public:
    explicit Share(bool same_machine) : until_(same_machine ? time::read_tsc() : 0) {}
    double of(std::uint64_t tick) {
        if (first_ == 0) first_ = tick;
        if (until_ <= first_ || tick < first_) return -1;
        return std::min(static_cast<double>(tick - first_) / static_cast<double>(until_ - first_), 1.0);
    }

private:
    std::uint64_t until_;
    std::uint64_t first_ = 0;
};

Result<void> pour(ingest::StreamClient& client, StreamToFile& file, bool same_machine, const GoesOn& goes_on) {
    Share share(same_machine);
    std::string message;
    while (!client.drained()) {
        client.wait(milliseconds(100));
        constexpr int kFramesPerLook = 256;
        for (int i = 0; i < kFramesPerLook && client.next_raw(message); ++i) {
            if (auto taken = file.take(message); !taken.ok()) return taken;
        }
        if (!goes_on(file.rows() == 0 ? -1 : share.of(file.last_tick()))) {
            return unavailable("stopped while the agent was read; nothing is left behind");
        }
    }
    const auto report = client.report();
    return report.state == ingest::StreamState::kLost ? Result<void>(unavailable(report.message)) : Result<void>();
}

}  // namespace

Result<void> save_history(const ingest::StreamOptions& stream, const std::string& name, const GoesOn& goes_on) {
    TemporaryName part(name);
    if (auto good = part.check_place(); !good.ok()) return good;
    part.reserve(0644);
    ingest::StreamClient client(stream);
    client.keep_raw();
    client.start();
    while (client.report().state == ingest::StreamState::kConnecting && goes_on(-1)) client.wait(milliseconds(100));
    const auto report = client.report();
    if (report.frames == 0 && report.state == ingest::StreamState::kLost) return unavailable(report.message);
    auto series = capture::CaptureSeries::create(part.path());
    if (!series.ok()) return series.error();
    StreamToFile file(std::move(*series));
    if (auto poured = pour(client, file, stream.address.is_loopback(), goes_on); !poured.ok()) return poured;
    if (auto ended = file.end("snapshot"); !ended.ok()) return ended;
    return part.take_its_place();
}

}  // namespace sla::capture_tools
