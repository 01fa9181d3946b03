#include "emu/tap/selection.h"

#include "proto/wire/glob.h"

#include <algorithm>

namespace sla::tap {

namespace {

bool matches(const std::string& pattern, std::string_view channel) {
    return wire::glob_match(pattern, channel) || wire::glob_match(pattern + ".*", channel);
}

bool any_matches(const std::vector<std::string>& patterns, std::string_view channel) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [channel](const std::string& pattern) { return matches(pattern, channel); });
}

}  // namespace

bool asks_for_family(std::string_view pattern, std::string_view family) {
    const std::string_view head = pattern.substr(0, pattern.find('.'));
    return head != "*" && wire::glob_match(head, family);
}

Result<Selection> Selection::parse(std::string_view list) {
    Selection selection;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        std::string_view pattern = list.substr(at, end - at);
        const bool without = pattern.starts_with('!');
        if (without) pattern.remove_prefix(1);
        if (pattern.empty()) {
            return invalid_input("the channel list \"" + std::string(list) +
                                 "\" has an empty name; write for example irq,port.pit,int.*");
        }
        (without ? selection.unwanted_ : selection.wanted_).emplace_back(pattern);
        at = end + 1;
    }
    return selection;
}

bool Selection::takes(std::string_view channel) const {
    return (wanted_.empty() || any_matches(wanted_, channel)) && !any_matches(unwanted_, channel);
}

bool Selection::names(std::string_view family) const {
    return std::any_of(wanted_.begin(), wanted_.end(),
                       [family](const std::string& pattern) { return asks_for_family(pattern, family); });
}

bool Selection::has_patterns() const {
    return !unwanted_.empty() || std::any_of(wanted_.begin(), wanted_.end(), wire::is_pattern);
}

bool SelectingSink::admits(const std::string& name) {
    std::erase_if(unmatched_, [&name](const std::string& pattern) { return matches(pattern, name); });
    all_names_.push_back(name);
    return selection_.takes(name);
}

ChannelId SelectingSink::open(const std::string& name, const char* format) {
    return admits(name) ? behind_.open(name, format) + 1 : kClosed;
}

void SelectingSink::plain(ChannelId channel, sla_code code, std::uint64_t value) {
    if (channel != kClosed) behind_.plain(channel - 1, code, value);
}

void SelectingSink::wide(ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0,
                         std::uint64_t detail1) {
    if (channel != kClosed) behind_.wide(channel - 1, code, value, detail0, detail1);
}

void SelectingSink::text(ChannelId channel, const std::string& text) {
    if (channel != kClosed) behind_.text(channel - 1, text);
}

}  // namespace sla::tap
