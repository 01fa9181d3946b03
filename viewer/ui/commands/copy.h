// What goes to the clipboard: a row of the event table, all rows that it shows, what is measured between A and B. Rows are
// lines of columns with a tab between, as spreadsheets take them; times are nanoseconds.
#pragma once

#include "viewer/ui/widgets/context.h"

#include <cstdint>

namespace sla::ui {

inline constexpr std::uint64_t kMaxCopiedRows = 20'000;  // an export takes any number

// The selected event, else A, B and the time between them.
void copy_selection(Context& context);
// With the names of the columns; the first kMaxCopiedRows.
void copy_table(Context& context);
// Why there is nothing to copy; null: there is.
const char* without_selection(const Context& context);

}  // namespace sla::ui
