#include "emu/control_command.h"

#include "emu/control/console.h"
#include "emu/control/control_path.h"
#include "proto/common/guest_client.h"
#include "proto/common/prompt/line_reader.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <optional>

namespace sla::emu {

namespace {

bool is_address(const std::string& word) {
    const bool number =
        !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    return number || word.find('/') == 0;
}

int fail(const Error& error, const std::string& where = {}) {
    spdlog::error("{}{}", where, error.message);
    return exit_code(error);
}

// Nothing: it went well.
std::optional<Error> ask(common::GuestClient& pc, const std::string& line) {
    const auto answer = pc.ask(line);
    if (!answer && answer.error().code == ErrorCode::kDamaged)
        return unavailable("what listens there is no emulated PC: it answered \"" + answer.error().message + "\"");
    if (!answer) return answer.error();
    fmt::print("{}", *answer);
    std::fflush(stdout);
    return std::nullopt;
}

int run_script(common::GuestClient& pc, const std::string& path) {
    std::ifstream file(path);
    if (!file) return fail(invalid_input(fmt::format("cannot read {}", path)));
    unsigned number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.starts_with('#')) continue;
        if (const auto error = ask(pc, line)) return fail(*error, fmt::format("{}:{}: ", path, number));
    }
    return 0;
}

int converse(common::GuestClient& pc) {
    const auto lines = prompt::make_line_reader("control_history");
    while (const auto line = lines->read("sla-emu> ")) {
        if (line->find_first_not_of(" \t\r") == std::string::npos) continue;  // thrown away, too
        if (*line == "quit" || *line == "exit") break;
        lines->remember(*line);
        if (const auto error = ask(pc, *line)) {
            if (error->code == ErrorCode::kUnavailable) return fail(*error);
            spdlog::error("{}", error->message);
        }
    }
    return 0;
}

}  // namespace

int control(const ControlOptions& options) {
    const bool addressed = !options.words.empty() && is_address(options.words[0]);
    const auto path = control::find_socket(addressed ? options.words[0] : "");
    if (!path) return fail(path.error());
    auto pc = common::GuestClient::connect(*path);
    if (!pc) return fail(pc.error().code == ErrorCode::kNotFound ? unavailable(pc.error().message) : pc.error());
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
