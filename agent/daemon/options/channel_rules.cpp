#include "agent/daemon/options/channel_rules.h"

#include "proto/wire/filter_text.h"
#include "proto/wire/glob.h"

namespace sla::daemon {
namespace {

bool says_nothing(const wire::SetChannels& settings) {
    return !settings.has_enabled() && !settings.has_keep_bytes() && !settings.has_keep_ns() && !settings.has_overwrite() &&
           !settings.has_filter();
}

std::string problem_of(const wire::SetChannels& request) {
    if (request.channels_size() == 0) return "no channel is named: give a name or a pattern";
    for (const std::string& glob : request.channels()) {
        if (glob.empty()) return "a channel's name is empty";
        if (glob.size() > ChannelRules::kMaxGlobBytes) {
            return "a channel's pattern is longer than " + std::to_string(ChannelRules::kMaxGlobBytes) + " bytes";
        }
    }
    if (says_nothing(request)) return "nothing is to be set";
    return request.has_filter() ? wire::filter_problem(request.filter()) : "";
}

// Every setting that the newer one has.
void forget_what(const wire::SetChannels& newer, wire::SetChannels& older) {
    if (newer.has_enabled()) older.clear_enabled();
    if (newer.has_keep_bytes()) older.clear_keep_bytes();
    if (newer.has_keep_ns()) older.clear_keep_ns();
    if (newer.has_overwrite()) older.clear_overwrite();
    if (newer.has_filter()) older.clear_filter();
}

}  // namespace

void ChannelRules::forget_settled(const std::string& glob, const wire::SetChannels& by) {
    for (Rule& rule : rules_) {
        if (rule.glob == glob || glob == "*") forget_what(by, rule.settings);
    }
    std::erase_if(rules_, [](const Rule& rule) { return says_nothing(rule.settings); });
}

std::string ChannelRules::add(const wire::SetChannels& request) {
    return put_first(request, false);
}

std::string ChannelRules::configure(const std::vector<wire::SetChannels>& requests) {
    std::deque<Rule> before = rules_;
    std::erase_if(rules_, [](const Rule& rule) { return rule.configured; });
    for (const wire::SetChannels& request : requests) {
        std::string problem = put_first(request, true);
        if (problem.empty()) continue;
        rules_ = std::move(before);
        return problem;
    }
    return "";
}

std::string ChannelRules::put_first(const wire::SetChannels& request, bool configured) {
    std::string problem = problem_of(request);
    if (!problem.empty()) return problem;
    std::deque<Rule> before = rules_;
    for (int i = request.channels_size(); i-- > 0;) {
        Rule rule{request.channels(i), request, configured};
        rule.settings.clear_channels();
        forget_settled(rule.glob, rule.settings);
        rules_.push_front(std::move(rule));
    }
    if (rules_.size() <= kMaxRules) return "";
    rules_ = std::move(before);
    return "this agent remembers at most " + std::to_string(kMaxRules) +
           " rules for channels: use patterns, or forget older ones with a rule for '*'";
}

ChannelSettings ChannelRules::settings_of(const std::string& channel) const {
    ChannelSettings found;
    wire::SetChannels said;  // by the first rule that has it
    for (const Rule& rule : rules_) {
        if (!wire::glob_match(rule.glob, channel)) continue;
        wire::SetChannels fresh = rule.settings;
        forget_what(said, fresh);
        said.MergeFrom(fresh);
    }
    if (said.has_enabled()) found.enabled = said.enabled();
    if (said.has_keep_bytes() && said.keep_bytes() > 0) found.keep_bytes = said.keep_bytes();
    if (said.has_keep_ns() && said.keep_ns() >= 0) found.keep_ns = said.keep_ns();
    if (said.has_overwrite()) found.overwrite = said.overwrite();
    found.filter = said.filter();
    return found;
}

}  // namespace sla::daemon
