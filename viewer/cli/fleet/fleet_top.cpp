// Rates and losses of a fleet's channels. Rows are counted as they come and not kept: it may run for days.
//
//   opened by indices ─► counts so far     FleetFollower ─► names to the session, rows to the counts ─► a moment a second
#include "viewer/cli/fleet/fleet_top.h"

#include "viewer/cli/interrupt.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/ingest/follow/fleet_follower.h"
#include "viewer/ingest/follow/open_followed.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

namespace sla::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kMoment{1};
constexpr std::chrono::seconds kQuiet{3};  // nothing is published: that is a moment too

// What is followed, opened once.
class OpenFleet {
public:
    static Result<std::unique_ptr<OpenFleet>> open(const std::string& address) {
        ingest::FileOptions options;
        options.rows_in_memory = 0;
        options.is_followed = true;
        options.progress = [](double) { return interrupted() == 0; };
        auto fleet = ingest::open_followed(address, options);
        if (!fleet.ok()) return fleet.error();
        std::unique_ptr<OpenFleet> out(new OpenFleet(std::move(fleet->source)));
        if (!out->read_indices()) return unavailable("stopped while " + fleet::shown_address(address) + " was opened");
        out->follower_ = std::make_unique<ingest::FleetFollower>(std::move(fleet->follow));
        return out;
    }
    // All that has come.
    void take() {
        while (interrupted() == 0) {
            const auto item = follower_->next();
            if (item == nullptr) return;
            if (item->what == ingest::FrameItem::What::kBatch) {
                counts_[item->batch.channel].add(item->batch);
            } else {
                applier_.apply(*item);
            }
        }
    }
    [[nodiscard]] ingest::FollowReport report() const { return follower_->report(); }
    [[nodiscard]] store::Session& session() { return session_; }
    [[nodiscard]] const std::map<ChannelId, ChannelCounts>& counts() const { return counts_; }

private:
    explicit OpenFleet(ingest::FileSource source) : source_(std::move(source)) {}
    // False: it is stopped.
    bool read_indices() {
        while (source_.step(applier_, std::chrono::milliseconds(100))) {
            if (interrupted() != 0) return false;
        }
        source_.go_on(applier_);
        for (const store::Lane* lane : session_.lanes()) counts_[lane->channel().id] = ChannelCounts::of(*lane);
        return true;
    }

    store::Session session_;
    ingest::FrameApplier applier_{session_};
    ingest::FileSource source_;
    std::map<ChannelId, ChannelCounts> counts_;
    std::unique_ptr<ingest::FleetFollower> follower_;
};

class FleetWatch final : public TopWatch {
public:
    FleetWatch(std::string address, std::unique_ptr<OpenFleet> fleet)
        : address_(std::move(address)), fleet_(std::move(fleet)) {}

    Result<void> run(const Each& each) override {
        for (bool on = true; on && interrupted() == 0;) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            fleet_->take();
            const ingest::FollowReport report = fleet_->report();
            if (report.wants_reopening) {  // another host, another capture: counted from their beginning
                auto anew = OpenFleet::open(address_);
                if (!anew.ok()) return interrupted() == 0 ? Result<void>(anew.error()) : Result<void>();
                fleet_ = std::move(*anew);
                forget_samples();
                reached_ = 0;
                continue;
            }
            if (is_moment()) on = each();
            if (report.live + report.silent == 0 && report.ended > 0 && has_rates()) return {};
        }
        return {};
    }
    [[nodiscard]] const store::Session& session() const override { return fleet_->session(); }
    [[nodiscard]] std::string head() const override {
        std::uint64_t rate = 0;
        std::uint64_t lost = 0;
        for (const auto& [id, counts] : now().channels) {
            rate += rate_between(before(), now(), id, session().clock().ticks_per_second());
            lost += counts.lost();
        }
        const ingest::FollowReport report = fleet_->report();
        const Result<fleet::FleetAddress> parsed = fleet::parse_fleet_address(address_);
        std::string head =
            fmt::format("{}: {} events/s, {} lost; {} hosts publish, {} silent, {} ended\n",
                        parsed.ok() ? parsed->text() : "fleet", rate, lost, report.live, report.silent, report.ended);
        return report.message.empty() ? head : head + report.message + "\n";
    }

private:
    // A second of what is published has come, or nothing for a while.
    bool is_moment() {
        const store::Session& session = fleet_->session();
        const double hz = session.clock().ticks_per_second();
        const auto now = Clock::now();
        const std::uint64_t watermark = std::max(session.watermark(), session.last_tick());
        const double waited = std::chrono::duration<double>(now - at_).count();
        const bool is_quiet = reached_ != 0 && now - at_ >= kQuiet;
        const bool has_come = watermark > reached_ && now - at_ >= kMoment;
        if (!has_come && !is_quiet) return false;
        Sample sample;
        sample.tick = watermark > reached_ ? watermark : reached_ + static_cast<std::uint64_t>(waited * hz);
        sample.channels = fleet_->counts();
        reached_ = sample.tick;
        at_ = now;
        take(std::move(sample));
        return true;
    }

    std::string address_;
    std::unique_ptr<OpenFleet> fleet_;
    std::uint64_t reached_ = 0;  // of the newest moment
    Clock::time_point at_ = Clock::now() - kMoment;
};

}  // namespace

Result<std::unique_ptr<TopWatch>> watch_fleet_channels(const std::string& address) {
    auto fleet = OpenFleet::open(address);
    if (!fleet.ok()) return fleet.error();
    return std::unique_ptr<TopWatch>(std::make_unique<FleetWatch>(address, std::move(*fleet)));
}

}  // namespace sla::cli
