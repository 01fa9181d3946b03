// The tables there are, in words.
#include "viewer/sql/engine.h"
#include "viewer/sql/tables/virtual_table.h"

namespace sla::sql {

Result<std::string> schema(std::string_view wanted) {
    std::string text;
    for (const Table& table : tables()) {
        if (wanted.empty() || wanted == table.name) text += schema_of(table);
    }
    if (text.empty()) return not_found("there is no table '" + std::string(wanted) + "'; there are " + table_names(", "));
    return text;
}

std::string table_names(std::string_view between) {
    std::string names;
    for (const Table& table : tables()) {
        if (!names.empty()) names += between;
        names += table.name;
    }
    return names;
}

}  // namespace sla::sql
