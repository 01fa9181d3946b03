// Completion scripts for bash and zsh.
#include "viewer/cli/command_tree.h"

#include <fmt/format.h>

#include <set>

namespace sla::cli {

namespace {

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
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
    static const std::set<std::string> kFiles = {"FILE", "F", "F.png", "F.html", "F.sla", "F.xml", "FILE.sla", "DIRECTORY"};
    return kFiles.contains(option.value) || option.value.find("CAPTURE") != std::string::npos;
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

}  // namespace

std::string bash_completion(const std::vector<CommandFacts>& commands) {
    std::vector<std::string> names;
    BashCases cases;
    for (const CommandFacts& command : commands) {
        names.push_back(command.name);
        add_command(command, cases);
    }
    return "# bash completion of sla; `eval \"$(sla completion bash)\"` or install it as completions/sla\n"
           "_sla() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= word\n"
           "    local command=${COMP_WORDS[1]}\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '" +
           joined(names) +
           " --help --version' -- \"$current\"))\n"
           "        return\n"
           "    fi\n"
           "    for word in \"${COMP_WORDS[@]:2:COMP_CWORD-2}\"; do\n"
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
           "complete -o filenames -F _sla sla\n";
}

std::string zsh_completion(const std::vector<CommandFacts>& commands) {
    std::string out =
        "#compdef sla\n# zsh completion of sla; install it as _sla in a directory of $fpath\n_sla() {\n"
        "    local -a commands=(\n";
    for (const CommandFacts& command : commands)
        out += "        '" + command.name + ":" + quoted(command.description) + "'\n";
    out +=
        "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
        "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n";
    for (const CommandFacts& command : commands) out += zsh_command(command);
    return out + "    esac\n}\n_sla \"$@\"\n";
}

}  // namespace sla::cli
