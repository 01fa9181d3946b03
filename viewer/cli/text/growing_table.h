// GrowingTable: small tables that come one after the other under one header, to a file or standard output. Each is written as
// it comes. One owner, one thread.
#pragma once

#include "viewer/cli/command.h"
#include "viewer/formats/output.h"
#include "viewer/formats/table/small_table.h"

#include <memory>
#include <utility>

namespace sla::cli {

class GrowingTable {
public:
    static Result<GrowingTable> open(const OutputOptions& options) {
        const auto format = options.chosen();
        if (!format.ok()) return format.error();
        auto output = formats::Output::open(options.path);
        if (!output.ok()) return output.error();
        return GrowingTable(*format, std::move(*output));
    }

    // Of the columns of the first, which are as wide as that one needs.
    Result<void> add(const formats::SmallTable& table) {
        rows_ += table.size();
        if (writer_ == nullptr) {
            writer_ = table.make_writer(format_);
            writer_->begin(buffer_);
        }
        table.append_rows(buffer_, *writer_);
        Result<void> written = output_.write(buffer_.view());
        buffer_.clear();
        return written;
    }
    Result<void> finish() {
        if (writer_ == nullptr) return {};
        writer_->end(buffer_);
        return output_.finish(buffer_.view());
    }
    // Nobody reads what is written.
    [[nodiscard]] bool is_closed() const { return output_.is_closed(); }
    [[nodiscard]] std::size_t rows() const { return rows_; }

private:
    GrowingTable(formats::Format format, formats::Output output) : format_(format), output_(std::move(output)) {}

    formats::Format format_;
    formats::Output output_;
    formats::ByteBuffer buffer_;
    std::unique_ptr<formats::RowWriter> writer_;
    std::size_t rows_ = 0;
};

}  // namespace sla::cli
