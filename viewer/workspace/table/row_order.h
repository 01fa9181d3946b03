// By what a row of the event table stands where it stands when the table is put in the order of a column.
#pragma once

#include "viewer/store/merged.h"
#include "viewer/workspace/table/column_order.h"
#include "viewer/workspace/table/first_rows.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sla::workspace {

// A number or a word; the one that a column does not use is the same for all. A row whose cell is empty stands behind all
// others, whichever way round they are. What is no number (NaN) is greater than every number.
struct RowKey {
    long double number = 0;  // holds any value of an event exactly, 64-bit integers too
    std::string word;
    bool empty = false;
};

struct RowToOrder {
    store::RowRef place;
    std::uint64_t number = 0;  // in order of time
    // What its differences are counted from; nothing: there is no such row.
    std::optional<std::uint64_t> before_tick;
    std::optional<std::uint64_t> before_in_lane_tick;
};
// Reads the row's event where the column needs it.
RowKey key_of(std::size_t column, const RowToOrder& row);

struct RowBefore {
    bool descending = false;
    bool operator()(const RowKey& a, const RowKey& b) const;
};

template <typename Row>
using OrderedRows = FirstRows<RowKey, Row, RowBefore>;

}  // namespace sla::workspace
