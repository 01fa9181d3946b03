// What a manifest says of a capture beside its rows: up to where all of it is known, where it begins, what is wrong with it.
// Private to the room.
#pragma once

#include "viewer/archive/losses.h"
#include "viewer/archive/manifest.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <optional>

namespace sla::archive {

// Of the first row at or behind a tick.
std::optional<std::uint64_t> next_row(const Lanes& lanes, std::uint64_t tick);

// The same manifest with the session's facts. Ticks before `until` are final.
Manifest with_facts(Manifest manifest, const store::Session& session, const Lanes& lanes, std::uint64_t until);

}  // namespace sla::archive
