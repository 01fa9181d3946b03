// The trigger language a second time, slow and plain: after every row and at every single tick it looks at the whole history
// again. It shares the tree of the text with the engine, and nothing else. 1 tick is 1/50 s here, so that the timeout
// for a loss without an end is 50 ticks.
#pragma once

#include "proto/common/trigger/ast.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sla::trigger {

inline constexpr double kNaiveHz = 50;
inline std::uint64_t naive_ticks(std::int64_t ps) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(ps) * kNaiveHz / 1e12));
}

struct NaiveRow {
    std::uint64_t tick = 0;
    std::uint32_t channel = 0;
    std::uint8_t code = 0;
    std::uint64_t value = 0;
    std::uint32_t thread = 0;
    std::uint64_t until = 0;
};

struct NaiveHit {
    std::uint64_t tick = 0;
    bool certain = true;
    std::size_t level = 0;
    bool operator==(const NaiveHit&) const = default;
};

class NaiveTrigger {
public:
    NaiveTrigger(const Trigger& trigger, std::vector<std::string> channel_names);

    // Rows in the order (tick, channel, place in its channel); time goes from 0 to `end`.
    std::vector<NaiveHit> run(const std::vector<NaiveRow>& rows, std::uint64_t end);

private:
    enum class Answer { kNo, kUnknown, kYes };
    struct Moment {
        std::uint64_t tick = 0;
        bool is_row = false;
        std::size_t seen = 0;  // rows so far; the newest one is this moment's when is_row
    };
    struct Entry {
        std::uint64_t tick = 0;
        std::size_t seen = 0;
    };
    struct OneLevel {
        std::vector<Branch> branches;
        std::optional<std::uint64_t> timeout;
        bool sliding = true;
        std::optional<Entry> entry;  // the newest by goto
    };

    void look(const Moment& moment);
    void judge(const Moment& moment);
    static void add(std::int64_t& counter, std::int64_t amount);
    void act(const Branch& branch, const Moment& moment);
    void go(std::size_t level, bool by_goto, const Moment& moment);
    bool complete(std::size_t branch, const Stage& stage, std::uint64_t now);
    void follow_rates(const Condition& condition, std::size_t level, const Moment& moment);

    Answer happens(const Condition& c, const Moment& m);
    Answer holds(const Condition& c, const Moment& m);
    Answer row_happens(const Condition& c, const Moment& m);
    Answer number_holds(const Condition& c, const Moment& m);
    Answer changed(const Condition& c, const Moment& m);
    Answer delta(const Condition& c, const Moment& m);
    Answer width(const Condition& c, const Moment& m);
    Answer span_width(const Condition& c, const Moment& m);
    Answer level_width(const Condition& c, const Moment& m);
    Answer gap(const Condition& c, const Moment& m, bool happening);
    Answer rate(const Condition& c, const Moment& m);
    Answer timer(const Condition& c, const Moment& m, bool happening);

    bool in(const Name& name, std::uint32_t channel) const;
    bool in(const Condition& c, std::uint32_t channel) const { return in(c.a, channel) || in(c.b, channel); }
    bool is_mentioned(std::uint32_t channel) const;
    bool is_loss(std::size_t i) const;
    bool has_number(std::size_t i) const;
    bool matches(const Condition& c, std::size_t i) const;
    Answer is_start(std::size_t i) const;
    // As known after `seen` rows: may events of these channels behind `tick` be missing?
    bool missing_after(const Condition& c, std::uint64_t tick, std::size_t seen) const;
    bool missing_after(const Name& name, std::uint64_t tick, std::size_t seen) const;
    bool loss_between(const Condition& c, std::size_t after, std::size_t before) const;
    bool loss_on(std::uint32_t channel, std::size_t after, std::size_t before) const;
    bool missing_on(std::uint32_t channel, std::uint64_t tick, std::size_t seen) const;
    std::uint64_t reach_of(std::size_t loss, std::size_t seen) const;
    std::optional<std::size_t> closing(std::size_t loss, std::size_t seen) const;

    std::vector<std::string> names_;
    std::vector<OneLevel> levels_;
    bool is_expression_ = false;
    std::vector<NaiveRow> rows_;
    std::vector<NaiveHit> hits_;

    std::size_t level_ = 0;
    std::optional<std::uint64_t> timeout_;
    std::uint64_t entered_ = 0;                               // tick
    std::map<std::size_t, std::vector<std::uint64_t>> seen_;  // ticks of occurrences by branch
    std::map<std::string, std::int64_t> counters_;
    std::map<std::string, std::uint64_t> timers_;
    std::map<const Condition*, Answer> rates_;      // as at the moment before
    std::map<const Condition*, bool> rates_known_;  // whether it held when that was last known
    std::map<const Condition*, Answer> rate_happenings_;
};

}  // namespace sla::trigger
