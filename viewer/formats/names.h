// What exports call things.
#pragma once

#include "viewer/store/session.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace sla::formats {

// "name/tid", or what there is of it.
std::string thread_text(const store::Session& session, std::uint32_t id);
// The name of the lane's source; empty when it was never announced.
std::string source_text(const store::Session& session, const store::Lane& lane);
// "name/pid" where another program has the same name, else the same: for formats that know a source by its text alone, and are
// written whole. Tables are not: rows follow, and a part of an archive does not know who comes later.
std::string source_text_apart(const store::Session& session, const store::Lane& lane);

// Whether an event of the lane may have a text: marked with it, made of its numbers by the channel's format, or a loss's story.
bool may_have_text(const store::Lane& lane);

// Tracks: one for every lane and thread that occur together, and for the rows of a thread's own spans
// (thread_tracks.h), numbered as they appear. Trace formats of other tools nest spans by track.
struct Track {
    std::uint32_t number = 0;  // from 1
    bool fresh = false;        // asked for the first time
};

class Tracks {
public:
    Track of(const store::Lane& lane, std::uint32_t thread) { return numbered({&lane, thread}); }
    Track of_thread(std::uint32_t thread, std::size_t row) {
        return numbered({nullptr, thread | static_cast<std::uint64_t>(row) << 32});
    }

private:
    using Key = std::pair<const store::Lane*, std::uint64_t>;
    Track numbered(const Key& key) {
        const auto [at, fresh] = numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size() + 1));
        return {at->second, fresh};
    }
    std::map<Key, std::uint32_t> numbers_;
};

}  // namespace sla::formats
