// Which channels each level of the engine's trigger looks at, and how; and what held on them before all that is fed.
#include "proto/common/trigger/engine.h"
#include "proto/wire/glob.h"

#include <algorithm>

namespace sla::trigger {
namespace {

bool matches(const Name& pattern, std::string_view name) {
    if (pattern.text.empty()) return false;
    return pattern.is_glob ? wire::glob_match(pattern.text, name) : pattern.text == name;
}

}  // namespace

bool Engine::add_channel(ChannelId channel, std::string_view name, TimeSource time) {
    if (wants(channel)) return true;
    const bool wanted = std::any_of(program_.leaves.begin(), program_.leaves.end(),
                                    [&](const Leaf& leaf) { return matches(leaf.a, name) || matches(leaf.b, name); });
    if (!wanted) return false;
    std::uint32_t place = static_cast<std::uint32_t>(channels_.size());
    if (free_places_.empty()) {
        channels_.emplace_back();
    } else {
        place = free_places_.back();
        free_places_.pop_back();
    }
    channels_[place].id = channel;
    channels_[place].clock = clocks_.join(time);
    places_[channel.value] = place;
    attach(place, name);
    return true;
}

void Engine::remove_channel(ChannelId channel) {
    const auto at = places_.find(channel.value);
    if (at == places_.end()) return;
    const std::uint32_t place = at->second;
    places_.erase(at);
    for (Leaf& leaf : program_.leaves) {
        if (leaf.primitive && leaf.primitive->leave(channels_[place].state, place)) leaf.listens[channels_[place].clock]--;
    }
    clocks_.leave(channels_[place].clock);
    channels_[place] = {};
    count_differences(place, std::uint32_t{0} - 1);
    for (std::size_t level = 0; level < level_count_; ++level) listening(level, place) = {};
    free_places_.push_back(place);
}

void Engine::attach(std::uint32_t place, std::string_view name) {
    Channel& channel = channels_[place];
    listening_.resize(channels_.size() * level_count_);
    for (std::size_t i = 0; i < program_.leaves.size(); ++i) {
        Leaf& leaf = program_.leaves[i];
        const Listener listener{&leaf, static_cast<std::uint16_t>(i), matches(leaf.a, name), matches(leaf.b, name)};
        if (!listener.in_a && !listener.in_b) continue;
        for (std::size_t level = 0; level < level_count_; ++level) {
            if (!leaf.memoryless || leaf.level == level) listening(level, place).listeners.push_back(listener);
        }
        if (leaf.memoryless) continue;
        channel.tracked = true;
        leaf.primitive->join(channel.state, listener.in_a);
        if (leaf.listens.size() <= channel.clock) leaf.listens.resize(channel.clock + 1);
        leaf.listens[channel.clock]++;
    }
    for (std::size_t level = 0; level < level_count_; ++level) {
        Listening& here = listening(level, place);
        const bool every_row = program_.levels[level].every_row;
        here.any = !here.listeners.empty() || every_row;
        if (here.listeners.size() != 1 || every_row) {
            here.scan = nullptr;
            here.passes = nullptr;
            continue;
        }
        const Leaf& only = *here.listeners[0].leaf;
        here.scan = only.memoryless ? &only.test : nullptr;
        here.passes = !only.memoryless && only.primitive->passes_rows() ? only.primitive.get() : nullptr;
    }
    count_differences(place, 1);
}

void Engine::count_differences(std::uint32_t place, std::uint32_t by) {
    for (std::size_t one = 0; one < level_count_; ++one) {
        for (std::size_t other = 0; other < level_count_; ++other) {
            if (!listening(one, place).is_as(listening(other, place))) differing_[one * level_count_ + other] += by;
        }
    }
}

void Engine::recall(const Rows& rows) {
    if (!wants(rows.channel)) return;
    const std::uint32_t place = places_.at(rows.channel.value);
    Channel& channel = channels_[place];
    std::size_t next_extra = 0;
    for (std::size_t at = 0; at < rows.ticks.size(); ++at) {
        Row row = rows.row(at, next_extra);
        row.channel = place;
        row.state = &channel.state;
        note_losses(channel, row);
        for (std::size_t level = 0; level < level_count_; ++level) {
            for (const Listener& listener : listening(level, place).listeners) {
                row.in_a = listener.in_a;
                row.in_b = listener.in_b;
                listener.leaf->primitive->recall(row);
            }
        }
        remember(channel, row);
    }
}

}  // namespace sla::trigger
