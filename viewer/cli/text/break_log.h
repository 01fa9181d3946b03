// BreakLog: what is said of limits that break while one watches. So many a second are said each by itself, the first of each
// limit and channel before others; the rest are counted, and their numbers are said at the second's end. Nothing is left out.
//
//   breaks of a second    1 2 3 4 5 │ 6 ... 40213      said: 5 breaks, then "40208 more"
//
// One owner, one thread; the owner's clock.
#pragma once

#include "viewer/analysis/limits/break_listener.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sla::cli {

struct Said {
    enum class What : std::uint8_t { kBreak, kMore, kLoss, kMoreLosses };
    What what = What::kBreak;
    // Of kMore without a limit: of many. Of losses `channel` only, and how many events `number` were lost.
    analysis::Finding finding;
    std::uint64_t number = 1;
};

class BreakLog final : public analysis::BreakListener {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t kMost =
        20;  // breaks a second, twice as many when most are of different limits or channels;
    static constexpr std::size_t kOfOne = 5;    // of one limit and channel
    static constexpr std::size_t kLosses = 10;  // a second

    bool wants(const analysis::LimitName& name) override;
    void on_break(analysis::Finding finding) override { breaks_.push_back({Said::What::kBreak, std::move(finding), 1}); }
    void on_loss(const store::Lane& lane, const store::Gap& gap) override;

    // What is to be said now, in order of place; behind a second that is over, or when `is_end`, the numbers of the others.
    std::vector<Said> take(Clock::time_point now, bool is_end = false);
    // Since it was made.
    [[nodiscard]] bool has_broken() const { return has_broken_; }

private:
    struct Counted {
        std::size_t said = 0;
        std::uint64_t more = 0;
    };
    void end_second(std::vector<Said>& out);

    std::vector<Said> breaks_;
    std::map<std::pair<std::string, std::string>, Counted> second_;  // by limit and channel
    std::size_t said_ = 0;
    std::size_t losses_said_ = 0;
    std::uint64_t more_losses_ = 0;
    std::uint64_t more_lost_ = 0;
    std::optional<Clock::time_point> ends_;  // the second
    bool has_broken_ = false;
};

}  // namespace sla::cli
