#include "agent/daemon/shots/shot_commands.h"

#include "agent/service/descriptor_limit.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <string_view>

namespace sla::daemon {
namespace {

std::vector<std::string> environment_of(const wire::Shot& shot, const std::string& file) {
    std::vector<std::string> variables;
    constexpr std::string_view kOurs[] = {"SLA_TRIGGER=", "SLA_SHOT"};
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text(*variable);
        if (!text.starts_with(kOurs[0]) && !text.starts_with(kOurs[1])) variables.emplace_back(text);
    }
    variables.push_back("SLA_TRIGGER=" + shot.trigger_name());
    variables.push_back("SLA_SHOT=" + std::to_string(shot.number()));
    variables.push_back("SLA_SHOT_TICK=" + std::to_string(shot.tick()));
    variables.push_back("SLA_SHOT_BEGIN_TICK=" + std::to_string(shot.begin_tick()));
    variables.push_back("SLA_SHOT_END_TICK=" + std::to_string(shot.end_tick()));
    variables.push_back("SLA_SHOT_WHAT=" + shot.what());
    if (!file.empty()) variables.push_back("SLA_SHOT_FILE=" + file);
    return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

std::string ShotCommands::start(const std::vector<std::string>& words, const wire::Shot& shot, const std::string& file) {
    if (children_.size() >= kMaxAtOnce) {
        return "'" + words[0] + "' was not run for shot " + std::to_string(shot.number()) + ": " +
               std::to_string(kMaxAtOnce) + " commands of this agent's triggers still run, and no more do at once";
    }
    std::vector<std::string> argv = words;
    std::vector<std::string> environment = environment_of(shot, file);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    sigset_t defaults;
    sigemptyset(&defaults);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);  // our sockets are not its own
    pid_t pid = 0;
    const int failed =
        posix_spawnp(&pid, argv[0].c_str(), &files, &attributes, pointers_to(argv).data(), pointers_to(environment).data());
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0) return "cannot run '" + argv[0] + "': " + std::strerror(failed);
    service::restore_descriptor_limit(pid);
    children_.push_back({pid, argv[0], shot.trigger_name()});
    return "";
}

std::vector<ShotCommands::Failure> ShotCommands::reap() {
    std::vector<Failure> failures;
    std::erase_if(children_, [&](const Child& child) {
        int status = 0;
        if (waitpid(child.pid, &status, WNOHANG) == 0) return false;
        if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
            failures.push_back(
                {child.trigger, "'" + child.name + "' ended with exit code " + std::to_string(WEXITSTATUS(status))});
        } else if (WIFSIGNALED(status)) {
            failures.push_back(
                {child.trigger, "'" + child.name + "' was ended by signal " + std::to_string(WTERMSIG(status))});
        }
        return true;
    });
    return failures;
}

}  // namespace sla::daemon
