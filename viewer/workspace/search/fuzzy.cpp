#include "viewer/workspace/search/fuzzy.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace sla::workspace {

namespace {

constexpr int kLetter = 1;
constexpr int kRun = 12;   // behind the letter before
constexpr int kWord = 10;  // at the beginning of a word
constexpr int kFirst = 4;  // at the beginning of a title
constexpr int kSkip = 1;   // taken for each letter left out between two
constexpr int kNoFit = -1'000'000;
constexpr std::size_t kLongest = 256;

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool begins_word(std::string_view name, std::size_t at) {
    return at == 0 || std::isalnum(static_cast<unsigned char>(name[at - 1])) == 0;
}

// Of all, or of a title behind its group, as in "Panels: Shots".
bool begins_title(std::string_view name, std::size_t at) {
    return at == 0 || name.substr(0, at).ends_with(": ");
}

}  // namespace

// best[j]: the best score with the letters so far, the last of them at name[j].
std::optional<int> fuzzy_score(std::string_view typed, std::string_view name) {
    name = name.substr(0, kLongest);
    std::vector<int> best(name.size(), 0);
    bool any_letter = false;
    for (const char letter : typed) {
        if (letter == ' ') continue;
        std::vector<int> next(name.size(), kNoFit);
        int before = any_letter ? kNoFit : 0;  // the best so far that ends left of j, less what is skipped since
        for (std::size_t j = 0; j < name.size(); ++j) {
            if (lower(name[j]) == lower(letter) && (before > kNoFit || (j > 0 && any_letter && best[j - 1] > kNoFit))) {
                const int here = kLetter + (begins_word(name, j) ? kWord : 0) + (begins_title(name, j) ? kFirst : 0);
                const int run = any_letter && j > 0 && best[j - 1] > kNoFit ? best[j - 1] + kRun : kNoFit;
                next[j] = std::max(before, run) + here;
            }
            if (any_letter) before = std::max(before == kNoFit ? kNoFit : before - kSkip, best[j]);
        }
        best = std::move(next);
        any_letter = true;
    }
    if (!any_letter) return 0;
    int most = kNoFit;
    for (const int score : best) most = std::max(most, score);
    if (most == kNoFit) return std::nullopt;
    return most * 4 - static_cast<int>(name.size()) / 8;  // of equals the shorter name
}

}  // namespace sla::workspace
