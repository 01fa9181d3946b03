#include "proto/common/trigger/awaited_channels.h"

#include "proto/common/nearest.h"
#include "proto/common/trigger/doubts.h"

#include <algorithm>

namespace sla::trigger {

AwaitedChannels::AwaitedChannels(const Trigger& trigger) {
    for (Name& name : channels_of(trigger)) awaited_.push_back({std::move(name), ""});
}

bool AwaitedChannels::came(std::string_view channel) {
    if (awaited_.empty()) return false;
    const std::string name(channel);
    std::erase_if(awaited_, [&](const Awaited& one) { return is_there(one.name, {name}); });
    bool is_news = false;
    for (Awaited& one : awaited_) {
        if (one.name.is_glob) continue;
        std::vector<std::string> known{name};
        if (!one.near.empty()) known.push_back(one.near);
        const std::string near = common::nearest(one.name.text, known);
        is_news = is_news || (one.near.empty() && !near.empty());
        if (!near.empty()) one.near = near;
    }
    return is_news;
}

bool AwaitedChannels::has_near() const {
    return std::any_of(awaited_.begin(), awaited_.end(), [](const Awaited& one) { return !one.near.empty(); });
}

std::string AwaitedChannels::text() const {
    std::string out;
    for (const Awaited& one : awaited_) out += (out.empty() ? "" : "; ") + absence_of(one.name, one.near);
    return out.empty() ? out : out + (awaited_.size() == 1 ? "; waiting for it" : "; waiting for them");
}

std::string absence_of(const Name& name, const std::string& near) {
    if (name.is_glob) return "no channel matches '" + name.text + "' yet";
    return "no channel is called '" + name.text + "' yet" + (near.empty() ? "" : " (did you mean '" + near + "'?)");
}

}  // namespace sla::trigger
