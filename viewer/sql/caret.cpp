#include "viewer/sql/caret.h"

#include "proto/base/control_characters.h"

#include <algorithm>
#include <cstddef>

namespace sla::sql {

namespace {

constexpr std::size_t kShownBefore = 60;  // bytes
constexpr std::size_t kShownBehind = 40;

bool is_inside_character(char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

}  // namespace

std::string with_caret(std::string_view question, int offset) {
    if (offset < 0 || static_cast<std::size_t>(offset) > question.size()) return "";
    const auto place = static_cast<std::size_t>(offset);
    const std::size_t line_end = std::min(question.find('\n', place), question.size());
    std::size_t begin = place == 0 ? 0 : question.rfind('\n', place - 1) + 1;  // npos + 1 is 0
    if (place - begin > kShownBefore) begin = place - kShownBefore;
    std::size_t end = std::min(line_end, place + kShownBehind);
    while (begin < place && is_inside_character(question[begin])) ++begin;
    while (end < line_end && is_inside_character(question[end])) ++end;
    std::string line = "\n  ";
    std::string below = "\n  ";
    for (std::size_t at = begin; at < end; ++at) {
        line += is_control(question[at]) ? ' ' : question[at];
        if (at < place && !is_inside_character(question[at])) below += ' ';
    }
    return line + below + "^";
}

}  // namespace sla::sql
