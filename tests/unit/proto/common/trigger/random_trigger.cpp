#include "tests/unit/proto/common/trigger/random_trigger.h"

#include "proto/wire/event.h"

#include <algorithm>
#include <array>

namespace sla::trigger {
namespace {

using Kind = Condition::Kind;

constexpr std::int64_t kTickPs = 20'000'000'000;  // at kNaiveHz

Name random_name(Random& random) {
    static const std::array<Name, 9> kNames = {{{"a", false},
                                                {"a", false},
                                                {"b", false},
                                                {"b", false},
                                                {"c", false},
                                                {"irq.0", false},
                                                {"irq.*", true},
                                                {"*", true},
                                                {"nobody", false}}};
    return kNames[below(random, kNames.size())];
}

Compare random_compare(Random& random) {
    return static_cast<Compare>(below(random, 6));
}

std::int64_t random_time(Random& random) {
    return static_cast<std::int64_t>(below(random, 4) == 0 ? below(random, 40) : below(random, 9)) * kTickPs;
}

std::string random_register(Random& random) {
    return below(random, 2) == 0 ? "m" : "n";
}

void fill(Condition& condition, Random& random) {
    condition.a = random_name(random);
    switch (condition.kind) {
        case Kind::kCompare:
            condition.compare = random_compare(random);
            condition.low = static_cast<long double>(below(random, 4)) - 1;
            break;
        case Kind::kInside:
            condition.low = static_cast<long double>(below(random, 3));
            condition.high = condition.low + static_cast<long double>(below(random, 2));
            break;
        case Kind::kDelta: condition.b = random_name(random); [[fallthrough]];
        case Kind::kWidth: condition.compare = random_compare(random); [[fallthrough]];
        case Kind::kGap: condition.time_ps = random_time(random); break;
        case Kind::kRate:
            condition.compare = random_compare(random);
            condition.time_ps = static_cast<std::int64_t>(1 + below(random, 12)) * kTickPs;
            condition.low = static_cast<double>(below(random, 5) * 50) / static_cast<double>(1 + below(random, 12));
            break;
        case Kind::kCounter:
            condition.a = {random_register(random), false};
            condition.compare = random_compare(random);
            condition.low = static_cast<long double>(below(random, 4));
            break;
        case Kind::kTimer:
            condition.a = {random_register(random), false};
            condition.compare = static_cast<Compare>(below(random, 4));
            condition.time_ps = random_time(random);
            break;
        default: break;
    }
}

Stage random_stage(Random& random, bool in_levels) {
    Stage stage;
    stage.condition = random_condition(random, static_cast<int>(below(random, 3)), in_levels);
    if (below(random, 4) == 0) stage.count = 2 + below(random, 3);
    if (below(random, 3) == 0) stage.within_ps = random_time(random);
    return stage;
}

Action random_action(Random& random, std::size_t levels) {
    Action action;
    action.kind = static_cast<Action::Kind>(below(random, 7));
    if (action.kind == Action::Kind::kGoto)
        action.name = "l" + std::to_string(below(random, levels));
    else if (action.kind != Action::Kind::kTrigger && action.kind != Action::Kind::kStay)
        action.name = random_register(random);
    if (action.kind == Action::Kind::kAdd) action.amount = static_cast<std::int64_t>(below(random, 3)) - 1;
    return action;
}

}  // namespace

std::vector<std::string> random_channel_names() {
    return {"a", "b", "c", "irq.0", "irq.1"};
}

Condition random_condition(Random& random, int depth, bool in_levels) {
    Condition condition;
    if (depth > 0 && below(random, 2) == 0) {
        condition.kind = below(random, 2) == 0 ? Kind::kAnd : Kind::kOr;
        const std::uint64_t parts = 2 + below(random, 2);
        for (std::uint64_t i = 0; i < parts; ++i) condition.parts.push_back(random_condition(random, depth - 1, in_levels));
        return condition;
    }
    condition.kind = static_cast<Kind>(2 + below(random, in_levels ? 14 : 12));
    fill(condition, random);
    return condition;
}

Expression random_expression(Random& random) {
    Expression expression;
    const std::uint64_t stages = 1 + below(random, 4);
    for (std::uint64_t i = 0; i < stages; ++i) expression.stages.push_back(random_stage(random, false));
    return expression;
}

Sequencer random_sequencer(Random& random) {
    Sequencer sequencer;
    const std::uint64_t levels = 1 + below(random, 4);
    for (std::uint64_t i = 0; i < levels; ++i) {
        Level level;
        level.name = "l" + std::to_string(i);
        const std::uint64_t branches = 1 + below(random, 3);
        for (std::uint64_t j = 0; j < branches; ++j) {
            Branch branch;
            branch.test = random_stage(random, true);
            const std::uint64_t actions = 1 + below(random, 3);
            for (std::uint64_t k = 0; k < actions; ++k) branch.actions.push_back(random_action(random, levels));
            level.branches.push_back(std::move(branch));
        }
        if (below(random, 4) == 0) level.branches.push_back({std::nullopt, {random_action(random, levels)}});
        sequencer.levels.push_back(std::move(level));
    }
    return sequencer;
}

std::vector<NaiveRow> random_rows(Random& random, std::size_t count) {
    static constexpr std::array<std::uint8_t, 12> kCodes = {SLA_CODE_TICK,         SLA_CODE_TICK_VALUE, SLA_CODE_BEGIN,
                                                            SLA_CODE_END,          SLA_CODE_BEGIN,      SLA_CODE_END,
                                                            SLA_CODE_LEVEL,        SLA_CODE_LEVEL,      SLA_CODE_VALUE_FLOAT,
                                                            SLA_CODE_VALUE_SIGNED, SLA_CODE_LEVEL,      SLA_CODE_END_VALUE};
    const std::uint64_t step = 1 + below(random, 8);
    const std::uint64_t losses = below(random, 3) == 0 ? 0 : 8;
    std::vector<NaiveRow> rows;
    std::uint64_t tick = below(random, 10);
    for (std::size_t i = 0; i < count; ++i) {
        tick += below(random, 12) == 0 ? below(random, 40) : below(random, step);
        NaiveRow row;
        row.tick = tick;
        row.channel = static_cast<std::uint32_t>(below(random, 5));
        row.thread = static_cast<std::uint32_t>(1 + below(random, 2));
        row.code = kCodes[below(random, kCodes.size())];
        row.value = row.code == SLA_CODE_LEVEL ? below(random, 2) : static_cast<std::uint64_t>(below(random, 4)) - 1;
        if (row.code == SLA_CODE_VALUE_FLOAT) row.value = wire::as_bits(static_cast<double>(below(random, 5)) / 2);
        if (losses != 0 && below(random, losses) == 0) {
            row.code = SLA_CODE_GAP;
            row.value = 1 + below(random, 5);
            if (below(random, 2) == 0) row.until = tick + below(random, 15);
        }
        if (!wire::has_value(row.code)) row.value = 0;
        rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const NaiveRow& a, const NaiveRow& b) {
        return a.tick != b.tick ? a.tick < b.tick : a.channel < b.channel;
    });
    return rows;
}

}  // namespace sla::trigger
