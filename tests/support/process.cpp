#include "tests/support/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace sla::support {
namespace {

// NAME=VALUE each: this process's environment, but for what is said here.
std::vector<std::string> environment_with(const std::map<std::string, std::string>& changes) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        if (!changes.contains(std::string(text.substr(0, text.find('='))))) all.emplace_back(text);
    }
    for (const auto& [name, value] : changes) all.push_back(name + "=" + value);
    return all;
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

TempDir::TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sla-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot make a temporary directory");
    path_ = pattern;
}

TempDir::~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

// Not by fork: where pages are dear, a copy of this process costs more than the start of the other.
Process::Process(const std::vector<std::string>& argv, const std::map<std::string, std::string>& environment) {
    const std::vector<std::string> variables = environment_with(environment);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, files_.file("out").c_str(), kNew, 0600);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, files_.file("err").c_str(), kNew, 0600);
    const int error =
        posix_spawn(&pid_, argv.at(0).c_str(), &files, nullptr, pointers_to(argv).data(), pointers_to(variables).data());
    posix_spawn_file_actions_destroy(&files);
    if (error == 0) return;
    reaped_ = true;
    exit_.code = 127;  // as shells say it
}

Process::~Process() {
    if (reap(false)) return;
    kill(pid_, SIGCONT);
    kill(pid_, SIGKILL);
    reap(true);
}

void Process::signal(int number) const {
    if (!reaped_) kill(pid_, number);
}

bool Process::reap(bool block) {
    if (reaped_) return true;
    int status = 0;
    if (waitpid(pid_, &status, block ? 0 : WNOHANG) != pid_) return false;
    reaped_ = true;
    if (WIFEXITED(status)) exit_.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) exit_.signal = WTERMSIG(status);
    return true;
}

bool Process::is_running() {
    return !reap(false);
}

Exit Process::wait(std::chrono::milliseconds limit) {
    if (!eventually([this] { return reap(false); }, limit)) {
        kill(pid_, SIGKILL);
        reap(true);
    }
    return exit_;
}

bool Process::wait_for_output(const std::string& text, std::chrono::milliseconds limit) {
    return eventually([&] { return output().find(text) != std::string::npos || !is_running(); }, limit) &&
           output().find(text) != std::string::npos;
}

std::string Process::slurp(const std::string& path) {
    std::ifstream in(path);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}

std::string Process::output() {
    return slurp(files_.file("out"));
}
std::string Process::errors() {
    return slurp(files_.file("err"));
}

std::uint64_t Process::number(const std::string& name) {
    std::istringstream words(output());
    std::string word;
    std::uint64_t value = 0;
    while (words >> word >> value) {
        if (word == name) return value;
    }
    throw std::runtime_error("the program did not say " + name + ": " + output() + errors());
}

void pause_briefly(std::chrono::nanoseconds waited) {
    constexpr std::chrono::nanoseconds kLeast = std::chrono::milliseconds(5);
    constexpr std::chrono::nanoseconds kMost = std::chrono::milliseconds(50);
    std::this_thread::sleep_for(std::clamp(waited / 20, kLeast, kMost));
}

}  // namespace sla::support
