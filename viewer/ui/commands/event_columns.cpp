#include "viewer/ui/commands/event_columns.h"

namespace sla::ui {

TableShow table_show(const Context& context) {
    return {context.marks.cursors.a.has_value(),
            !context.session.shots().empty() || context.marks.annotations.zero.has_value(), &context.settings.table_columns,
            context.settings.table_widths, context.settings.table_places};
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

void arrange_columns_by_room(Context& context) {
    context.settings.table_columns = {};
    context.settings.table_widths = {};
    context.settings.table_places = columns_as_declared();
}

void choose_column(Context& context, std::size_t column, bool there) {
    context.settings.table_columns[column] = there;
}

}  // namespace sla::ui
