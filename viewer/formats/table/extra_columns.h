// Further columns of the event table, behind its own: what somebody above knows about rows. Asked row by row, in the order in
// which they are written.
#pragma once

#include "viewer/formats/table/rows/row_writer.h"
#include "viewer/store/merged.h"

#include <vector>

namespace sla::formats {

class ExtraColumns {
public:
    virtual ~ExtraColumns() = default;
    [[nodiscard]] virtual const std::vector<Column>& columns() const = 0;
    // A field for each column, empty where the row has none.
    virtual void write(const store::RowRef& row, RowWriter& writer, ByteBuffer& out) const = 0;
};

}  // namespace sla::formats
