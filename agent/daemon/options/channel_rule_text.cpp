#include "agent/daemon/options/channel_rule_text.h"

#include "proto/base/size.h"
#include "proto/base/text.h"
#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"
#include "proto/wire/filter_text.h"

namespace sla::daemon {
namespace {

// The filter's text and 'every' may be set one after the other; each leaves the other's part as it is.
Result<void> add_filter(wire::SetChannels& rule, std::string_view what) {
    Result<wire::Filter> filter = wire::parse_filter(what);
    if (!filter) return filter.error();
    if (filter->every() == 0 && rule.filter().every() > 0) filter->set_every(rule.filter().every());
    *rule.mutable_filter() = *filter;
    return {};
}

Result<void> add_every(wire::SetChannels& rule, std::string_view what) {
    const std::uint64_t every = whole_number<std::uint64_t>(what).value_or(0);
    if (every == 0) return invalid_input("'" + std::string(what) + "' is not a number from 1 on");
    rule.mutable_filter()->set_every(every);
    return {};
}

Result<void> add_policy(wire::SetChannels& rule, std::string_view what) {
    if (what != "drop-newest" && what != "overwrite") {
        return invalid_input("'" + std::string(what) + "' is not a policy; there are drop-newest and overwrite");
    }
    rule.set_overwrite(what == "overwrite");
    return {};
}

Result<void> add_switch(wire::SetChannels& rule, bool on, std::string_view what) {
    if (!what.empty()) return invalid_input("nothing may follow " + std::string(on ? "on" : "off"));
    rule.set_enabled(on);
    return {};
}

}  // namespace

Result<std::int64_t> parse_keep(std::string_view text) {
    if (text == "always") return 0;
    Result<std::int64_t> ps = time::parse_duration(text);
    if (!ps) return Error{ps.error().code, ps.error().message + ", or always"};
    if (*ps < time::kPicosecondsPerNanosecond)
        return invalid_input("'" + std::string(text) + "' is too short a time to keep");
    return *ps / time::kPicosecondsPerNanosecond;
}

Result<void> add_setting(wire::SetChannels& rule, std::string_view word, std::string_view what) {
    if (word == "on" || word == "off") return add_switch(rule, word == "on", what);
    if (word == "filter") return add_filter(rule, what);
    if (word == "every") return add_every(rule, what);
    if (word == "policy") return add_policy(rule, what);
    if (word == "keep") {
        Result<std::int64_t> ns = parse_keep(what);
        if (!ns) return ns.error();
        rule.set_keep_ns(*ns);
        return {};
    }
    if (word == "bytes") {
        Result<std::uint64_t> bytes = parse_size(what);
        if (!bytes) return bytes.error();
        rule.set_keep_bytes(*bytes);
        return {};
    }
    return invalid_input("'" + std::string(word) + "' is no setting; there are on, off, keep, bytes, policy, filter, every");
}

Result<wire::SetChannels> parse_channel_rule(std::string_view text) {
    std::size_t colon = text.find(": ");
    if (colon == std::string_view::npos || trimmed(text.substr(0, colon)).empty()) {
        return invalid_input("'" + std::string(text) +
                             "' is not a rule; write a channel or pattern, a colon and a blank, and settings between "
                             "semicolons: net.*: keep 10s; filter value > 100");
    }
    wire::SetChannels rule;
    rule.add_channels(std::string(trimmed(text.substr(0, colon))));
    for (std::size_t at = colon + 2; at <= text.size();) {
        std::size_t end = std::min(text.find(';', at), text.size());
        std::string_view setting = trimmed(text.substr(at, end - at));
        at = end + 1;
        std::size_t blank = std::min(setting.find(' '), setting.size());
        Result<void> added = add_setting(rule, setting.substr(0, blank), trimmed(setting.substr(blank)));
        if (!added) return invalid_input("'" + std::string(text) + "': " + added.error().message);
    }
    return rule;
}

}  // namespace sla::daemon
