#include "proto/common/nearest.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sla::common {
namespace {

// Letters to insert, remove, change or swap with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
    std::array<std::vector<std::size_t>, 3> rows;  // of the letter before the last one, the last one, this one
    rows.fill(std::vector<std::size_t>(b.size() + 1));
    for (std::size_t j = 0; j <= b.size(); ++j) rows[2][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::rotate(rows.begin(), rows.begin() + 1, rows.end());
        rows[2][0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = rows[1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            rows[2][j] = std::min({rows[1][j] + 1, rows[2][j - 1] + 1, changed});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) rows[2][j] = std::min(rows[2][j], rows[0][j - 2] + 1);
        }
    }
    return rows[2][b.size()];
}

// Up to the last dot that both have before any difference: the names that follow are what may be mistyped.
std::size_t shared_folder(std::string_view a, std::string_view b) {
    const auto [differ, with] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    const std::size_t dot = a.substr(0, static_cast<std::size_t>(differ - a.begin())).rfind('.');
    return dot == std::string_view::npos ? 0 : dot + 1;
}

}  // namespace

std::string nearest(std::string_view typed, const std::vector<std::string>& known) {
    if (typed.empty()) return {};
    std::pair<std::size_t, std::string> best{(typed.size() + 3) / 4 + 1, {}};
    for (const std::string& word : known) {
        const std::size_t away = distance(typed, word);
        if (away < best.first && away < word.size() - shared_folder(typed, word)) best = {away, word};
    }
    if (!best.second.empty()) return best.second;
    const auto begins = [typed](const std::string& word) { return word.starts_with(typed); };
    const auto first = std::find_if(known.begin(), known.end(), begins);
    return first != known.end() && std::count_if(first, known.end(), begins) == 1 ? *first : std::string();
}

std::string nearest_hint(std::string_view typed, const std::vector<std::string>& known) {
    const std::string word = nearest(typed, known);
    return word.empty() ? word : " (did you mean '" + word + "'?)";
}

}  // namespace sla::common
