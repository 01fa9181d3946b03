#include "proto/common/trigger/parser.h"

#include "proto/common/trigger/condition_parser.h"

#include <algorithm>
#include <utility>

namespace sla::trigger {
namespace {

// A trigger file: level after level.
class SequencerParser {
public:
    explicit SequencerParser(std::string_view text) : reader_(text), conditions_(reader_, true) {}

    Result<Sequencer> parse() {
        while (!reader_.failed() && !reader_.at_end()) level();
        if (!reader_.failed() && sequencer_.levels.empty()) reader_.fail_at(0, "there is no level: begin with 'level NAME'");
        for (const Goto& jump : jumps_) check(jump);
        if (reader_.failed()) return reader_.error();
        return std::move(sequencer_);
    }

private:
    struct Goto {
        std::string level;
        std::size_t at;
    };

    void level() {
        const std::size_t at = reader_.token().at;
        if (!reader_.take_word("level")) return reader_.fail("expected 'level NAME', 'else' or ', ACTION'");
        Level level;
        level.name = reader_.name("the level's name");
        if (knows(level.name)) reader_.fail_at(at, "there are two levels named '" + level.name + "'");
        if (sequencer_.levels.size() == kMaxLevels) {
            reader_.fail_at(at, "more than " + std::to_string(kMaxLevels) + " levels");
        }
        if (!reader_.take_word("if")) reader_.fail("a level begins with 'if CONDITION'");
        level.branches.push_back({conditions_.stage(), actions()});
        while (!reader_.failed() && reader_.take_word("else")) {
            const bool tested = reader_.take_word("if");
            std::optional<Stage> test;
            if (tested) test = conditions_.stage();
            level.branches.push_back({std::move(test), actions()});
            if (!tested) break;
        }
        sequencer_.levels.push_back(std::move(level));
    }

    std::vector<Action> actions() {
        std::vector<Action> actions;
        do actions.push_back(action());
        while (!reader_.failed() && reader_.take_symbol(","));
        return actions;
    }

    Action action() {
        Action action;
        const std::size_t at = reader_.token().at;
        if (reader_.take_word("goto")) {
            action.kind = Action::Kind::kGoto;
            action.name = reader_.name("the level to go to");
            jumps_.push_back({action.name, at});
        } else if (reader_.take_word("trigger")) {
            action.kind = Action::Kind::kTrigger;
        } else if (reader_.take_word("stay")) {
            action.kind = Action::Kind::kStay;
        } else if (reader_.take_word("add")) {
            action.kind = Action::Kind::kAdd;
            action.name = reader_.name("the counter to add to");
            if (reader_.token().kind == Token::Kind::kNumber) action.amount = amount();
        } else if (reader_.take_word("clear")) {
            action.kind = Action::Kind::kClear;
            action.name = reader_.name("the counter to clear");
        } else if (reader_.take_word("start")) {
            action.kind = Action::Kind::kStart;
            action.name = reader_.name("the timer to start");
        } else if (reader_.take_word("stop")) {
            action.kind = Action::Kind::kStop;
            action.name = reader_.name("the timer to stop");
        } else {
            reader_.fail(
                "expected what to do: goto LEVEL, trigger, add COUNTER, clear COUNTER, start TIMER, stop TIMER or stay");
        }
        return action;
    }

    std::int64_t amount() {
        const std::size_t at = reader_.token().at;
        const long double value = reader_.number("to add");
        constexpr long double kMax = 1e9;
        const auto whole = static_cast<std::int64_t>(std::clamp(value, -kMax, kMax));
        if (static_cast<long double>(whole) != value)
            reader_.fail_at(at, "a counter goes by whole numbers up to 1000000000");
        return whole;
    }

    [[nodiscard]] bool knows(const std::string& name) const {
        return std::any_of(sequencer_.levels.begin(), sequencer_.levels.end(),
                           [&](const Level& level) { return level.name == name; });
    }

    void check(const Goto& jump) {
        if (!knows(jump.level)) reader_.fail_at(jump.at, "there is no level named '" + jump.level + "'");
    }

    TokenReader reader_;
    ConditionParser conditions_;
    Sequencer sequencer_;
    std::vector<Goto> jumps_;
};

}  // namespace

Result<Expression> parse_expression(std::string_view text) {
    TokenReader reader(text);
    ConditionParser conditions(reader, false);
    Expression expression;
    do {
        if (expression.stages.size() == kMaxLevels) {
            reader.fail_at(reader.token().at, "more than " + std::to_string(kMaxLevels) + " stages");
        }
        expression.stages.push_back(conditions.stage());
    } while (!reader.failed() && reader.take_word("then"));
    if (!reader.at_end()) reader.fail("expected 'then', 'and', 'or', 'within' or the end");
    if (reader.failed()) return reader.error();
    return expression;
}

Result<Sequencer> parse_sequencer(std::string_view text) {
    return SequencerParser(text).parse();
}

}  // namespace sla::trigger
