// What completion scripts and manual pages want to know of a command line.
#include "proto/common/command_parts.h"

#include <algorithm>
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
