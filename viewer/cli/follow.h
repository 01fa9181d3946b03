// Followed: an agent or a fleet as it goes on, for commands that walk over its rows once (`--follow`): until Ctrl-C, --to, or
// the end of what is followed.
#pragma once

#include "viewer/analysis/followed_lanes.h"
#include "viewer/cli/follow_end.h"
#include "viewer/cli/input.h"
#include "viewer/ingest/follow/followed_events.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sla::cli {

// An agent or a fleet, and no capture.
Result<void> check_followed(const InputOptions& input);

class Followed {
public:
    struct How {
        std::string client;                 // "sla table"
        std::vector<std::string> channels;  // globs; an agent sends only these
        bool knows_begin = false;           // it matters where exactly it begins, and that all before --to has come
    };
    // Of an input that was checked. Waits for it.
    static Result<Followed> open(const InputOptions& input, const How& how);

    // Walks over the rows that are final now and were not before, the last time over all that have come; they may be gone when it
    // returns. Of another session than before it may be none; behind --to only those of sources that make up their time.
    using Take = std::function<Result<void>(const analysis::FinalRows& rows)>;
    // Until nothing more is to come, or `stops`. An error: it ended as it should not.
    Result<void> run(const Take& take, const std::function<bool()>& stops);

    // Why nothing more comes, when that is so and run() did not return it.
    void remark_end() const;
    [[nodiscard]] const store::Session& session() const { return events_->session(); }
    // What was walked over so far: ticks [from, until).
    [[nodiscard]] const analysis::Selection& done() const { return done_; }

private:
    Followed(const InputOptions& input, const How& how, std::unique_ptr<ingest::FollowedEvents> events);
    Result<void> step(const Take& take);
    Result<void> take_final(const Take& take);
    bool note_session();
    void remark_missing();
    // --to is a tick that the machine has passed: have sources that make up their time got there, too?
    bool is_reached_by_all(std::uint64_t tick);

    const InputOptions& input_;
    How how_;
    analysis::TimeRange range_;
    std::unique_ptr<ingest::FollowedEvents> events_;
    analysis::Selection done_;
    const store::Session* session_ = nullptr;  // of the last look, and where its times count from
    std::uint64_t start_tick_ = 0;
    OwnTimes own_times_;
    bool waits_for_own_times_ = false;
    bool has_begun_ = false;
    bool is_settled_ = false;  // what comes first has come
    bool has_remarked_ = false;
    bool is_over_ = false;
    bool has_failed_ = false;
};

}  // namespace sla::cli
