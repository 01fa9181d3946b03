#include "proto/common/command_line.h"

#include "proto/base/standard_streams.h"
#include "proto/base/terminal_size.h"
#include "proto/common/command_pages.h"
#include "proto/common/command_parts.h"
#include "proto/common/messages.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace sla::common {

Command::Command(const std::string& program, const std::string& description) : parts_(std::make_unique<Parts>()) {
    parts_->own = std::make_unique<CLI::App>(description, program);
    parts_->app = parts_->own.get();
}

Command::Command(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Command::~Command() = default;

void Command::title_commands(const std::string& title) {
    parts_->title = title;
}

Command& Command::add_command(const std::string& name, const std::string& description) {
    parts_->app->require_subcommand(1);
    auto parts = std::make_unique<Parts>();
    parts->app = parts_->app->add_subcommand(name, description);
    parts->above = this;
    parts->app->group(parts_->title);
    parts_->commands.push_back(std::unique_ptr<Command>(new Command(std::move(parts))));
    return *parts_->commands.back();
}

void Command::hide() {
    parts_->app->group("");
}

void Command::footer(const std::string& text) {
    parts_->footer = text;
}

void Command::version(const std::string& text) {
    parts_->app->set_version_flag("--version", text);
    parts_->version = text;
}

void Command::set_action(std::unique_ptr<Action> action) {
    parts_->action = std::move(action);
}

const Command& Command::chosen() const {
    for (const auto& command : parts_->commands) {
        if (command->parts_->app->parsed()) return command->chosen();
    }
    return *this;
}

const Command& Command::program() const {
    return parts_->above == nullptr ? *this : parts_->above->program();
}

std::string Command::path() const {
    const std::string& name = parts_->app->get_name();
    return parts_->above == nullptr ? name : parts_->above->path() + " " + name;
}

namespace {

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return !is_hidden(*one); }))
        names.push_back(command->get_name());
    return names;
}

bool takes_any_words(const CLI::App& app) {
    const auto has_many = [](const CLI::Option* option) {
        return option->get_positional() && option->get_expected_max() > 1;
    };
    return !app.get_options(has_many).empty();
}

// Of the terminal; long lines are no more readable in a wide one.
std::size_t help_width() {
    constexpr std::size_t kWidest = 100;
    const auto terminal = terminal_size(STDOUT_FILENO);
    return terminal ? std::clamp<std::size_t>(terminal->columns, 40, kWidest) : kWidest;
}

}  // namespace

// Of the words that nothing could be made of, the first; empty when there are none.
std::string Command::unknown_word() const {
    const CLI::App& app = *parts_->app;
    std::vector<std::string> words = program().parts_->app->remaining(true);
    words.erase(std::remove(words.begin(), words.end(), "--"), words.end());
    if (words.empty()) return {};
    UnknownWord unknown{words.front(), path(), command_names(app), {}, takes_any_words(app)};
    for (const CLI::Option* option : app.get_options()) {
        const std::vector<std::string> names = names_of(*option);
        unknown.options.insert(unknown.options.end(), names.begin(), names.end());
    }
    return about(unknown);
}

int Command::wrong_use(const std::string& message) const {
    std::fprintf(stderr, "%s: %s; see `%s --help`\n", program().parts_->app->get_name().c_str(), message.c_str(),
                 path().c_str());
    return kWrongUse;
}

int Command::run(int argc, const char* const* argv) {
    return run(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
}

// Behind the ranges that options were given, so that these are what a message names.
void Command::check_sizes() {
    for (Option::Record& one : parts_->options) {
        if (const auto problem = std::exchange(one.size_problem, nullptr); problem != nullptr)
            one.option->check(CLI::Validator([problem](const std::string& word) { return problem(word); }, ""));
    }
    for (const auto& command : parts_->commands) command->check_sizes();
}

const Command* Command::Parts::command_called(const Command& above, const std::string& name) {
    for (const auto& command : above.parts_->commands) {
        if (command->parts_->app->get_name() == name) return command.get();
    }
    return nullptr;
}

const CLI::Option* Command::Parts::option_with_value(const Command& command, const std::string& name) {
    for (const CLI::Option* option : command.parts_->app->get_options()) {
        const std::vector<std::string> names = names_of(*option);
        if (std::find(names.begin(), names.end(), name) == names.end()) continue;
        return option->get_expected_max() > 0 ? option : nullptr;
    }
    return nullptr;
}

std::optional<int> Command::Parts::refuse_empty_value(const Command& program, const std::vector<std::string>& words) {
    const Command* command = &program;
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        if (const Command* below = command_called(*command, words[i])) {
            command = below;
            continue;
        }
        const std::size_t equals = words[i].find('=');
        const CLI::Option* option = option_with_value(*command, words[i].substr(0, equals));
        if (option == nullptr) continue;
        if (equals == std::string::npos) {
            ++i;  // the next word is its value
            continue;
        }
        if (equals + 1 < words[i].size()) continue;
        const auto missing = CLI::ArgumentMismatch::TypedAtLeast(option->get_name(), 1, option->get_type_name());
        return command->wrong_use(readable(missing.what()));
    }
    return std::nullopt;
}

int Command::run(std::vector<std::string> words) {
    CLI::App& app = *parts_->app;
    if (words.size() == 2 && words[0] == "--write-pages") return write_pages(facts(), parts_->version, words[1]);
    if (const auto refused = Parts::refuse_empty_value(*this, words)) return *refused;
    check_sizes();
    std::reverse(words.begin(), words.end());  // as the library wants them
    try {
        app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        const Command& meant = chosen();
        if (error.get_exit_code() == 0) {
            const bool is_version = dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr;
            const std::string text =
                is_version ? parts_->version + "\n" : help_text(meant.facts(), meant.path(), help_width());
            errno = 0;
            std::fwrite(text.data(), 1, text.size(), stdout);
            return finish_standard_output(program().parts_->app->get_name().c_str());
        }
        const std::string unknown = meant.unknown_word();
        if (!unknown.empty()) return meant.wrong_use(unknown);
        const bool has_commands = !meant.parts_->commands.empty();
        return meant.wrong_use(has_commands ? about_missing_command(meant.path(), command_names(*meant.parts_->app))
                                            : readable(error.what()));
    }
    const Command& meant = chosen();
    return meant.parts_->action == nullptr ? 0 : meant.parts_->action->run();
}

}  // namespace sla::common
