#include "viewer/workspace/search/search_plan.h"

#include "proto/common/trigger/parser.h"
#include "viewer/analysis/selection.h"

#include <algorithm>

namespace sla::workspace {

namespace {

bool names_a_lane(const store::Session& session, const trigger::Condition& condition) {
    for (const trigger::Condition& part : condition.parts) {
        if (names_a_lane(session, part)) return true;
    }
    for (const trigger::Name* name : {&condition.a, &condition.b}) {
        if (!name->text.empty() && !analysis::matching_lanes(session, name->text).empty()) return true;
    }
    return false;
}

// "value > 3" reads as a trigger on a channel "value": only one that looks at some lane is meant as one.
bool names_a_lane(const store::Session& session, const trigger::Expression& expression) {
    return std::any_of(expression.stages.begin(), expression.stages.end(),
                       [&](const trigger::Stage& stage) { return names_a_lane(session, stage.condition); });
}

SearchPlan wrong(std::string problem) {
    SearchPlan plan;
    plan.mode = SearchMode::kWrong;
    plan.problem = std::move(problem);
    return plan;
}

SearchPlan plan_of(trigger::Trigger trigger) {
    SearchPlan plan;
    plan.mode = SearchMode::kTrigger;
    plan.trigger = std::move(trigger);
    return plan;
}

}  // namespace

SearchPlan plan_search(const store::Session& session, std::string_view text, SearchOver over) {
    if (text.empty()) return {};
    const bool places = over == SearchOver::kEverything;
    if (const auto levels = trigger::parse_sequencer(text); places && levels && !levels->levels.empty()) {
        return plan_of(trigger::Trigger(*levels));
    }
    const bool regex = TextMatch::is_pattern(text);
    const auto trigger = trigger::parse_expression(text);
    if (places && !regex && trigger && names_a_lane(session, *trigger)) return plan_of(trigger::Trigger(*trigger));
    SearchPlan plan;
    auto condition = analysis::EventFilter::parse(text);
    const Result<void> known = condition ? analysis::check_channels(session, *condition) : Result<void>();
    // Words without a sign may be a text: they are names when all are, and more than one.
    const bool is_text = condition && condition->is_of_names_alone() && (!known || condition->nodes().size() == 1);
    if (!regex && condition && !is_text) {
        if (!known) return wrong(known.error().message);
        plan.mode = SearchMode::kCondition;
        plan.condition = std::move(*condition);
        return plan;
    }
    auto match = TextMatch::parse(text);
    if (!match) return wrong(match.error().message);
    // With signs of a condition in it, it was meant as one.
    if (!regex && text.find_first_of("<>=") != std::string_view::npos) {
        return wrong(trigger && places ? "no channel here has a name that this trigger looks at"
                                       : condition.error().message);
    }
    plan.mode = SearchMode::kText;
    plan.match = std::move(*match);
    return plan;
}

}  // namespace sla::workspace
