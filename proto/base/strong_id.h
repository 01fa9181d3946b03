// StrongId<Tag>: an integer that names one thing of one sort; ids of different sorts do not mix.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace sla {

template <typename Tag>
struct StrongId {
    std::uint32_t value = 0;
    auto operator<=>(const StrongId&) const = default;
};

using ChannelId = StrongId<struct ChannelTag>;  // one lane, unique within an agent's life
using SourceId = StrongId<struct SourceTag>;    // one marked process, emulated PC or host
using ThreadId = StrongId<struct ThreadTag>;    // one thread of a source, unique within an agent's life

}  // namespace sla

template <typename Tag>
struct std::hash<sla::StrongId<Tag>> {
    std::size_t operator()(sla::StrongId<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};
