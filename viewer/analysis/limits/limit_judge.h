// LimitJudge: many limits held against one capture together, so that a file is read once. Private to the room.
#pragma once

#include "viewer/analysis/intervals/hidden.h"
#include "viewer/analysis/known_extents.h"
#include "viewer/analysis/limits/interval_check.h"
#include "viewer/analysis/limits/judge.h"
#include "viewer/analysis/limits/verdict.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sla::analysis {

// One limit about one channel or pair, and where its finding goes.
struct LimitJob {
    const Limit* limit = nullptr;
    const store::Lane* lane = nullptr;
    const store::Lane* end = nullptr;  // of a pair
    std::size_t finding = 0;

    [[nodiscard]] std::string channel() const {
        const std::string& name = lane->channel().name;
        return end == nullptr ? name : name + "->" + end->channel().name;
    }
    // For the errors of its times.
    [[nodiscard]] time::ClockMap clock(const store::Session& session) const {
        return session.clock_between(*lane, end == nullptr ? *lane : *end);
    }
    // Of so many intervals one place matters, or none of them does.
    [[nodiscard]] bool has_one_place() const {
        return limit->share == Share::kEvery || limit->share == Share::kMin || limit->share == Share::kMax;
    }
};

// Of channels that a pattern matches, those that have spans or levels, or nothing at all: it was not meant for the others.
std::vector<const store::Lane*> with_widths(std::vector<const store::Lane*> lanes);

// Findings stand in order of the limits.
class LimitJudge {
public:
    LimitJudge(const store::Session& session, const Selection& range, const CheckProgress& progress, Reading reading)
        : session_(session), range_(range), progress_(progress), reading_(reading) {}

    // Fails when no channel is called so.
    Result<void> add(const Limit& limit);
    void add(Finding finding) { findings_.push_back(std::move(finding)); }
    [[nodiscard]] std::size_t size() const { return findings_.size(); }
    std::vector<Finding> findings() &&;

private:
    Result<void> add_filtered(const Limit& limit);
    void look_for_unreadable(const std::vector<const store::Lane*>& lanes);
    const KnownExtents& extents();
    void add_job(const Limit& limit, const store::Lane& lane, const store::Lane* end);
    void walk_rows();
    void walk_pages();
    void count_hidden(const LimitJob& job);
    // Gives those that the rows can decide better.
    std::vector<LimitJob> judge_shares(const std::vector<LimitJob>& jobs, bool from_sums);
    [[nodiscard]] bool goes_on(double share) { return stopped_ ? false : !(stopped_ = progress_ && !progress_(share)); }

    const store::Session& session_;
    const Selection& range_;
    const CheckProgress& progress_;
    const Reading reading_;
    std::vector<Finding> findings_;
    std::vector<LimitJob> by_row_;         // what is in memory, and pairs
    std::vector<LimitJob> by_page_;        // rows stay in a file: one place matters
    std::vector<LimitJob> shares_;         // and: percentiles, means
    std::optional<KnownExtents> extents_;  // made when they are asked for
    bool stopped_ = false;
};

}  // namespace sla::analysis
