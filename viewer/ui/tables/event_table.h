// The delta-time table below the lanes: one row an event, in time order over all lanes, locked to them both ways.
//
// Rows are computed for what is shown, never stored: the table holds any number of rows and scrolls by row, not by pixel.
//   lanes → table   moving the view brings its first row to the top; selecting an event brings its row into sight
//   table → lanes   clicking a row selects its event and moves the view there
// Which columns there are is asked for by a right click on their heads (table_head.cpp), which are dragged to other places and
// widths; too many are scrolled sideways.
// A filter, collapsed repeats and another order: table_rows.h. Deltas are between the rows that a filter leaves.
// Rows of a file are fetched beside the frames. Those of many lanes may be more than is kept of them: what has not come
// after a while is waited for where that takes milliseconds.
// Owner: the window's thread.
#pragma once

#include "viewer/ui/tables/shown_rows.h"
#include "viewer/ui/tables/table_row.h"
#include "viewer/ui/widgets/context.h"
#include "viewer/workspace/table/table_rows.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace sla::ui {

class EventTable {
public:
    explicit EventTable(TableRows& rows) : rows_(rows), shown_(rows) {}
    void draw(Context& context);
    // Moves the selection as was asked for; whether the table is shown or not.
    void take_steps(Context& context);
    [[nodiscard]] std::uint64_t first_row() const { return first_; }  // at the top
    // Rows that are to be shown are being fetched; those of another place, or none, are shown meanwhile.
    [[nodiscard]] bool is_waiting() const { return is_waiting_; }

private:
    // Whether rows may be asked for that are there, or are not.
    bool may_ask(bool are_there);
    void note_wait(const Context& context);
    void follow_view(Context& context, std::size_t shown);
    // False: they are being fetched.
    bool collect(const Context& context, std::size_t count);
    void scroll(const Rect& area, std::size_t whole_rows);
    void go_to_top_of_order();
    // The view goes where the first row is; later, when that row has to be fetched first.
    void take_lanes_along(Context& context);
    void draw_head(Context& context, const Rect& place);
    void draw_title(Context& context, std::size_t column, const Rect& cell, const Rect& seen);
    static void drag_edge(Context& context, std::size_t column, const Rect& cell, const Rect& row);
    static void show_new_place(Context& context, std::size_t moved, const std::array<Rect, kTableColumns>& cells);
    static void move_to_mouse(Context& context, std::size_t moved, const std::array<Rect, kTableColumns>& cells);
    void draw_columns_menu(Context& context) const;
    // A person may want more columns than there is space for: by so many pixels.
    [[nodiscard]] static float too_wide_by(const Context& context, float width);
    void scroll_sideways(const Context& context, const Rect& bar, float too_wide);
    void select_row(Context& context, const store::RowRef& place);

    TableRows& rows_;
    std::optional<std::size_t> moved_column_;  // whose head is being dragged
    float scrolled_ = 0;                       // pixels of the columns that are left of the table
    std::uint64_t first_ = 0;                  // row number at the top
    bool owes_lanes_ = false;                  // the view has not gone there yet
    std::string seen_filter_;
    bool seen_collapsed_ = false;
    ColumnOrder seen_order_ = TableRows::kByTime;
    bool is_waiting_ = false;
    bool has_missed_ = false;             // rows, in this frame
    std::optional<double> missed_since_;  // seconds, as frames count them
    double asks_until_ = 0;               // at once, for what is not there
    bool asks_at_once_ = false;           // in this frame
    bool owes_place_ = false;             // other rows are listed: where the lanes are, as soon as they are known
    std::uint64_t seen_moves_ = 0;
    std::optional<Selection> seen_selection_;
    ShownRows shown_;
};

}  // namespace sla::ui
