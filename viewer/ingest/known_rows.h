// KnownRows: what is known of rows that did not come: by the capture's index, and by summaries behind damaged chunks.
#pragma once

#include "proto/capture/capture_index.h"
#include "proto/capture/damage.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace sla::ingest {

// Its numbers mean the same from the first frame to the last.
bool is_of_one_agent(const capture::CaptureIndex& index);

class KnownRows {
public:
    void add(std::shared_ptr<const capture::CaptureIndex> index);
    void add(const capture::LostRows& rows);

    // Rows of a channel, from `first_ordinal` at `first_tick` to before `next_ordinal` at `last_tick`.
    struct Extent {
        std::uint64_t first_ordinal = 0;
        std::uint64_t next_ordinal = 0;
        std::uint64_t first_tick = 0;
        std::uint64_t last_tick = 0;
    };
    [[nodiscard]] const std::map<ChannelId, Extent>& extents() const { return extents_; }

    // What stands in place of the rows [first, end) of a channel: of each chunk the losses that it told of, as they were, and
    // one "damaged" for its events, in the place of the first of them.
    struct Missing {
        std::vector<capture::GapRow> losses;
        std::uint64_t unknown_rows = 0;  // which nobody tells of: events, or losses of any number
    };
    [[nodiscard]] Missing missing(ChannelId channel, std::uint64_t first, std::uint64_t end) const;

private:
    void extend(ChannelId channel, const Extent& by);
    [[nodiscard]] std::vector<capture::LostRows> parts(ChannelId channel, std::uint64_t first, std::uint64_t end) const;

    std::shared_ptr<const capture::CaptureIndex> index_;
    std::map<ChannelId, std::map<std::uint64_t, capture::LostRows>> rows_;  // by the first ordinal; none that the index has
    std::map<ChannelId, Extent> extents_;
};

}  // namespace sla::ingest
