#include "viewer/ingest/follow/followed_events.h"

#include "proto/wire/address.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/ingest/follow/followed_fleet_events.h"
#include "viewer/ingest/follow/passed_rows.h"
#include "viewer/ingest/open.h"
#include "viewer/ingest/stream_client.h"

#include <utility>

namespace sla::ingest {

namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kRowsInMemory = std::uint64_t{32} << 20;  // bytes
constexpr milliseconds kAtOnce{100};                              // of taking in

class AgentEvents final : public FollowedEvents {
public:
    explicit AgentEvents(StreamOptions options) : client_(std::move(options)) {
        applier_.on_growth([this](store::Lane& lane) { passed_.tend(lane); });
        client_.start();
    }

    Result<void> take_in(milliseconds wait) override {
        client_.wait(wait);
        client_.poll(applier_, kAtOnce);
        const StreamReport report = client_.report();
        if (report.state != StreamState::kLost || !client_.drained()) return {};
        session_.set_ended(session_.watermark(), report.message);  // what is here is all there will be
        return unavailable(report.message);
    }
    [[nodiscard]] const store::Session& session() const override { return session_; }
    [[nodiscard]] std::uint64_t final_tick() const override { return session_.final_tick(); }
    [[nodiscard]] std::uint64_t known_tick() const override { return known_.value_or(session_.watermark()); }
    [[nodiscard]] std::uint64_t begins() const override { return begins_; }
    [[nodiscard]] std::uint64_t given(const store::Lane& /*lane*/) const override { return 0; }
    // The agent says what it left out; when that is nothing, the first row is the first there ever was.
    [[nodiscard]] std::uint64_t begins_now() const override {
        if (session_.history()) return session_.history()->from_tick;
        return session_.is_empty() ? session_.watermark() + 1 : session_.first_tick();
    }
    [[nodiscard]] std::string name_of(const store::Lane& lane) const override {
        return std::to_string(lane.channel().id.value);
    }
    void pass(std::uint64_t until) override {
        begins_ = until;
        passed_.pass(until - 1);
        session_.note_shown();
    }
    void stop() override {
        client_.poll(applier_, kAtOnce);  // what has come and was not taken in yet
        known_ = session_.watermark();
        session_.set_watermark(session_.last_tick());
    }
    [[nodiscard]] std::string take_news() override { return {}; }

private:
    store::Session session_;
    FrameApplier applier_{session_};
    PassedRows passed_{session_, kRowsInMemory};
    StreamClient client_;
    std::uint64_t begins_ = 0;
    std::optional<std::uint64_t> known_;  // when it was stopped
};

Result<std::unique_ptr<FollowedEvents>> follow_agent(const wire::Address& address, const FollowedEventsOptions& options) {
    StreamOptions stream;
    stream.address = address;
    stream.client = options.client;
    stream.channels = options.channels;
    stream.skip_history = !options.from_ps && !options.knows_begin;
    if (!options.from_ps && options.knows_begin) {
        stream.last_ns = 1;
        stream.show_history = true;
    }
    if (options.from_ps) {
        const auto from = history_from(address, options.client, *options.from_ps, options.goes_on);
        if (!from.ok()) return from.error();
        stream.from_tick = *from;
    }
    return std::unique_ptr<FollowedEvents>(std::make_unique<AgentEvents>(std::move(stream)));
}

}  // namespace

Result<std::unique_ptr<FollowedEvents>> FollowedEvents::open(const std::string& target,
                                                             const FollowedEventsOptions& options) {
    if (fleet::is_fleet_address(target)) return follow_fleet(target, options);
    if (target.empty()) return follow_agent(wire::default_address(), options);
    const auto address = wire::parse_address(target);
    if (!address.ok()) return address.error();
    return follow_agent(*address, options);
}

}  // namespace sla::ingest
