// RowGroup: the rows of one group, first as values, then as bytes. Making the bytes costs as much as making the values, and
// groups do not know each other: FileWriter has them made on other threads.
//
// Memory: some 12 MB of values and as much of bytes and scratch; kept from one group to the next. One owner at a time.
#pragma once

#include "viewer/formats/parquet/column_writer.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sla::formats::parquet {

class RowGroup {
public:
    explicit RowGroup(std::span<const ColumnSpec> columns);

    [[nodiscard]] ColumnWriter& column(std::size_t place) { return columns_[place]; }
    void end_row() { ++rows_; }
    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    [[nodiscard]] std::size_t text_bytes() const { return columns_[text_column_].text_bytes(); }

    // Its chunks and their bytes, in places from the group's begin on, until clear(); the values are gone.
    Result<void> encode();
    [[nodiscard]] const std::string& bytes() const { return bytes_; }
    [[nodiscard]] const std::vector<ChunkMetadata>& chunks() const { return chunks_; }
    void clear();

private:
    std::vector<ColumnWriter> columns_;
    std::size_t text_column_ = 0;  // the one whose texts may be many
    std::uint64_t rows_ = 0;
    PageCodec codec_;
    std::string bytes_;
    std::vector<ChunkMetadata> chunks_;
};

}  // namespace sla::formats::parquet
