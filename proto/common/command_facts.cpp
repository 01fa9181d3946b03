// What --help, completion scripts and manual pages want to know of a command line.
#include "proto/common/command_parts.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace sla::common {

std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    return names;
}

bool is_hidden(const CLI::App& app) {
    return app.get_group().empty();
}

namespace {

// What a message calls it.
std::string short_name(const CLI::Option& option) {
    const std::vector<std::string> names = names_of(option);
    return names.empty() ? option.get_name() : names.back();
}

std::string upper(std::string word) {
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::toupper(c); });
    return word;
}

// "not with --off"; nothing where there are none.
std::string with_names(const CLI::App& app, const std::string& how, const std::set<CLI::Option*>& others) {
    std::string names;
    for (const CLI::Option* other : app.get_options()) {
        if (std::find(others.begin(), others.end(), other) == others.end()) continue;
        names += (names.empty() ? how : ", ") + short_name(*other);
    }
    return names;
}

// " (1 to 1000; default 20; not with --off)".
std::string in_parentheses(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) {
        if (!text.empty()) out += (out.empty() ? " (" : "; ") + text;
    }
    return out.empty() ? out : out + ")";
}

}  // namespace

OptionFacts Command::Parts::facts_of(const CLI::Option& option) const {
    const auto found =
        std::find_if(options.begin(), options.end(), [&](const Option::Record& known) { return known.option == &option; });
    const Option::Record* record = found == options.end() ? nullptr : &*found;
    const std::string initial = record != nullptr && record->tells_default ? option.get_default_str() : "";
    OptionFacts one;
    one.names = names_of(option);
    if (option.get_expected_max() > 0) one.value = option.get_type_name();
    if (one.value == "TEXT" && one.names.empty()) one.value = upper(option.get_name());
    one.description = option.get_description() +
                      in_parentheses({record != nullptr ? record->limits : "", initial.empty() ? "" : "default: " + initial,
                                      with_names(*app, "not with ", option.get_excludes()),
                                      with_names(*app, "only with ", option.get_needs())});
    one.title = option.get_group();
    one.required = option.get_required();
    one.many = option.get_expected_max() > 1;
    if (record != nullptr) one.choices = record->choices;
    return one;
}

CommandFacts Command::facts() const {
    return facts("");
}

CommandFacts Command::facts(const std::string& before) const {
    const CLI::App& app = *parts_->app;
    CommandFacts facts{before + app.get_name(), app.get_description(), parts_->footer, app.get_group(), {}, {}};
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) continue;  // hidden
        OptionFacts one = parts_->facts_of(*option);
        if (!one.names.empty() && option->get_positional()) {  // its name may be left out
            facts.options.push_back(one);
            facts.options.back().names.clear();
            one.description = "The same, by name";
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
