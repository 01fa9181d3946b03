#include "viewer/ui/tables/shown_rows.h"

#include "viewer/ui/commands/event_columns.h"
#include "viewer/workspace/document.h"

#include <algorithm>

namespace sla::ui {

ShownRows::Made ShownRows::of_now(const Context& context, std::uint64_t first, std::size_t count) const {
    Made made;
    made.first = first;
    made.end = std::min<std::uint64_t>(first + count, rows_.size());
    made.description = context.session.description_revision();
    made.numbers = rows_.order_revision();
    made.order = rows_.revision();
    made.unit = unit_of_times(context).ps;
    made.tree = context.tree.revision();
    made.answers = context.document.kept_answers->revision();
    if (const auto& a = context.marks.cursors.a) made.a = a->tick;
    made.zero = context.marks.annotations.zero;
    made.theme = context.theme.name;
    return made;
}

void ShownRows::make(const Context& context, std::uint64_t first, std::size_t count) {
    made_ = of_now(context, first, count);
    shown_.clear();
    const std::uint64_t end = made_->end;
    if (first >= end) return;
    if (rows_.listed()) {
        for (std::uint64_t number = first; number < end; ++number) {
            if (const auto place = rows_.place(number)) {
                shown_.push_back(table_row(
                    context, {number, *place, rows_.before(number), rows_.before_in_lane(number), rows_.repeats(number)}));
            }
        }
        return;
    }
    std::optional<store::RowRef> before;
    std::uint64_t number = first;
    for (const store::RowRef& place : rows_to_show(first, end - first, before)) {
        shown_.push_back(table_row(context, {number++, place, before, TableRows::before_in_lane(place)}));
        before = place;
    }
}

std::vector<store::RowRef> ShownRows::rows_to_show(std::uint64_t first, std::uint64_t count,
                                                   std::optional<store::RowRef>& before) const {
    std::vector<store::RowRef> rows;
    if (found_ && found_->row == first && first + count < rows_.size()) {
        store::MergedCursor cursor = rows_.cursor_at(found_->tick);
        if (cursor.row() == first) {  // else rows have come since
            before = cursor.previous();
            if (before) cursor.next();
            for (auto next = cursor.next(); next && rows.size() < count; next = cursor.next()) rows.push_back(*next);
            return rows;
        }
    }
    const std::uint64_t above = first == 0 ? 0 : 1;
    rows = rows_.rows_from(first - above, count + above);
    if (above == 0 || rows.empty()) return rows;
    before = rows.front();
    rows.erase(rows.begin());
    return rows;
}

}  // namespace sla::ui
