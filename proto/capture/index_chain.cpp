#include "proto/capture/index_chain.h"

#include "proto/base/heap_pages.h"
#include "proto/capture/chunk.h"
#include "proto/capture/summary.pb.h"
#include "proto/capture/summary/lane_rows.h"
#include "proto/wire/frame_codec.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <array>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace sla::capture {
namespace {

// Where the chain goes on, of the bytes of an Index: 0 when they do not say. Writers put it before all that is long.
std::uint64_t previous_of(std::string_view raw) {
    using google::protobuf::internal::WireFormatLite;
    google::protobuf::io::CodedInputStream in(reinterpret_cast<const std::uint8_t*>(raw.data()),
                                              static_cast<int>(raw.size()));
    constexpr std::uint32_t kWanted = WireFormatLite::MakeTag(Index::kPreviousFieldNumber, WireFormatLite::WIRETYPE_FIXED64);
    std::uint64_t previous = 0;
    for (std::uint32_t tag = in.ReadTag(); tag != 0; tag = in.ReadTag()) {
        if (tag == kWanted) return in.ReadLittleEndian64(&previous) ? previous : 0;
        if (!WireFormatLite::SkipField(&in, tag)) return 0;
    }
    return 0;
}

// Reads and unpacks index chunks, each while the one before it is looked at: on a thread beside, into one of two places by
// turns. What they need in memory is used again and again; of a large file, taking it anew costs as much as all else.
class IndexChunks {
public:
    explicit IndexChunks(const File& file) : file_(file) {}

    struct Unpacked {
        bool is_sound = false;
        std::uint64_t previous = 0;
        std::string stored;
        std::string raw;
        ChunkUnpacker unpacker;
    };

    void begin(std::uint64_t offset) {
        Unpacked& place = places_[turn_ ^= 1U];
        ahead_ = std::async(std::launch::async | std::launch::deferred, [this, &place, offset]() -> const Unpacked* {
            place.is_sound = read(offset, place);
            place.previous = place.is_sound ? previous_of(place.raw) : 0;
            return &place;
        });
    }
    // Of the last begin(), until the one after the next.
    const Unpacked& get() { return *ahead_.get(); }

private:
    [[nodiscard]] bool read(std::uint64_t offset, Unpacked& place) const {
        std::array<char, kChunkHeaderBytes> record;
        const auto header = decode_chunk_header({record.data(), file_.read_at(offset, record.data(), record.size())});
        if (!header || header->kind != ChunkKind::kIndex) return false;
        place.stored.resize(header->stored_bytes);
        const std::size_t read = file_.read_at(offset + kChunkHeaderBytes, place.stored.data(), place.stored.size());
        return read == place.stored.size() && place.unpacker.unpack(*header, place.stored, place.raw);
    }

    const File& file_;
    std::array<Unpacked, 2> places_;
    unsigned turn_ = 0;
    std::future<const Unpacked*> ahead_;  // waits for its end before the places go
};

// One behind the other, before `end`; gives where the first one lies.
bool are_in_order(const Index& index, std::uint64_t end, std::uint64_t& first) {
    std::uint64_t behind = kFileHeaderBytes;
    first = end;
    for (const ChunkSummary& chunk : index.chunks()) {
        const ChunkPlace place = place_of(chunk);
        const bool is_before = place.offset < end && kChunkHeaderBytes + place.stored_bytes <= end - place.offset;
        if (place.offset < behind || !is_before) return false;
        first = std::min(first, place.offset);
        behind = place.offset + kChunkHeaderBytes + place.stored_bytes;
    }
    return true;
}

class ChainReader {
public:
    ChainReader(const File& file, IndexAssembler& assembler) : chunks_(file), below_(file.bytes()), assembler_(assembler) {}

    // Each link must lead towards the front, so that a forged chain ends.
    bool follow(std::uint64_t offset) {
        chunks_.begin(offset);
        while (offset != 0) {
            if (offset >= below_) return false;
            below_ = offset;
            const IndexChunks::Unpacked& unpacked = chunks_.get();
            if (!unpacked.is_sound) return false;
            offset = unpacked.previous;
            if (offset != 0) chunks_.begin(offset);
            arena_.Reset();
            Index& index = *google::protobuf::Arena::CreateMessage<Index>(&arena_);
            if (!wire::parse_message(unpacked.raw, index) || index.previous() != offset || !add(index)) return false;
        }
        return true;
    }

private:
    bool add(const Index& index) {
        if (!is_known_version(index) || !are_in_order(index, below_, below_)) return false;
        assembler_.begin_part_before();
        spread_huge_pages();
        if (!add_lanes(index)) return false;
        for (const ChunkSummary& chunk : index.chunks()) {
            const bool is_said_twice = !index.lanes().empty() && chunk.lanes().channel_size() != 0;
            if (is_said_twice || !decode_detail(chunk, detail_) || !assembler_.add(detail_)) return false;
            for (std::string& frame : detail_.lasting) {
                if (!assembler_.add_lasting(std::move(frame))) return false;
            }
        }
        return true;
    }
    bool add_lanes(const Index& index) {
        const auto chunks = static_cast<std::uint32_t>(index.chunks_size());
        for (const LaneRows& lane : index.lanes()) {
            LaneBlock block;
            if (!decode_lane(lane, chunks, block)) return false;
            if (!assembler_.add_lane(ChannelId{lane.channel()}, std::move(block))) return false;
        }
        return true;
    }

    static constexpr std::size_t kBlockBytes = std::size_t{4} << 20;  // 256 chunks of some 20 channels take half of it

    IndexChunks chunks_;
    std::uint64_t below_;
    IndexAssembler& assembler_;
    std::unique_ptr<char[]> block_ = std::make_unique_for_overwrite<char[]>(kBlockBytes);  // what the arena keeps
    google::protobuf::Arena arena_{block_.get(), kBlockBytes};
    ChunkDetail detail_;
};

}  // namespace

bool read_index_chain(const File& file, const ClosingMark& mark, IndexAssembler& assembler) {
    return mark.index_offset != 0 && ChainReader(file, assembler).follow(mark.index_offset);
}

}  // namespace sla::capture
