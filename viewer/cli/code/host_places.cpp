#include "viewer/cli/code/host_places.h"

#include <sla/ring_abi.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace sla::cli {

namespace {

using Extents = std::vector<symbol::Symbols::Extent>;

constexpr std::uint64_t kPage = 4096;

struct Placed {
    std::uint64_t address = 0;
    const Extents* function = nullptr;
    bool operator<(const Placed& other) const { return address < other.address; }
};

// By how much each sample's program may have been moved, and how many of them say so.
std::map<std::uint64_t, std::size_t> votes_of(const std::set<Placed>& samples) {
    std::map<std::uint64_t, std::size_t> votes;
    for (const Placed& sample : samples) {
        for (const auto& [begin, end] : *sample.function) {
            for (std::uint64_t at = begin + (sample.address - begin) % kPage; at < end; at += kPage)
                ++votes[sample.address - at];
        }
    }
    return votes;
}

// The one that most samples allow; of several such, one of those known already.
std::optional<std::uint64_t> chosen_move(const std::map<std::uint64_t, std::size_t>& votes,
                                         const std::set<std::uint64_t>& known) {
    std::size_t most = 0;
    for (const auto& [moved, count] : votes) most = std::max(most, count);
    std::vector<std::uint64_t> best;
    for (const auto& [moved, count] : votes) {
        if (count == most && known.contains(moved)) return moved;
        if (count == most) best.push_back(moved);
    }
    return best.size() == 1 ? std::optional(best.front()) : std::nullopt;
}

}  // namespace

HostPlaces places_in_file(const std::vector<HostSample>& samples, std::string_view program, const symbol::Symbols& symbols,
                          bool fixed) {
    std::map<std::string, Extents, std::less<>> functions;
    std::map<std::uint32_t, std::map<Placed, std::uint64_t>> by_thread;
    HostPlaces out;
    for (const HostSample& sample : samples) {
        const std::string_view place = sample.place;
        if (!place.starts_with(program) || (place.size() > program.size() && place[program.size()] != ':')) continue;
        const std::string_view name = place.substr(std::min(program.size() + 1, place.size()));
        auto function = functions.find(name);
        if (function == functions.end())
            function =
                functions.emplace(name, name.empty() ? Extents() : symbols.extents_of(name, place.size() >= SLA_TEXT_BYTES))
                    .first;
        if (function->second.empty()) {
            ++out.unplaced;
        } else if (fixed) {
            ++out.addresses[sample.address];
        } else {
            ++by_thread[sample.thread][{sample.address, &function->second}];
        }
    }
    std::set<std::uint64_t> known;
    for (const bool first : {true, false}) {
        for (auto& [thread, placed] : by_thread) {
            std::set<Placed> distinct;
            for (const auto& [sample, count] : placed) distinct.insert(sample);
            const auto moved = chosen_move(votes_of(distinct), known);
            if (moved) {
                known.insert(*moved);
                for (const auto& [sample, count] : placed) out.addresses[sample.address - *moved] += count;
            } else if (!first) {
                for (const auto& [sample, count] : placed) out.unplaced += count;
            }
            if (moved) placed.clear();
        }
    }
    return out;
}

}  // namespace sla::cli
