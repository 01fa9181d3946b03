#include "viewer/process/child.h"

#include "viewer/process/descendants.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <initializer_list>
#include <mutex>
#include <set>
#include <string_view>

namespace sla::process {

namespace {

// Ours, with what is to be different; made before the fork, since a process of several threads may not allocate after it.
std::vector<std::string> environment_of(const ChildOptions& options) {
    std::vector<std::string> out;
    for (const auto& [name, value] : options.environment) out.push_back(name + "=" + value);
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view word = *entry;
        const std::string_view name = word.substr(0, word.find('='));
        const bool replaced = std::any_of(options.environment.begin(), options.environment.end(),
                                          [name](const auto& added) { return added.first == name; });
        if (!replaced) out.emplace_back(word);
    }
    return out;
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
    std::vector<char*> out;
    for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
    out.push_back(nullptr);
    return out;
}

bool redirect(const char* path, int flags, std::initializer_list<int> descriptors) {
    const int file = open(path, flags, 0600);
    if (file < 0) return false;
    for (const int descriptor : descriptors) dup2(file, descriptor);
    close(file);
    return true;
}

// In the child: `parent` may have died before it was asked for the signal, which then never comes.
void end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(126);
}

// In the child, between fork and exec. Returns only when that failed; errno says why.
void become(const ChildOptions& options, pid_t parent, char* const* argv, char* const* environment) {
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
    if (options.apart) setpgid(0, 0);
    if (options.serves_us) std::signal(SIGINT, SIG_IGN);
    if (options.apart || options.serves_us || options.ends_with_us) end_with(parent);
    if (options.stream >= 0 && (dup2(options.stream, STDIN_FILENO) < 0 || dup2(options.stream, STDOUT_FILENO) < 0)) return;
    if (options.errors >= 0 && dup2(options.errors, STDERR_FILENO) < 0) return;
    if (options.no_input && !redirect("/dev/null", O_RDONLY, {STDIN_FILENO})) return;
    constexpr int kAppend = O_WRONLY | O_CREAT | O_APPEND;
    if (!options.output.empty() && !redirect(options.output.c_str(), kAppend, {STDOUT_FILENO, STDERR_FILENO})) return;
    if (options.held && ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) return;
    execvpe(argv[0], argv, environment);
}

// Signals that reach us meanwhile are for who waits next.
int wait_for(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

// Processes that a Child waits for.
class Awaited {
public:
    void add(pid_t pid) {
        const std::lock_guard lock(mutex_);
        pids_.push_back(pid);
    }
    void remove(pid_t pid) {
        const std::lock_guard lock(mutex_);
        pids_.erase(std::remove(pids_.begin(), pids_.end(), pid), pids_.end());
    }
    std::vector<pid_t> without(pid_t pid) {
        std::vector<pid_t> out = all();
        out.erase(std::remove(out.begin(), out.end(), pid), out.end());
        return out;
    }
    std::vector<pid_t> all() {
        const std::lock_guard lock(mutex_);
        return pids_;
    }

private:
    std::mutex mutex_;
    std::vector<pid_t> pids_;
};

// Who started us may have ignored SIGCHLD, which an exec keeps: then the kernel buries what we start, and how it ended is lost.
void keep_ended_children() {
    struct sigaction now {};
    if (sigaction(SIGCHLD, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) std::signal(SIGCHLD, SIG_DFL);
}

Awaited& awaited() {
    static Awaited all;
    return all;
}

constexpr int kUnknownCode = 255;

Ending ending_of(int status) {
    return WIFSIGNALED(status) ? Ending{128 + WTERMSIG(status), WTERMSIG(status)} : Ending{WEXITSTATUS(status), 0};
}

}  // namespace

std::string Ending::text() const {
    if (!is_known) return "ended, and how is not known";
    if (signal == 0) return "exited with code " + std::to_string(code);
    return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

Result<Child> Child::start(const ChildOptions& options) {
    const std::vector<char*> argv = pointers_to(options.argv);
    const std::vector<std::string> environment = environment_of(options);
    const std::vector<char*> entries = pointers_to(environment);
    int report[2];  // closes at a good exec, carries errno at a bad one
    if (pipe2(report, O_CLOEXEC) != 0) return system_error("cannot start '" + options.argv[0] + "'", errno);
    if (options.with_all_below) adopt_orphans();
    keep_ended_children();
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
        become(options, parent, argv.data(), entries.data());
        const int reason = errno;
        const ssize_t written = write(report[1], &reason, sizeof reason);
        _exit(written == sizeof reason ? 127 : 126);
    }
    const int fork_reason = errno;
    close(report[1]);
    int reason = 0;
    ssize_t got = 0;
    do {
        got = pid < 0 ? 0 : read(report[0], &reason, sizeof reason);
    } while (got < 0 && errno == EINTR);
    close(report[0]);
    if (pid < 0) return system_error("cannot start '" + options.argv[0] + "'", fork_reason);
    if (got == sizeof reason) {
        wait_for(pid);
        return system_error("cannot start '" + options.argv[0] + "'", reason);
    }
    // A traced program stops as soon as it lies in memory.
    if (const int status = options.held ? wait_for(pid) : 0; options.held && !WIFSTOPPED(status))
        return unavailable("'" + options.argv[0] + "' " + ending_of(status).text() + " before it began");
    if (options.held) ptrace(PTRACE_SETOPTIONS, pid, nullptr, PTRACE_O_EXITKILL);  // else it would begin when we die
    const int fd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));  // glibc 2.36 declares it without extern "C"
    return Child(pid, fd, options.with_all_below);
}

Child::Child(pid_t pid, int fd, bool with_all_below) : pid_(pid), fd_(fd), with_all_below_(with_all_below) {
    awaited().add(pid_);
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      fd_(std::exchange(other.fd_, -1)),
      with_all_below_(other.with_all_below_),
      ending_(other.ending_) {}

Child::~Child() {
    if (pid_ > 0 && !ending_) {
        send(SIGKILL);
        wait_for(pid_);
        awaited().remove(pid_);
    }
    if (fd_ >= 0) close(fd_);
}

std::optional<Ending> Child::wait(std::chrono::milliseconds timeout) {
    if (ending_) return ending_;
    pollfd ended{fd_, POLLIN, 0};
    poll(&ended, 1, static_cast<int>(timeout.count()));
    if (with_all_below_) reap_orphans(awaited().all());
    int status = 0;
    const pid_t ended_one = waitpid(pid_, &status, WNOHANG);
    const bool is_gone = ended_one < 0 && errno == ECHILD;  // another part of this process waited for it
    if (ended_one != pid_ && !is_gone) return std::nullopt;
    awaited().remove(pid_);
    ending_ = is_gone ? Ending{kUnknownCode, 0, false} : ending_of(status);
    return ending_;
}

Result<void> Child::release() const {
    if (ptrace(PTRACE_DETACH, pid_, nullptr, nullptr) == 0) return {};
    return system_error("cannot let process " + std::to_string(pid_) + " run", errno);
}

void Child::signal(int number) const {
    if (pid_ > 0 && !ending_) send(number);
}

// Again while there are new ones: what a program starts meanwhile is meant too.
void Child::send(int number) const {
    kill(pid_, number);
    if (!with_all_below_) return;
    constexpr int kMostLooks = 8;
    std::set<pid_t> sent{pid_};
    for (int look = 0; look < kMostLooks; ++look) {
        const std::size_t before = sent.size();
        for (const pid_t one : descendants_in_our_group(awaited().without(pid_))) {
            if (sent.insert(one).second) kill(one, number);
        }
        if (sent.size() == before) return;
    }
}

}  // namespace sla::process
