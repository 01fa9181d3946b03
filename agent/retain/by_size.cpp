#include "agent/retain/by_size.h"

#include <bit>

namespace sla::retain {

// The topmost bit and the two below it.
std::uint32_t BySize::class_of(std::uint64_t bytes) {
    auto top = static_cast<std::uint32_t>(std::bit_width(bytes)) - 1;
    std::uint64_t next_two = top >= 2 ? bytes >> (top - 2) & 3 : bytes << (2 - top) & 3;
    return top * 4 + static_cast<std::uint32_t>(next_two);
}

void BySize::take_out(std::uint32_t channel) {
    const auto found = nodes_.find(channel);
    if (found == nodes_.end()) return;
    const Node node = found->second;
    if (node.before != kNobody) {
        nodes_[node.before].after = node.after;
    } else {
        first_[node.size_class] = node.after;
        if (node.after == kNobody) occupied_[node.size_class / 64] &= ~(std::uint64_t{1} << node.size_class % 64);
    }
    if (node.after != kNobody) nodes_[node.after].before = node.before;
    nodes_.erase(found);
}

void BySize::put(std::uint32_t channel, std::uint64_t bytes) {
    if (bytes == 0) return take_out(channel);
    const std::uint32_t wanted = class_of(bytes);
    const auto found = nodes_.find(channel);
    if (found != nodes_.end() && found->second.size_class == wanted) return;
    take_out(channel);
    nodes_[channel] = {wanted, kNobody, first_[wanted]};
    if (first_[wanted] != kNobody) nodes_[first_[wanted]].before = channel;
    first_[wanted] = channel;
    occupied_[wanted / 64] |= std::uint64_t{1} << wanted % 64;
}

std::optional<std::uint32_t> BySize::biggest() const {
    for (std::size_t word = occupied_.size(); word-- > 0;) {
        if (occupied_[word] == 0) continue;
        auto bit = static_cast<std::uint32_t>(std::bit_width(occupied_[word])) - 1;
        return first_[word * 64 + bit];
    }
    return std::nullopt;
}

}  // namespace sla::retain
