// FileReader: columns of a Parquet file from outside, a row group at a time.
// Memory: what is asked for, bounded by what one group may unpack to. One owner, one thread.
#pragma once

#include "viewer/formats/parquet/metadata.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace sla::formats::parquet {

// One column of one group, a value for each row.
class ColumnValues {
public:
    [[nodiscard]] bool has(std::size_t row) const { return present_.empty() ? !numbers_.empty() : present_[row] != 0; }
    // Bits of a number; of a text its place, by which equal texts of a group may be recognized without looking at them.
    [[nodiscard]] std::uint64_t bits(std::size_t row) const { return numbers_[row]; }
    [[nodiscard]] std::string_view text(std::size_t row) const { return texts_[numbers_[row]]; }

private:
    friend class ChunkDecoder;
    std::vector<std::uint8_t> present_;   // none: every row has one
    std::vector<std::uint64_t> numbers_;  // 0 where there is nothing; empty: the column is not there
    std::vector<std::string> texts_;
};

class FileReader {
public:
    static Result<FileReader> open(const std::string& path);

    [[nodiscard]] const FileInfo& info() const { return info_; }
    // `space`: what the pages may unpack to, in bytes, and what is left of it afterwards.
    Result<ColumnValues> read(std::size_t group, std::size_t column, std::size_t& space);
    Result<ColumnValues> read(std::size_t group, std::size_t column) {
        std::size_t space = kGroupBytes;
        return read(group, column, space);
    }

    // Of all columns of a group together: some compressed bytes may stand for any number of plain ones.
    static constexpr std::size_t kGroupBytes = std::size_t{512} << 20;

private:
    FileReader(std::ifstream in, FileInfo info) : in_(std::move(in)), info_(std::move(info)) {}

    std::ifstream in_;
    FileInfo info_;
};

}  // namespace sla::formats::parquet
