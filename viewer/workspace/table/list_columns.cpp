#include "viewer/workspace/table/list_columns.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace sla::workspace {

namespace {

constexpr std::size_t kMaxLines = 500;

// How many columns the table has that begins with this line; 0: none does.
int columns_of_table(const std::string& line) {
    unsigned id = 0;
    int columns = 0;
    int end = 0;
    const bool is_read = std::sscanf(line.c_str(), "[Table][0x%8x,%2d]%n", &id, &columns, &end) == 2;
    const bool is_whole = is_read && end > 0 && static_cast<std::size_t>(end) == line.size();
    return is_whole && columns > 0 && columns <= kMaxListColumns ? columns : 0;
}

// "Width=60".
bool is_setting(const std::string& word, int columns) {
    constexpr std::size_t kMaxDigits = 9;
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) return false;
    const std::string name = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    const char* const digits = name == "Weight" ? "0123456789." : "0123456789";
    if (value.empty() || value.size() > kMaxDigits || value.find_first_not_of(digits) != std::string::npos) return false;
    if (name == "Order") return std::atoi(value.c_str()) < columns;
    return name == "Width" || name == "Weight" || name == "Visible";
}

bool is_column(const std::string& line, int columns) {
    std::istringstream words(line);
    std::string word;
    int number = 0;
    if (!(words >> word) || word != "Column" || !(words >> number) || number < 0 || number >= columns) return false;
    while (words >> word) {
        if (!is_setting(word, columns)) return false;
    }
    return true;
}

}  // namespace

std::vector<std::string> list_columns_of(const std::vector<std::string>& lines) {
    std::vector<std::string> good;
    int columns = 0;  // of the table that the line is of; 0: of none
    for (const std::string& line : lines) {
        const bool begins = line.starts_with('[');
        if (begins) columns = columns_of_table(line);
        if (columns > 0 && (begins || is_column(line, columns)) && good.size() < kMaxLines) good.push_back(line);
    }
    return good;
}

}  // namespace sla::workspace
