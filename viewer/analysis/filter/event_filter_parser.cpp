// The words of EventFilter: recursive descent over tokens. Nesting and conditions are bounded, and with them how deep all
// those recurse that walk down the tree: a chain of `or` is as deep as it is long.
#include "proto/wire/glob.h"
#include "viewer/analysis/filter/event_filter.h"
#include "viewer/analysis/filter/filter_tokens.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace sla::analysis {

namespace {

using Node = EventFilter::Node;
using Field = EventFilter::Field;
using Token = FilterToken;

constexpr int kDeepest = 100;
constexpr int kMostConditions = 256;  // as of a trigger

std::optional<Field> field_of(std::string_view word) {
    constexpr std::string_view kNames[] = {"kind", "value", "text", "thread", "channel", "source", "tick"};
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
        if (word == kNames[i]) return static_cast<Field>(i);
    }
    return std::nullopt;
}

std::optional<EventFilter::Compare> compare_of(std::string_view word) {
    if (word == "==" || word == "=") return EventFilter::Compare::kEqual;
    if (word == "!=") return EventFilter::Compare::kNotEqual;
    if (word == "<") return EventFilter::Compare::kLess;
    if (word == "<=") return EventFilter::Compare::kLessEqual;
    if (word == ">") return EventFilter::Compare::kGreater;
    if (word == ">=") return EventFilter::Compare::kGreaterEqual;
    if (word == "in") return EventFilter::Compare::kInside;
    if (word == "~") return EventFilter::Compare::kGlob;
    return std::nullopt;
}

class Parser {
public:
    Parser(std::vector<Token> tokens, std::size_t end, std::vector<Node>& nodes)
        : tokens_(std::move(tokens)), end_(end), nodes_(nodes) {}

    Result<std::size_t> whole() {
        auto node = any_of();
        if (node.ok() && at_ < tokens_.size())
            return unclear_filter("'" + tokens_[at_].text + "' is not expected here", here());
        return node;
    }

private:
    [[nodiscard]] std::size_t here() const { return at_ < tokens_.size() ? tokens_[at_].at : end_; }
    bool take(std::string_view a, std::string_view b) {
        if (at_ >= tokens_.size() || tokens_[at_].quoted) return false;
        if (tokens_[at_].text != a && tokens_[at_].text != b) return false;
        ++at_;
        return true;
    }
    std::size_t add(Node node) {
        nodes_.push_back(std::move(node));
        return nodes_.size() - 1;
    }
    std::size_t join(Node::What what, std::size_t left, std::size_t right) {
        Node node;
        node.what = what;
        node.left = left;
        node.right = right;
        return add(std::move(node));
    }

    Result<std::size_t> any_of() {
        auto left = all_of();
        while (left.ok() && take("or", "||")) {
            const auto right = all_of();
            if (!right.ok()) return right;
            left = join(Node::What::kOr, *left, *right);
        }
        return left;
    }
    Result<std::size_t> all_of() {
        auto left = one();
        while (left.ok() && take("and", "&&")) {
            const auto right = one();
            if (!right.ok()) return right;
            left = join(Node::What::kAnd, *left, *right);
        }
        return left;
    }
    Result<std::size_t> one() {
        if (++depth_ > kDeepest) return unclear_filter("this is nested too deeply", here());
        auto node = inner();
        --depth_;
        return node;
    }
    Result<std::size_t> inner() {
        if (take("not", "!")) {
            const auto node = one();
            if (!node.ok()) return node;
            return join(Node::What::kNot, *node, *node);
        }
        if (!take("(", "(")) return condition();
        auto node = any_of();
        if (node.ok() && !take(")", ")")) return unclear_filter("a ')' is missing", here());
        return node;
    }
    Result<std::size_t> condition() {
        if (++conditions_ > kMostConditions)
            return unclear_filter("these are more than " + std::to_string(kMostConditions) + " conditions", here());
        constexpr const char* kFields = "kind, value, text, thread, channel, source or tick";
        if (at_ >= tokens_.size()) {
            return unclear_filter(std::string("a condition is missing; it begins with a channel or with ") + kFields,
                                  here());
        }
        const auto field = tokens_[at_].quoted ? std::nullopt : field_of(tokens_[at_].text);
        if (!field) return of_channel();
        ++at_;
        const auto compare = at_ < tokens_.size() ? compare_of(tokens_[at_].text) : std::nullopt;
        if (!compare) return unclear_filter("an operator is missing: == != < <= > >= ~ or `in A..B`", here());
        ++at_;
        if (at_ >= tokens_.size()) return unclear_filter("a value to compare with is missing", here());
        const Token operand = take_operand(*compare);
        Node node;
        node.field = *field;
        node.compare = *compare;
        if (auto read = read_operand(node, operand); !read.ok()) return read.error();
        return add(std::move(node));
    }
    // net.rx > 5: of one channel, or of all that a pattern means, as triggers say it.
    Result<std::size_t> of_channel() {
        const Token name = tokens_[at_];
        if (!name.quoted && (!is_filter_word(name.text.front()) || is_reserved(name.text)))
            return unclear_filter("'" + name.text + "' is not expected here", name.at);
        ++at_;
        Node node;
        node.field = Field::kChannel;
        node.word = name.text;
        node.is_short = true;
        const bool is_pattern = !name.quoted && wire::is_pattern(name.text);
        node.compare = is_pattern ? EventFilter::Compare::kGlob : EventFilter::Compare::kEqual;
        const std::size_t channel = add(std::move(node));
        Node more;
        const auto compare = at_ < tokens_.size() && !tokens_[at_].quoted ? compare_of(tokens_[at_].text) : std::nullopt;
        if (compare == EventFilter::Compare::kGlob)
            return unclear_filter(
                "'" + name.text + "' is no field with names or texts; there are text, thread, channel and source", name.at);
        if (take("begins", "ends")) {
            more.kind = tokens_[at_ - 1].text == "begins" ? wire::Kind::kBegin : wire::Kind::kEnd;
        } else if (compare) {
            ++at_;
            if (at_ >= tokens_.size()) return unclear_filter("a value to compare with is missing", here());
            more.field = Field::kValue;
            more.compare = *compare;
            if (auto read = read_numbers(more, take_operand(*compare)); !read.ok()) return read.error();
        } else {
            if (at_ < tokens_.size() && is_change(tokens_[at_])) return of_change(tokens_[at_]);
            return channel;
        }
        const std::size_t condition = add(std::move(more));
        return join(Node::What::kAnd, channel, condition);
    }
    // Without quotes no channel's name; one that begins with a digit needs them too, as in a trigger.
    static bool is_reserved(std::string_view word) {
        constexpr std::string_view kWords[] = {"and",     "or",    "not",   "in",  "begins", "ends", "rises", "falls",
                                               "changes", "delta", "width", "gap", "rate",   "then", "within"};
        return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords) ||
               (word.front() >= '0' && word.front() <= '9');
    }
    static bool is_change(const Token& word) {
        return !word.quoted && (word.text == "rises" || word.text == "falls" || word.text == "changes");
    }
    static Error of_change(const Token& word) {
        return unclear_filter(
            "'" + word.text + "' is about two events: searches, triggers and `sla find` know it, a filter looks at one",
            word.at);
    }
    // A range may be typed with blanks: 3 .. 9.
    Token take_operand(EventFilter::Compare compare) {
        Token operand = tokens_[at_++];
        while (compare == EventFilter::Compare::kInside && at_ < tokens_.size() && !tokens_[at_].quoted &&
               (tokens_[at_].text.starts_with("..") || operand.text.ends_with(".."))) {
            operand.text += tokens_[at_++].text;
        }
        return operand;
    }
    static Result<void> read_operand(Node& node, const Token& operand) {
        const bool equality =
            node.compare == EventFilter::Compare::kEqual || node.compare == EventFilter::Compare::kNotEqual;
        if (node.field == Field::kKind) {
            if (!equality) return unclear_filter("kinds are compared by == and != only", operand.at);
            for (int kind = 0; kind <= static_cast<int>(wire::Kind::kGap); ++kind) {
                node.kind = static_cast<wire::Kind>(kind);
                if (operand.text == wire::kind_name(node.kind)) return {};
            }
            return unclear_filter(
                "'" + operand.text + "' is no kind; there are tick, begin, end, level, value, text and gap", operand.at);
        }
        if (node.field != Field::kValue && node.field != Field::kTick) {
            if (!equality && node.compare != EventFilter::Compare::kGlob)
                return unclear_filter("names and texts are compared by ==, != and ~ only", operand.at);
            node.word = operand.text;
            return {};
        }
        if (node.compare == EventFilter::Compare::kGlob) return unclear_filter("~ is for names and texts", operand.at);
        return read_numbers(node, operand);
    }
    static Result<void> read_numbers(Node& node, const Token& operand) {
        std::string_view low = operand.text;
        if (node.compare == EventFilter::Compare::kInside) {
            const std::size_t dots = low.find("..");
            if (dots == std::string_view::npos) return unclear_filter("write `in A..B`, as in `value in 3..9`", operand.at);
            const auto high = filter_number(low.substr(dots + 2));
            if (!high) return unclear_filter("'" + operand.text + "' is not a range of numbers", operand.at);
            node.high = *high;
            low = low.substr(0, dots);
        }
        const auto number = filter_number(low);
        if (!number) return unclear_filter("'" + operand.text + "' is not a number", operand.at);
        node.low = *number;
        return {};
    }

    std::vector<Token> tokens_;
    std::size_t end_;
    std::vector<Node>& nodes_;
    std::size_t at_ = 0;
    int depth_ = 0;
    int conditions_ = 0;
};

}  // namespace

Result<EventFilter> EventFilter::parse(std::string_view text) {
    auto tokens = filter_tokens(text);
    if (!tokens.ok()) return tokens.error();
    EventFilter filter;
    Parser parser(std::move(tokens).value(), text.size(), filter.nodes_);
    if (const auto whole = parser.whole(); !whole.ok()) return whole.error();
    return filter;
}

}  // namespace sla::analysis
