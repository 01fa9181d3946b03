#include "tests/layering/functions.h"

#include "tests/layering/source_text.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace sla::layering {
namespace {

enum class Scope { kTransparent, kFunction, kInitializer };

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string without_attributes(const std::string& head) {
    static const std::regex kAttributes(R"(\[\[[^\]]*\]\]|alignas\s*\([^)]*\)|__attribute__\s*\(\(([^()]|\([^()]*\))*\)\))");
    return std::regex_replace(head, kAttributes, " ");
}

// The identifier in front of the first parenthesis; empty when there is none.
std::string name_before_parameters(const std::string& head) {
    std::size_t end = head.find('(');
    if (end == std::string::npos) return {};
    while (end > 0 && std::isspace(static_cast<unsigned char>(head[end - 1])) != 0) --end;
    std::size_t begin = end;
    while (begin > 0 && (is_word(head[begin - 1]) || head[begin - 1] == ':' || head[begin - 1] == '~')) --begin;
    const std::size_t named_operator = head.rfind("operator", end);
    if (begin == end && named_operator != std::string::npos) begin = named_operator;
    return head.substr(begin, end - begin);
}

// "Type::Type(int a) : a_" is in the middle of its initialisers: the brace that follows initialises a member.
bool ends_in_member_initializer(const std::string& head) {
    static const std::regex kOpenMember(R"(\)\s*(noexcept\s*)?:[^:][\s\S]*[A-Za-z0-9_>]\s*$)");
    return std::regex_search(head, kOpenMember);
}

bool is_access_specifier(std::string_view head) {
    return head == "public" || head == "protected" || head == "private";
}

Scope scope_of(const std::string& raw_head) {
    const std::string head = without_attributes(raw_head);
    static const std::regex kNamespace(R"(^\s*(inline\s+)?namespace\b|^\s*extern\s*"\s*"\s*$)");
    if (std::regex_search(head, kNamespace)) return Scope::kTransparent;
    if (head.find('(') != std::string::npos) {
        return ends_in_member_initializer(head) ? Scope::kInitializer : Scope::kFunction;
    }
    static const std::regex kType(R"(\b(class|struct|union|enum)\b)");
    return std::regex_search(head, kType) && head.find('=') == std::string::npos ? Scope::kTransparent : Scope::kInitializer;
}

// Follows the braces of one blanked text.
class FunctionFinder {
public:
    explicit FunctionFinder(std::string_view code) : code_(code) {}

    std::vector<FunctionLength> run() {
        for (at_ = 0; at_ < code_.size(); ++at_) step(code_[at_]);
        return std::move(found_);
    }

private:
    // What decides is the text since the last statement: the head of whatever a brace opens.
    void step(char c) {
        if (c == '\n') ++line_;
        if (inside_depth_ > 0) return inside(c);
        if (c == '(') ++parentheses_;
        if (c == ')') --parentheses_;
        if (c == '{') return open();
        if (c == '}' || (c == ';' && parentheses_ == 0) || (c == ':' && is_access_specifier(head_))) return start_head();
        if (head_.empty() && std::isspace(static_cast<unsigned char>(c)) != 0) return;
        if (head_.empty()) head_line_ = line_;
        head_.push_back(c);
    }

    void open() {
        const Scope scope = parentheses_ > 0 ? Scope::kInitializer : scope_of(head_);
        if (scope == Scope::kTransparent) return start_head();
        inside_depth_ = 1;
        inside_function_ = scope == Scope::kFunction;
    }

    void inside(char c) {
        if (c == '{') ++inside_depth_;
        if (c != '}' || --inside_depth_ > 0) return;
        if (!inside_function_) {
            head_ += "{}";
            return;
        }
        found_.push_back({name_before_parameters(without_attributes(head_)), head_line_, line_ - head_line_ + 1});
        start_head();
    }

    void start_head() {
        head_.clear();
        parentheses_ = 0;
    }

    std::string_view code_;
    std::vector<FunctionLength> found_;
    std::string head_;
    std::size_t at_ = 0;
    int line_ = 1;
    int head_line_ = 1;
    int parentheses_ = 0;
    int inside_depth_ = 0;
    bool inside_function_ = false;
};

}  // namespace

std::vector<FunctionLength> functions_of(std::string_view text) {
    const std::string code = blank_non_code(text);
    return FunctionFinder(code).run();
}

}  // namespace sla::layering
