// Events a second, counted over a sliding window that ends now: both ends of [now - window, now] belong to it.
#include "proto/common/trigger/condition_parser.h"
#include "proto/common/trigger/primitive.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sla::trigger {
namespace {

// "At least k in the window" is all that any comparison needs, so the k newest ticks are all that is kept.
class Rate final : public Primitive {
public:
    explicit Rate(const Condition& condition) : compare_(condition.compare), ps_(condition.time_ps) {
        const long double limit = rate_limit(condition);
        whole_ = limit == std::floor(limit);
        const bool above = compare_ == Compare::kGreater || compare_ == Compare::kLessEqual;
        least_ = events_needed(limit, !above);
        ticks_.resize(std::max<std::uint64_t>(least_ + 1, 1));
    }

    Truth on_row(const Row& row) override {
        if (!any_) first_ = row.tick;
        any_ = true;
        if (!row.is_loss()) ticks_[count_++ % ticks_.size()] = row.tick;
        return look(row.tick);
    }
    Truth on_time(std::uint64_t now) override { return look(now); }
    // While there stay enough events in the window, or too few. Cost: about 2 ns a row, its answer for one row alone 20.
    std::size_t pass_over(std::span<const std::uint64_t> ticks, const std::uint8_t* codes) override {
        if (ticks.empty() || !may_pass(ticks[0])) return 0;
        const bool enough = (before_ == Truth::kYes) == is_at_once();
        const std::size_t size = ticks_.size();
        const auto behind = [size](std::size_t place) { return place + 1 == size ? 0 : place + 1; };
        std::size_t place = count_ % size;  // of the next; behind it is the oldest of the newest `least_`
        std::size_t passed = 0;
        for (; passed < ticks.size() && codes[passed] != SLA_CODE_GAP; ++passed) {
            const std::uint64_t tick = ticks[passed];
            if (enough && (count_ < least_ || distance(ticks_[behind(place)], tick) > window_)) break;
            ticks_[place] = tick;
            const std::uint64_t oldest = ticks_[behind(behind(place))];
            const bool still = count_ + 1 >= least_ && distance(oldest, tick) <= window_;
            if (still != enough) break;
            ++count_;
            place = behind(place);
        }
        if (passed > 0) plan(ticks[passed - 1]);
        return passed;
    }
    [[nodiscard]] bool passes_rows() const override { return true; }
    [[nodiscard]] Truth holds(std::uint64_t now) const override {
        if (!any_) return Truth::kNo;
        if (!is_at_once() && distance(first_, now) <= window_) return Truth::kNo;  // not one whole window seen
        Truth result = at_least(least_, now);
        if (is_equality()) result = whole_ ? std::min(result, inverse(at_least(least_ + 1, now))) : Truth::kNo;
        return is_at_once() || compare_ == Compare::kEqual ? result : inverse(result);
    }
    void on_enter(std::uint64_t now) override {
        before_ = Truth::kNo;
        held_ = false;
        if (any_) set_deadline(later(now, 1));
    }
    void retime(double ticks_per_second) override { window_ = to_ticks(ps_, ticks_per_second); }

private:
    // From this tick on no loss counts and a whole window has been seen, and "at least" or "less" is all that is asked.
    [[nodiscard]] bool may_pass(std::uint64_t tick) const {
        return !is_equality() && least_ != 0 && any_ && before_ != Truth::kUnknown && distance(first_, tick) > window_ &&
               !may_lack_events(tick);
    }
    [[nodiscard]] bool is_at_once() const { return compare_ == Compare::kGreater || compare_ == Compare::kGreaterEqual; }
    [[nodiscard]] bool is_equality() const { return compare_ == Compare::kEqual || compare_ == Compare::kNotEqual; }
    // Losses reach into the window that ends there.
    [[nodiscard]] bool may_lack_events(std::uint64_t now) const {
        return std::any_of(channels().begin(), channels().end(), [&](const ChannelState* state) {
            return state->losses > 0 && distance(state->reach(), now) <= window_;
        });
    }
    // It happens when it begins to hold. Where it held before nobody could tell, it may have held all the time.
    Truth look(std::uint64_t now) {
        const Truth was = before_;
        before_ = holds(now);
        plan(now);
        const bool held = std::exchange(held_, before_ == Truth::kUnknown ? held_ : before_ == Truth::kYes);
        if (before_ == Truth::kYes && was != Truth::kYes) return held ? Truth::kUnknown : Truth::kYes;
        return before_ == Truth::kUnknown && was == Truth::kNo ? Truth::kUnknown : Truth::kNo;
    }
    [[nodiscard]] bool has_newest(std::uint64_t k) const { return k <= count_ && k > 0; }
    [[nodiscard]] std::uint64_t newest(std::uint64_t k) const { return ticks_[(count_ - k) % ticks_.size()]; }
    [[nodiscard]] Truth at_least(std::uint64_t k, std::uint64_t now) const {
        if (k == 0 || (has_newest(k) && distance(newest(k), now) <= window_)) return Truth::kYes;
        return may_lack_events(now) ? Truth::kUnknown : Truth::kNo;
    }
    // The next tick at which the answer may be another one without any event.
    void plan(std::uint64_t now) {
        std::uint64_t next = kNever;
        const auto leaves = [&](std::uint64_t tick) {
            const std::uint64_t gone = later(tick, later(window_, 1));
            if (gone > now) next = std::min(next, gone);
        };
        leaves(first_);
        for (const std::uint64_t k : {least_, least_ + 1}) {
            if (has_newest(k)) leaves(newest(k));
        }
        for (const ChannelState* state : channels()) {
            if (state->losses > 0) leaves(state->reach());
        }
        set_deadline(next);
    }

    Compare compare_;
    std::int64_t ps_;
    bool whole_ = false;
    std::uint64_t least_ = 0;
    std::uint64_t window_ = 0;
    std::vector<std::uint64_t> ticks_;  // of the newest events, a ring
    std::uint64_t count_ = 0;
    std::uint64_t first_ = 0;
    bool any_ = false;
    Truth before_ = Truth::kNo;
    bool held_ = false;  // when that was last known
};

}  // namespace

std::unique_ptr<Primitive> make_rate(const Condition& condition) {
    return std::make_unique<Rate>(condition);
}

}  // namespace sla::trigger
