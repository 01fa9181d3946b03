// Manual pages, in the roff of man(7).
#include "proto/common/command_pages.h"

#include <algorithm>
#include <cctype>

namespace sla::common {

namespace {

constexpr std::size_t kPageWidth = 72;  // of notes, which stand 7 columns from the left

// Backslashes, dashes that are dashes, and no line that looks like a request.
std::string roff(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool starts_line = i == 0 || text[i - 1] == '\n';
        if (starts_line && (text[i] == '.' || text[i] == '\'')) out += "\\&";
        if (text[i] == '\\') {
            out += "\\e";
        } else if (text[i] == '-') {
            out += "\\-";
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string head(const std::string& name, const std::string& description, const std::string& version) {
    std::string title = name;
    std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
    return ".TH " + title + " 1 \"\" \"" + version + "\" \"Soft logic analyzer\"\n.SH NAME\n" + roff(name) + " \\- " +
           roff(description) + "\n";
}

std::string synopsis(const std::string& called, const CommandFacts& command) {
    std::string out = ".SH SYNOPSIS\n.B " + roff(called) + "\n";
    if (!command.parts.empty()) out += "COMMAND\n";
    for (const OptionFacts& option : command.options) {
        std::string word = option.names.empty() ? option.value : option.names.back();
        if (word == "--help" || word.empty()) continue;
        if (!option.names.empty() && !option.value.empty()) word += " " + option.value;
        out += roff(option.required ? word : "[" + word + "]") + "\n";
    }
    return out;
}

std::string options_of(const CommandFacts& command) {
    std::string out = ".SH OPTIONS\n";
    for (const OptionFacts& option : command.options) {
        out += ".TP\n.B " + roff(written(option)) + "\n" + roff(option.description) + "\n";
    }
    return out;
}

std::string page_name(const std::string& program, const CommandFacts& command) {
    std::string name = program + "-" + command.name;
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
}

// Pages, one a line.
std::string list_of(const std::string& program, const std::vector<CommandFacts>& commands) {
    std::string out;
    for (const CommandFacts& command : commands)
        out += ".TP\n.BR " + roff(page_name(program, command)) + " (1)\n" + roff(command.description) + "\n";
    return out;
}

class Pages {
public:
    Pages(const std::string& program, const std::string& version) : program_(program), version_(version) {}

    // `name` of the page, `called` as it is typed.
    void add(const std::string& name, const std::string& called, const CommandFacts& command) {
        std::string text = head(name, command.description, version_) + synopsis(called, command);
        if (!command.parts.empty()) text += ".SH COMMANDS\n" + list_of(program_, command.parts);
        if (!command.options.empty()) text += options_of(command);
        if (!command.footer.empty()) text += ".SH NOTES\n.nf\n" + roff(note_text(command.footer, kPageWidth)) + ".fi\n";
        const bool says_codes = command.footer.find("xit code") != std::string::npos;
        if (!says_codes)
            text +=
                ".SH EXIT STATUS\n0 done, 1 the answer is \"no\" (nothing found, a limit broken), 2 wrong use, 3 the "
                "outside world failed.\n";
        if (name != program_) text += ".SH SEE ALSO\n.BR " + roff(program_) + " (1)\n";
        pages_.push_back({name, std::move(text)});
        for (const CommandFacts& part : command.parts) add(page_name(program_, part), program_ + " " + part.name, part);
    }
    [[nodiscard]] std::vector<ManualPage> all() && { return std::move(pages_); }

private:
    const std::string& program_;
    const std::string& version_;
    std::vector<ManualPage> pages_;
};

}  // namespace

std::vector<ManualPage> manual_pages(const CommandFacts& program, const std::string& version) {
    Pages pages(program.name, version);
    pages.add(program.name, program.name, program);
    return std::move(pages).all();
}

}  // namespace sla::common
