#include <utility>  // before Asio, which forgets it

#include "viewer/ingest/remote/ssh_tunnel.h"

#include <gtest/gtest.h>

namespace sla::ingest {
namespace {

wire::Address at(const std::string& text) {
    return *wire::parse_address(text);
}

TEST(SshCommand, IsTheUsersOwnSshWithTheRelayAsOneWordForTheShellOverThere) {
    EXPECT_EQ(ssh_command(at("ssh:ann@lab")), (std::vector<std::string>{"ssh", "-T", "--", "ann@lab", "sla relay"}));
    EXPECT_EQ(ssh_command(at("ssh:[::1]:/run/x.sock")).back(), "sla relay '/run/x.sock'");
    EXPECT_EQ(ssh_command(at("ssh:[::1]:/run/x.sock"))[3], "::1");
    EXPECT_EQ(ssh_command(at("ssh:lab:/it's $(here)")).back(), "sla relay '/it'\\''s $(here)'");
}

TEST(SshFailure, SaysWhoFailedAndWhatWasSaidOnOneLineThatSteersNoTerminal) {
    const wire::Address lab = at("ssh:ann@lab");
    EXPECT_EQ(ssh_failure(lab, process::Ending{255, 0}, "Permission\033[31m denied\r\n(publickey).\n", false),
              "ssh cannot connect to ann@lab: Permission [31m denied (publickey).");
    EXPECT_EQ(ssh_failure(lab, process::Ending{255, 0}, "", false), "ssh cannot connect to ann@lab; try `ssh ann@lab`");
    EXPECT_EQ(ssh_failure(lab, process::Ending{127, 0}, "sh: 1: sla: not found\n", false),
              "there is no `sla` on ann@lab in the PATH that ssh gives commands there: install it: sh: 1: sla: not found");
    EXPECT_EQ(ssh_failure(lab, process::Ending{137, 9}, "", true), "the ssh to ann@lab was ended by signal 9 (Killed)");
    EXPECT_EQ(ssh_failure(lab, process::Ending{3, 0}, "sla: no agent listens\n", false),
              "the connection to ssh:ann@lab ended: sla: no agent listens");
    EXPECT_EQ(ssh_failure(lab, std::nullopt, "\xff", true), "the connection to ssh:ann@lab was cut off: \xef\xbf\xbd");
}

TEST(SshFailure, OfAStreamThatHadBegunIsALostConnectionAndNoRefusedOne) {
    EXPECT_EQ(ssh_failure(at("ssh:lab"), process::Ending{255, 0}, "client_loop: send disconnect: Broken pipe\r\n", true),
              "ssh lost the connection to lab: client_loop: send disconnect: Broken pipe");
    EXPECT_EQ(ssh_failure(at("ssh:lab"), process::Ending{255, 0}, "", true), "ssh lost the connection to lab");
}

}  // namespace
}  // namespace sla::ingest
