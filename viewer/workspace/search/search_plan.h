// What was typed into a search field, understood. It may be, in this order:
//
//   a trigger        'net.rx then gap net.tx > 5ms'          places where it would have fired, as `sla find` finds them
//   levels           the lines of a trigger file             the same
//   a condition      'value > 100 and channel ~ net.*'       events (analysis/filter/event_filter.h)
//   any other text   events whose channel, text or value contains it (text_match.h)
//
// A bare word that is no channel of the capture is text, not a trigger. Value type: a search has its own.
#pragma once

#include "proto/common/trigger/ast.h"
#include "viewer/analysis/filter/event_filter.h"
#include "viewer/store/session.h"
#include "viewer/workspace/search/text_match.h"
#include "viewer/workspace/table/column_order.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sla::workspace {

enum class SearchMode { kNothing, kEverything, kTrigger, kCondition, kText, kWrong };
// A filter of rows has no use for places in time: then triggers are not tried.
enum class SearchOver { kEverything, kEvents };

struct SearchPlan {
    SearchMode mode = SearchMode::kNothing;
    std::string problem;                             // kWrong: what is wrong with what was typed
    std::optional<trigger::Trigger> trigger;         // kTrigger
    std::optional<analysis::EventFilter> condition;  // kCondition
    bool asks_losses = false;                        // whether they hide an event of that condition
    std::optional<TextMatch> match;                  // kText
    // Not the events in order of time, but the first of all in the order of a column of the table, when all are looked at.
    std::optional<ColumnOrder> order;
    bool collapse = false;  // an event that repeats the hit before in all but its time is counted, not kept
};

// Text without blanks around it.
SearchPlan plan_search(const store::Session& session, std::string_view text, SearchOver over);

}  // namespace sla::workspace
