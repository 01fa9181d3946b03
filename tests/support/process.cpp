#include "tests/support/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace sla::support {
namespace {

void redirect(const std::string& path, int to) {
    int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, to) < 0) _exit(126);
    close(fd);
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

Process::Process(const std::vector<std::string>& argv, const std::map<std::string, std::string>& environment) {
    std::vector<char*> arguments;
    arguments.reserve(argv.size() + 1);
    for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error("cannot fork");
    if (pid_ == 0) {
        for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
        redirect(files_.file("out"), STDOUT_FILENO);
        redirect(files_.file("err"), STDERR_FILENO);
        execv(arguments[0], arguments.data());
        _exit(127);
    }
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

void pause_briefly() {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace sla::support
