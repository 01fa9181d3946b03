#include "proto/common/messages.h"

#include "proto/common/nearest.h"

#include <string_view>

namespace sla::common {
namespace {

constexpr std::size_t kFewCommands = 8;  // that fit into a message

// Its name begins the message already.
bool is_program(const std::string& command) {
    return command.find(' ') == std::string::npos;
}

}  // namespace

std::string about(const UnknownWord& unknown) {
    const std::string& word = unknown.word;
    if (!word.starts_with('-')) {
        if (unknown.commands.empty()) return "'" + word + "' is one word too many";
        return "there is no command '" + word + "'" + nearest_hint(word, unknown.commands);
    }
    const std::string name = word.substr(0, word.find('='));
    const std::string hint = name.size() > 2 ? nearest_hint(name, unknown.options) : "";  // any letter is near to any other
    const std::string message =
        (is_program(unknown.command) ? "there is no option " : unknown.command + " has no option ") + word + hint;
    if (!unknown.commands.empty()) return message + "; the options of a command stand behind its name";
    return unknown.takes_any_words && hint.empty() ? message + "; if it is none, write it behind --" : message;
}

std::string about_missing_command(const std::string& command, const std::vector<std::string>& commands) {
    std::string names;
    for (const std::string& name : commands) names += (names.empty() ? ": " : ", ") + name;
    if (is_program(command)) return "a command is needed";
    return command + " needs a command" + (commands.size() > kFewCommands ? "" : names);
}

std::string readable(const std::string& message) {
    constexpr std::string_view kMissing = ": 1 required ";
    const std::size_t missing = message.find(kMissing);
    if (missing != std::string::npos && message.ends_with(" missing")) {
        const std::size_t type = missing + kMissing.size();
        return message.substr(0, missing) +
               " needs a value: " + message.substr(type, message.size() - type - std::string_view(" missing").size());
    }
    constexpr std::string_view kTwice = ": At Most 1 required but received ";
    if (const std::size_t twice = message.find(kTwice); twice != std::string::npos) {
        return message.substr(0, twice) + " is given more than once";
    }
    constexpr std::string_view kUnreadable = "Could not convert: ";
    constexpr std::string_view kEquals = " = ";
    const std::size_t equals = message.find(kEquals);
    if (message.starts_with(kUnreadable) && equals != std::string::npos) {
        return message.substr(kUnreadable.size(), equals - kUnreadable.size()) + ": '" +
               message.substr(equals + kEquals.size()) + "' is not a value that it can take";
    }
    return message;
}

}  // namespace sla::common
