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

// Tracks: one for every lane and thread that meet, numbered as they appear. Trace formats of other tools nest spans by
// track, and so do we: per lane and thread.
struct Track {
    std::uint32_t number = 0;  // from 1
    bool fresh = false;        // asked for the first time
};

class Tracks {
public:
    Track of(const store::Lane& lane, std::uint32_t thread) {
        const auto [at, fresh] = numbers_.try_emplace({&lane, thread}, static_cast<std::uint32_t>(numbers_.size() + 1));
        return {at->second, fresh};
    }

private:
    std::map<std::pair<const store::Lane*, std::uint32_t>, std::uint32_t> numbers_;
};

}  // namespace sla::formats
