// Files of one recording, some of which `sla cut` made: which rows of each stand in the whole.
//
//   a  |================|             per channel: the parts that have it, by their begin. Each gives its rows up to where
//   b           |================|    the next one begins; one whose rows another has all gives none; where nobody has
//   c       |====|                    any, a gap row "left out" stands
//      |-- a --|------- b --------|
//
// Parts of one file have all of its rows of their time, also of the time that the file is not known to be whole of.
#pragma once

#include "proto/base/result.h"
#include "proto/base/strong_id.h"
#include "proto/capture/capture_index.h"
#include "proto/capture/chunk_reader.h"
#include "proto/wire/event.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sla::capture_tools {

// What a file is of which recording. Ticks are its own.
struct PartExtent {
    std::uint64_t recording = 0;   // capture_id of the whole; 0: not known
    std::uint64_t capture_id = 0;  // its own; 0: not known
    bool is_cut = false;
    std::uint64_t from = 0;   // all rows of its channels from here
    std::uint64_t until = 0;  // to here are in it,
    std::uint64_t end = 0;    // and maybe some more to here
    std::uint64_t reach = 0;  // what was before this it would know of

    std::uint32_t file = 0;        // that it is or was cut out of (part_id.h); 0: not known
    std::uint64_t file_until = 0;  // all rows of that file from `from` to here are in it; kNever: to its end
};

// `names`: of the file.
PartExtent extent_of(const capture::CaptureIndex& index, capture::ChunkReader& chunks, const store::Session& names);
// Up to where a file is known by the machine's clock, which a source that makes up its time may be far ahead of: only where there
// is none its end says it.
std::uint64_t known_of_file(const capture::CaptureIndex& index, capture::ChunkReader& chunks, const store::Session& names);

struct Part {
    std::string name;  // for people
    PartExtent extent;
    const store::Session* names = nullptr;
    const capture::CaptureIndex* index = nullptr;
};

// Of one channel in one part.
struct PartShare {
    std::uint64_t from = 0;                      // rows before this only tell what held when it came,
    std::uint64_t until = store::kNever;         // those from here on another part has
    std::uint64_t known_until = 0;               // what another part has of the time before
    std::vector<wire::EventBatch> holes_before;  // gap rows
    std::vector<wire::EventBatch> holes_behind;
};

struct PartPlan {
    std::vector<std::map<ChannelId, PartShare>> shares;  // by part
    std::vector<std::vector<std::size_t>> behind;        // by part: those whose rows come before all of its own
    std::optional<std::uint64_t> end_tick;               // up to which every channel is there without a hole
    std::uint32_t file = 0;                              // they are all of one; 0: they are not, or something is missing
    std::uint64_t file_until = 0;
    std::uint64_t holes = 0;  // gap rows
};

// An error says why they cannot become one.
Result<PartPlan> plan_parts(const std::vector<Part>& parts);

// The rows before `from` that say what held there, as far as `share` does not know them from another part, one each.
void append_states(const Part& part, const std::map<ChannelId, PartShare>& shares, capture::ChunkReader& chunks,
                   std::vector<wire::EventBatch>& out);

}  // namespace sla::capture_tools
