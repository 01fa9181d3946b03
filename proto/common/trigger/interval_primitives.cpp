// Conditions on the time between two events: delta, width, gap.
#include "proto/common/trigger/primitive.h"

#include <unordered_map>

namespace sla::trigger {
namespace {

// From the newest start of A to the first start of B after it. A start is any event; but of spans the begin, of levels the
// rise to high (as in `sla stats --pair`).
class Delta final : public Primitive {
public:
    explicit Delta(const Condition& condition) : compare_(condition.compare), ps_(condition.time_ps) {}

    Truth on_row(const Row& row) override {
        if (row.is_loss()) return on_loss(row);
        const Truth start = starts(row);
        if (start == Truth::kNo) return Truth::kNo;
        const Truth ended = row.in_b ? end(row, start) : Truth::kNo;
        if (row.in_a) begin(row, start);
        return ended;
    }
    // What is lost there may have begun since.
    void recall(const Row& row) override {
        if (row.is_loss() && row.in_a) begin_lost_ = true;
    }
    void retime(double ticks_per_second) override { ticks_ = to_ticks(ps_, ticks_per_second); }

private:
    static Truth starts(const Row& row) {
        if (row.code == SLA_CODE_LEVEL) return row.state->rises(row.value);
        return truth(wire::kind_of(row.code) != wire::Kind::kEnd);
    }
    void begin(const Row& row, Truth start) {
        begin_lost_ = start == Truth::kUnknown;
        if (begin_lost_) {  // what waited may wait still
            unsure_ = true;
            return;
        }
        waiting_ = true;
        begin_ = row.tick;
        unsure_ = unsure_after(row.tick);
    }
    Truth end(const Row& row, Truth start) {
        if (start == Truth::kUnknown) {  // what waits may be served by it, or by the next one
            unsure_ = true;
            return waiting_ || begin_lost_ ? Truth::kUnknown : Truth::kNo;
        }
        Truth result = Truth::kNo;
        if (waiting_) {
            result = unsure_ ? Truth::kUnknown : truth(compare_ticks(distance(begin_, row.tick), compare_, ticks_));
        } else if (begin_lost_) {
            result = Truth::kUnknown;
        }
        waiting_ = false;
        begin_lost_ = a_unsure_after(row.tick);
        return result;
    }
    Truth on_loss(const Row& row) {
        if (row.in_a) begin_lost_ = true;
        unsure_ = true;
        return row.in_b && (waiting_ || begin_lost_) ? Truth::kUnknown : Truth::kNo;
    }

    Compare compare_;
    std::int64_t ps_;
    std::uint64_t ticks_ = 0;
    bool waiting_ = false;
    bool unsure_ = false;
    bool begin_lost_ = false;  // since the last B something may have begun that nobody saw
    std::uint64_t begin_ = 0;
};

// Spans by thread, innermost first, and the time a level is high; known when they end.
class Width final : public Primitive {
public:
    explicit Width(const Condition& condition) : compare_(condition.compare), ps_(condition.time_ps) {}

    Truth on_row(const Row& row) override {
        if (row.is_loss()) return Truth::kUnknown;
        switch (wire::kind_of(row.code)) {
            case wire::Kind::kBegin: begin(row); return Truth::kNo;
            case wire::Kind::kEnd: return end(row);
            case wire::Kind::kLevel: return level(row);
            default: return Truth::kNo;
        }
    }
    void recall(const Row& row) override {
        if (wire::kind_of(row.code) == wire::Kind::kBegin) begin(row);
    }
    void retime(double ticks_per_second) override { ticks_ = to_ticks(ps_, ticks_per_second); }

protected:
    void forget(std::uint32_t row_channel) override {
        std::erase_if(stacks_, [&](const auto& stack) { return stack.first >> 32 == row_channel; });
        pulses_.erase(row_channel);
        last_ = nullptr;
    }

private:
    static constexpr std::size_t kMaxNested = 256;
    static constexpr std::size_t kMaxThreads = 65536;
    struct Open {
        std::uint64_t tick = 0;
        std::uint64_t losses = 0;  // of the channel when it began
        bool unsure = false;
    };
    struct Stack {
        std::vector<Open> spans;
        std::uint64_t too_deep = 0;
        [[nodiscard]] bool is_empty() const { return spans.empty() && too_deep == 0; }
    };

    Stack& stack_of(const Row& row) {
        const std::uint64_t key = std::uint64_t{row.channel} << 32 | row.thread;
        if (key == last_key_ && last_ != nullptr) return *last_;
        if (stacks_.size() >= kMaxThreads && !stacks_.contains(key)) make_room();
        last_key_ = key;
        last_ = &stacks_[key];
        return *last_;
    }
    // Threads of which nothing is open go: a server may have one for each request.
    void make_room() {
        last_ = nullptr;
        std::erase_if(stacks_, [](const auto& stack) { return stack.second.is_empty(); });
        if (stacks_.size() <= kMaxThreads / 4 * 3) return;  // else this would be done for every row
        stacks_.clear();                                    // no honest stream: forget, and know that we forgot
        forgot_ = true;
    }
    void begin(const Row& row) {
        Stack& stack = stack_of(row);
        if (stack.spans.size() == kMaxNested) {
            stack.too_deep++;
        } else {
            stack.spans.push_back({row.tick, row.state->losses, row.state->unsure_after(row.tick)});
        }
    }
    Truth end(const Row& row) {
        Stack& stack = stack_of(row);
        if (stack.too_deep > 0) {
            stack.too_deep--;
            return Truth::kUnknown;
        }
        if (stack.spans.empty()) return row.state->losses > 0 || forgot_ ? Truth::kUnknown : Truth::kNo;
        const Open open = stack.spans.back();
        stack.spans.pop_back();
        return judge(open, row);
    }
    Truth level(const Row& row) {
        const ChannelState& before = *row.state;
        const bool was_high = before.level_known && before.high;
        const auto pulse = pulses_.find(row.channel);
        if (row.value != 0) {
            const bool guessed = !before.level_known && before.losses > 0;
            if (!was_high) pulses_[row.channel] = {row.tick, before.losses, guessed || before.unsure_after(row.tick)};
            return Truth::kNo;
        }
        if (pulse == pulses_.end()) return !before.level_known && before.losses > 0 ? Truth::kUnknown : Truth::kNo;
        const Open open = pulse->second;
        pulses_.erase(pulse);
        return judge(open, row);
    }
    [[nodiscard]] Truth judge(const Open& open, const Row& row) const {
        if (open.unsure || open.losses != row.state->losses) return Truth::kUnknown;
        return truth(compare_ticks(distance(open.tick, row.tick), compare_, ticks_));
    }

    Compare compare_;
    std::int64_t ps_;
    std::uint64_t ticks_ = 0;
    bool forgot_ = false;
    std::unordered_map<std::uint64_t, Stack> stacks_;  // by channel and thread
    std::unordered_map<std::uint32_t, Open> pulses_;   // by channel
    std::uint64_t last_key_ = 0;
    Stack* last_ = nullptr;
};

// Silence of all its channels; happens once a silence, one tick after it was exactly that long.
class Gap final : public Primitive {
public:
    explicit Gap(const Condition& condition) : ps_(condition.time_ps) {}

    Truth on_row(const Row& row) override {
        std::uint64_t seen = row.tick;
        Truth result = Truth::kNo;
        if (row.is_loss() && row.until > row.tick) {
            seen = row.until;
            if (row.until - row.tick > ticks_) result = Truth::kUnknown;  // a silence may hide among the losses
        }
        restart(seen);
        return result;
    }
    std::size_t pass_over(std::span<const std::uint64_t> ticks, const std::uint8_t* codes) override {
        if (silent_ || unsure_ || ticks.empty() || ticks[0] < since_) return 0;
        std::size_t at = 0;
        std::uint64_t before = since_;
        while (at < ticks.size() && codes[at] != SLA_CODE_GAP && ticks[at] - before <= ticks_) before = ticks[at++];
        if (at > 0) restart(before);
        return at;
    }
    [[nodiscard]] bool passes_rows() const override { return true; }
    Truth on_time(std::uint64_t) override {
        set_deadline(kNever);
        silent_ = true;
        return unsure_ ? Truth::kUnknown : Truth::kYes;
    }
    [[nodiscard]] Truth holds(std::uint64_t) const override {
        if (!silent_) return Truth::kNo;
        return unsure_ ? Truth::kUnknown : Truth::kYes;
    }
    void on_enter(std::uint64_t now) override { restart(now); }
    void retime(double ticks_per_second) override { ticks_ = to_ticks(ps_, ticks_per_second); }

private:
    void restart(std::uint64_t tick) {
        since_ = std::max(since_, tick);
        unsure_ = unsure_after(since_);
        silent_ = false;
        set_deadline(later(since_, later(ticks_, 1)));
    }

    std::int64_t ps_;
    std::uint64_t ticks_ = 0;
    std::uint64_t since_ = 0;
    bool unsure_ = false;
    bool silent_ = false;
};

}  // namespace

std::unique_ptr<Primitive> make_delta(const Condition& condition) {
    return std::make_unique<Delta>(condition);
}
std::unique_ptr<Primitive> make_width(const Condition& condition) {
    return std::make_unique<Width>(condition);
}
std::unique_ptr<Primitive> make_gap(const Condition& condition) {
    return std::make_unique<Gap>(condition);
}

}  // namespace sla::trigger
