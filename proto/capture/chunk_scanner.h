// Finds chunk after chunk in a file, over damage too.
//
// Trusts no byte: a place counts as a chunk or a closing mark only when that record's own checksum is right. Where none is,
// it searches on for the next one; every byte is searched once, and a budget bounds how often bytes are read again because a
// chunk's contents were wrong. Memory: one chunk, packed and unpacked. One owner, one thread.
#pragma once

#include "proto/capture/chunk.h"
#include "proto/capture/damage.h"
#include "proto/capture/file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sla::capture {

class ChunkScanner {
public:
    struct Chunk {
        std::uint64_t offset = 0;
        ChunkHeader header;
    };

    enum class Contents { kAll, kNoFrames };

    // Begins at that offset.
    ChunkScanner(File file, std::uint64_t start);

    // The next sound chunk, its contents unpacked into `raw`; nothing at the end of the file. With kNoFrames, chunks of
    // frames are passed by unread as long as another chunk follows where they end: `raw` is then empty.
    std::optional<Chunk> next(std::string& raw, Contents wanted = Contents::kAll);
    // Another look at a chunk that was passed by.
    Result<void> read(const Chunk& chunk, std::string& raw);

    void add_damage(std::uint64_t offset, std::uint64_t bytes, std::string what);
    [[nodiscard]] const std::vector<Damage>& damage() const { return damage_; }
    // The newest one, to say more of it; there must be one. Null: it is counted with others, of which that is not true.
    [[nodiscard]] Damage* newest_damage() { return is_crowded_ ? nullptr : &damage_.back(); }
    void set_newest_harmless() {
        if (Damage* const newest = newest_damage()) newest->harmless = true;
    }
    [[nodiscard]] std::uint64_t position() const { return position_; }
    [[nodiscard]] const File& file() const { return file_; }

private:
    enum class Landmark { kNothing, kChunk, kClosingMark };

    Landmark look_at(std::uint64_t offset, ChunkHeader* header = nullptr) const;
    [[nodiscard]] std::uint64_t find_landmark(std::uint64_t from) const;
    [[nodiscard]] bool may_pass(const ChunkHeader& header, Contents wanted) const;
    bool take_chunk(const ChunkHeader& header, std::string& raw);
    void skip_unknown();
    void skip_bad_contents(const ChunkHeader& header, std::uint64_t end, std::string what);
    void check_sequence(std::uint64_t offset, const ChunkHeader& header);
    void skip_to(std::uint64_t offset, std::string what);

    File file_;
    std::uint64_t position_;
    std::uint64_t reread_budget_;
    std::optional<std::uint64_t> expected_sequence_ = 0;  // nothing right behind damage
    ChunkUnpacker unpacker_;
    std::string stored_;
    std::vector<Damage> damage_;
    bool is_crowded_ = false;  // the last of damage_ stands for very many
};

}  // namespace sla::capture
