// FileWriter: a Parquet file, a row group at a time. Rows come in the order of the first column, and the metadata says so.
//
//   for each row { one value or null in each column(i); end_row(output) }  finish(output)
//
//   owner    fills a group ──► group ──► written in order, filled again
//   threads                    encoded, one each, as many as there are cores
//
// Memory: a row group for each core and one more (RowGroup), and some 1.5 KB of metadata for each that is written. One owner.
#pragma once

#include "viewer/formats/output.h"
#include "viewer/formats/parquet/row_group.h"
#include "viewer/formats/parquet/thrift.h"

#include <deque>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sla::formats::parquet {

class FileWriter {
public:
    static constexpr std::uint64_t kGroupRows = std::uint64_t{1} << 17;
    static constexpr std::size_t kGroupTextBytes = std::size_t{8} << 20;

    // `threads` encode; 0: the owner does.
    FileWriter(std::span<const ColumnSpec> columns, std::size_t threads);
    explicit FileWriter(std::span<const ColumnSpec> columns) : FileWriter(columns, threads_here()) {}

    ColumnWriter& column(std::size_t place) { return filled_->column(place); }
    Result<void> end_row(Output& output) {
        filled_->end_row();
        const bool is_full = filled_->rows() >= kGroupRows || filled_->text_bytes() >= kGroupTextBytes;
        return is_full ? end_group(output) : Result<void>();
    }
    // Numbers of texts hold within one group.
    [[nodiscard]] std::size_t group() const { return group_; }
    // Writes and finishes.
    using KeyValues = std::vector<std::pair<std::string, std::string>>;
    Result<void> finish(Output& output, const KeyValues& key_values);

private:
    struct Written {
        std::vector<ChunkMetadata> chunks;
        std::int64_t rows = 0;
        std::int64_t at = 0;
    };
    struct HandedOver {
        std::unique_ptr<RowGroup> group;
        std::future<Result<void>> done;
    };
    static std::size_t threads_here();
    Result<void> end_group(Output& output);
    Result<void> write_first(Output& output);
    Result<void> write(std::string_view bytes, Output& output);
    void put_group(const Written& group, CompactWriter& out) const;
    [[nodiscard]] std::string metadata(const KeyValues& key_values) const;

    std::vector<ColumnSpec> specs_;
    std::size_t threads_;
    std::unique_ptr<RowGroup> filled_;
    std::vector<std::unique_ptr<RowGroup>> empty_;
    std::deque<HandedOver> encoded_;  // in the file's order; the futures wait for their threads
    std::size_t group_ = 0;
    std::vector<Written> groups_;
    std::int64_t rows_ = 0;
    std::int64_t written_ = 0;
};

}  // namespace sla::formats::parquet
