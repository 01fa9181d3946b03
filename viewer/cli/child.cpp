#include "viewer/cli/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace sla::cli {

namespace {

// In the child, between fork and exec. Returns only when that failed; errno says why.
void become(const ChildOptions& options, char* const* argv) {
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
    if (options.apart) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
    }
    if (!options.output.empty()) {
        const int log = open(options.output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (log < 0) return;
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
        close(log);
    }
    if (options.held && ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) return;
    for (const auto& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
    execvp(argv[0], argv);
}

}  // namespace

std::string Ending::text() const {
    if (signal == 0) return "exited with code " + std::to_string(code);
    return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

Result<Child> Child::start(const ChildOptions& options) {
    std::vector<char*> argv;
    for (const std::string& word : options.argv) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    int tell[2];  // closes at a good exec, carries errno at a bad one
    if (pipe2(tell, O_CLOEXEC) != 0) return system_error("cannot start '" + options.argv[0] + "'", errno);
    const pid_t pid = fork();
    if (pid == 0) {
        become(options, argv.data());
        const int reason = errno;
        const ssize_t told = write(tell[1], &reason, sizeof reason);
        _exit(told == sizeof reason ? 127 : 126);
    }
    const int fork_reason = errno;
    close(tell[1]);
    int reason = 0;
    ssize_t got = 0;
    do {
        got = pid < 0 ? 0 : read(tell[0], &reason, sizeof reason);
    } while (got < 0 && errno == EINTR);
    close(tell[0]);
    if (pid < 0) return system_error("cannot start '" + options.argv[0] + "'", fork_reason);
    if (got == sizeof reason) {
        waitpid(pid, nullptr, 0);
        return system_error("cannot start '" + options.argv[0] + "'", reason);
    }
    // A traced program stops as soon as it lies in memory.
    if (options.held) waitpid(pid, nullptr, 0);
    return Child(pid, static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));  // glibc 2.36 declares it without extern "C"
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), fd_(std::exchange(other.fd_, -1)), ending_(other.ending_) {}

Child::~Child() {
    if (pid_ > 0 && !ending_) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    if (fd_ >= 0) close(fd_);
}

std::optional<Ending> Child::wait(std::chrono::milliseconds timeout) {
    if (ending_) return ending_;
    pollfd ended{fd_, POLLIN, 0};
    poll(&ended, 1, static_cast<int>(timeout.count()));
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
    ending_ = WIFSIGNALED(status) ? Ending{128 + WTERMSIG(status), WTERMSIG(status)} : Ending{WEXITSTATUS(status), 0};
    return ending_;
}

Result<void> Child::release() const {
    if (ptrace(PTRACE_DETACH, pid_, nullptr, nullptr) == 0) return {};
    return system_error("cannot let process " + std::to_string(pid_) + " run", errno);
}

void Child::signal(int number) const {
    if (pid_ > 0 && !ending_) kill(pid_, number);
}

}  // namespace sla::cli
