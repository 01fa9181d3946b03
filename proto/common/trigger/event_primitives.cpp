// Conditions on single rows: any event, begins, ends, numbers, and changes of a number; and the sequencer's registers.
#include "proto/common/trigger/primitive.h"

namespace sla::trigger {
namespace {

using Kind = Condition::Kind;

class RowPrimitive final : public Primitive {
public:
    explicit RowPrimitive(const RowTest& test) : test_(test) {}
    Truth on_row(const Row& row) override { return test_(row.code, row.value); }

private:
    RowTest test_;
};

// A number that is looked at also between its events: what the newest one of all its channels says.
class NewestNumber final : public Primitive {
public:
    explicit NewestNumber(const RowTest& test) : test_(test) {}

    Truth on_row(const Row& row) override {
        if (row.is_loss()) {
            lost_ = unsure_ = true;
            return Truth::kUnknown;
        }
        if (!row.has_number()) return Truth::kNo;
        newest_ = test_(row.code, row.value);
        unsure_ = unsure_after(row.tick);
        known_ = true;
        return newest_;
    }
    void recall(const Row& row) override { on_row(row); }
    [[nodiscard]] Truth holds(std::uint64_t) const override {
        if (!known_) return lost_ ? Truth::kUnknown : Truth::kNo;
        return unsure_ ? Truth::kUnknown : newest_;
    }

private:
    RowTest test_;
    Truth newest_ = Truth::kNo;
    bool known_ = false;
    bool unsure_ = false;
    bool lost_ = false;
};

// rises, falls, changes: each channel against its own number before.
class NumberChange final : public Primitive {
public:
    explicit NumberChange(Kind kind) : kind_(kind) {}

    Truth on_row(const Row& row) override {
        if (row.is_loss()) return Truth::kUnknown;
        if (!row.has_number()) return Truth::kNo;
        const bool is_level = row.code == SLA_CODE_LEVEL;
        const bool impossible =
            is_level && ((kind_ == Kind::kRises && row.value == 0) || (kind_ == Kind::kFalls && row.value != 0));
        if (impossible) return Truth::kNo;
        const ChannelState& before = *row.state;
        if (!before.has_number) return before.losses > 0 ? Truth::kUnknown : Truth::kNo;
        if (before.number_unsure) return Truth::kUnknown;
        const long double was = as_number(before.number_code, before.number_bits);
        const long double is = as_number(row.code, row.value);
        if (kind_ == Kind::kRises) return truth(is > was);
        if (kind_ == Kind::kFalls) return truth(is < was);
        return truth(is != was);
    }

private:
    Kind kind_;
};

class Counter final : public Primitive {
public:
    Counter(const Condition& condition, const Registers& registers, std::size_t number)
        : test_(NumberTest::compare(condition.compare, condition.low)), registers_(registers), number_(number) {}

    Truth on_row(const Row&) override { return Truth::kNo; }
    [[nodiscard]] Truth holds(std::uint64_t) const override {
        const auto bits = static_cast<std::uint64_t>(registers_.counters[number_]);
        return truth(test_.matches(SLA_CODE_VALUE_SIGNED, bits));
    }
    [[nodiscard]] Truth happens(std::uint64_t now, bool is_row) const override { return is_row ? holds(now) : Truth::kNo; }

private:
    NumberTest test_;
    const Registers& registers_;
    std::size_t number_;
};

class Timer final : public Primitive {
public:
    Timer(const Condition& condition, const Registers& registers, std::size_t number)
        : compare_(condition.compare), ps_(condition.time_ps), registers_(registers), number_(number) {}

    Truth on_row(const Row&) override { return Truth::kNo; }
    Truth on_time(std::uint64_t now) override {
        set_deadline(kNever);
        return holds(now);
    }
    [[nodiscard]] Truth holds(std::uint64_t now) const override {
        const Registers::Timer& timer = registers_.timers[number_];
        return truth(timer.running && compare_ticks(distance(timer.since, now), compare_, ticks_));
    }
    [[nodiscard]] Truth happens(std::uint64_t now, bool is_row) const override {
        return is_row ? holds(now) : Primitive::happens(now, is_row);
    }
    void on_registers(std::uint64_t now) override {
        const Registers::Timer& timer = registers_.timers[number_];
        if (timer.running != planned_.running || timer.since != planned_.since) on_enter(now);
    }
    void on_enter(std::uint64_t now) override {
        const Registers::Timer& timer = registers_.timers[number_];
        planned_ = timer;
        set_deadline(kNever);
        if (!timer.running || compare_ == Compare::kLess || compare_ == Compare::kLessEqual) return;
        const std::uint64_t due = later(timer.since, compare_ == Compare::kGreater ? later(ticks_, 1) : ticks_);
        set_deadline(std::max(due, later(now, 1)));
    }
    void retime(double ticks_per_second) override { ticks_ = to_ticks(ps_, ticks_per_second); }

private:
    Compare compare_;
    std::int64_t ps_;
    std::uint64_t ticks_ = 0;
    const Registers& registers_;
    std::size_t number_;
    Registers::Timer planned_;  // what the deadline was set for
};

}  // namespace

RowTest RowTest::of(const Condition& condition) {
    RowTest test;
    test.kind = condition.kind;
    if (condition.kind == Kind::kCompare) test.number = NumberTest::compare(condition.compare, condition.low);
    if (condition.kind == Kind::kInside) test.number = NumberTest::inside(condition.low, condition.high);
    return test;
}

std::size_t RowTest::find(const std::uint8_t* codes, const std::uint64_t* bits, std::size_t rows) const {
    const bool looks_at_numbers = kind == Kind::kCompare || kind == Kind::kInside;
    std::size_t at = 0;
    while (at < rows && (*this)(codes[at], bits[at]) == Truth::kNo) {
        ++at;
        if (looks_at_numbers && at < rows && codes[at] != SLA_CODE_GAP)
            at += number.pass_over(codes + at, bits + at, rows - at);
    }
    return at;
}

std::uint64_t to_ticks(std::int64_t ps, double ticks_per_second) {
    const long double ticks = static_cast<long double>(ps) * static_cast<long double>(ticks_per_second) / 1e12L + 0.5L;
    return ticks < 0 ? 0 : static_cast<std::uint64_t>(std::min(ticks, 9e18L));
}

bool compare_ticks(std::uint64_t ticks, Compare compare, std::uint64_t with) {
    switch (compare) {
        case Compare::kLess: return ticks < with;
        case Compare::kLessEqual: return ticks <= with;
        case Compare::kGreater: return ticks > with;
        case Compare::kGreaterEqual: return ticks >= with;
        case Compare::kEqual: return ticks == with;
        case Compare::kNotEqual: return ticks != with;
    }
    return false;
}

std::unique_ptr<Primitive> make_event_primitive(const Condition& condition, bool remembers) {
    if (condition.kind == Kind::kRises || condition.kind == Kind::kFalls || condition.kind == Kind::kChanges) {
        return std::make_unique<NumberChange>(condition.kind);
    }
    if (remembers) return std::make_unique<NewestNumber>(RowTest::of(condition));
    return std::make_unique<RowPrimitive>(RowTest::of(condition));
}

std::unique_ptr<Primitive> make_register_primitive(const Condition& condition, const Registers& registers,
                                                   std::size_t number) {
    if (condition.kind == Kind::kCounter) return std::make_unique<Counter>(condition, registers, number);
    return std::make_unique<Timer>(condition, registers, number);
}

}  // namespace sla::trigger
