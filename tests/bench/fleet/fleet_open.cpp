#include "tests/bench/fleet/fleet_open.h"

#include "proto/fleet/buckets.h"
#include "proto/fleet/registry.h"
#include "proto/fleet/setup.h"
#include "tests/bench/percentiles.h"
#include "tests/support/nats_cluster.h"
#include "tests/support/published_pieces.h"
#include "viewer/ingest/file_source.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <random>
#include <thread>

namespace sla::bench {
namespace {

using Clock = std::chrono::steady_clock;
using support::Process;

constexpr auto kTimeout = std::chrono::minutes(20);
constexpr int kOnTheWay = 256;
constexpr std::int64_t kAnswerMs = 60'000;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

bool fail(const std::string& why) {
    fmt::print(stderr, "fleet_bench: {}\n", why);
    return false;
}

// Messages of a stream that nobody else writes to: where each will be is known before it is acknowledged.
class OnlyPublisher {
public:
    explicit OnlyPublisher(const fleet::Connection& connection) {
        jsOptions options;
        jsOptions_Init(&options);
        options.PublishAsync.MaxPending = kOnTheWay;
        options.PublishAsync.StallWait = kAnswerMs;
        if (auto jetstream = connection.make_jetstream(options)) jetstream_ = std::move(*jetstream);
    }
    std::uint64_t put(const std::string& subject, const fleet::MessageHeaders& headers, const std::string& body) {
        fleet::Message message;
        natsStatus status =
            natsMsg_Create(message.out(), subject.c_str(), nullptr, body.data(), static_cast<int>(body.size()));
        for (const auto& [name, value] : headers.texts()) {
            if (status == NATS_OK) status = natsMsgHeader_Set(message.get(), name, value.c_str());
        }
        if (status == NATS_OK) status = js_PublishMsgAsync(jetstream_.get(), message.address(), nullptr);
        is_good_ = is_good_ && status == NATS_OK;
        return ++last_;
    }
    bool finish() {
        jsPubOptions complete;
        jsPubOptions_Init(&complete);
        complete.MaxWait = kAnswerMs;
        return js_PublishAsyncComplete(jetstream_.get(), &complete) == NATS_OK && is_good_;
    }
    [[nodiscard]] std::uint64_t last() const { return last_; }

private:
    fleet::JetStream jetstream_;
    std::uint64_t last_ = 0;
    bool is_good_ = true;
};

class Opening {
public:
    explicit Opening(const FleetOpen& wanted) : wanted_(wanted), cluster_(static_cast<std::size_t>(wanted.nodes)) {}

    bool prepare() {
        Process make({SLA_BENCHES "/make_big", path(), "--events", fmt::format("{:.0f}", wanted_.events * 1e6)});
        if (make.wait(kTimeout).code != 0) return fail(make.errors());
        fmt::print("{}", make.output());
        if (!cluster_.start()) return fail(cluster_.problem());
        auto connection = fleet::Connection::open(cluster_.connect_options());
        if (!connection) return fail(connection.error().message);
        const fleet::FleetSettings settings{1, static_cast<std::uint32_t>(wanted_.nodes), 36'000'000'000'000,
                                            std::uint64_t{7} << 29};
        const auto is_set_up = [&] {
            return fleet::set_up(**connection, name_.fleet, settings, [](const std::string&) {}).ok();
        };
        if (!support::eventually(is_set_up, std::chrono::seconds(60))) return fail("the fleet cannot be set up");
        return publish(**connection);
    }
    void ask() {
        const std::string in_cluster = fmt::format("fleet:{}/{}", cluster_.address(), name_.fleet);
        for (const std::string& target : {path(), in_cluster}) {
            fmt::print("{}:\n", target == path() ? "the file" : "the same in the cluster");
            Process window({SLA_BINARIES "/sla-viewer", "--headless", "--bench", target});
            const bool is_shown = window.wait(kTimeout).code == 0;
            const std::string said = window.output();
            const std::size_t at = said.find("first paint:");
            fmt::print("  a window's {}\n", is_shown && at != std::string::npos ? said.substr(at, said.find('\n', at) - at)
                                                                                : "bench failed: " + window.errors());
            look_at(target);
        }
    }

private:
    [[nodiscard]] std::string path() const { return folder_.file("big.sla"); }
    bool publish(const fleet::Connection& connection) {
        const auto begin = Clock::now();
        OnlyPublisher publisher(connection);
        support::PiecePublisher pieces(name_, [&](const auto& subject, const auto& headers, const auto& body) {
            return publisher.put(subject, headers, body);
        });
        if (!pieces.publish(path(), 1) || !publisher.finish()) return fail("the capture was not published");
        fleet::StreamInfo info;
        const std::string stream = fleet::stream_name(name_.fleet, name_.shard);
        if (js_GetStreamInfo(info.out(), connection.jetstream(), stream.c_str(), nullptr, nullptr) != NATS_OK ||
            info->State.LastSeq != publisher.last())
            return fail("the stream has other messages than were published");
        fmt::print("published: {} messages, {:.0f} MB, {} servers, in {:.1f} s\n", publisher.last(),
                   static_cast<double>(info->State.Bytes) / 1e6, wanted_.nodes, seconds_since(begin));
        fleet::RunEntry entry;
        entry.host = name_.host;
        entry.capture = name_.capture;
        entry.boot = "boot";
        entry.shard = name_.shard;
        entry.started_ns = entry.seen_ns = entry.ended_ns = 1;
        entry.published = static_cast<std::uint64_t>(wanted_.events * 1e6);
        const auto bucket = fleet::open_bucket(connection, fleet::captures_bucket(name_.fleet));
        const std::string key = fleet::capture_key(entry.host, entry.capture);
        return (bucket && kvStore_PutString(nullptr, bucket->get(), key.c_str(), entry.json().c_str()) == NATS_OK) ||
               fail("the registry does not take the capture");
    }
    // As the window does it, but for drawing.
    void look_at(const std::string& target) const {
        const auto begin = Clock::now();
        auto source = ingest::FileSource::open(target);
        if (!source) return static_cast<void>(fail(source.error().message));
        store::Session session;
        ingest::FrameApplier applier(session);
        while (source->step(applier, std::chrono::seconds(1))) {
        }
        fmt::print("  opened, {} events on {} channels{}: {:.2f} s\n", session.events(), session.lanes().size(),
                   source->is_paged() ? "" : " (NOT PAGED)", seconds_since(begin));
        const std::uint64_t first = session.origin().start_tick;
        const std::uint64_t width = session.clock().to_tick(1'000'000'000) - session.clock().to_tick(0);
        std::mt19937_64 random(1);
        std::vector<double> took;
        for (int i = 0; i < wanted_.ranges; ++i) {
            const std::uint64_t from = first + random() % (session.last_tick() - first - width);
            const auto asked = Clock::now();
            while (!are_here(session, from, from + width) && Clock::now() - asked < std::chrono::seconds(60)) {
                std::this_thread::sleep_for(std::chrono::microseconds(200));
                source->poll();
            }
            took.push_back(1e3 * seconds_since(asked));
        }
        const auto spread = percentiles(took);
        fmt::print("  all rows of 1 ms somewhere: {:.1f} ms (p50), {:.1f} ms (p99) of {}\n", spread.p50, spread.p99,
                   took.size());
    }
    static bool are_here(const store::Session& session, std::uint64_t from, std::uint64_t until) {
        bool all = true;
        for (const store::Lane* lane : session.lanes()) all = lane->is_here(from, until, 1000) && all;
        return all;
    }

    FleetOpen wanted_;
    support::TempDir folder_;
    support::NatsCluster cluster_;
    support::PublishedName name_;
};

}  // namespace

int run_fleet_open(const FleetOpen& wanted) {
    fmt::print("machine: {}\n", machine());
    Opening opening(wanted);
    if (!opening.prepare()) return 3;
    opening.ask();
    return 0;
}

}  // namespace sla::bench
