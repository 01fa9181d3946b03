#include "emu/machine/typed_text.h"

#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"

#include <optional>

namespace sla::machine {

namespace {

constexpr std::string_view kWait = "wait ";
constexpr std::string_view kSee = "see ";

std::optional<char> escaped(char letter) {
    switch (letter) {
        case 'n': return '\n';
        case 't': return '\t';
        case 'b': return '\b';
        case 'e': return '\x1B';
        case '\\': return '\\';
        default: return std::nullopt;
    }
}

// What the backslash at text[at] and the letter behind it mean; then `at` is the letter's.
Result<char> unescape(std::string_view text, std::size_t& at) {
    const auto meant = at + 1 < text.size() ? escaped(text[++at]) : std::nullopt;
    if (meant) return *meant;
    return invalid_input("typed text: a backslash stands before n, t, b, e, \\ or {; write \\\\ for itself");
}

// What the screen shall show; \n is the end of a line.
Result<TypingStep> parse_awaited(std::string_view text) {
    AwaitText awaited;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\') {
            awaited.text += text[at];
            continue;
        }
        const auto meant = unescape(text, at);
        if (!meant) return meant.error();
        awaited.text += *meant;
    }
    return TypingStep{awaited};
}

// What stands between \{ and }.
Result<TypingStep> parse_braced(std::string_view inside) {
    if (inside.starts_with(kSee) && inside.size() > kSee.size()) return parse_awaited(inside.substr(kSee.size()));
    if (inside.starts_with(kWait)) {
        auto time = time::parse_duration(inside.substr(kWait.size()));
        if (!time) return time.error();
        if (*time < 0) return invalid_input("typed text: \\{" + std::string(inside) + "} waits backwards");
        return TypingStep{Pause{*time / time::kPicosecondsPerNanosecond}};
    }
    if (inside == "stop") return TypingStep{EndRun{}};
    if (const auto stroke = device::stroke_named(inside)) return TypingStep{*stroke};
    return invalid_input("typed text: there is no key \\{" + std::string(inside) +
                         "}; keys are up, down, left, right, home, end, pgup, pgdn, ins, del, f1 to f12, enter, esc, tab, "
                         "space, and there are \\{wait TIME}, \\{see TEXT} and \\{stop}");
}

}  // namespace

Result<std::vector<TypingStep>> parse_typed_text(std::string_view text) {
    std::vector<TypingStep> steps;
    for (std::size_t at = 0; at < text.size(); ++at) {
        char character = text[at];
        if (character == '\\' && at + 1 < text.size() && text[at + 1] == '{') {
            const std::size_t close = text.find('}', at);
            if (close == std::string_view::npos) {
                return invalid_input("typed text: \\{ at character " + std::to_string(at + 1) + " has no closing }");
            }
            auto step = parse_braced(text.substr(at + 2, close - at - 2));
            if (!step) return step.error();
            steps.push_back(*step);
            at = close;
            continue;
        }
        if (character == '\\') {
            const auto meant = unescape(text, at);
            if (!meant) return meant.error();
            character = *meant;
        }
        const auto stroke = device::stroke_of(character);
        if (!stroke) {
            return invalid_input("typed text: character " + std::to_string(at + 1) +
                                 " is on no key of a US keyboard; only ASCII can be typed");
        }
        steps.emplace_back(*stroke);
    }
    return steps;
}

}  // namespace sla::machine
