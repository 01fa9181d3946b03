#include "proto/common/trigger/program.h"

#include "proto/common/trigger/format.h"

#include <algorithm>
#include <utility>

namespace sla::trigger {
namespace {

using Kind = Condition::Kind;

class Compiler {
public:
    Program take() { return std::move(program_); }

    void expression(const Expression& expression) {
        const std::size_t last = expression.stages.size() - 1;
        for (std::size_t i = 0; i <= last; ++i) {
            const Stage& stage = expression.stages[i];
            ReadyLevel& level = program_.levels.emplace_back();
            level.text = to_text(stage);
            ReadyBranch branch = tested(stage, i);
            if (i > 0) {
                level.timeout_ps = stage.within_ps;
                branch.sliding_ps.reset();
            }
            branch.steps.push_back(i < last ? Step{Action::Kind::kGoto, i + 1, 0} : Step{Action::Kind::kTrigger, 0, 0});
            level.branches.push_back(std::move(branch));
        }
    }

    void sequencer(const Sequencer& sequencer) {
        for (const Level& level : sequencer.levels) level_names_.push_back(level.name);
        for (std::size_t i = 0; i < sequencer.levels.size(); ++i) {
            program_.levels.emplace_back().text = "level " + sequencer.levels[i].name;
            for (const Branch& from : sequencer.levels[i].branches) {
                ReadyBranch branch;
                if (from.test)
                    branch = tested(*from.test, i);
                else
                    program_.levels[i].every_row = true;
                for (const Action& action : from.actions) branch.steps.push_back(step(action));
                program_.levels[i].branches.push_back(std::move(branch));
            }
        }
    }

    void finish() {
        program_.registers->counters.resize(counter_names_.size());
        program_.registers->timers.resize(timer_names_.size());
        for (const ReadyLevel& level : program_.levels) program_.sees_all |= level.every_row;
    }

private:
    ReadyBranch tested(const Stage& stage, std::size_t level) {
        ReadyBranch branch;
        branch.has_test = true;
        branch.test = node(stage.condition, level, false);
        branch.count = stage.count;
        if (stage.count > 1 && stage.within_ps) branch.sliding_ps = stage.within_ps;
        if (branch.sliding_ps) branch.ticks.resize(stage.count);
        return branch;
    }

    Node node(const Condition& condition, std::size_t level, bool in_and) {
        Node out;
        if (condition.kind == Kind::kAnd || condition.kind == Kind::kOr) {
            out.kind = condition.kind == Kind::kAnd ? Node::Kind::kAnd : Node::Kind::kOr;
            const bool inside = in_and || condition.kind == Kind::kAnd;
            for (const Condition& part : condition.parts) out.parts.push_back(node(part, level, inside));
            return out;
        }
        out.leaf = static_cast<std::uint16_t>(program_.leaves.size());
        Leaf leaf;
        leaf.level = static_cast<std::uint16_t>(level);
        leaf.a = condition.a;
        leaf.b = condition.b;
        leaf.primitive = primitive(condition, in_and, level, leaf);
        if (!leaf.memoryless) program_.levels[level].leaves.push_back(out.leaf);
        program_.leaves.push_back(std::move(leaf));
        return out;
    }

    std::unique_ptr<Primitive> primitive(const Condition& condition, bool in_and, std::size_t level, Leaf& leaf) {
        switch (condition.kind) {
            case Kind::kDelta: return make_delta(condition);
            case Kind::kWidth: return make_width(condition);
            case Kind::kGap: return make_gap(condition);
            case Kind::kRate: return make_rate(condition);
            case Kind::kCounter:
            case Kind::kTimer: {
                program_.levels[level].every_row = true;
                leaf.a = {};
                auto& names = condition.kind == Kind::kCounter ? counter_names_ : timer_names_;
                return make_register_primitive(condition, *program_.registers, number_of(condition.a.text, names));
            }
            default: break;
        }
        const bool changes =
            condition.kind == Kind::kRises || condition.kind == Kind::kFalls || condition.kind == Kind::kChanges;
        const bool number = condition.kind == Kind::kCompare || condition.kind == Kind::kInside;
        leaf.memoryless = !changes && !(in_and && number);
        leaf.test = RowTest::of(condition);
        return make_event_primitive(condition, in_and && number);
    }

    static std::size_t number_of(const std::string& name, std::vector<std::string>& names) {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
        names.push_back(name);
        return names.size() - 1;
    }

    Step step(const Action& action) {
        switch (action.kind) {
            case Action::Kind::kGoto: return {action.kind, number_of(action.name, level_names_), 0};
            case Action::Kind::kAdd: return {action.kind, number_of(action.name, counter_names_), action.amount};
            case Action::Kind::kClear: return {action.kind, number_of(action.name, counter_names_), 0};
            case Action::Kind::kStart:
            case Action::Kind::kStop: return {action.kind, number_of(action.name, timer_names_), 0};
            default: return {action.kind, 0, 0};
        }
    }

    Program program_ = [] {
        Program program;
        program.registers = std::make_unique<Registers>();
        return program;
    }();
    std::vector<std::string> level_names_;
    std::vector<std::string> counter_names_;
    std::vector<std::string> timer_names_;
};

}  // namespace

Program compile(const Trigger& trigger) {
    Compiler compiler;
    if (const auto* expression = std::get_if<Expression>(&trigger)) compiler.expression(*expression);
    if (const auto* sequencer = std::get_if<Sequencer>(&trigger)) compiler.sequencer(*sequencer);
    compiler.finish();
    return compiler.take();
}

void retime(Program& program, double ticks_per_second) {
    for (Leaf& leaf : program.leaves) leaf.primitive->retime(ticks_per_second);
    for (ReadyLevel& level : program.levels) {
        if (level.timeout_ps) level.timeout = to_ticks(*level.timeout_ps, ticks_per_second);
        for (ReadyBranch& branch : level.branches) {
            if (branch.sliding_ps) branch.window = to_ticks(*branch.sliding_ps, ticks_per_second);
        }
    }
}

}  // namespace sla::trigger
