// A hostile capture file. Random bytes hardly ever have a right checksum, so when the first byte is odd the checksums of
// everything that looks like a record are made right first, and the reader is tested behind them.
#include "proto/base/check.h"
#include "proto/capture/capture_index.h"
#include "proto/capture/capture_reader.h"
#include "proto/capture/chunk_reader.h"
#include "proto/wire/frame_codec.h"
#include "tests/fuzz/capture_repair.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace sla::capture;

void read_to_the_end(const std::string& path) {
    auto reader = CaptureReader::open(path);
    if (!reader) return;
    std::uint64_t position = reader->position();
    while (const auto frame = reader->next()) {
        SLA_CHECK(!frame->empty() && frame->size() <= sla::wire::kMaxFrameBytes);
        SLA_CHECK(reader->position() >= position && reader->position() <= reader->file_bytes());
        position = reader->position();
    }
    SLA_CHECK(!reader->next().has_value());
    for (const Damage& damage : reader->damage()) {
        SLA_CHECK(damage.offset <= reader->file_bytes() && damage.bytes <= reader->file_bytes() - damage.offset);
        SLA_CHECK(!damage.what.empty());
    }
}

// The index, and every chunk it points at.
void read_by_index(const std::string& path) {
    const auto index = CaptureIndex::open(path);
    auto chunks = ChunkReader::open(path);
    if (!index || !chunks) return;
    for (const CaptureIndex::Lane& lane : index->lanes()) {
        SLA_CHECK(!lane.summaries.empty() && lane.summaries.size() == lane.chunk_numbers.size());
        for (std::size_t i = 0; i < lane.summaries.size(); ++i) {
            SLA_CHECK(lane.chunk_numbers[i] < index->chunks().size());
            SLA_CHECK(lane.summaries[i].rows > 0 && lane.summaries[i].first_tick <= lane.summaries[i].last_tick);
        }
    }
    for (const ChunkPlace& place : index->chunks()) {
        if (chunks->load(place)) {
            while (const auto frame = chunks->next()) SLA_CHECK(!frame->empty());
        }
        static_cast<void>(chunks->detail(place));
        ChunkIntervals lanes;
        if (!chunks->intervals(place, lanes)) continue;
        for (const LaneIntervals& lane : lanes) SLA_CHECK(lane.sums.widths.count <= lane.sums.events);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] % 2 == 1) sla::fuzz::repair(bytes);
    static const int file = memfd_create("capture", MFD_CLOEXEC);
    SLA_CHECK(file >= 0 && ftruncate(file, 0) == 0);
    SLA_CHECK(pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    read_to_the_end(path);
    read_by_index(path);
    return 0;
}
