// Conditions and stages, as expressions and levels share them. Private to the room.
#pragma once

#include "proto/common/trigger/ast.h"
#include "proto/common/trigger/token_reader.h"

#include <cstddef>

namespace sla::trigger {

class ConditionParser {
public:
    // Counters and timers are there in levels only.
    ConditionParser(TokenReader& reader, bool in_levels) : reader_(reader), in_levels_(in_levels) {}

    Stage stage();

private:
    Condition any_of();  // COND or COND
    Condition all_of();  // COND and COND
    Condition single();
    Condition nested();
    Condition event();
    void more_of_the_event(Condition& condition);
    bool take_field(Condition& condition);
    void take_range(Condition& condition);
    Condition delta();
    Condition width();
    Condition gap();
    Condition rate();
    Condition counter();
    Condition timer();
    Condition one(Condition::Kind kind);
    void remember(std::uint64_t events, std::size_t at);

    TokenReader& reader_;
    bool in_levels_;
    std::size_t depth_ = 0;
    std::size_t conditions_ = 0;
    std::uint64_t remembered_ = 0;
};

// How many events a window must remember to know whether there are that many: the least whole number above (or, with
// `or_equal`, not below) the given one. Used for rates by the parser, to refuse, and by the engine.
std::uint64_t events_needed(long double number, bool or_equal);
// Events in the rate's window at its limit: low × time.
long double rate_limit(const Condition& rate);

}  // namespace sla::trigger
