// FileWriter: a Parquet file, a row group at a time. Rows come in the order of the first column, and the metadata says so.
//
//   for each row { one value or null in each column(i); end_row(output) }  finish(output)
//
// Memory: one row group, and some 1.5 KB of metadata for each that is written. One owner, one thread.
#pragma once

#include "viewer/formats/output.h"
#include "viewer/formats/parquet/column_writer.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sla::formats::parquet {

class FileWriter {
public:
    static constexpr std::uint64_t kGroupRows = std::uint64_t{1} << 17;
    static constexpr std::size_t kGroupTextBytes = std::size_t{8} << 20;

    explicit FileWriter(std::span<const ColumnSpec> columns);

    ColumnWriter& column(std::size_t place) { return columns_[place]; }
    Result<void> end_row(Output& output) {
        ++group_rows_;
        const bool is_full = group_rows_ >= kGroupRows || columns_[text_column_].text_bytes() >= kGroupTextBytes;
        return is_full ? end_group(output) : Result<void>();
    }
    // Numbers of texts hold within one group.
    [[nodiscard]] std::size_t group() const { return groups_.size(); }
    // Writes and finishes.
    using KeyValues = std::vector<std::pair<std::string, std::string>>;
    Result<void> finish(Output& output, const KeyValues& key_values);

private:
    struct Group {
        std::vector<ChunkMetadata> chunks;
        std::int64_t rows = 0;
        std::int64_t at = 0;
    };
    Result<void> end_group(Output& output);
    Result<void> write(std::string_view bytes, Output& output);
    [[nodiscard]] std::string metadata(const KeyValues& key_values) const;

    std::vector<ColumnWriter> columns_;
    std::size_t text_column_ = 0;  // the one whose texts may be many
    std::vector<Group> groups_;
    std::uint64_t group_rows_ = 0;
    std::int64_t rows_ = 0;
    std::int64_t written_ = 0;
};

}  // namespace sla::formats::parquet
