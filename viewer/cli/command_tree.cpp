#include "viewer/cli/command_tree.h"

#include <algorithm>
#include <utility>

namespace sla::cli {

namespace {

// Values that are one of a few words.
std::vector<std::string> choices_of(const std::string& command, const CLI::Option& option) {
    const std::string name = option.get_lnames().empty() ? "" : option.get_lnames().front();
    if (name == "format") return {"csv", "tsv", "json", "jsonl", "text"};
    if (name == "theme") return {"dark", "light"};
    if (command == "export" && name == "to")
        return {"csv", "tsv", "json", "jsonl", "text", "vcd", "chrome", "perfetto", "ctf", "sr"};
    if (command == "import" && name == "from") return {"csv", "tsv", "vcd", "chrome", "ctf", "sr", "trace-cmd"};
    if (command == "completion" && option.get_lnames().empty()) return {"bash", "zsh"};
    return {};
}

OptionFacts facts_of(const std::string& command, const CLI::Option& option) {
    OptionFacts facts;
    for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
    if (option.get_expected_max() > 0) facts.value = option.get_type_name();
    if (facts.value.empty() && option.get_expected_max() > 0) facts.value = "VALUE";
    facts.description = option.get_description();
    facts.required = option.get_required();
    facts.choices = choices_of(command, option);
    return facts;
}

std::vector<CommandFacts> commands_of(const CLI::App& app, const std::string& before) {
    std::vector<CommandFacts> commands;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (command->get_group().empty()) continue;
        CommandFacts facts{before + command->get_name(), command->get_description(), command->get_footer(), {}, {}};
        for (const CLI::Option* option : command->get_options()) facts.options.push_back(facts_of(facts.name, *option));
        facts.parts = commands_of(*command, facts.name + " ");
        commands.push_back(std::move(facts));
    }
    return commands;
}

}  // namespace

std::vector<CommandFacts> command_tree(const CLI::App& app) {
    return commands_of(app, "");
}

}  // namespace sla::cli
