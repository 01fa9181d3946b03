// Some channels of a capture file in a Session, with all names and clocks: what statistics over them need. Only chunks with
// rows of these channels are unpacked, and only these rows are kept in memory.
#pragma once

#include "proto/base/result.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sla::cli {

struct LoadedPart {
    std::optional<std::uint64_t> shot_tick;  // t = 0 of the first shot, when there is one
};

// `wanted` picks lanes by the names, once these are known. `progress` hears 0..1; false stops with an error.
Result<LoadedPart> load_part(const std::string& path, store::Session& session,
                             const std::function<Result<std::vector<const store::Lane*>>(const store::Session&)>& wanted,
                             const std::function<bool(double)>& progress);

}  // namespace sla::cli
