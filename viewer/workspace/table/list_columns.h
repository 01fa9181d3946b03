// Widths and places of columns in the lists behind tabs, as ImGui writes them of its tables:
//
//   [Table][0x0012ABCD,6]                          a table, and how many columns it has
//   Column 1  Width=60 Visible=1 Order=2           of each that is not as it was declared
//
// What is read back from a file goes into ImGui, which trusts it: only what a person can make of a table is let through.
#pragma once

#include <string>
#include <vector>

namespace sla::workspace {

inline constexpr int kMaxListColumns = 64;  // that a table of ImGui's can have

// Of these lines those of such tables. One whose first line is not good is left out with its columns.
std::vector<std::string> list_columns_of(const std::vector<std::string>& lines);

}  // namespace sla::workspace
