// A row of an answer as SQLite has it.
#include "viewer/sql/engine.h"

#include <sqlite3.h>

namespace sla::sql {

std::size_t AnswerRow::size() const {
    return static_cast<std::size_t>(sqlite3_column_count(statement_));
}
AnswerRow::Type AnswerRow::type(std::size_t column) const {
    switch (sqlite3_column_type(statement_, static_cast<int>(column))) {
        case SQLITE_INTEGER: return Type::kInteger;
        case SQLITE_FLOAT: return Type::kReal;
        case SQLITE_TEXT: return Type::kText;
        case SQLITE_BLOB: return Type::kBlob;
        default: return Type::kNull;
    }
}
std::int64_t AnswerRow::integer(std::size_t column) const {
    return sqlite3_column_int64(statement_, static_cast<int>(column));
}
double AnswerRow::real(std::size_t column) const {
    return sqlite3_column_double(statement_, static_cast<int>(column));
}
std::string_view AnswerRow::bytes(std::size_t column) const {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, static_cast<int>(column)));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, static_cast<int>(column)));
    return bytes == nullptr ? std::string_view() : std::string_view(bytes, size);
}

}  // namespace sla::sql
