#include "viewer/ui/commands/event_columns.h"

#include "viewer/workspace/document.h"

namespace sla::ui {

TableShow table_show(const Context& context) {
    std::size_t questions = 0;
    while (context.document.kept_answers->column(questions) != nullptr) ++questions;
    using Sources = TableShow::Sources;
    const Sources sources = context.tree.are_names_shared() ? Sources::kOfOneName
                            : context.tree.sources() > 1    ? Sources::kSeveral
                                                            : Sources::kOne;
    return {context.marks.cursors.a.has_value(),
            !context.session.shots().empty() || context.marks.annotations.zero.has_value(),
            &context.settings.table_columns,
            context.settings.table_widths,
            context.settings.table_places,
            questions,
            sources};
}

const char* column_title(const Context& context, std::size_t column) {
    const auto question = question_of_column(column);
    const KeptQuestion* kept = question ? context.document.kept_answers->column(*question) : nullptr;
    return kept == nullptr ? kTableColumnInfo[column].title : kept->name.c_str();
}

bool has_column(const Context& context, std::size_t column) {
    const float width = (context.layout.table.width - context.px(kTableBar)) / context.layout.scale;
    return table_show(context).has(column, width);
}

bool are_columns_arranged(const Context& context) {
    const Settings& settings = context.settings;
    return settings.table_columns != ColumnChoices{} || settings.table_widths != ColumnWidths{} ||
           settings.table_places != columns_as_declared();
}

void arrange_columns_by_space(Context& context) {
    context.settings.table_columns = {};
    context.settings.table_widths = {};
    context.settings.table_places = columns_as_declared();
}

void choose_column(Context& context, std::size_t column, bool there) {
    context.settings.table_columns[column] = there;
}

}  // namespace sla::ui
