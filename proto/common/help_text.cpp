// What --help writes.
#include "proto/common/command_pages.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

namespace sla::common {

namespace {

constexpr std::size_t kIndentation = 2;
constexpr std::size_t kNarrow = 64;  // a terminal that is no wider has descriptions below what they describe

std::string spaces(std::size_t count) {
    return std::string(count, ' ');
}

// `text` in lines, each but the first behind `indentation` blanks; `used` of the first line are taken.
std::string filled(const std::string& text, std::size_t used, std::size_t indentation, std::size_t width) {
    std::string out;
    std::size_t column = used;
    bool starts_line = true;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
        const std::size_t size = end - at;
        if (!starts_line && column + 1 + size > width) {
            out += "\n" + spaces(indentation);
            column = indentation;
            starts_line = true;
        }
        if (!starts_line) {
            out += ' ';
            ++column;
        }
        out.append(text, at, size);
        column += size;
        starts_line = false;
        at = end + 1;
    }
    return out + "\n";
}

// Lines of two columns: what is described, and its description.
class Columns {
public:
    explicit Columns(std::size_t width) : width_(width), second_(width <= kNarrow ? 8 : width < 90 ? 26 : 30) {}

    void title(const std::string& text) { out_ += "\n" + text + ":\n"; }
    void line(const std::string& name, const std::string& description) {
        out_ += spaces(kIndentation) + name;
        if (description.empty()) {
            out_ += "\n";
            return;
        }
        const std::size_t used = kIndentation + name.size();
        out_ += used + 2 > second_ ? "\n" + spaces(second_) : spaces(second_ - used);
        out_ += filled(description, second_, second_, width_);
    }
    [[nodiscard]] std::string text() && { return std::move(out_); }

private:
    std::size_t width_;
    std::size_t second_;
    std::string out_;
};

std::string many(const OptionFacts& option) {
    return option.value + (option.many ? " ..." : "");
}

std::string usage(const CommandFacts& command, const std::string& called) {
    std::string out = "Usage: " + called + " [OPTIONS]";
    for (const OptionFacts& option : command.options) {
        if (!option.names.empty()) continue;
        out += option.required ? " " + many(option) : " [" + many(option) + "]";
    }
    return out + (command.parts.empty() ? "" : " COMMAND") + "\n";
}

// The titles of those, each once, in their order.
template <typename Facts>
std::vector<std::string> titles_of(const std::vector<Facts>& all) {
    std::vector<std::string> titles;
    for (const Facts& one : all) {
        if (std::find(titles.begin(), titles.end(), one.title) == titles.end()) titles.push_back(one.title);
    }
    return titles;
}

void add_arguments(const CommandFacts& command, Columns& out) {
    bool is_first = true;
    for (const OptionFacts& option : command.options) {
        if (!option.names.empty()) continue;
        if (std::exchange(is_first, false)) out.title("Arguments");
        out.line(many(option), option.description);
    }
}

void add_options(const CommandFacts& command, Columns& out) {
    for (const std::string& title : titles_of(command.options)) {
        bool is_first = true;
        for (const OptionFacts& option : command.options) {
            if (option.names.empty() || option.title != title) continue;
            if (std::exchange(is_first, false)) out.title(title);
            out.line(written(option), option.description);
        }
    }
}

void add_commands(const CommandFacts& command, Columns& out) {
    for (const std::string& title : titles_of(command.parts)) {
        out.title(title);
        for (const CommandFacts& part : command.parts) {
            if (part.title == title) out.line(part.word(), part.description);
        }
    }
}

// Where the second column of a table's line begins; 0: it has none, more than two, or one so far to the right that nothing could
// stand there.
std::size_t second_column_of(const std::string& line, std::size_t width) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || begin == 0) return 0;
    const std::size_t gap = line.find("  ", begin);
    const std::size_t second = gap == std::string::npos ? gap : line.find_first_not_of(' ', gap);
    const bool is_alone = second != std::string::npos && line.find("  ", second) == std::string::npos;
    return is_alone && second <= width / 2 ? second : 0;
}

// Does the sentence go on in the next line? Then this one was broken for its length.
bool goes_on(const std::string& line, const std::string& next) {
    constexpr std::size_t kLong = 90;
    if (line.size() < kLong || line.back() == '.' || next.empty() || next.front() == ' ') return false;
    const bool ends_part = std::string(":;!?").find(line.back()) != std::string::npos;
    return !ends_part || std::islower(static_cast<unsigned char>(next.front())) != 0;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

}  // namespace

std::string written(const OptionFacts& option) {
    if (option.names.empty()) return option.value;
    std::string out;
    for (const std::string& name : option.names) out += (out.empty() ? "" : ", ") + name;
    return out + (option.value.empty() ? "" : " " + option.value);
}

std::string note_text(const std::string& footer, std::size_t width) {
    const std::vector<std::string> lines = lines_of(footer);
    std::string out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::string line = lines[i];
        const auto next = [&] { return i + 1 < lines.size() ? lines[i + 1] : std::string(); };
        const std::size_t second = second_column_of(line, width);
        if (second > 0) {
            while (next().find_first_not_of(' ') == second) line += " " + lines[++i].substr(second);
            out += line.substr(0, second) + filled(line.substr(second), second, second, width);
        } else if (line.empty() || line.front() == ' ' || line.starts_with("Example")) {
            out += line + "\n";
        } else {
            for (std::string last = line; goes_on(last, next()); line += " " + last) last = lines[++i];
            out += filled(line, 0, 0, width);
        }
    }
    return out;
}

std::string help_text(const CommandFacts& command, const std::string& called, std::size_t width) {
    Columns columns(width);
    add_arguments(command, columns);
    add_options(command, columns);
    add_commands(command, columns);
    return filled(command.description, 0, 0, width) + usage(command, called) + std::move(columns).text() +
           (command.footer.empty() ? "" : "\n" + note_text(command.footer, width));
}

}  // namespace sla::common
