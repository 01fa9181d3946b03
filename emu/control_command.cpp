#include "emu/control_command.h"

#include "emu/control/console.h"
#include "emu/control/control_path.h"
#include "proto/base/text.h"
#include "proto/common/guest_client.h"
#include "proto/common/prompt/line_reader.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace sla::emu {

namespace {

constexpr const char* kBlanks = " \t\r";

// The process's number or its socket's path, as find_socket() takes it; nothing: it is a command.
std::optional<std::string> address_in(const std::string& word) {
    const bool number =
        !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (number) return word;
    std::error_code failed;
    const bool path = word.starts_with('/') || word.starts_with("./") || word.starts_with("../");
    if (!path && !std::filesystem::is_socket(word, failed)) return std::nullopt;
    return std::filesystem::absolute(word, failed).string();
}

// A file that it names is one of the directory where it was typed.
std::string with_whole_path(const std::string& command) {
    const std::size_t name = std::min(command.find_first_not_of(kBlanks), command.size());
    const std::size_t end = std::min(command.find_first_of(kBlanks, name), command.size());
    const std::string_view word = std::string_view(command).substr(name, end - name);
    const std::size_t file = command.find_first_not_of(kBlanks, end);
    if ((word != "save" && word != "load") || file == std::string::npos) return command;
    std::error_code failed;
    return std::string(word) + " " + std::filesystem::absolute(command.substr(file), failed).string();
}

int fail(const Error& error, const std::string& where = {}) {
    spdlog::error("{}{}", where, error.message);
    return exit_code(error);
}

// Nothing: it went well.
std::optional<Error> ask(common::GuestClient& pc, const std::string& line) {
    const auto answer = pc.ask(with_whole_path(line));
    if (!answer && answer.error().code == ErrorCode::kDamaged)
        return unavailable("what listens there is no emulated PC: it answered \"" + answer.error().message + "\"");
    if (!answer) return answer.error();
    fmt::print("{}", *answer);
    std::fflush(stdout);
    return std::nullopt;
}

int run_script(common::GuestClient& pc, const std::string& path) {
    std::error_code failed;
    std::ifstream file(path);
    if (!file) return fail(system_error(fmt::format("cannot read {}", path), errno));
    if (std::filesystem::is_directory(path, failed))
        return fail(invalid_input(fmt::format("cannot read {}: it is a directory", path)));
    unsigned number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (trimmed(line, kBlanks).starts_with('#')) continue;
        if (const auto error = ask(pc, line)) return fail(*error, fmt::format("{}:{}: ", path, number));
    }
    if (file.bad()) return fail(invalid_input(fmt::format("cannot read {} to its end", path)));
    return 0;
}

int converse(common::GuestClient& pc) {
    const auto lines = prompt::make_line_reader("control_history");
    while (const auto line = lines->read("sla-emu> ")) {
        if (line->find_first_not_of(kBlanks) == std::string::npos) continue;  // thrown away, too
        if (*line == "quit" || *line == "exit") break;
        lines->remember(*line);
        if (const auto error = ask(pc, *line)) {
            if (pc.is_over()) return fail(*error);
            spdlog::error("{}", error->message);
        }
    }
    return 0;
}

}  // namespace

int control(const ControlOptions& options) {
    // What there is to ask needs no PC that runs.
    if (options.script.empty() && options.words == std::vector<std::string>{"help"}) {
        fmt::print("{}", control::Console::help());
        return 0;
    }
    const auto typed = options.words.empty() ? std::nullopt : address_in(options.words[0]);
    const bool addressed = typed.has_value();
    const auto path = control::find_socket(typed.value_or(""));
    if (!path) return fail(path.error());
    auto pc = common::GuestClient::connect(*path);
    if (!pc) return fail(pc.error().code == ErrorCode::kNotFound ? unavailable(pc.error().message) : pc.error());
    pc->on_note([](const std::string& text) { spdlog::warn("{}", trimmed(text, "\n")); });
    for (std::size_t i = addressed ? 1 : 0; i < options.words.size(); ++i) {
        if (const auto error = ask(*pc, options.words[i])) return fail(*error);
    }
    if (!options.script.empty()) return run_script(*pc, options.script);
    return options.words.size() == (addressed ? 1U : 0U) ? converse(*pc) : 0;
}

std::string control_help() {
    return "Commands:\n" + control::Console::help();
}

}  // namespace sla::emu
