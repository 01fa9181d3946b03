#include "viewer/ingest/follow/followed_fleet_events.h"

#include "viewer/ingest/follow/opened_fleet.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <thread>
#include <unordered_map>
#include <utility>

namespace sla::ingest {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kCacheBytes = std::size_t{64} << 20;
constexpr std::uint64_t kMaxFollowed = std::uint64_t{64} << 20;  // frames
constexpr std::chrono::seconds kBetweenOpenings{3};
constexpr int kOpeningsShare = 5;  // of the time, one in so many is spent opening
constexpr milliseconds kBetweenTakes{50};
constexpr std::int64_t kNearPs = 1'000'000'000;

class FleetEvents final : public FollowedEvents {
public:
    FleetEvents(std::string address, FollowedEventsOptions options)
        : address_(std::move(address)), options_(std::move(options)) {}

    Result<void> start() {
        auto opened = open();
        if (!opened.ok()) return opened.error();
        fleet_ = std::move(*opened);
        if (!options_.from_ps) begin_now();
        return {};
    }

    Result<void> take_in(milliseconds wait) override {
        fleet_->source.poll();
        if (fleet_->follower == nullptr) return {};
        const auto until = Clock::now() + wait;
        while (!take_some() && Clock::now() < until) std::this_thread::sleep_for(kBetweenTakes);
        const FollowReport report = fleet_->follower->report();
        note(report.message);
        const bool is_time = Clock::now() >= next_opening_;
        if (is_time && (report.wants_reopening || fleet_->bytes >= kMaxFollowed)) open_anew();
        return {};
    }
    [[nodiscard]] const store::Session& session() const override { return fleet_->session; }
    [[nodiscard]] std::uint64_t final_tick() const override {
        return known_ ? fleet_->session.watermark() : fleet_->final_tick();
    }
    [[nodiscard]] std::uint64_t known_tick() const override {
        return known_.value_or(has_ended() ? fleet_->session.watermark() : fleet_->final_tick());
    }
    [[nodiscard]] std::uint64_t begins() const override { return begins_; }
    [[nodiscard]] std::uint64_t given(const store::Lane& lane) const override {
        const auto found = given_.find(&lane);
        return found == given_.end() ? 0 : found->second;
    }
    [[nodiscard]] std::string name_of(const store::Lane& lane) const override { return fleet_->name_of(lane); }
    void pass(std::uint64_t until) override {
        begins_ = until;
        if (begins_ >= given_until_) given_.clear();
        fleet_->session.note_shown();
    }
    void stop() override {
        known_ = known_tick();
        fleet_->session.set_watermark(fleet_->session.last_tick());
    }
    [[nodiscard]] std::string take_news() override { return std::exchange(news_, {}); }

private:
    // Rows that are there already are not new, though the host furthest behind has none of their time: it may have been silent
    // for an hour.
    void begin_now() {
        begins_ = fleet_->follower == nullptr ? store::kNever : fleet_->reached + 1;
        given_until_ = std::max(fleet_->session.last_tick(), fleet_->watermark_then) + 1;
        for (const store::Lane* lane : fleet_->session.lanes()) given_[lane] = lane->size();
    }
    Result<std::unique_ptr<OpenedFleet>> open() {
        const auto begin = Clock::now();
        FileOptions file;
        file.rows_in_memory = 0;
        file.cache_bytes = kCacheBytes;
        file.is_followed = true;
        file.progress = [this](double) { return options_.goes_on(); };
        auto followed = open_followed(address_, file);
        if (!followed.ok()) return followed.error();
        auto opened = std::make_unique<OpenedFleet>(std::move(*followed), options_.goes_on);
        next_opening_ = Clock::now() + std::max<Clock::duration>(kBetweenOpenings, kOpeningsShare * (Clock::now() - begin));
        return opened;
    }
    bool take_some() {
        const auto until = Clock::now() + OpenedFleet::kTakenAtOnce;
        bool some = false;
        while (const std::shared_ptr<const FrameItem> item = fleet_->follower->next()) {
            fleet_->applier.apply(*item);
            fleet_->bytes += item->bytes;
            some = true;
            if (Clock::now() >= until) break;
        }
        return some;
    }
    // The servers may not answer for now: it goes on with what there is.
    void open_anew() {
        auto opened = open();
        if (!opened.ok()) {
            note(opened.error().message);
            next_opening_ = Clock::now() + kBetweenOpenings;
            return;
        }
        find_late(**opened);
        fleet_ = std::move(*opened);
    }
    [[nodiscard]] bool is_on_axis_of(const store::Session& other) const {
        const store::Origin& mine = fleet_->session.origin();
        return mine.boot_id == other.origin().boot_id && mine.start_tick == other.origin().start_tick;
    }
    // A tick on the other session's axis, which is another host's when the one that began first is gone.
    [[nodiscard]] std::uint64_t on_axis_of(const store::Session& other, std::uint64_t tick) const {
        if (is_on_axis_of(other)) return tick;
        const std::int64_t utc_ns = fleet_->session.wall().utc_ns(tick);
        return other.clock().to_tick((utc_ns - other.wall().utc_ns(other.origin().start_tick)) * 1000);
    }
    // Up to where a lane was walked over. The oldest rows of a fleet go meanwhile, so that places count for nothing.
    struct Walked {
        bool has_rows = false;
        std::uint64_t last_tick = 0;
        std::uint64_t of_last = 0;  // rows with that tick; 0: all that have it
    };
    [[nodiscard]] Walked walked(const store::Lane& lane) const {
        const std::uint64_t rows = std::max(lane.lower_bound(begins_), given(lane));
        if (rows == 0) return {};
        if (rows == lane.size()) return {true, lane.last_tick(), 0};
        const std::uint64_t tick = lane.tick(rows - 1);
        return {true, tick, lane.tick(rows) > tick ? 0 : rows - lane.lower_bound(tick)};
    }
    // How many rows of that lane were walked over. On another axis ticks are rounded: the row nearest to the last one is it.
    [[nodiscard]] std::uint64_t known_rows(const OpenedFleet& other, const store::Lane& lane, const Walked& until) const {
        if (!until.has_rows || lane.empty()) return 0;
        const std::uint64_t tick = on_axis_of(other.session, until.last_tick);
        if (is_on_axis_of(other.session))
            return until.of_last == 0 ? lane.lower_bound(tick + 1)
                                      : std::min(lane.lower_bound(tick) + until.of_last, lane.lower_bound(tick + 1));
        const time::ClockMap& clock = other.session.clock();
        const std::uint64_t near = clock.to_tick(kNearPs) - clock.origin_tick();
        const std::uint64_t at = lane.lower_bound(tick);
        const std::uint64_t behind = at < lane.size() ? lane.tick(at) - tick : store::kNever;
        const std::uint64_t before = at > 0 ? tick - lane.tick(at - 1) : store::kNever;
        return behind <= near && behind < before ? at + 1 : at;
    }
    // Rows of a host or a capture that was not there are new though others of their time were walked over.
    void find_late(const OpenedFleet& other) {
        if (!is_on_axis_of(other.session)) add_news("times count from the start of another host's capture from here on");
        std::map<std::string, std::deque<Walked>> walked_of;  // lanes of one name in their order
        for (const store::Lane* lane : fleet_->session.lanes()) walked_of[fleet_->name_of(*lane)].push_back(walked(*lane));
        const std::uint64_t passed = on_axis_of(other.session, begins_);
        given_until_ = begins_ < given_until_ ? on_axis_of(other.session, given_until_) : passed;
        given_.clear();
        begins_ = passed;
        std::uint64_t late = 0;
        for (const store::Lane* lane : other.session.lanes()) {
            const std::uint64_t rows = lane->lower_bound(passed);
            std::deque<Walked>& same = walked_of[other.name_of(*lane)];
            const std::uint64_t known = same.empty() ? 0 : known_rows(other, *lane, same.front());
            if (!same.empty()) same.pop_front();
            given_[lane] = known;
            if (known >= rows) continue;
            late += rows - known;
            begins_ = std::min(begins_, lane->tick(known));
        }
        if (late == 0) return;
        add_news(fmt::format("{} rows came late, from before the last one: their host or capture was not there yet", late));
    }
    void note(const std::string& message) {
        if (message != noted_ && !message.empty()) add_news(message);
        noted_ = message;
    }
    void add_news(const std::string& text) { news_ += (news_.empty() ? "" : "; ") + text; }

    std::string address_;
    FollowedEventsOptions options_;
    std::unique_ptr<OpenedFleet> fleet_;
    Clock::time_point next_opening_;
    std::uint64_t begins_ = 0;
    std::optional<std::uint64_t> known_;                           // when it was stopped
    std::unordered_map<const store::Lane*, std::uint64_t> given_;  // where late rows come, as long as begins_ is
    std::uint64_t given_until_ = 0;                                // below this
    std::string noted_;
    std::string news_;
};

}  // namespace

Result<std::unique_ptr<FollowedEvents>> follow_fleet(const std::string& address, const FollowedEventsOptions& options) {
    auto events = std::make_unique<FleetEvents>(address, options);
    if (auto started = events->start(); !started.ok()) return started.error();
    return std::unique_ptr<FollowedEvents>(std::move(events));
}

}  // namespace sla::ingest
