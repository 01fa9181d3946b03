#include "viewer/cli/commands/stats_follow.h"

#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"
#include "viewer/analysis/value_follower.h"
#include "viewer/cli/follow.h"
#include "viewer/formats/table/followed_statistics.h"
#include "viewer/formats/table/value_table.h"
#include "viewer/store/machine_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace sla::cli {

namespace {

using analysis::FinalRows;
using formats::FollowedStatistics;
using formats::Stretch;

constexpr std::int64_t kLeastEveryPs = time::kPicosecondsPerSecond / 100;

Result<std::int64_t> every_ps(const std::string& typed) {
    if (typed.empty()) return time::kPicosecondsPerSecond;
    const auto ps = time::parse_duration(typed);
    if (!ps.ok()) return invalid_input("--every: " + ps.error().message);
    if (*ps < kLeastEveryPs) return invalid_input("--every " + typed + " is too short: 10ms at the least");
    return *ps;
}

// What is counted: rows of an interval, and its numbers, which are written.
struct Counting {
    std::function<void(const FinalRows&)> go_on;
    std::function<Result<void>(const store::Session&, const Stretch&, bool is_last)> write;
};

// Parts what becomes final into intervals of equal length. One that is full is written when more is known than it holds: what
// has begun and not ended is counted in the last one, and which that is only the end tells.
class Intervals {
public:
    // `channels`: what is counted, as globs; none: all.
    Intervals(std::int64_t every_ps, std::vector<std::string> channels, Counting counting)
        : every_ps_(every_ps), channels_(std::move(channels)), counting_(std::move(counting)) {}

    Result<void> take(const FinalRows& rows) {
        const store::Session& session = rows.session;
        if (has_begun_ && start_tick_ != session.origin().start_tick) {
            warn("the interval that ran is left out: times count from elsewhere now");
            has_begun_ = false;
        }
        if (!has_begun_) begin(session, rows.from);
        if (rows.from < from_) tell_late(rows);
        const std::uint64_t known = rows.machine_until();
        const std::uint64_t end = end_of_all(rows);
        if (known < end && from_ < known) {
            if (auto counted = count(rows, known); !counted.ok()) return counted;
            if (auto ended = end_at(session, known, session.clock().to_ps(known)); !ended.ok()) return ended;
        }
        return count(rows, end);
    }
    // What there is of the last one.
    Result<void> finish(const store::Session& session) {
        if (!has_begun_ || reached_ <= from_) return {};
        const std::int64_t reached_ps = reached_ == until_ ? until_ps_ : session.clock().to_ps(reached_);
        return counting_.write(session, {from_ps_, reached_ps}, true);
    }

private:
    // Where nothing more is to come, rows of sources that make up their time may lie beyond what is known of the others: they are
    // counted behind it, in intervals of their own.
    [[nodiscard]] std::uint64_t end_of_all(const FinalRows& rows) const {
        std::uint64_t end = rows.machine_until();
        if (end == rows.until) return end;
        for (const store::Lane* lane : rows.session.lanes()) {
            if (is_counted(*lane) && !lane->empty() && store::has_own_time(rows.session, *lane))
                end = std::max(end, lane->last_tick() + 1);
        }
        return std::min(end, rows.until);
    }
    [[nodiscard]] bool is_counted(const store::Lane& lane) const {
        return channels_.empty() || analysis::is_called_any_of(lane.channel().name, channels_);
    }
    Result<void> count(const FinalRows& rows, std::uint64_t end) {
        while (until_ < end) {
            go_on(rows, until_);
            if (auto ended = end_at(rows.session, until_, until_ps_); !ended.ok()) return ended;
        }
        reached_ = std::max(end, from_);
        go_on(rows, reached_);
        return {};
    }
    // All up to there was counted; the next interval begins.
    Result<void> end_at(const store::Session& session, std::uint64_t tick, std::int64_t ps) {
        if (auto written = counting_.write(session, {from_ps_, ps}, false); !written.ok()) return written;
        from_ = tick;
        from_ps_ = ps;
        find_end(session);
        return {};
    }
    void begin(const store::Session& session, std::uint64_t from) {
        has_begun_ = true;
        start_tick_ = session.origin().start_tick;
        from_ = from;
        from_ps_ = session.clock().to_ps(from);
        find_end(session);
    }
    // Times end after 106 days; ticks go on.
    void find_end(const store::Session& session) {
        const time::ClockMap& clock = session.clock();
        const bool has_time = !__builtin_add_overflow(from_ps_, every_ps_, &until_ps_);
        if (!has_time) until_ps_ = time::kMaxPs;
        const std::uint64_t length = clock.to_tick(every_ps_) - clock.origin_tick();
        until_ = std::max(has_time ? clock.to_tick(until_ps_) : from_ + length, from_ + 1);
    }
    // Rows of before, of hosts that come later, belong to intervals that were written.
    void tell_late(const FinalRows& rows) const {
        std::uint64_t late = 0;
        for (const store::Lane* lane : rows.session.lanes()) {
            if (!is_counted(*lane)) continue;
            const std::uint64_t first = std::max(lane->lower_bound(rows.from), rows.given_of(*lane));
            const std::uint64_t end = lane->lower_bound(std::min(from_, rows.until));  // the others come in the next turn
            late += end > first ? lane->events_in(first, end) : 0;
        }
        if (late > 0)
            warn(fmt::format("{} {} counted in no interval: theirs {} written before their host or capture was there", late,
                             late == 1 ? "event is" : "events are", late == 1 ? "was" : "were"));
    }
    void go_on(const FinalRows& rows, std::uint64_t until) {
        counting_.go_on({rows.session, std::max(rows.from, from_), until, rows.name_of, rows.given, rows.known});
    }

    std::int64_t every_ps_;
    std::vector<std::string> channels_;
    Counting counting_;
    bool has_begun_ = false;
    std::uint64_t start_tick_ = 0;  // of the axis
    std::uint64_t from_ = 0;        // the interval
    std::uint64_t until_ = 0;
    std::int64_t from_ps_ = 0;
    std::int64_t until_ps_ = 0;
    std::uint64_t reached_ = 0;  // so far
};

// Where it goes: a block for people, or rows of one table.
template <typename Rows>
Result<void> write_interval(const store::Session& session, const Stretch& stretch, const Rows& rows,
                            formats::PeopleTable (*people)(const store::Session&, const Rows&), formats::Output& out,
                            FollowedStatistics* table) {
    if (table != nullptr) return table->add(session, stretch, rows);
    const formats::PeopleTable block = people(session, rows);
    return out.write(fmt::format("{} to {}\n{}\n", time::format_duration(stretch.begin_ps),
                                 time::format_duration(stretch.until_ps), block.size() == 0 ? "no events\n" : block.text()));
}

Counting counting_of(const analysis::StatisticsWanted& wanted, bool of_values, formats::Output& out,
                     FollowedStatistics* table) {
    if (of_values) {
        const auto follower = std::make_shared<analysis::ValueFollower>(wanted.channels);
        return {[=](const FinalRows& rows) { follower->go_on(rows); },
                [=, &out](const store::Session& session, const Stretch& stretch, bool /*is_last*/) {
                    return write_interval(session, stretch, follower->take_rows(), formats::people_values, out, table);
                }};
    }
    const auto follower = std::make_shared<analysis::StatisticsFollower>(wanted);
    return {[=](const FinalRows& rows) { follower->go_on(rows); },
            [=, &out](const store::Session& session, const Stretch& stretch, bool is_last) {
                const auto rows = is_last ? follower->take_last_rows(session) : follower->take_rows(session);
                return write_interval(session, stretch, rows, people_statistics, out, table);
            }};
}

// What an agent must send; none: all.
std::vector<std::string> channels_of(const analysis::StatisticsWanted& wanted) {
    return wanted.pairs.empty() ? wanted.channels : std::vector<std::string>();
}

}  // namespace

void StatisticsWatch::add_to(common::Command& command) {
    const common::Option follow = command.add_flag(
        "-f,--follow", follows,
        "Of an agent or a fleet: statistics of one interval after the other, from now on, or from --from on, until Ctrl-C, "
        "--to, or the end of what is followed (> F grows with them, -o F appears at the end)");
    command.add_option("--every", every, "With --follow: how long an interval is, as in 10s; default: 1s")
        .value_name("TIME")
        .needs(follow);
}

Result<void> StatisticsWatch::check(bool exact) const {
    if (follows && exact) return invalid_input("--exact is for large files: with --follow all numbers are exact");
    return {};
}

int StatisticsWatch::run(const InputOptions& input, const analysis::StatisticsWanted& wanted, bool of_values,
                         const OutputOptions& output) const {
    const auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    if (const auto good = input.check(); !good.ok()) return complain(good.error());
    for (const std::string& pair : wanted.pairs) {
        if (const auto good = analysis::check_pair(pair); !good.ok()) return complain(good.error());
    }
    const auto length = every_ps(every);
    if (!length.ok()) return complain(length.error());
    auto followed = Followed::open(input, {"sla stats", channels_of(wanted), true});
    if (!followed.ok()) return complain(followed.error());
    auto out = formats::Output::open(output.path);
    if (!out.ok()) return complain(out.error());
    std::optional<FollowedStatistics> table;
    if (!output.is_for_people(*format))
        table.emplace(*out, *format, of_values ? FollowedStatistics::Of::kValues : FollowedStatistics::Of::kTimes);
    Intervals intervals(*length, wanted.channels, counting_of(wanted, of_values, *out, table ? &*table : nullptr));
    const auto ended =
        followed->run([&](const FinalRows& rows) { return intervals.take(rows); }, [&] { return out->is_closed(); });
    Result<void> written = intervals.finish(followed->session());
    if (written.ok()) written = table ? table->finish() : out->finish();
    if (!written.ok()) return complain(written.error());
    if (!ended.ok()) return complain(ended.error());
    followed->remark_end();
    return kDone;
}

}  // namespace sla::cli
