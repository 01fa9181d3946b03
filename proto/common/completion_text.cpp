// Completion scripts for bash and zsh.
#include "proto/common/command_pages.h"

#include <algorithm>
#include <set>

namespace sla::common {

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
}

// Within '...' of a shell, and within [...] of zsh's _arguments.
std::string quoted(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\'') {
            out += "'\\''";
        } else if (c == '[' || c == ']' || c == ':') {
            out += std::string("\\") + c;
        } else {
            out += c == '\n' ? ' ' : c;
        }
    }
    return out;
}

bool takes_file(const OptionFacts& option) {
    static const std::set<std::string> kFiles = {"F", "DIRECTORY", "FOLDER", "IMAGE"};
    const std::string& value = option.value;
    return kFiles.contains(value) || value.starts_with("FILE") || value.starts_with("F.") ||
           value.find("CAPTURE") != std::string::npos;
}

std::string zsh_action(const OptionFacts& option) {
    if (option.value.empty()) return "";
    if (!option.choices.empty()) return ":" + quoted(option.value) + ":(" + joined(option.choices) + ")";
    return ":" + quoted(option.value) + ":" + (takes_file(option) ? "_files" : "");
}

std::string zsh_arguments(const CommandFacts& command) {
    std::string out = "_arguments -s \\\n";
    for (const OptionFacts& option : command.options) {
        if (option.names.empty()) {
            out += "                '*" + (option.value.empty() ? std::string(": :_files") : zsh_action(option)) + "' \\\n";
            continue;
        }
        for (const std::string& name : option.names)
            out += "                '*" + name + "[" + quoted(option.description) + "]" + zsh_action(option) + "' \\\n";
    }
    return out;
}

// One with parts: the first word that is a part's decides.
std::string zsh_command(const CommandFacts& command) {
    std::string out = "        " + command.word() + ")\n";
    if (command.parts.empty()) return out + "            " + zsh_arguments(command) + "                ;;\n";
    std::string words;
    std::string described;
    std::string cases;
    for (const CommandFacts& part : command.parts) {
        words += (words.empty() ? "" : "|") + part.word();
        described += " '" + part.word() + ":" + quoted(part.description) + "'";
        cases += "            " + part.word() + ") " + zsh_arguments(part) + "                ;;\n";
    }
    return out +
           "            local part= word\n            for word in $words[2,CURRENT-1]; do\n                case $word in " +
           words + ") part=$word; break;; esac\n            done\n            local -a parts=(" + described +
           ")\n            case $part in\n" + cases +
           "            *) _describe command parts; return ;;\n            esac\n            ;;\n";
}

// What bash is given of a command and its parts, as lines of its three `case`s.
struct BashCases {
    std::string options;
    std::string values;
    std::string parts;
};

void add_command(const CommandFacts& command, BashCases& cases) {
    std::vector<std::string> words;
    for (const CommandFacts& part : command.parts) {
        words.push_back(part.word());
        cases.parts += "            '" + part.name + "') command='" + part.name + "'; break ;;\n";
        add_command(part, cases);
    }
    for (const OptionFacts& option : command.options) {
        for (const std::string& name : option.names) {
            words.push_back(name);
            if (!option.choices.empty())
                cases.values += "        '" + command.name + ":" + name + "') words='" + joined(option.choices) + "' ;;\n";
        }
        if (option.names.empty()) words.insert(words.end(), option.choices.begin(), option.choices.end());
    }
    cases.options += "        '" + command.name + "') words='" + joined(words) + "' ;;\n";
}

// The program's own options, and those of them that have a value behind them.
struct OwnOptions {
    explicit OwnOptions(const CommandFacts& program) {
        for (const OptionFacts& option : program.options) {
            all.insert(all.end(), option.names.begin(), option.names.end());
            if (!option.value.empty()) with_value.insert(with_value.end(), option.names.begin(), option.names.end());
        }
    }
    // As a pattern of a shell's `case`.
    [[nodiscard]] std::string pattern() const {
        std::string out;
        for (const std::string& name : with_value) out += (out.empty() ? "" : "|") + name;
        return out.empty() ? "''" : out;
    }

    std::vector<std::string> all;
    std::vector<std::string> with_value;
};

// The command is the first word that is no option of the program itself, and no such option's value.
std::string bash_command(const CommandFacts& program, const std::vector<std::string>& names) {
    const OwnOptions own(program);
    return "    while [ \"$at\" -lt \"$COMP_CWORD\" ]; do\n"
           "        case \"${COMP_WORDS[at]}\" in\n"
           "        " +
           own.pattern() +
           ") at=$((at + 1)) ;;\n"
           "        -*) ;;\n"
           "        *) command=${COMP_WORDS[at]}; break ;;\n"
           "        esac\n"
           "        at=$((at + 1))\n"
           "    done\n"
           "    if [ \"$at\" -gt \"$COMP_CWORD\" ]; then\n"
           "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
           "        return\n"
           "    elif [ -z \"$command\" ]; then\n"
           "        COMPREPLY=($(compgen -W '" +
           joined(names) + " " + joined(own.all) +
           "' -- \"$current\"))\n"
           "        return\n"
           "    fi\n";
}

// "_sla_agent"
std::string function_name(const CommandFacts& program) {
    std::string name = "_" + program.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

}  // namespace

std::string bash_completion(const CommandFacts& program) {
    std::vector<std::string> names;
    BashCases cases;
    for (const CommandFacts& command : program.parts) {
        names.push_back(command.name);
        add_command(command, cases);
    }
    CommandFacts own = program;  // its options, in front of a command or without any
    own.name.clear();
    own.parts.clear();
    add_command(own, cases);
    const std::string function = function_name(program);
    const std::string command = program.parts.empty() ? "" : bash_command(program, names);
    return "# bash completion of " + program.name + "; install it as completions/" + program.name + "\n" + function +
           "() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= word command= at=1\n" +
           command +
           "    for word in \"${COMP_WORDS[@]:at+1:COMP_CWORD-at-1}\"; do\n"
           "        case \"$command $word\" in\n" +
           cases.parts +
           "        esac\n"
           "    done\n"
           "    case \"$command:$before\" in\n" +
           cases.values +
           "    esac\n"
           "    if [ -n \"$words\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
           "        return\n"
           "    fi\n"
           "    case \"$command\" in\n" +
           cases.options +
           "    esac\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
           "    case $current in -*) ;; *) COMPREPLY+=($(compgen -f -- \"$current\")) ;; esac\n"
           "}\n"
           "complete -o filenames -F " +
           function + " " + program.name + "\n";
}

std::string zsh_completion(const CommandFacts& program) {
    const std::string function = function_name(program);
    std::string out = "#compdef " + program.name + "\n# zsh completion of " + program.name + "; install it as _" +
                      program.name + " in a directory of $fpath\n" + function + "() {\n";
    if (program.parts.empty()) return out + "    " + zsh_arguments(program) + "}\n" + function + " \"$@\"\n";
    out += "    local -a commands=(\n";
    for (const CommandFacts& command : program.parts)
        out += "        '" + command.name + ":" + quoted(command.description) + "'\n";
    const OwnOptions own(program);
    out +=
        "    )\n    local at=2\n    while (( at < CURRENT )); do\n        case $words[at] in\n        " + own.pattern() +
        ") (( at++ )) ;;\n        -*) ;;\n        *) break ;;\n        esac\n        (( at++ ))\n    done\n"
        "    if (( at > CURRENT )); then\n        _files\n        return\n    elif (( at == CURRENT )); then\n"
        "        [[ $words[at] == -* ]] && compadd -- " +
        joined(own.all) +
        " || _describe command commands\n        return\n    fi\n"
        "    local command=$words[at]\n    shift $(( at - 1 )) words\n    (( CURRENT -= at - 1 ))\n    case $command in\n";
    for (const CommandFacts& command : program.parts) out += zsh_command(command);
    return out + "    esac\n}\n" + function + " \"$@\"\n";
}

}  // namespace sla::common
