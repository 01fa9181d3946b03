// sla completion: what shells want to know, made of the commands themselves.
#include "proto/common/command_pages.h"
#include "viewer/cli/command.h"

#include <memory>

namespace sla::cli {

void add_completion(common::Command& app) {
    common::Command& command = app.add_command("completion", "Print the completion script of a shell");
    auto shell = std::make_shared<std::string>();
    command.add_option("shell", *shell, "bash or zsh").required().one_of({"bash", "zsh"}).value_name("SHELL");
    command.footer("bash: eval \"$(sla completion bash)\"\nzsh:  sla completion zsh > DIRECTORY_OF_FPATH/_sla");
    command.action([=, &app] {
        const common::CommandFacts facts = app.facts();
        return write_text("-", *shell == "bash" ? common::bash_completion(facts) : common::zsh_completion(facts));
    });
}

}  // namespace sla::cli
