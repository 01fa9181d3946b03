// Actions on the event table: which columns it has, and whose order; those have no keys of their own: found by name, or given
// one. And what of it goes to the clipboard.
#include "viewer/ui/commands/actions.h"
#include "viewer/ui/commands/copy.h"
#include "viewer/ui/commands/event_columns.h"
#include "viewer/ui/commands/preconditions.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace sla::ui {

namespace {

const char* without_column(const Context& c, TableColumn column) {
    if (column == TableColumn::kDeltaA) return without_a(c);
    const auto question = question_of_column(static_cast<std::size_t>(column));
    if (question && c.document.kept_answers->column(*question) == nullptr) return "No kept question is a column there";
    return column == TableColumn::kDeltaTrigger ? without_trigger(c) : nullptr;
}

Action in_table(const char* id, const char* title, decltype(Action::run) run, decltype(Action::precondition) precondition,
                decltype(Action::on) on) {
    return {id, "Table", title, "", run, precondition, on};
}

template <std::size_t kAt>
Action column_action(const char* id, const char* title) {
    return in_table(
        id, title, [](Context& c) { choose_column(c, kAt, !has_column(c, kAt)); },
        [](const Context& c) { return without_column(c, static_cast<TableColumn>(kAt)); },
        [](const Context& c) { return has_column(c, kAt); });
}

template <std::size_t kAt>
Action order_action(const char* id, const char* title) {
    return in_table(
        id, title, [](Context& c) { c.document.rows.turn_order(static_cast<TableColumn>(kAt)); }, without_rows,
        [](const Context& c) {
            const TableRows& rows = c.document.rows;
            return !rows.by_time() && rows.order().column == kAt;
        });
}

// Action's words are for good.
struct Words {
    std::array<std::string, kTableColumns> column_ids, column_titles, order_ids, order_titles;

    Words() {
        for (std::size_t i = 0; i < kTableColumns; ++i) {
            const TableColumnInfo& look = kTableColumnInfo[i];
            column_ids[i] = std::string("column-") + look.id;
            column_titles[i] = std::string("Column: ") + look.title;
            order_ids[i] = std::string("order-") + look.id;
            order_titles[i] = std::string("In order of ") + look.title + ", and the other way round";
        }
    }
};

template <std::size_t... kAt>
std::vector<Action> all_actions(std::index_sequence<kAt...> /*columns*/) {
    static const Words words;
    std::vector<Action> all{column_action<kAt>(words.column_ids[kAt].c_str(), words.column_titles[kAt].c_str())...};
    all.push_back({"copy", "Table", "Copy the selected row, or A, B and the time between them", "Ctrl+C", copy_selection,
                   without_selection, nullptr});
    all.push_back(
        {"copy-table", "Table", "Copy the rows that the table shows", "Ctrl+Shift+C", copy_table, without_rows, nullptr});
    all.push_back(in_table("columns-by-room", "Columns: as there is room", arrange_columns_by_space, nullptr, nullptr));
    const std::array<Action, kTableColumns> orders{
        order_action<kAt>(words.order_ids[kAt].c_str(), words.order_titles[kAt].c_str())...};
    for (std::size_t i = 0; i < kTableColumns; ++i) {
        if (kTableColumnInfo[i].sorts) all.push_back(orders[i]);
    }
    return all;
}

}  // namespace

std::span<const Action> table_actions() {
    static const std::vector<Action> all = all_actions(std::make_index_sequence<kTableColumns>());
    return all;
}

}  // namespace sla::ui
