#include "viewer/ui/app/demo.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

extern char** environ;

namespace sla::ui {

namespace {

constexpr std::chrono::milliseconds kSocketPatience{3000};
constexpr std::chrono::milliseconds kEndPatience{2000};
constexpr std::chrono::milliseconds kPollEvery{10};

std::filesystem::path own_folder() {
    std::error_code failed;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? std::filesystem::path() : self.parent_path();
}

// The environment of this program with another runtime folder.
std::vector<std::string> environment_with(const std::string& folder) {
    std::vector<std::string> out{"SLA_RUNTIME_DIR=" + folder};
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string word = *entry;
        if (!word.starts_with("SLA_RUNTIME_DIR=")) out.push_back(word);
    }
    return out;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> out;
    for (std::string& word : words) out.push_back(word.data());
    out.push_back(nullptr);
    return out;
}

}  // namespace

Result<void> Demo::run(const std::string& program, std::vector<std::string> words) {
    const std::filesystem::path path = own_folder() / program;
    if (!std::filesystem::exists(path)) {
        return not_found("the demo needs " + program +
                         " beside sla-viewer, and it is not there; `sh viewer/demo.sh` builds all");
    }
    words.insert(words.begin(), path.string());
    std::vector<std::string> environment = environment_with(folder_);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    const std::string log = folder_ + "/" + program + ".log";
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    pid_t pid = 0;
    const int failed =
        posix_spawn(&pid, path.c_str(), &files, nullptr, pointers_to(words).data(), pointers_to(environment).data());
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) return system_error("cannot start " + path.string(), failed);
    running_.push_back(pid);
    return {};
}

Result<std::unique_ptr<Demo>> Demo::start() {
    std::unique_ptr<Demo> demo(new Demo);
    std::string pattern = (std::filesystem::temp_directory_path() / "sla-demo-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) return system_error("cannot make a folder for the demo", errno);
    demo->folder_ = pattern;
    if (Result<void> agent = demo->run("sla-agent", {}); !agent) return agent.error();
    const std::string socket = demo->folder_ + "/agent.sock";
    const auto patience = std::chrono::steady_clock::now() + kSocketPatience;
    while (!std::filesystem::exists(socket) && std::chrono::steady_clock::now() < patience)
        std::this_thread::sleep_for(kPollEvery);
    if (!std::filesystem::exists(socket)) return unavailable("the demo's agent opened no socket within 3 s");
    if (Result<void> pc = demo->run("sla-emu", {"run", "--demo"}); !pc) return pc.error();
    if (Result<void> program = demo->run("sla-example-pipeline", {}); !program) return program.error();
    return demo;
}

Demo::~Demo() {
    for (auto pid = running_.rbegin(); pid != running_.rend(); ++pid) kill(*pid, SIGTERM);
    const auto patience = std::chrono::steady_clock::now() + kEndPatience;
    for (auto pid = running_.rbegin(); pid != running_.rend(); ++pid) {
        while (waitpid(*pid, nullptr, WNOHANG) == 0) {
            if (std::chrono::steady_clock::now() >= patience) {
                kill(*pid, SIGKILL);
                waitpid(*pid, nullptr, 0);
                break;
            }
            std::this_thread::sleep_for(kPollEvery);
        }
    }
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace sla::ui
