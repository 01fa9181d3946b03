// Of an answer's columns: where those stand that mean something to who made the question, and their fields as numbers.
#pragma once

#include "viewer/sql/engine.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::sql {

// The first of these names that there is.
inline std::optional<std::size_t> column_named(const std::vector<std::string>& columns,
                                               std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        const auto found = std::find(columns.begin(), columns.end(), name);
        if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
    }
    return std::nullopt;
}

// A whole number that is not below zero: a tick, a row's number.
inline std::optional<std::uint64_t> natural_in(const AnswerRow& row, std::size_t column) {
    if (row.type(column) != AnswerRow::Type::kInteger || row.integer(column) < 0) return std::nullopt;
    return static_cast<std::uint64_t>(row.integer(column));
}

inline bool is_number(AnswerRow::Type type) {
    return type == AnswerRow::Type::kInteger || type == AnswerRow::Type::kReal;
}

}  // namespace sla::sql
