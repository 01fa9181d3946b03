// The capture_id of a part that was cut out of a file: by it parts of one file know each other, also where the file itself is
// not known to have all of its recording.
//
//   63             32 31              1   0
//   │ random         │ PartFile::id     │ e │      e: to the file's end
#pragma once

#include "proto/capture/capture_index.h"

#include <cstdint>

namespace sla::capture_tools {

struct PartFile {
    std::uint32_t id = 0;     // 31 bits; 0: not known
    bool to_its_end = false;  // no row of the file stands behind the part
};

// Two files of one recording have the same rows where this is the same.
inline std::uint32_t file_id(const capture::CaptureIndex& index, std::uint64_t capture_id) {
    std::uint64_t id = capture_id;
    const auto add = [&id](std::uint64_t value) {
        id = (id ^ value) * 0x9e3779b97f4a7c15ULL;
        id ^= id >> 29;
    };
    for (const capture::CaptureIndex::Lane& lane : index.lanes()) {
        const capture::LaneSummary first = lane.summaries.front();
        for (const std::uint64_t value : {std::uint64_t{lane.channel.value}, first.first_index, lane.rows(),
                                          first.first_tick, std::uint64_t{lane.summaries.back().last_tick}})
            add(value);
    }
    const auto bits = static_cast<std::uint32_t>(id >> 33);
    return bits == 0 ? 1 : bits;
}

inline std::uint64_t part_id(std::uint64_t random, PartFile file) {
    return random >> 32 << 32 | std::uint64_t{file.id} << 1 | (file.to_its_end ? 1U : 0U);
}

// Of a part that an earlier version cut it is some file that no other part has.
inline PartFile part_file(std::uint64_t part_id) {
    return {static_cast<std::uint32_t>(part_id) >> 1, (part_id & 1) != 0};
}

}  // namespace sla::capture_tools
