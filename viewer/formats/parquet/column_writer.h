// ColumnWriter: one column of the row group that is being made. Values are kept until the group is full, then become a chunk:
// a dictionary page where there are texts, a data page, both by zstd, and what the metadata says of them.
//
// Memory: 8 or 9 bytes a value, and every different text once. One owner, one thread.
#pragma once

#include "proto/base/result.h"
#include "viewer/formats/parquet/layout.h"
#include "viewer/formats/parquet/page_codec.h"
#include "viewer/formats/parquet/text_pool.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::formats::parquet {

// Where a chunk is in the file, and what is in it.
struct ChunkMetadata {
    std::int64_t at = 0;       // from the group's begin on: the dictionary, when it has one, else the data
    std::int64_t data_at = 0;  // the same
    bool has_dictionary = false;
    std::int64_t uncompressed = 0;
    std::int64_t compressed = 0;
    std::int64_t values = 0;  // and nulls
    std::int64_t nulls = 0;
    Encoding encoding = Encoding::kPlain;
    std::optional<std::string> least;  // as PLAIN has it; nothing: not known
    std::optional<std::string> most;
};

class ColumnWriter {
public:
    explicit ColumnWriter(ColumnSpec spec) : spec_(spec) {}

    void integer(std::int64_t number) { add(static_cast<std::uint64_t>(number)); }
    void natural(std::uint64_t number) { add(number); }
    void real(double number) { add(std::bit_cast<std::uint64_t>(number)); }
    void null() {
        levels_.push_back(0);
        ++nulls_;
    }
    // The number of a text within this group, for text().
    std::uint32_t intern(std::string_view text) { return texts_.intern(text); }
    void text(std::uint32_t number) { add(number); }

    // Of texts that the group has.
    [[nodiscard]] std::size_t text_bytes() const { return texts_.cost(); }
    // Appends the chunk to `out`, which begins with the group; the column is empty then.
    Result<ChunkMetadata> flush(PageCodec& codec, std::string& out);

private:
    void add(std::uint64_t bits) {
        values_.push_back(bits);
        if (spec_.is_optional) levels_.push_back(1);
    }
    [[nodiscard]] bool is_dictionary() const;
    [[nodiscard]] Encoding encoding() const;
    void put_values(std::string& page) const;
    void put_bounds(ChunkMetadata& chunk) const;
    Result<void> put_dictionary(ChunkMetadata& chunk, PageCodec& codec, std::string& out) const;

    ColumnSpec spec_;
    std::vector<std::uint64_t> values_;  // bits of numbers, or numbers of texts
    std::vector<std::uint8_t> levels_;   // 1: there is a value; none: every row has one
    std::int64_t nulls_ = 0;
    TextPool texts_;
};

}  // namespace sla::formats::parquet
