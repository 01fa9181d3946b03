#include "proto/fleet/wanted_settings.h"

#include "proto/fleet/streams.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace sla::fleet {
namespace {

// 0 is no limit, which is the most.
template <typename Number>
bool is_less(Number one, Number other) {
    return one != 0 && (other == 0 || one < other);
}

template <typename Number>
Number more_of(Number one, Number other) {
    return is_less(one, other) ? other : one;
}

std::string age_in_words(std::int64_t ns) {
    constexpr std::array<std::pair<std::int64_t, const char*>, 4> kUnits = {
        {{3'600'000'000'000, "h"}, {60'000'000'000, "min"}, {1'000'000'000, "s"}, {1'000'000, "ms"}}};
    if (ns == 0) return "no limit";
    for (const auto& [unit, name] : kUnits) {
        if (ns % unit == 0) return fmt::format("{} {}", ns / unit, name);
    }
    return fmt::format("{} ns", ns);
}

}  // namespace

std::string size_in_words(std::uint64_t bytes) {
    constexpr std::array<std::pair<int, const char*>, 4> kUnits = {{{40, "TiB"}, {30, "GiB"}, {20, "MiB"}, {10, "KiB"}}};
    if (bytes == 0) return "no limit";
    for (const auto& [bits, name] : kUnits) {
        if (bytes % (std::uint64_t{1} << bits) == 0) return fmt::format("{} {}", bytes >> bits, name);
    }
    return fmt::format("{} bytes", bytes);
}

std::string changes_in_words(const Keeping& before, const Keeping& after) {
    std::vector<std::string> changes;
    if (before.age_ns != after.age_ns) {
        changes.push_back(fmt::format("age from {} to {}{}", age_in_words(before.age_ns), age_in_words(after.age_ns),
                                      is_less(after.age_ns, before.age_ns) ? " (deletes what is older)" : ""));
    }
    if (before.bytes != after.bytes) {
        changes.push_back(fmt::format("bytes from {} to {}{}", size_in_words(before.bytes), size_in_words(after.bytes),
                                      is_less(after.bytes, before.bytes) ? " (deletes the oldest beyond that)" : ""));
    }
    if (before.replicas != after.replicas)
        changes.push_back(fmt::format("replicas from {} to {}", before.replicas, after.replicas));
    return fmt::format("{}", fmt::join(changes, ", "));
}

Result<FleetSettings> settings_for(const Connection& connection, const std::string& fleet, const WantedSettings& wanted) {
    FleetSettings settings;
    const Result<FleetSettings> before = settings_of(connection, fleet);
    if (!before && before.error().code == ErrorCode::kUnavailable) return before.error();
    if (before) settings.shards = before->shards;
    std::optional<Keeping> there;
    for (std::uint32_t shard = 0; shard < settings.shards; ++shard) {
        const Result<ShardState> state = state_of(connection, fleet, shard);
        if (!state && state.error().code != ErrorCode::kNotFound) return state.error();
        if (!state) continue;
        if (!there) there = Keeping{state->max_age_ns, state->max_bytes, state->replicas};
        there->age_ns = more_of(there->age_ns, state->max_age_ns);
        there->bytes = more_of(there->bytes, state->max_bytes);
        there->replicas = std::max(there->replicas, state->replicas);
    }
    if (there) {
        settings.age_ns = there->age_ns;
        settings.bytes = there->bytes;
        settings.replicas = there->replicas;
    }
    settings.shards = wanted.shards.value_or(settings.shards);
    settings.replicas = wanted.replicas.value_or(settings.replicas);
    settings.age_ns = wanted.age_ns.value_or(settings.age_ns);
    settings.bytes = wanted.bytes.value_or(settings.bytes);
    return settings;
}

}  // namespace sla::fleet
