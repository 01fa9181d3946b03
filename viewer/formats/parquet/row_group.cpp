#include "viewer/formats/parquet/row_group.h"

#include <utility>

namespace sla::formats::parquet {

RowGroup::RowGroup(std::span<const ColumnSpec> columns) {
    for (const ColumnSpec& spec : columns) {
        if (spec.meaning == Meaning::kText) text_column_ = columns_.size();
        columns_.emplace_back(spec);
    }
}

Result<void> RowGroup::encode() {
    for (ColumnWriter& column : columns_) {
        auto chunk = column.flush(codec_, bytes_);
        if (!chunk.ok()) return chunk.error();
        chunks_.push_back(std::move(*chunk));
    }
    return {};
}

void RowGroup::clear() {
    rows_ = 0;
    bytes_.clear();
    chunks_.clear();
}

}  // namespace sla::formats::parquet
