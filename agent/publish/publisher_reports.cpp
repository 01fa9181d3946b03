// What the publisher says of its runs: to the fleet's registry, to the last word on them, and to its own agent's status.
#include "agent/publish/publisher.h"
#include "proto/fleet/names.h"
#include "proto/fleet/streams.h"
#include "proto/fleet/talk.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

namespace sla::publish {
namespace {

constexpr std::chrono::seconds kWorthALine{5};  // an election is over by then

// Of the run that is recorded; with what was published they make what it produced.
struct Sums {
    std::uint64_t dropped = 0;
    std::uint64_t left = 0;
};

Sums sums_of(const Shipment& shipment, const Recording::State& live) {
    const std::uint64_t done_with = shipment.events() + shipment.lost();
    return {live.dropped + shipment.lost(), live.events - std::min(live.events, done_with)};
}

}  // namespace

fleet::RunEntry Publisher::entry_of(const Shipment& shipment, const Recording::State* live) const {
    const Run& run = shipment.run();
    fleet::RunEntry entry;
    entry.host = run.host;
    entry.capture = run.capture;
    entry.boot = run.boot;
    entry.shard = settings_ ? fleet::shard_of(run.host, settings_->shards) : 0;
    entry.agent = run.agent;
    entry.pid = run.pid;
    entry.started_ns = run.started_ns;
    entry.ended_ns = run.ended_ns;
    entry.seen_ns = fleet::now_utc_ns();
    entry.published = shipment.events();
    entry.dropped = std::max(run.dropped, shipment.missed()) + shipment.lost();
    entry.lost_at_end = run.lost_at_end;
    entry.pieces = run.pieces_done;
    if (live != nullptr) {
        const Sums sums = sums_of(shipment, *live);
        entry.dropped = sums.dropped;
        entry.left = sums.left;
        entry.pieces = live->pieces;
        entry.ticks_per_second = live->ticks_per_second;
        entry.clock = live->clock;
        entry.clock_health = live->clock_health;
        entry.spool_bytes = spool_->bytes();
        entry.spool_limit = spool_->limit();
        entry.problem = problem_of(*live);
    }
    entry.produced = entry.published + entry.dropped + entry.left;
    return entry;
}

void Publisher::report_to_registry(Time now) {
    if (!sender_ || !settings_ || !sender_->connection().is_connected()) return;
    if (now < next_entry_ && !box_.take_refused_entry()) return;
    next_entry_ = now + options_.report_every;
    const Recording::State live = recording_.state();
    look_whether_listed();
    const fleet::RunEntry entry = entry_of(*shipments_.front(), &live);
    const std::string json = entry.json();
    (void)sender_->put(fleet::hosts_bucket(options_.fleet), entry.host, json);
    (void)sender_->put(fleet::captures_bucket(options_.fleet), fleet::capture_key(entry.host, entry.capture), json);
    log_unlisted(entry);
}

// An entry that was refused before was taken since.
void Publisher::look_whether_listed() {
    if (unlisted_.why.empty() || box_.order().newest(unlisted_.subject) == unlisted_.newest) return;
    unlisted_.why.clear();
    spdlog::info("the fleet's registry learns of this capture");
}

// Chunks may be accepted where the registry's entries are not: who may not write them is told a moment later, and only so.
void Publisher::log_unlisted(const fleet::RunEntry& entry) {
    const std::uint64_t before = std::exchange(unlisted_.complaints, sender_->connection().complaints());
    for (const std::string& subject :
         {Sender::subject_of(fleet::hosts_bucket(options_.fleet), entry.host),
          Sender::subject_of(fleet::captures_bucket(options_.fleet), fleet::capture_key(entry.host, entry.capture))}) {
        const std::string complaint = sender_->connection().complaint_about(subject, before);
        if (!unlisted_.why.empty() || complaint.find(subject) == std::string::npos) continue;
        unlisted_.why = "the fleet's registry does not learn of this capture, and nobody finds it: " + complaint;
        unlisted_.subject = subject;
        unlisted_.newest = box_.order().newest(subject);
        spdlog::warn("{}; `sla fleet setup` prints the permissions that an agent needs", unlisted_.why);
    }
}

void Publisher::begin_stream_anew(std::uint32_t shard) {
    for (const auto& shipment : shipments_) {
        if (settings_ && fleet::shard_of(shipment->run().host, settings_->shards) == shard) shipment->start_over();
    }
    spdlog::warn("the stream {} was made anew, and what it held is gone: what is still in the spool is published once more",
                 fleet::stream_name(options_.fleet, shard));
}

std::string Publisher::problem_of(const Recording::State& live) const {
    return !problem_.empty() ? problem_ : !live.problem.empty() ? live.problem : unlisted_.why;
}

void Publisher::update_figures() {
    const Recording::State live = recording_.state();
    const Shipment& shipment = *shipments_.front();
    next_.servers = options_.servers.text();
    next_.fleet = options_.fleet;
    next_.host = options_.host;
    next_.capture = capture_;
    next_.is_connected = sender_ && sender_->connection().is_connected();
    next_.problem = problem_of(live);
    if (next_.problem.empty() && !next_.is_connected) next_.problem = "not connected";
    next_.published = shipment.events();
    const Sums sums = sums_of(shipment, live);
    next_.dropped = sums.dropped;
    next_.left = sums.left;
    next_.produced = next_.published + next_.dropped + next_.left;
    next_.spool_bytes = spool_->bytes();
    next_.spool_limit = spool_->limit();
    next_.unacknowledged = on_the_way_.count();
    next_.earlier_runs = shipments_.size() - 1;
    std::uint64_t memory = 2 * on_the_way_.bytes();  // in the message, and in the socket's buffer
    for (const auto& one : shipments_) memory += one->memory();
    memory_.store(memory, std::memory_order_relaxed);  // a figure: pairs with nothing
    std::lock_guard lock(mutex_);
    figures_ = next_;
}

// One line when nothing has been published for a while, and one when that is over: who started the agent sees no status.
void Publisher::log_problem(Time now) {
    const bool is_silent = !problem_.empty() || !next_.is_connected;
    if (!is_silent) {
        if (is_silence_logged_) spdlog::info("publishing to {} goes on", options_.servers.text());
        silent_since_.reset();
        is_silence_logged_ = false;
        return;
    }
    if (!silent_since_) silent_since_ = now;
    if (is_silence_logged_ || now - *silent_since_ < kWorthALine) return;
    is_silence_logged_ = true;
    if (sender_ && settings_ && sender_->connection().is_connected()) {  // is there such a fleet any more?
        const auto there = fleet::settings_of(sender_->connection(), options_.fleet);
        if (!there && there.error().code == ErrorCode::kNotFound) problem_ = there.error().message;
    }
    spdlog::warn("nothing is published: {}; what is recorded waits in the spool",
                 problem_.empty() ? "no server of " + options_.servers.text() + " can be reached" : problem_);
}

// True once the registry knows how the run ended, and nothing of it is left here. While a leader is elected that takes several
// tries.
bool Publisher::end_live_run() {
    Shipment& shipment = *shipments_.front();
    const Recording::State live = recording_.state();
    if (shipment.run().ended_ns == 0) shipment.run().ended_ns = fleet::now_utc_ns();
    shipment.run().dropped = live.dropped;
    shipment.run().lost_at_end = live.lost_at_end;
    fleet::RunEntry entry = entry_of(shipment, &live);
    if (entry.problem == unlisted_.why) entry.problem.clear();  // whoever reads the entry has found it
    const bool is_reported = report_for_good(entry, true, std::chrono::steady_clock::now());
    const bool is_over = is_reported && shipment.settle();
    if (is_over) shipment.forget();
    return is_over;
}

// The next agent says when it ended, and how much it was.
void Publisher::leave_live_run() {
    (void)spool_->write_down(shipments_.front()->run());  // on a full disk the next agent knows less
    spdlog::info("capture {} stays in the spool, the next agent brings it to its end", capture_);
}

// The last word on a run: until it is acknowledged, it is said again. True when it was.
bool Publisher::report_for_good(const fleet::RunEntry& entry, bool is_hosts_newest, Time now) {
    if (!sender_ || !settings_ || now < next_last_word_ || !sender_->connection().is_connected()) return false;
    const std::string json = entry.json();
    Result<void> reported =
        sender_->put_for_good(fleet::captures_bucket(options_.fleet), fleet::capture_key(entry.host, entry.capture), json);
    if (reported && is_hosts_newest) reported = sender_->put_for_good(fleet::hosts_bucket(options_.fleet), entry.host, json);
    if (reported) return true;
    problem_ = reported.error().message;
    next_last_word_ = std::chrono::steady_clock::now() + kAfterFailure;
    return false;
}

}  // namespace sla::publish
