// Parts of HTML pages.
#pragma once

#include <string>
#include <vector>

namespace sla::report {

// A table; columns whose fields are numbers stand at the right. Fields are texts, not HTML.
std::string table(const std::vector<std::string>& names, const std::vector<std::vector<std::string>>& rows);

// Everything before the first section: style in both colour schemes, title.
std::string page_head(const std::string& title);

}  // namespace sla::report
