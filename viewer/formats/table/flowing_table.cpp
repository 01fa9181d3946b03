#include "viewer/formats/table/flowing_table.h"

namespace sla::formats {

Result<bool> FlowingTable::add(std::vector<Field> row) {
    rows_.add(std::move(row));
    if (rows_.size() < kKeptRows) return true;
    put_rows();
    if (buffer_.size() >= Output::kPiece) {
        if (auto taken = output_.take(buffer_); !taken.ok()) return taken.error();
    }
    return !output_.is_closed();
}

void FlowingTable::put_rows() {
    if (writer_ == nullptr) {
        writer_ = rows_.make_writer(format_);
        writer_->begin(buffer_);
    }
    rows_.append_rows(buffer_, *writer_);
    written_ += rows_.size();
    rows_.clear();
}

Result<void> FlowingTable::finish() {
    put_rows();
    writer_->end(buffer_);
    return output_.finish(buffer_.view());
}

}  // namespace sla::formats
