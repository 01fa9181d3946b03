#include "proto/common/trigger/format.h"

#include "proto/common/trigger/lexer.h"
#include "proto/common/trigger/parser.h"
#include "proto/wire/glob.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace sla::trigger {
namespace {

using Kind = Condition::Kind;

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

// Behind an `and` such a word may be the event's, not a channel.
bool is_field(std::string_view word) {
    static constexpr std::array<std::string_view, 7> kFields = {"channel", "value",  "kind", "text",
                                                                "thread",  "source", "tick"};
    return std::find(kFields.begin(), kFields.end(), word) != kFields.end();
}

std::string plain(const std::string& name) {
    return is_bare_name(name) && !is_reserved(name) && !is_field(name) && !wire::is_pattern(name) ? name : quoted(name);
}

std::string text_of(const Name& name) {
    if (!name.is_glob) return plain(name.text);
    return is_bare_name(name.text) ? name.text : "channel ~ " + quoted(name.text);
}

std::string text_of(long double number) {
    constexpr long double kWhole = 18446744073709551616.0L;  // 2^64
    if (number == std::floor(number) && std::abs(number) < kWhole) {
        const auto size = static_cast<std::uint64_t>(std::abs(number));
        return fmt::format("{}{}", number < 0 ? "-" : "", size);
    }
    return fmt::format("{}", static_cast<double>(number));
}

std::string joined(const Condition& condition) {
    std::string out;
    for (const Condition& part : condition.parts) {
        if (!out.empty()) out += condition.kind == Kind::kAnd ? " and " : " or ";
        const bool inner = part.kind == Kind::kOr || (part.kind == Kind::kAnd && condition.kind == Kind::kAnd);
        out += inner ? "(" + to_text(part) + ")" : to_text(part);
    }
    return out;
}

std::string text_of(const Action& action) {
    switch (action.kind) {
        case Action::Kind::kGoto: return "goto " + plain(action.name);
        case Action::Kind::kTrigger: return "trigger";
        case Action::Kind::kAdd: return fmt::format("add {} {}", plain(action.name), action.amount);
        case Action::Kind::kClear: return "clear " + plain(action.name);
        case Action::Kind::kStart: return "start " + plain(action.name);
        case Action::Kind::kStop: return "stop " + plain(action.name);
        case Action::Kind::kStay: return "stay";
    }
    return "stay";
}

}  // namespace

std::string time_text(std::int64_t ps) {
    constexpr std::array<std::pair<std::int64_t, std::string_view>, 5> kUnits = {
        {{1'000'000'000'000, "s"}, {1'000'000'000, "ms"}, {1'000'000, "us"}, {1'000, "ns"}, {1, "ps"}}};
    for (const auto& [size, name] : kUnits) {
        if (ps % size == 0) return fmt::format("{}{}", ps / size, name);
    }
    return "0s";
}

const char* compare_text(Compare compare) {
    switch (compare) {
        case Compare::kLess: return "<";
        case Compare::kLessEqual: return "<=";
        case Compare::kGreater: return ">";
        case Compare::kGreaterEqual: return ">=";
        case Compare::kEqual: return "==";
        case Compare::kNotEqual: return "!=";
    }
    return "==";
}

std::string to_text(const Condition& condition) {
    const std::string a = text_of(condition.a);
    const std::string compare = compare_text(condition.compare);
    const std::string time = time_text(condition.time_ps);
    switch (condition.kind) {
        case Kind::kAnd:
        case Kind::kOr: return joined(condition);
        case Kind::kAny: return a;
        case Kind::kRises: return a + " rises";
        case Kind::kFalls: return a + " falls";
        case Kind::kChanges: return a + " changes";
        case Kind::kBegins: return a + " begins";
        case Kind::kEnds: return a + " ends";
        case Kind::kCompare: return a + " " + compare + " " + text_of(condition.low);
        case Kind::kInside: return a + " in " + text_of(condition.low) + " .. " + text_of(condition.high);
        case Kind::kDelta: return "delta " + a + " -> " + text_of(condition.b) + " " + compare + " " + time;
        case Kind::kWidth: return "width " + a + " " + compare + " " + time;
        case Kind::kGap: return "gap " + a + " > " + time;
        case Kind::kRate: return "rate " + a + " " + compare + " " + text_of(condition.low) + "/s over " + time;
        case Kind::kCounter: return "counter " + plain(condition.a.text) + " " + compare + " " + text_of(condition.low);
        case Kind::kTimer: return "timer " + plain(condition.a.text) + " " + compare + " " + time;
    }
    return a;
}

std::string to_text(const Stage& stage) {
    std::string out = stage.count == 1 ? "" : fmt::format("{} x ", stage.count);
    out += to_text(stage.condition);
    if (stage.within_ps) out += " within " + time_text(*stage.within_ps);
    return out;
}

std::string to_text(const Expression& expression) {
    std::string out;
    for (const Stage& stage : expression.stages) out += (out.empty() ? "" : " then ") + to_text(stage);
    return out;
}

std::string to_text(const Sequencer& sequencer) {
    std::string out;
    for (const Level& level : sequencer.levels) {
        out += "level " + plain(level.name) + "\n";
        bool first = true;
        for (const Branch& branch : level.branches) {
            out += first ? "  " : "  else ";
            first = false;
            if (branch.test) out += "if " + to_text(*branch.test) + " ";
            for (std::size_t i = 0; i < branch.actions.size(); ++i) out += (i == 0 ? "" : ", ") + text_of(branch.actions[i]);
            out += "\n";
        }
    }
    return out;
}

}  // namespace sla::trigger
