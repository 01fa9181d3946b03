#include "proto/common/command_line.h"

#include "proto/base/size.h"
#include "proto/common/messages.h"
#include "proto/common/number_words.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <iostream>
#include <map>
#include <type_traits>

namespace sla::common {

struct Option::Record {
    CLI::Option* option;
    std::vector<std::string> choices;
    std::string (*size_problem)(const std::string&) = nullptr;  // of a number; asked behind every other check
};

struct Command::Parts {
    CLI::App* app;
    std::unique_ptr<CLI::App> own;  // of the program itself; commands are owned by its tree
    const Command* above = nullptr;
    std::string title = "Subcommands";  // of the commands to come
    std::deque<Option::Record> options;
    std::vector<std::unique_ptr<Command>> commands;
    std::unique_ptr<Action> action;
};

namespace {

std::string range_text(double least, double most) {
    char text[64];
    std::snprintf(text, sizeof text, "%.15g to %.15g", least, most);
    return text;
}

// A number that fits(); `help` stands behind the value's name.
template <typename Fits>
CLI::Validator that(const std::string& what, const std::string& help, Fits fits) {
    const auto objection = [what, fits](const std::string& word) {
        double number = 0;
        const bool good = CLI::detail::lexical_cast(word, number) && fits(number);
        return good ? std::string() : "'" + word + "' is not " + what;
    };
    return CLI::Validator(objection, help);
}

// What one value of an option is.
template <typename Value>
struct ElementOf {
    using Type = Value;
};
template <typename Value>
struct ElementOf<std::optional<Value>> {
    using Type = Value;
};
template <typename Value>
struct ElementOf<std::vector<Value>> {
    using Type = Value;
};

bool is_amount(const std::string& value_name) {
    const std::string first = value_name.substr(0, value_name.find_first_of("|,"));
    const auto amounts = {"TIME", "DURATION", "SIZE", "PERCENT", "RATE"};
    return std::find(amounts.begin(), amounts.end(), first) != amounts.end();
}

CLI::Validator within(double least, double most, const std::string& help) {
    return that("from " + range_text(least, most), help, [=](double number) { return number >= least && number <= most; });
}

}  // namespace

Option Option::value_name(const std::string& name) const {
    record_->option->type_name(name);
    if (is_amount(name)) {
        const auto objection = [name](const std::string& word) {
            return word.empty() ? "an empty value is no " + name : std::string();
        };
        record_->option->check(CLI::Validator(objection, ""));
    }
    return *this;
}

Option Option::group(const std::string& title) const {
    record_->option->group(title);
    return *this;
}

Option Option::required() const {
    record_->option->required();
    return *this;
}

Option Option::show_default() const {
    record_->option->capture_default_str();
    return *this;
}

Option Option::one_each() const {
    record_->option->allow_extra_args(false);
    return *this;
}

Option Option::count(int least, int most) const {
    record_->option->expected(least, most);
    return *this;
}

Option Option::excludes(const Option& other) const {
    record_->option->excludes(other.record_->option);
    return *this;
}

Option Option::needs(const Option& other) const {
    record_->option->needs(other.record_->option);
    return *this;
}

Option Option::one_of(const std::vector<std::string>& words) const {
    const auto objection = [words](const std::string& word) {
        if (std::find(words.begin(), words.end(), word) != words.end()) return std::string();
        return "'" + word + "' is none of " + CLI::detail::join(words, ", ");
    };
    record_->option->check(CLI::Validator(objection, "{" + CLI::detail::join(words) + "}"));
    return suggest(words);
}

Option Option::range(double least, double most) const {
    record_->option->check(within(least, most, range_text(least, most)));
    return *this;
}

Option Option::at_most(double most) const {
    record_->option->check(within(0, most, ""));
    return *this;
}

Option Option::positive() const {
    record_->option->check(that("above 0", "POSITIVE", [](double number) { return number > 0; }));
    return *this;
}

Option Option::not_negative() const {
    record_->option->check(that("0 or above", "NONNEGATIVE", [](double number) { return number >= 0; }));
    return *this;
}

Option Option::as_size() const {
    const auto in_bytes = [](std::string& word) {
        const auto bytes = parse_size(word);
        if (!bytes.ok()) return bytes.error().message;
        word = std::to_string(*bytes);
        return std::string();
    };
    record_->option->transform(CLI::Validator(in_bytes, ""));
    return *this;
}

Option Option::units(const std::vector<Unit>& units, const std::string& name) const {
    std::map<std::string, double> factors;
    for (const Unit& unit : units) factors[unit.name] = unit.factor;
    record_->option->transform(CLI::AsNumberWithUnit(factors, CLI::AsNumberWithUnit::CASE_SENSITIVE, name));
    return *this;
}

Option Option::suggest(const std::vector<std::string>& words) const {
    record_->choices = words;
    return *this;
}

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

void Command::take_options_of_parent() {
    parts_->app->fallthrough();
}

void Command::footer(const std::string& text) {
    parts_->app->footer(text);
}

void Command::version(const std::string& text) {
    parts_->app->set_version_flag("--version", text);
}

template <typename Value>
Option Command::add_option(const std::string& names, Value& value, const std::string& help) {
    Option::Record& record = parts_->options.emplace_back(Option::Record{parts_->app->add_option(names, value, help), {}});
    using Element = typename ElementOf<Value>::Type;
    if constexpr (std::is_arithmetic_v<Element>) {
        record.option->transform(CLI::Validator(read_number<Element>, ""));
        record.size_problem = out_of_range<Element>;
    }
    return Option(record);
}

template Option Command::add_option(const std::string&, std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::add_option(const std::string&, int&, const std::string&);
template Option Command::add_option(const std::string&, std::uint32_t&, const std::string&);
template Option Command::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option Command::add_option(const std::string&, float&, const std::string&);
template Option Command::add_option(const std::string&, double&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::uint32_t>&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::uint64_t>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<int>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::uint32_t>&, const std::string&);

Option Command::add_flag(const std::string& names, bool& value, const std::string& help) {
    parts_->options.push_back({parts_->app->add_flag(names, value, help), {}});
    return Option(parts_->options.back());
}

void Command::add_flag_everywhere(const std::string& names, bool& value, const std::string& help) {
    add_flag(names, value, help);
    for (const auto& command : parts_->commands) command->add_flag_everywhere(names, value, help);
}

void Command::add_option_everywhere(const std::string& names, std::string& value, const std::string& value_name,
                                    const std::string& help) {
    add_option(names, value, help).value_name(value_name);
    for (const auto& command : parts_->commands) command->add_option_everywhere(names, value, value_name, help);
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

std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    return names;
}

bool is_hidden(const CLI::App& app) {
    return app.get_group().empty();
}

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

// Help, or the version. A reader that has seen enough is no error.
int show(const CLI::App& app, const CLI::ParseError& asked, const std::string& program) {
    constexpr int kOutsideFailed = 3;
    errno = 0;
    (void)app.exit(asked);
    if (std::cout.flush() || errno == EPIPE) return 0;
    std::fprintf(stderr, "%s: cannot write to standard output: %s\n", program.c_str(), std::strerror(errno));
    return kOutsideFailed;
}

}  // namespace

// Of the words that nothing could be made of, the first; empty when there are none.
std::string Command::unknown_word() const {
    const CLI::App& app = *parts_->app;
    std::vector<std::string> words = program().parts_->app->remaining(true);
    words.erase(std::remove(words.begin(), words.end(), "--"), words.end());
    if (words.empty()) return {};
    UnknownWord unknown{words.front(), path(), command_names(app), {}, takes_any_words(app)};
    for (const Command* one = this; one != nullptr;) {
        for (const CLI::Option* option : one->parts_->app->get_options()) {
            const std::vector<std::string> names = names_of(*option);
            unknown.options.insert(unknown.options.end(), names.begin(), names.end());
        }
        one = one->parts_->app->get_fallthrough() ? one->parts_->above : nullptr;
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

int Command::run(std::vector<std::string> words) {
    CLI::App& app = *parts_->app;
    check_sizes();
    std::reverse(words.begin(), words.end());  // as the library wants them
    try {
        app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return show(app, error, program().parts_->app->get_name());
        const Command& meant = chosen();
        const std::string unknown = meant.unknown_word();
        if (!unknown.empty()) return meant.wrong_use(unknown);
        const bool has_commands = !meant.parts_->commands.empty();
        return meant.wrong_use(has_commands ? about_missing_command(meant.path(), command_names(*meant.parts_->app))
                                            : readable(error.what()));
    }
    const Command& meant = chosen();
    return meant.parts_->action == nullptr ? 0 : meant.parts_->action->run();
}

CommandFacts Command::facts() const {
    return facts("");
}

CommandFacts Command::facts(const std::string& before) const {
    const CLI::App& app = *parts_->app;
    CommandFacts facts{before + app.get_name(), app.get_description(), app.get_footer(), {}, {}};
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) continue;  // hidden
        OptionFacts one;
        one.names = names_of(*option);
        if (option->get_expected_max() > 0) one.value = option->get_type_name();
        if (one.value.empty() && option->get_expected_max() > 0) one.value = "VALUE";
        one.description = option->get_description();
        one.required = option->get_required();
        const auto record = std::find_if(parts_->options.begin(), parts_->options.end(),
                                         [option](const Option::Record& known) { return known.option == option; });
        if (record != parts_->options.end()) one.choices = record->choices;
        if (!one.names.empty() && option->get_positional()) {  // its name may be left out
            facts.options.push_back(one);
            facts.options.back().names.clear();
        }
        facts.options.push_back(std::move(one));
    }
    for (const auto& command : parts_->commands) {
        if (is_hidden(*command->parts_->app)) continue;
        facts.parts.push_back(command->facts(parts_->above == nullptr ? "" : facts.name + " "));
    }
    return facts;
}

}  // namespace sla::common
