#include "viewer/workspace/search/search_plan.h"

#include "proto/common/trigger/doubts.h"
#include "proto/common/trigger/parser.h"
#include "viewer/analysis/selection.h"

#include <algorithm>

namespace sla::workspace {

namespace {

bool names_a_lane(const store::Session& session, const trigger::Trigger& wanted) {
    const std::vector<std::string> names = analysis::channel_names(session);
    const auto looked_at = trigger::channels_of(wanted);
    return std::any_of(looked_at.begin(), looked_at.end(),
                       [&](const trigger::Name& name) { return trigger::is_there(name, names); });
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
    auto condition = analysis::EventFilter::parse(text);
    const Result<void> known = condition ? analysis::check_channels(session, *condition) : Result<void>();
    // "value > 3" reads as a trigger on a channel "value", too: one of which all channels are there is meant as one.
    const auto trigger = trigger::parse_expression(text);
    Result<void> trigger_known;
    if (places && !regex && trigger) {
        const trigger::Trigger wanted(*trigger);
        trigger_known = analysis::check_channels(session, wanted);
        if (trigger_known) return plan_of(wanted);
        if (!(condition && known) && names_a_lane(session, wanted)) return wrong(trigger_known.error().message);
    }
    SearchPlan plan;
    // Words without a sign may be a text: they are names when all are, and more than one.
    const bool is_text = condition && condition->is_of_names_alone() && (!known || condition->nodes().size() == 1);
    if (!regex && condition && !is_text) {
        if (!known) return wrong(known.error().message);
        plan.mode = SearchMode::kCondition;
        plan.condition = std::move(*condition);
        plan.asks_losses = places && !plan.condition->speaks_of_losses();
        return plan;
    }
    auto match = TextMatch::parse(text);
    if (!match) return wrong(match.error().message);
    // With signs of a condition in it, it was meant as one.
    if (!regex && text.find_first_of("<>=") != std::string_view::npos) {
        return wrong(trigger_known ? condition.error().message : trigger_known.error().message);
    }
    plan.mode = SearchMode::kText;
    plan.match = std::move(*match);
    return plan;
}

}  // namespace sla::workspace
