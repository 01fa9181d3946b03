#include "viewer/workspace/source/told_notes.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>

namespace sla::workspace {

namespace {

bool says_the_same(const store::Note& a, const store::Note& b) {
    return a.text == b.text;
}

}  // namespace

std::vector<store::Note> ToldNotes::take_new(const std::vector<store::Note>& notes) {
    if (std::ranges::equal(notes, told_, says_the_same)) return {};
    std::unordered_map<std::string_view, std::size_t> told;  // how often
    for (const store::Note& note : told_) ++told[note.text];
    std::vector<store::Note> news;
    for (const store::Note& note : notes) {
        const auto known = told.find(note.text);
        if (known == told.end() || known->second == 0) {
            news.push_back(note);
        } else {
            --known->second;
        }
    }
    told_ = notes;
    return news;
}

}  // namespace sla::workspace
