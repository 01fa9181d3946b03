// The rows of the table of events that are in sight: made for what is shown, and made anew only when something has changed that
// they were made of. Owner: the window's thread.
#pragma once

#include "viewer/store/merged.h"
#include "viewer/ui/tables/table_row.h"
#include "viewer/ui/widgets/context.h"
#include "viewer/workspace/table/table_rows.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sla::ui {

class ShownRows {
public:
    explicit ShownRows(TableRows& rows) : rows_(rows) {}

    // So many from `first` on, as they would be made now. Those stand: what comes behind them changes nothing of them.
    [[nodiscard]] bool are(const Context& context, std::uint64_t first, std::size_t count) const {
        return made_ == of_now(context, first, count);
    }
    void make(const Context& context, std::uint64_t first, std::size_t count);
    [[nodiscard]] const std::vector<TableRow>& rows() const { return shown_; }

    // All rows above this one lie before the tick, and none else: so it need not be looked for to be shown.
    void note_place(std::uint64_t row, std::uint64_t tick) { found_ = {row, tick}; }

private:
    struct Made {  // with what
        std::uint64_t first = 0;
        std::uint64_t end = 0;
        std::uint64_t description = 0;      // of the session
        std::uint64_t numbers = 0;          // of rows,
        std::uint64_t order = 0;            // and their revision
        std::int64_t unit = 0;              // of the times
        std::uint64_t tree = 0;             // of the names and colours
        std::uint64_t answers = 0;          // of the columns that are answers
        std::optional<std::uint64_t> a;     // cursor: times and deltas are since it,
        std::optional<std::uint64_t> zero;  // or since this
        ThemeName theme = ThemeName::kDark;
        bool operator==(const Made&) const = default;
    };
    struct FoundRow {
        std::uint64_t row = 0;
        std::uint64_t tick = 0;
    };
    [[nodiscard]] Made of_now(const Context& context, std::uint64_t first, std::size_t count) const;
    // Rows from `first` on, so many, and the one above them.
    [[nodiscard]] std::vector<store::RowRef> rows_to_show(std::uint64_t first, std::uint64_t count,
                                                          std::optional<store::RowRef>& before) const;

    TableRows& rows_;
    std::vector<TableRow> shown_;
    std::optional<Made> made_;
    std::optional<FoundRow> found_;  // what the view's first tick gave
};

}  // namespace sla::ui
