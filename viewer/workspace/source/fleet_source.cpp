#include "viewer/workspace/source/fleet_source.h"

#include "viewer/fleet/fleet_address.h"
#include "viewer/ingest/follow/fleet_follower.h"
#include "viewer/ingest/follow/open_followed.h"
#include "viewer/timeline/readable.h"
#include "viewer/workspace/jobs/job_runner.h"
#include "viewer/workspace/source/closing.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

namespace sla::workspace {

namespace {

using Clock = std::chrono::steady_clock;

// One that was opened anew is shown then also where its ticks say nothing of how far it is: another host may be its axis.
constexpr std::chrono::seconds kCatchingUp{10};

class FleetSource final : public DataSource {
public:
    FleetSource(const std::string& address, const FleetPatience& patience, ReopeningPace pace)
        : address_(address),
          name_(fleet::shown_address(address)),
          patience_(patience),
          applier_(session_),
          pace_(std::move(pace)) {
        open();
    }
    ~FleetSource() override {
        close_beside(std::move(follower_));
        close_beside(std::make_shared<JobRunner::Job>(std::move(job_)));
        if (!source_) return;
        session_.hold(nullptr);
        close_beside(source_->take_pages());
    }
    FleetSource(const FleetSource&) = delete;
    FleetSource& operator=(const FleetSource&) = delete;

    store::Session& session() override { return session_; }

    [[nodiscard]] SourceStatus status() const override {
        SourceStatus status{is_full() ? SourceState::kFull : state_, name_, words(), 0, 0};
        if (state_ == SourceState::kLoading && source_) status.progress = source_->progress();
        if (state_ == SourceState::kLoaded) status.progress = 1;
        if (follower_ == nullptr) return status;
        status.bytes = follower_->bytes();
        status.memory_bytes = followed_bytes_;
        status.memory_limit = patience_.followed_bytes;
        return status;
    }

    void poll(std::chrono::milliseconds budget) override {
        if (opening_ != nullptr && !job_.is_running()) take(std::exchange(opening_, nullptr));
        if (!source_) return;
        if (!is_loaded_) {
            is_loaded_ = !source_->step(applier_, budget);
            if (!is_loaded_) return;
            state_ = SourceState::kLoaded;
            loaded_at_ = Clock::now();
            if (is_running_) follow();
        }
        source_->poll();
        if (follower_ != nullptr) take_followed(budget);
        if (next_ != nullptr) next_->poll(budget);
    }

    [[nodiscard]] bool can_run() const override { return is_running_; }
    void run() override {
        if (state_ == SourceState::kLost) {
            open();
        } else if ((state_ == SourceState::kStopped || state_ == SourceState::kEnded) && next_ == nullptr) {
            opening_problem_.clear();
            state_ = SourceState::kConnecting;
            open_anew();
        }
    }
    void stop() override {
        if (!is_running_ || !is_loaded_) return;
        state_ = SourceState::kStopped;
        message_.clear();
        opening_problem_.clear();
        next_.reset();
        close_beside(std::move(follower_));
    }

    [[nodiscard]] std::unique_ptr<DataSource> take_longer() override {
        if (next_ == nullptr) return nullptr;
        if (next_->state_ == SourceState::kLost) {
            opening_problem_ = next_->message_;
            next_.reset();
            if (follower_ == nullptr) state_ = SourceState::kStopped;  // as it was
            return nullptr;
        }
        if (!next_->is_loaded_) return nullptr;
        const bool has_caught_up = next_->session_.ended() || next_->session_.watermark() >= session_.watermark() ||
                                   Clock::now() - next_->loaded_at_ >= kCatchingUp;
        return has_caught_up ? std::move(next_) : nullptr;
    }

    [[nodiscard]] std::string target() const override { return address_; }

private:
    using Opened = std::optional<Result<ingest::FollowedFleet>>;

    void open() {
        state_ = SourceState::kLoading;
        message_.clear();
        opening_ = std::make_shared<Opened>();
        job_ = JobRunner::shared().start("opening a fleet", [address = address_, to = opening_](JobRunner::Control& job) {
            ingest::FileOptions options;
            options.cache_bytes = kPageCacheBytes;
            options.is_followed = true;
            options.progress = [&job](double) { return !job.is_cancelled(); };
            to->emplace(ingest::open_followed(address, options));
        });
    }
    void take(const std::shared_ptr<Opened>& opened) {
        if (!*opened || !**opened) {
            state_ = SourceState::kLost;
            message_ = *opened ? (**opened).error().message : "there is not enough memory to open " + name_;
            return;
        }
        ingest::FollowedFleet fleet = std::move(**opened).value();
        source_.emplace(std::move(fleet.source));
        follow_ = std::move(fleet.follow);
        follow_.silence = patience_.silence;
        is_running_ = fleet.is_running;
    }
    void follow() {
        source_->go_on(applier_);
        std::vector<std::string> captures;
        for (const ingest::FollowedHost& host : follow_.hosts) captures.push_back(host.run.host + "/" + host.run.capture);
        pace_.stands(loaded_at_, std::move(captures));
        follower_ = std::make_unique<ingest::FleetFollower>(std::move(follow_));
        state_ = SourceState::kLive;
    }
    void take_followed(std::chrono::milliseconds budget) {
        const auto until = Clock::now() + budget;
        while (followed_bytes_ < patience_.followed_bytes) {
            std::shared_ptr<const ingest::FrameItem> item = follower_->next();
            if (item == nullptr) break;
            applier_.apply(*item);
            followed_bytes_ += item->bytes;
            if (Clock::now() >= until) break;
        }
        const ingest::FollowReport report = follower_->report();
        message_ = report.message;
        state_ = session_.ended() ? SourceState::kEnded : SourceState::kLive;
        const ReopeningPace::Need need{.rows_are_many = followed_bytes_ >= patience_.followed_bytes / 2,
                                       .more_is_there = report.wants_reopening};
        if (state_ == SourceState::kLive && !need.rows_are_many && !need.more_is_there) opening_problem_.clear();
        if (next_ == nullptr && pace_.is_due(Clock::now(), need)) open_anew();
    }
    void open_anew() { next_ = std::make_unique<FleetSource>(address_, patience_, pace_); }
    // Until it is opened anew.
    [[nodiscard]] bool is_full() const {
        return state_ == SourceState::kLive && followed_bytes_ >= patience_.followed_bytes;
    }
    [[nodiscard]] std::string words() const {
        if (follower_ == nullptr) return message_.empty() ? opening_problem_ : message_;
        std::string words = message_;
        const auto add = [&](const std::string& more) { words += (words.empty() ? "" : ". ") + more; };
        if (is_full())
            add(fmt::format("What comes now is not shown until all is opened anew: the {} for rows that came since are full",
                            timeline::readable_bytes(static_cast<double>(patience_.followed_bytes))));
        if (!opening_problem_.empty())
            add("What more there is cannot be shown, as it could not be opened anew: " + opening_problem_);
        return words;
    }

    std::string address_;
    std::string name_;
    FleetPatience patience_;
    store::Session session_;
    ingest::FrameApplier applier_;
    std::optional<ingest::FileSource> source_;
    ingest::FollowOptions follow_;
    std::unique_ptr<ingest::FleetFollower> follower_;
    std::uint64_t followed_bytes_ = 0;
    SourceState state_ = SourceState::kLoading;
    std::string message_;
    std::string opening_problem_;  // why opening anew failed, while it is still wanted
    bool is_loaded_ = false;
    bool is_running_ = false;
    Clock::time_point loaded_at_;
    ReopeningPace pace_;
    std::unique_ptr<FleetSource> next_;  // the same, opened anew
    std::shared_ptr<Opened> opening_;    // the job's, until it has ended
    JobRunner::Job job_;
};

}  // namespace

std::unique_ptr<DataSource> make_fleet_source(const std::string& address, const FleetPatience& patience) {
    return std::make_unique<FleetSource>(address, patience, ReopeningPace(patience.reopening));
}

}  // namespace sla::workspace
