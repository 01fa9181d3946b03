#include "proto/common/trigger/doubts.h"

#include "proto/common/nearest.h"
#include "proto/common/trigger/awaited_channels.h"
#include "proto/wire/glob.h"

#include <algorithm>
#include <set>

namespace sla::trigger {
namespace {

using Kind = Condition::Kind;

// What a trigger looks at, and what it does: each name once, in the order of the text.
struct Mentioned {
    std::vector<Name> channels;
    std::set<std::string> counters;
    std::set<std::string> timers;
    std::set<std::string> added;
    std::set<std::string> started;
    bool triggers = false;
};

void mention(const Name& channel, Mentioned& all) {
    if (std::find(all.channels.begin(), all.channels.end(), channel) == all.channels.end()) all.channels.push_back(channel);
}

void look(const Condition& condition, Mentioned& all) {
    switch (condition.kind) {
        case Kind::kAnd:
        case Kind::kOr:
            for (const Condition& part : condition.parts) look(part, all);
            break;
        case Kind::kCounter: all.counters.insert(condition.a.text); break;
        case Kind::kTimer: all.timers.insert(condition.a.text); break;
        case Kind::kDelta:
            mention(condition.a, all);
            mention(condition.b, all);
            break;
        default: mention(condition.a, all); break;
    }
}

Mentioned mentioned_in(const Trigger& trigger) {
    Mentioned all;
    if (const auto* expression = std::get_if<Expression>(&trigger)) {
        for (const Stage& stage : expression->stages) look(stage.condition, all);
        all.triggers = true;
        return all;
    }
    for (const Level& level : std::get<Sequencer>(trigger).levels) {
        for (const Branch& branch : level.branches) {
            if (branch.test) look(branch.test->condition, all);
            for (const Action& action : branch.actions) {
                if (action.kind == Action::Kind::kAdd) all.added.insert(action.name);
                if (action.kind == Action::Kind::kStart) all.started.insert(action.name);
                all.triggers = all.triggers || action.kind == Action::Kind::kTrigger;
            }
        }
    }
    return all;
}

}  // namespace

std::vector<Name> channels_of(const Trigger& trigger) {
    return mentioned_in(trigger).channels;
}

bool is_there(const Name& wanted, const std::vector<std::string>& channels) {
    return std::any_of(channels.begin(), channels.end(), [&](const std::string& name) {
        return wanted.is_glob ? wire::glob_match(wanted.text, name) : wanted.text == name;
    });
}

std::vector<std::string> doubts_of(const Trigger& trigger, const std::vector<std::string>& channels) {
    const Mentioned all = mentioned_in(trigger);
    std::vector<std::string> doubts;
    for (const Name& channel : all.channels) {
        if (is_there(channel, channels)) continue;
        doubts.push_back(absence_of(channel, common::nearest(channel.text, channels)) + "; waiting for it");
    }
    for (const std::string& timer : all.timers) {
        if (all.started.count(timer) == 0) doubts.push_back("nothing starts the timer '" + timer + "'");
    }
    for (const std::string& counter : all.counters) {
        if (all.added.count(counter) == 0) doubts.push_back("nothing adds to the counter '" + counter + "'");
    }
    if (!all.triggers) doubts.emplace_back("no level triggers");
    return doubts;
}

}  // namespace sla::trigger
