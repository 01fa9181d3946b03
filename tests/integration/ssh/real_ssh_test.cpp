// ssh:HOST with OpenSSH itself: its sshd as a program behind a pipe, on no port, with keys made for the test.
#include "tests/integration/ssh/ssh_fixture.h"

#include <pwd.h>
#include <unistd.h>

namespace sla {
namespace {

constexpr const char* kSshd = "/usr/sbin/sshd";

class RealSsh : public OverSsh {
protected:
    // Why it cannot be done here; empty: it can.
    std::string set_up() {
        if (access(kSshd, X_OK) != 0 || access("/usr/bin/ssh", X_OK) != 0) return "no openssh-server is installed";
        const std::string dir = agent_.file("ssh");
        std::filesystem::create_directories(dir);
        for (const char* key : {"host", "user"}) {
            support::Process made({"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", dir + "/" + key});
            if (made.wait().code != 0) return "ssh-keygen failed: " + made.errors();
        }
        std::filesystem::copy_file(dir + "/user.pub", dir + "/authorized");
        write_configurations(dir);
        write_ssh("exec /usr/bin/ssh -F '" + dir + "/config' \"$@\"");
        support::Process tried({agent_.file("bin/ssh"), "-T", "--", user(), "true"});
        return tried.wait().code == 0 ? "" : "this account cannot log in by ssh: " + tried.errors();
    }
    // What the account's shell makes of PATH is not the test's affair: commands run in the test's own environment.
    void write_configurations(const std::string& dir) {
        std::ofstream(dir + "/sshd_config")
            << "HostKey " << dir << "/host\nAuthorizedKeysFile " << dir
            << "/authorized\nStrictModes no\nUsePAM no\nPidFile none\nLogLevel ERROR\n"
            << "ForceCommand exec env PATH='" SLA_BINARIES ":/usr/bin:/bin' SLA_RUNTIME_DIR='" << agent_.runtime()
            << "' /bin/sh -c \"$SSH_ORIGINAL_COMMAND\"\n";
        // sshd as root wants a folder of its own in /run, which its service makes: it gets one that only it sees.
        std::ofstream(dir + "/serve")
            << "[ \"$(id -u)\" -ne 0 ] || { mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd; } || exit\n"
            << "exec " << kSshd << " -i -f '" << dir << "/sshd_config'\n";
        const std::string apart = geteuid() == 0 ? "unshare -m " : "";
        std::ofstream(dir + "/config") << "Host *\nProxyCommand " << apart << "sh " << dir << "/serve\nIdentityFile " << dir
                                       << "/user\nIdentitiesOnly yes\nIdentityAgent none\nUserKnownHostsFile " << dir
                                       << "/known\nGlobalKnownHostsFile none\nStrictHostKeyChecking accept-new\n"
                                       << "BatchMode yes\nLogLevel ERROR\n";
    }
    static std::string user() {
        const passwd* entry = getpwuid(geteuid());
        return (entry == nullptr ? std::string("nobody") : std::string(entry->pw_name)) + "@lab";
    }
};

TEST_F(RealSsh, AnAgentBehindItAnswersAndIsSwitched) {
    if (const std::string why = set_up(); !why.empty()) GTEST_SKIP() << why;
    ASSERT_TRUE(agent_.start());
    auto mark = start({"mark", "--address", "ssh:" + user(), "far.away", "42"});
    ASSERT_EQ(mark->wait().code, 0) << mark->errors();
    auto table = start({"table", address(user()), "--format", "csv"});
    EXPECT_EQ(table->wait().code, 0) << table->errors();
    EXPECT_NE(table->output().find(",far.away,value,42,"), std::string::npos) << table->output();
}

TEST_F(RealSsh, AKeyThatIsNotLetInIsReportedAsSshSaysIt) {
    if (const std::string why = set_up(); !why.empty()) GTEST_SKIP() << why;
    std::ofstream(agent_.file("ssh/authorized")) << "";
    auto channels = start({"channels", "ssh:" + user()});
    EXPECT_EQ(channels->wait().code, 3);
    EXPECT_NE(channels->errors().find("ssh cannot connect to " + user() + ":"), std::string::npos) << channels->errors();
    EXPECT_NE(channels->errors().find("Permission denied (publickey"), std::string::npos) << channels->errors();
}

}  // namespace
}  // namespace sla
