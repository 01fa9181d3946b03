// Manual pages, in the roff of man(7).
#include "proto/wire/version.h"
#include "viewer/cli/command_tree.h"

#include <fmt/format.h>

namespace sla::cli {

namespace {

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

std::string head(const std::string& name, const std::string& description) {
    std::string title = name;
    for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    return ".TH " + title + " 1 \"\" \"sla " + std::string(wire::kProductVersion) +
           "\" \"Soft logic analyzer\"\n.SH NAME\n" + roff(name) + " \\- " + roff(description) + "\n";
}

std::string synopsis(const CommandFacts& command) {
    std::string out = ".SH SYNOPSIS\n.B sla " + roff(command.name) + "\n";
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
        const std::string names = fmt::format("{}", fmt::join(option.names, ", "));
        out += ".TP\n.B " + roff(names.empty() ? option.value : names + (option.value.empty() ? "" : " " + option.value)) +
               "\n" + roff(option.description) + "\n";
    }
    return out;
}

// Pages, one a line.
std::string list_of(const std::vector<CommandFacts>& commands) {
    std::string out;
    for (const CommandFacts& command : commands)
        out += ".TP\n.BR " + roff(page_name(command)) + " (1)\n" + roff(command.description) + "\n";
    return out;
}

constexpr const char* kExitStatus =
    ".SH EXIT STATUS\n0 done, 1 the answer is \"no\" (nothing found, a limit broken), 2 wrong use, 3 the outside world "
    "failed.\n";

}  // namespace

// "sla-trigger-set"
std::string page_name(const CommandFacts& command) {
    std::string name = "sla-" + command.name;
    for (char& c : name) c = c == ' ' ? '-' : c;
    return name;
}

std::string manual_page(const std::vector<CommandFacts>& commands, const CommandFacts* one, const std::string& footer) {
    if (one != nullptr) {
        std::string out = head(page_name(*one), one->description) + synopsis(*one);
        if (!one->parts.empty()) out += ".SH COMMANDS\n" + list_of(one->parts);
        out += options_of(*one);
        if (!one->footer.empty()) out += ".SH NOTES\n.nf\n" + roff(one->footer) + "\n.fi\n";
        return out + kExitStatus + ".SH SEE ALSO\n.BR sla (1)\n";
    }
    std::string out = head("sla", "soft logic analyzer: records what marked programs do, and shows it");
    out += ".SH SYNOPSIS\n.B sla\nCOMMAND [OPTIONS]\n.SH COMMANDS\n" + list_of(commands);
    return out + ".SH NOTES\n.nf\n" + roff(footer) + "\n.fi\n" + kExitStatus;
}

}  // namespace sla::cli
