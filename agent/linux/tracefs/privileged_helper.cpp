#include "agent/linux/tracefs/privileged_helper.h"

#include "agent/linux/tracefs/opened_message.h"
#include "agent/linux/tracefs/trace_session.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace sla::linux {
namespace {

struct Capabilities {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct words[2] = {};

    Result<void> read() {
        return ::syscall(SYS_capget, &header, words) == 0 ? Result<void>()
                                                          : system_error("cannot look at capabilities", errno);
    }
    Result<void> write() {
        return ::syscall(SYS_capset, &header, words) == 0 ? Result<void>()
                                                          : system_error("cannot give up capabilities", errno);
    }
};

// Those that were set aside act again.
void take_privileges_up() {
    Capabilities has;
    if (!has.read()) return;
    for (__user_cap_data_struct& word : has.words) word.effective = word.permitted;
    (void)has.write();  // else the kernel refuses what they are needed for, and that is said
}

// The helper's whole life. A terminal's Ctrl-C is for the agent; it hangs up when it has what was written.
[[noreturn]] void serve(const LinuxOptions& options, int socket) {
    ::setsid();
    ::prctl(PR_SET_NAME, "sla-opener");
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(number, SIG_IGN);
    take_privileges_up();
    {
        OpenedTrace opened;
        auto session = TraceSession::open(options, opened);
        const bool sent = session ? send_opened(socket, opened) : send_refusal(socket, session.error());
        opened = OpenedTrace();  // an instance is busy while a file of it is open
        if (sent && session) wait_for_hang_up(socket);
    }
    ::_exit(0);
}

Result<void> become(const std::string& user) {
    const passwd* entry = ::getpwnam(user.c_str());
    if (entry == nullptr) return invalid_input("--as " + user + ": there is no such user");
    if (::geteuid() != 0) return invalid_input("--as " + user + ": only root can become somebody else");
    if (::initgroups(entry->pw_name, entry->pw_gid) != 0 || ::setresgid(entry->pw_gid, entry->pw_gid, entry->pw_gid) != 0 ||
        ::setresuid(entry->pw_uid, entry->pw_uid, entry->pw_uid) != 0)
        return system_error("cannot become " + user, errno);
    return {};
}

}  // namespace

Result<std::unique_ptr<PrivilegedHelper>> PrivilegedHelper::start(const LinuxOptions& options) {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return system_error("cannot make a socket", errno);
    UniqueFd ours(ends[0]);
    UniqueFd theirs(ends[1]);
    const pid_t child = ::fork();
    if (child < 0) return system_error("cannot start the opener", errno);
    if (child == 0) {
        ours = UniqueFd();
        serve(options, theirs.get());
    }
    return std::unique_ptr<PrivilegedHelper>(new PrivilegedHelper(std::move(ours), child));
}

PrivilegedHelper::~PrivilegedHelper() {
    ::shutdown(socket_.get(), SHUT_RDWR);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

Result<OpenedTrace> PrivilegedHelper::take() {
    return receive_opened(socket_.get());
}

Result<void> set_privileges_aside() {
    if (::geteuid() == 0) return {};
    Capabilities has;
    if (Result<void> read = has.read(); !read) return read;
    for (__user_cap_data_struct& word : has.words) word.effective = 0;
    return has.write();
}

Result<void> drop_privileges(const std::string& user, bool for_perf) {
    ::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);  // what is kept below outlives the change of user
    if (!user.empty()) {
        if (Result<void> became = become(user); !became) return became;
    }
    if (::geteuid() == 0) return {};
    Capabilities has;
    if (Result<void> read = has.read(); !read) return read;
    for (std::uint32_t word = 0; word < 2; word++) {
        std::uint32_t kept = 0;
        for (const std::uint32_t capability : {std::uint32_t{CAP_PERFMON}, std::uint32_t{CAP_SYS_PTRACE}})
            kept |= for_perf && capability / 32 == word ? 1u << capability % 32 : 0;
        has.words[word].permitted &= kept;
        has.words[word].effective = has.words[word].permitted;
        has.words[word].inheritable = 0;
    }
    if (Result<void> written = has.write(); !written) return written;
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return {};
}

}  // namespace sla::linux
