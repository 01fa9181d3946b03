#include "viewer/archive/facts.h"

#include "viewer/analysis/known_extents.h"

#include <algorithm>

namespace sla::archive {

namespace {

// Silence behind the newest row is known, too, as long as none is there that is not in parts.
std::uint64_t known_now(const Manifest& manifest, const store::Session& session, const Lanes& lanes, std::uint64_t until) {
    if (const auto first = next_row(lanes, manifest.until_tick)) until = std::min(until, *first);
    analysis::Selection all;
    all.lanes = lanes;
    all.until = until == store::kNever ? until : until - 1;
    const std::uint64_t known = analysis::known_extent(session, all).until;
    return known < manifest.until_tick ? manifest.known_tick : std::max(known, manifest.known_tick);
}

}  // namespace

std::optional<std::uint64_t> next_row(const Lanes& lanes, std::uint64_t tick) {
    std::optional<std::uint64_t> next;
    for (const store::Lane* lane : lanes) {
        const std::uint64_t row = lane->lower_bound(tick);
        if (row >= lane->size()) continue;
        const std::uint64_t at = lane->tick(row);
        next = next ? std::min(*next, at) : at;
    }
    return next;
}

Manifest with_facts(Manifest manifest, const store::Session& session, const Lanes& lanes, std::uint64_t until) {
    manifest.known_tick = known_now(manifest, session, lanes, until);
    manifest.begin_tick = session.origin().begin_tick;
    manifest.damage.clear();
    for (const store::Note& note : session.notes()) {
        if (note.damage) manifest.damage.push_back({note.tick, note.text});
    }
    return manifest;
}

}  // namespace sla::archive
