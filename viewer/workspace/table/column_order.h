// The order of a table's rows by one column, and what a click on a head makes of it.
#pragma once

#include <cstddef>
#include <optional>

namespace sla::workspace {

struct ColumnOrder {
    std::size_t column = 0;
    bool descending = false;
    bool operator==(const ColumnOrder&) const = default;
};

// By this column, then the other way round, then as the rows are.
inline std::optional<ColumnOrder> turned(const std::optional<ColumnOrder>& order, std::size_t column,
                                         bool descending_first) {
    if (!order || order->column != column) return ColumnOrder{column, descending_first};
    if (order->descending == descending_first) return ColumnOrder{column, !descending_first};
    return std::nullopt;
}

}  // namespace sla::workspace
