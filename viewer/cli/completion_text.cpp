// Completion scripts for bash and zsh.
#include "viewer/cli/command_tree.h"

namespace sla::cli {

namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
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

std::string zsh_action(const OptionFacts& option) {
    if (option.value.empty()) return "";
    if (!option.choices.empty()) return ":" + quoted(option.value) + ":(" + joined(option.choices, " ") + ")";
    const bool file = option.value == "FILE" || option.value == "F" || option.value == "F.png" || option.value == "F.html" ||
                      option.value == "F.sla" || option.value.find("CAPTURE") != std::string::npos;
    return ":" + quoted(option.value) + ":" + (file ? "_files" : "");
}

std::string zsh_command(const CommandFacts& command) {
    std::string out = "        " + command.name + ")\n            _arguments -s \\\n";
    for (const OptionFacts& option : command.options) {
        if (option.names.empty()) {
            out += "                '*" + (option.value.empty() ? std::string(": :_files") : zsh_action(option)) + "' \\\n";
            continue;
        }
        for (const std::string& name : option.names)
            out += "                '*" + name + "[" + quoted(option.description) + "]" + zsh_action(option) + "' \\\n";
    }
    return out + "                ;;\n";
}

}  // namespace

std::string bash_completion(const std::vector<CommandFacts>& commands) {
    std::string names;
    std::string options;
    std::string values;
    for (const CommandFacts& command : commands) {
        names += (names.empty() ? "" : " ") + command.name;
        std::string words;
        for (const OptionFacts& option : command.options) {
            for (const std::string& name : option.names) {
                words += (words.empty() ? "" : " ") + name;
                if (!option.choices.empty())
                    values += "        " + command.name + ":" + name + ") words='" + joined(option.choices, " ") + "' ;;\n";
            }
            if (option.names.empty() && !option.choices.empty())
                words += (words.empty() ? "" : " ") + joined(option.choices, " ");
        }
        options += "        " + command.name + ") words='" + words + "' ;;\n";
    }
    return "# bash completion of sla; `eval \"$(sla completion bash)\"` or install it as completions/sla\n"
           "_sla() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '" +
           names +
           " --help --version' -- \"$current\"))\n"
           "        return\n"
           "    fi\n"
           "    case ${COMP_WORDS[1]}:$before in\n" +
           values +
           "    esac\n"
           "    if [ -n \"$words\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
           "        return\n"
           "    fi\n"
           "    case ${COMP_WORDS[1]} in\n" +
           options +
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
