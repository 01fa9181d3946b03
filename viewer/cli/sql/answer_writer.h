// AnswerWriter: the answer to a question in SQL as a table in any form, a row at a time. In the text form the first rows are
// kept, so that columns are as wide as these need; what follows streams.
#pragma once

#include "viewer/formats/output.h"
#include "viewer/formats/table/format.h"
#include "viewer/formats/table/rows/row_writer.h"
#include "viewer/formats/table/small_table.h"
#include "viewer/sql/engine.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::cli {

class AnswerWriter final : public sql::Answer {
public:
    // `output` outlives it.
    AnswerWriter(formats::Format format, formats::Output& output) : format_(format), output_(output) {}

    Result<void> begin(const std::vector<std::string>& columns) override;
    Result<bool> row(const sql::AnswerRow& row) override;
    // Writes what is left; the output is finished by its owner.
    Result<void> end();
    [[nodiscard]] std::uint64_t rows() const { return rows_; }

private:
    static constexpr std::size_t kFittedRows = 500;
    static constexpr std::size_t kFittedBytes = std::size_t{1} << 20;
    static constexpr std::size_t kWidest = 120;  // characters; what is longer pushes its row to the right

    // As the answer has them, so that all of them can be put.
    using Field = std::variant<std::monostate, std::int64_t, double, std::string>;
    void fit();
    void put(const std::vector<Field>& row);

    formats::Format format_;
    formats::Output& output_;
    formats::ByteBuffer buffer_;
    std::vector<formats::Column> columns_;
    std::vector<std::vector<Field>> kept_;        // until the columns' widths are found
    std::unique_ptr<formats::RowWriter> writer_;  // from then on
    std::size_t kept_bytes_ = 0;
    std::vector<Field> scratch_;
    std::uint64_t rows_ = 0;
};

// One field of an answer as a text that a terminal can take: blobs as x'0a', what is not UTF-8 replaced.
std::string shown_bytes(const sql::AnswerRow& row, std::size_t column);

}  // namespace sla::cli
