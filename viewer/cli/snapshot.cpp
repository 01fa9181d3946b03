// sla snapshot: what the agent holds, into a file.
#include "viewer/cli/snapshot.h"

#include "proto/time/duration.h"
#include "proto/time/tick_clock.h"
#include "viewer/cli/command.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/progress.h"
#include "viewer/cli/record.h"
#include "viewer/cli/stream_to_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace sla::cli {

namespace {

using std::chrono::milliseconds;

struct SnapshotOptions {
    std::string file;
    std::string last;
    std::vector<std::string> channels;
    std::string address;
};

// A file under another name until it is whole; removed unless it was finished.
class Unfinished {
public:
    explicit Unfinished(std::string name) : name_(std::move(name)), temporary_(name_ + ".part") {}
    ~Unfinished() {
        if (!finished_) unlink(temporary_.c_str());
    }
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

    [[nodiscard]] const std::string& path() const { return temporary_; }
    Result<void> finish() {
        if (std::rename(temporary_.c_str(), name_.c_str()) != 0) return system_error("cannot name '" + name_ + "'", errno);
        finished_ = true;
        return {};
    }

private:
    std::string name_;
    std::string temporary_;
    bool finished_ = false;
};

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

Result<void> pour(ingest::StreamClient& client, StreamToFile& file, bool same_machine) {
    Progress progress("saving");
    Share share(same_machine);
    std::string message;
    while (!client.drained()) {
        if (interrupted() != 0) return unavailable("interrupted: no snapshot is left behind");
        client.wait(milliseconds(100));
        constexpr int kFramesPerLook = 256;
        for (int i = 0; i < kFramesPerLook && client.next_raw(message); ++i) {
            if (auto taken = file.take(message); !taken.ok()) return taken;
        }
        progress.show(file.rows() == 0 ? -1 : share.of(file.last_tick()));
    }
    const auto report = client.report();
    return report.state == ingest::StreamState::kLost ? Result<void>(unavailable(report.message)) : Result<void>();
}

}  // namespace

Result<void> save_history(const ingest::StreamOptions& stream, const std::string& name) {
    ingest::StreamClient client(stream);
    client.keep_raw();
    client.start();
    while (client.report().state == ingest::StreamState::kConnecting && interrupted() == 0) client.wait(milliseconds(100));
    const auto report = client.report();
    if (report.frames == 0 && report.state == ingest::StreamState::kLost) return unavailable(report.message);
    Unfinished part(name);
    auto series = capture::CaptureSeries::create(part.path());
    if (!series.ok()) return series.error();
    StreamToFile file(std::move(*series));
    if (auto poured = pour(client, file, stream.address.is_loopback()); !poured.ok()) return poured;
    if (auto ended = file.end("snapshot"); !ended.ok()) return ended;
    return part.finish();
}

namespace {

int run_snapshot(const SnapshotOptions& options) {
    ingest::StreamOptions stream;
    stream.client = "sla snapshot";
    stream.until_now = true;
    stream.channels = options.channels;
    const auto address =
        options.address.empty() ? Result<wire::Address>(wire::default_address()) : wire::parse_address(options.address);
    if (!address.ok()) return complain(address.error());
    stream.address = *address;
    if (options.file == "-") return complain(invalid_input("-o -: a capture is a file, it cannot go to standard output"));
    if (!options.last.empty()) {
        const auto ps = time::parse_duration(options.last);
        if (!ps.ok()) return complain(invalid_input("--last: " + ps.error().message));
        if (*ps < 1000) return complain(invalid_input("--last " + options.last + " is too short a time"));
        stream.last_ns = *ps / 1000;
    }
    if (const auto saved = save_history(stream, options.file); !saved.ok()) return complain(saved.error());
    tell_summary(options.file);
    return kDone;
}

}  // namespace

void add_snapshot(common::Command& app) {
    common::Command& command = app.add_command("snapshot", "Save what the running agent holds now, and disturb nobody");
    auto options = std::make_shared<SnapshotOptions>();
    command.add_option("-o,--output", options->file, "The capture file; it appears when it is whole")
        .required()
        .value_name("FILE");
    command.add_option("--last", options->last, "Only so much of the past, as in 10s, and at most a batch (5 ms) more")
        .value_name("TIME");
    command.add_option("--channel", options->channels, "Only channels of this name or pattern (repeatable)")
        .value_name("GLOB")
        .one_each();
    command.add_option("--address", options->address, "Of the agent; default: this user's").value_name("ADDRESS");
    command.footer(
        "With `sla-agent --keep 30s` in the background this is a flight recorder: when something odd has happened, save "
        "what "
        "led up to it.\n"
        "What the agent has dropped before stands in the file as a gap with its exact number of events.");
    command.action([=] { return run_snapshot(*options); });
}

}  // namespace sla::cli
