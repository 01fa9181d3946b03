// One condition that is not made of others, with the little it must remember. The engine owns one for each place in the
// text; README.md says what each of them means.
#pragma once

#include "proto/common/trigger/ast.h"
#include "proto/common/trigger/number_test.h"
#include "proto/common/trigger/row.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sla::trigger {

// Counters and timers of a sequencer.
struct Registers {
    struct Timer {
        bool running = false;
        std::uint64_t since = 0;
    };
    std::vector<std::int64_t> counters;
    std::vector<Timer> timers;
};

class Primitive {
public:
    virtual ~Primitive() = default;

    // What the row, of one of its channels, makes happen.
    virtual Truth on_row(const Row& row) = 0;
    // Of one that stands before all that is fed, and only says what held then: nothing happens by it.
    virtual void recall(const Row& /*row*/) {}
    // Rows of one channel, no other condition watches them: how many from the first on make nothing happen and are
    // done with. Stops before a loss, and before any row that on_row must see; 0 is always right.
    virtual std::size_t pass_over(std::span<const std::uint64_t> /*ticks*/, const std::uint8_t* /*codes*/) { return 0; }
    [[nodiscard]] virtual bool passes_rows() const { return false; }  // pass_over() is worth a call
    // The same at deadline().
    virtual Truth on_time(std::uint64_t) { return Truth::kNo; }
    // Whether it holds by now; things that only happen hold at that moment.
    [[nodiscard]] virtual Truth holds(std::uint64_t) const { return happens_; }
    // Its level was entered by `then` or `goto`.
    virtual void on_enter(std::uint64_t) {}
    // A timer may have been started or stopped.
    virtual void on_registers(std::uint64_t) {}
    virtual void retime(double /*ticks_per_second*/) {}

    // What happens at this moment: set by the engine from on_row and on_time, and cleared after it.
    void set_happens(Truth truth) { happens_ = truth; }
    [[nodiscard]] virtual Truth happens(std::uint64_t /*now*/, bool /*is_row*/) const { return happens_; }
    // The tick before whose events it wants on_time; kNever: none.
    [[nodiscard]] std::uint64_t deadline() const { return deadline_; }
    // `in_a`: it is of the condition's first name.
    void join(const ChannelState& state, bool in_a) {
        channels_.push_back(&state);
        if (in_a) of_a_.push_back(&state);
    }
    // False: it was not there.
    bool leave(const ChannelState& state, std::uint32_t row_channel) {
        const bool was_there = std::erase(channels_, &state) > 0;
        std::erase(of_a_, &state);
        forget(row_channel);
        return was_there;
    }

protected:
    // Rows of this channel are of another one from now on.
    virtual void forget(std::uint32_t /*row_channel*/) {}
    [[nodiscard]] bool unsure_after(std::uint64_t tick) const { return any_unsure_after(channels_, tick); }
    // The same of those of its first name.
    [[nodiscard]] bool a_unsure_after(std::uint64_t tick) const { return any_unsure_after(of_a_, tick); }
    [[nodiscard]] const std::vector<const ChannelState*>& channels() const { return channels_; }
    void set_deadline(std::uint64_t tick) { deadline_ = tick; }

private:
    static bool any_unsure_after(const std::vector<const ChannelState*>& channels, std::uint64_t tick) {
        for (const ChannelState* state : channels) {
            if (state->unsure_after(tick)) return true;
        }
        return false;
    }

    Truth happens_ = Truth::kNo;
    std::uint64_t deadline_ = kNever;
    std::vector<const ChannelState*> channels_;
    std::vector<const ChannelState*> of_a_;
};

// What needs no memory: decided by a row alone. The engine's fast path.
struct RowTest {
    Condition::Kind kind = Condition::Kind::kAny;
    NumberTest number;

    static RowTest of(const Condition& condition);
    // The first of the rows that it does not say no to, or `rows`.
    [[nodiscard]] std::size_t find(const std::uint8_t* codes, const std::uint64_t* bits, std::size_t rows) const;
    [[nodiscard]] Truth operator()(std::uint8_t code, std::uint64_t bits) const {
        if (code == SLA_CODE_GAP) return Truth::kUnknown;
        switch (kind) {
            case Condition::Kind::kBegins: return truth(wire::kind_of(code) == wire::Kind::kBegin);
            case Condition::Kind::kEnds: return truth(wire::kind_of(code) == wire::Kind::kEnd);
            case Condition::Kind::kCompare:
            case Condition::Kind::kInside: return truth(number.matches(code, bits));
            default: return Truth::kYes;
        }
    }
};

std::uint64_t to_ticks(std::int64_t ps, double ticks_per_second);
bool compare_ticks(std::uint64_t ticks, Compare compare, std::uint64_t with);

// `remembers`: it stands in an `and`, so that holds() counts. Registers are for counters and timers: `number` is whose.
std::unique_ptr<Primitive> make_event_primitive(const Condition& condition, bool remembers);
std::unique_ptr<Primitive> make_delta(const Condition& condition);
std::unique_ptr<Primitive> make_width(const Condition& condition);
std::unique_ptr<Primitive> make_gap(const Condition& condition);
std::unique_ptr<Primitive> make_rate(const Condition& condition);
std::unique_ptr<Primitive> make_register_primitive(const Condition& condition, const Registers& registers,
                                                   std::size_t number);

}  // namespace sla::trigger
