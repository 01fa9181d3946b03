#include "agent/daemon/options/configured_lists.h"

#include "agent/daemon/options/channel_rule_text.h"
#include "agent/daemon/options/json_fields.h"
#include "proto/common/trigger/trigger_words.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sla::daemon {
namespace {

Result<wire::SetChannels> rule_of_object(const JsonReader& at) {
    wire::SetChannels rule;
    std::string match;
    Fields fields;
    fields["match"] = text_into(match);
    fields["enabled"] = [&rule](const JsonReader& field) -> Result<void> {
        Result<bool> on = field.truth();
        if (!on) return on.error();
        rule.set_enabled(*on);
        return {};
    };
    for (const char* word : {"keep", "bytes", "policy", "filter", "every"}) {
        fields[word] = [&rule, word](const JsonReader& field) -> Result<void> {
            Result<std::string> text = field.text_or_number();
            if (!text) return text.error();
            Result<void> added = add_setting(rule, word, *text);
            return added ? added : Result<void>(field.wrong(added.error().message));
        };
    }
    if (Result<void> taken = at.fields(fields); !taken) return taken.error();
    if (match.empty()) return at.wrong("'match' is missing: the name or pattern of the channels that are meant");
    rule.add_channels(match);
    return rule;
}

Result<wire::SetChannels> rule_of(const JsonReader& at) {
    if (!at.is_text()) return rule_of_object(at);
    Result<wire::SetChannels> rule = parse_channel_rule(*at.text());  // as --channel has it
    return rule ? rule : at.wrong(rule.error().message);
}

// What both say something of; null: nothing.
const char* common_setting(const wire::SetChannels& one, const wire::SetChannels& other) {
    if (one.has_enabled() && other.has_enabled()) return "enabled";
    if (one.has_keep_ns() && other.has_keep_ns()) return "keep";
    if (one.has_keep_bytes() && other.has_keep_bytes()) return "bytes";
    if (one.has_overwrite() && other.has_overwrite()) return "policy";
    if (one.has_filter() && other.has_filter()) return "filter";
    return nullptr;
}

Result<std::vector<wire::SetTrigger>> trigger_of(const JsonReader& at) {
    trigger::TriggerWords words;
    trigger::WordNames names{at.path(), at.path()};
    if (at.is_text()) {  // as --trigger has it
        words.expressions.push_back(*at.text());
        return to_requests(words, names);
    }
    std::string expression;
    std::string levels;
    // Empty would be as not said.
    const auto word = [](std::string& to) {
        return parsed_field(
            [](const std::string& text) { return text.empty() ? invalid_input("it is empty") : Result<std::string>(text); },
            [&to](const std::string& text) { to = text; });
    };
    const Fields fields{{"name", text_into(words.name)},
                        {"expression", text_into(expression)},
                        {"levels", text_into(levels)},
                        {"pre", word(words.pre)},
                        {"window", word(words.window)},
                        {"pre_time", word(words.pre_time)},
                        {"post_time", word(words.post_time)},
                        {"hold_off", word(words.hold_off)},
                        {"shots", number_into(words.shots, trigger::kMaxShots)},
                        {"keep_shots", number_into(words.keep)},
                        {"actions", texts_into(words.actions)}};
    if (Result<void> taken = at.fields(fields); !taken) return taken.error();
    if (expression.empty() == levels.empty()) return at.wrong("either 'expression' or 'levels' is needed");
    names.expression += ".expression";
    if (!expression.empty()) words.expressions.push_back(std::move(expression));
    if (!levels.empty()) words.files.push_back({at.path() + ".levels", std::move(levels)});
    return to_requests(words, names);
}

}  // namespace

Result<void> read_channel_list(const JsonReader& list, Options& options) {
    const std::size_t before = options.requests.size();
    std::map<std::string, wire::SetChannels> said;  // by pattern
    Result<void> taken = list.each([&](const JsonReader& at) -> Result<void> {
        Result<wire::SetChannels> rule = rule_of(at);
        if (!rule) return rule.error();
        const std::string pattern = rule->channels(0);
        if (const char* twice = common_setting(said[pattern], *rule))
            return at.wrong("an earlier rule has the setting '" + std::string(twice) + "' of '" + pattern +
                            "' already, and the first counts");
        said[pattern].MergeFrom(*rule);
        wire::Request request;
        *request.mutable_set_channels() = std::move(*rule);
        options.requests.push_back({at.path(), std::move(request)});
        return {};
    });
    // The newest rule stands first, so the first of the list is said last.
    std::reverse(options.requests.begin() + static_cast<std::ptrdiff_t>(before), options.requests.end());
    return taken;
}

Result<void> read_trigger_list(const JsonReader& list, Options& options) {
    std::map<std::string, std::string> paths;  // by name
    return list.each([&](const JsonReader& at) -> Result<void> {
        Result<std::vector<wire::SetTrigger>> triggers = trigger_of(at);
        if (!triggers) return triggers.error();
        for (wire::SetTrigger& trigger : *triggers) {
            if (!trigger.name().empty()) {
                const auto [known, is_new] = paths.emplace(trigger.name(), at.path());
                if (!is_new) return invalid_input(at.path() + ".name: this is the name of " + known->second + " already");
            }
            wire::Request request;
            *request.mutable_set_trigger() = std::move(trigger);
            options.requests.push_back({at.path(), std::move(request)});
        }
        return {};
    });
}

}  // namespace sla::daemon
