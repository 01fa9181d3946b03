// sla completion, sla manual: what shells and man(1) want to know, generated from the commands themselves.
#include "viewer/cli/command.h"
#include "viewer/cli/command_tree.h"

#include <filesystem>
#include <memory>

namespace sla::cli {

namespace {

int write_pages(const std::vector<CommandFacts>& commands, const std::string& directory) {
    for (const CommandFacts& command : commands) {
        const std::string page = directory + "/" + page_name(command) + ".1";
        if (const int code = write_text(page, manual_page(commands, &command, "")); code != kDone) return code;
        if (const int code = write_pages(command.parts, directory); code != kDone) return code;
    }
    return kDone;
}

int run_manual(const common::Command& app, const std::string& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    const std::vector<CommandFacts> commands = app.facts().parts;
    int code = write_text(directory + "/sla.1", manual_page(commands, nullptr, app.facts().footer));
    return code == kDone ? write_pages(commands, directory) : code;
}

}  // namespace

void add_completion(common::Command& app) {
    common::Command& command = app.add_command("completion", "Print the completion script of a shell");
    auto shell = std::make_shared<std::string>();
    command.add_option("shell", *shell, "bash or zsh").required().one_of({"bash", "zsh"}).value_name("SHELL");
    command.footer("bash: eval \"$(sla completion bash)\"\nzsh:  sla completion zsh > DIRECTORY_OF_FPATH/_sla");
    command.action([=, &app] {
        const std::vector<CommandFacts> commands = app.facts().parts;
        return write_text("-", *shell == "bash" ? bash_completion(commands) : zsh_completion(commands));
    });
    common::Command& manual = app.add_command("manual", "Write the manual pages into a directory");
    manual.hide();
    auto directory = std::make_shared<std::string>();
    manual.add_option("directory", *directory, "Where to").required();
    manual.action([=, &app] { return run_manual(app, *directory); });
}

}  // namespace sla::cli
