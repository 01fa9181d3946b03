// Texts as HTML shows them, and parts of pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sla::report {

// & < > " and control characters made harmless.
std::string escaped(std::string_view text);

// A table; columns whose fields are numbers stand at the right. Fields are texts, not HTML.
std::string table(const std::vector<std::string>& names, const std::vector<std::vector<std::string>>& rows);

// Everything before the first section: style in both colour schemes, title.
std::string page_head(const std::string& title);

}  // namespace sla::report
