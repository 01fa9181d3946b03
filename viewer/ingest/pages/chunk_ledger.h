// ChunkLedger: where the pages of a PageReader lie: chunks of a capture file, and which rows of which lanes each holds. Any
// thread may ask.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/chunk_reader.h"
#include "viewer/store/rows/gap_table.h"
#include "viewer/store/rows/page_table.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::ingest {

// A page of a lane that lies in a chunk, and all that must be known to read it alone.
struct ChunkPart {
    ChannelId channel;
    store::Page page;
    std::vector<store::NumberedSpan> open;  // begun before it, in order of id
};

class ChunkLedger {
public:
    virtual ~ChunkLedger() = default;
    [[nodiscard]] virtual const std::string& path() const = 0;
    // Those that can be read now.
    [[nodiscard]] virtual std::size_t chunk_count() const = 0;
    [[nodiscard]] virtual capture::ChunkPlace place_of(std::size_t chunk) const = 0;
    // Rising by channel.
    [[nodiscard]] virtual std::vector<ChunkPart> parts_of(std::size_t chunk) const = 0;
    // The rows of its one part, while they are in memory all the same: those that are not can be read.
    [[nodiscard]] virtual std::shared_ptr<const store::Run> rows_in_memory(std::size_t /*chunk*/) const { return nullptr; }
    // Of a part, the rows that told of losses, in order: as far as that is known without reading it. The indices are the lane's.
    struct LossRow {
        store::Gap gap;
        std::uint32_t thread = 0;
    };
    [[nodiscard]] virtual std::vector<LossRow> losses_of(const ChunkPart& /*part*/) const { return {}; }
    // Its rows are known to be lost, without a look at them.
    [[nodiscard]] virtual bool is_gone(std::size_t /*chunk*/) const { return false; }
    // Its chunks have summaries, which may have intervals.
    [[nodiscard]] virtual bool has_intervals() const { return false; }
    // One for each thread that reads.
    [[nodiscard]] virtual Result<capture::ChunkReader> open_chunks() const = 0;
};

}  // namespace sla::ingest
