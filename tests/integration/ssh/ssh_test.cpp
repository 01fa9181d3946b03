// ssh:HOST with a program called `ssh` that runs the command here: what is asked of ssh, and what comes of its errors and deaths.
#include "tests/integration/ssh/ssh_fixture.h"

namespace sla {
namespace {

using support::eventually;

class FakeSsh : public OverSsh {};

TEST_F(FakeSsh, EveryCommandReachesAnAgentBehindIt) {
    write_local_ssh();
    ASSERT_TRUE(agent_.start());
    auto mark = start({"mark", "--address", address(), "far.away", "42"});
    ASSERT_EQ(mark->wait().code, 0) << mark->errors();
    auto table = start({"table", address(), "--format", "csv"});
    EXPECT_EQ(table->wait().code, 0) << table->errors();
    EXPECT_NE(table->output().find(",far.away,value,42,"), std::string::npos) << table->output();
    auto set = start({"set", "--address", address(), "far.*", "--keep", "5s"});
    EXPECT_EQ(set->wait().code, 0) << set->errors();
    auto sql = start({"sql", address(), "SELECT value FROM events WHERE channel = 'far.away'"});
    EXPECT_EQ(sql->wait().code, 0) << sql->errors();
    EXPECT_EQ(sql->output(), "value\n42\n");
    EXPECT_TRUE(all_are_gone());
    const std::vector<std::string> asked = lines_of(asked_);
    ASSERT_GE(asked.size(), 4U);
    EXPECT_EQ(asked[0], "-T");
    EXPECT_EQ(asked[1], "--");
    EXPECT_EQ(asked[2], "ann@lab");
    EXPECT_EQ(asked[3], "sla relay '" + agent_.runtime() + "/agent.sock'");
}

TEST_F(FakeSsh, WithoutAPathTheAgentOfThatUserIsMeant) {
    write_local_ssh();
    ASSERT_TRUE(agent_.start());
    auto channels = start({"sql", "ssh:lab", "SELECT count(*) AS n FROM captures"});
    EXPECT_EQ(channels->wait().code, 0) << channels->errors();
    EXPECT_EQ(lines_of(asked_).at(3), "sla relay");
}

TEST_F(FakeSsh, ItsErrorsArePassedOnInWordsThatSteerNoTerminal) {
    write_ssh("printf '\\033[31mann@lab: Permission denied\\r\\n(publickey).\\n' >&2; exit 255");
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"channels", "ssh:ann@lab"}, {"mark", "--address", "ssh:ann@lab", "x"}}) {
        auto command = start(words);
        EXPECT_EQ(command->wait().code, 3);
        EXPECT_NE(command->errors().find("ssh cannot connect to ann@lab:"), std::string::npos) << command->errors();
        EXPECT_NE(command->errors().find("ann@lab: Permission denied (publickey)."), std::string::npos) << command->errors();
        EXPECT_EQ(command->errors().find('\033'), std::string::npos);
    }
}

TEST_F(FakeSsh, AMachineWithoutSlaAndOneWithoutAnAgentAreToldApart) {
    write_ssh("PATH=/usr/bin:/bin exec /bin/sh -c \"$4\"");
    auto nothing = start({"channels", "ssh:lab"});
    EXPECT_EQ(nothing->wait().code, 3);
    EXPECT_NE(nothing->errors().find("there is no `sla` on lab"), std::string::npos) << nothing->errors();
    write_local_ssh();
    auto nobody = start({"channels", "ssh:lab:/nowhere/agent.sock"});
    EXPECT_EQ(nobody->wait().code, 3);
    EXPECT_NE(nobody->errors().find("no agent listens on /nowhere/agent.sock"), std::string::npos) << nobody->errors();
}

TEST_F(FakeSsh, WordsOfAShellInFrontOfTheStreamAreTakenForWhatTheyAre) {
    write_ssh("echo Welcome; export PATH='" SLA_BINARIES "':/usr/bin:/bin; exec sh -c \"$4\"");
    ASSERT_TRUE(agent_.start());
    auto channels = start({"channels", address("lab")});
    EXPECT_EQ(channels->wait().code, 3);
    EXPECT_NE(channels->errors().find("`ssh lab true` must print nothing"), std::string::npos) << channels->errors();
}

TEST_F(FakeSsh, WhatLooksLikeAnOptionNeverReachesSsh) {
    write_local_ssh();
    for (const char* host :
         {"ssh:-oProxyCommand=x", "ssh:-v", "ssh:ann@-v", "ssh:--", "ssh:a b", "ssh:lab:-x", "ssh:", "ssh:a\nb"}) {
        auto command = start({"channels", host});
        EXPECT_EQ(command->wait().code, 2) << host;
    }
    EXPECT_TRUE(lines_of(asked_).empty());
}

TEST_F(FakeSsh, APathIsOneWordForTheShellOverThereWhateverIsInIt) {
    write_local_ssh();
    const std::string trap = agent_.file("trap");
    auto command = start({"channels", "ssh:lab:/x'; touch '" + trap + "'; $(touch " + trap + ")"});
    EXPECT_EQ(command->wait().code, 3);
    EXPECT_NE(command->errors().find("no agent listens on /x'; touch"), std::string::npos) << command->errors();
    EXPECT_FALSE(std::filesystem::exists(trap));
}

TEST_F(FakeSsh, WhenTheAgentEndsSoDoesEverythingBetween) {
    write_local_ssh();
    ASSERT_TRUE(agent_.start());
    auto record = start({"record", "--address", address(), "-o", agent_.file("far.sla")});
    ASSERT_TRUE(eventually([&] { return agent_.process().errors().find(" joined") != std::string::npos; }))
        << record->errors();
    EXPECT_EQ(agent_.stop(), 0);
    EXPECT_EQ(record->wait().code, 0) << record->errors();
    EXPECT_TRUE(all_are_gone());
}

TEST_F(FakeSsh, ItsDeathEndsTheStreamInWordsAndLeavesNothingBehind) {
    write_local_ssh();
    ASSERT_TRUE(agent_.start());
    auto record = start({"record", "--address", address(), "-o", agent_.file("far.sla")});
    ASSERT_TRUE(eventually([&] { return agent_.process().errors().find(" joined") != std::string::npos; }))
        << record->errors();
    const std::vector<std::string> pids = lines_of(pids_);
    ASSERT_EQ(pids.size(), 2U);
    for (const std::string& pid : pids) kill(static_cast<pid_t>(std::stol(pid)), SIGKILL);
    EXPECT_EQ(record->wait().signal, 0);
    EXPECT_NE(record->errors().find("the ssh to ann@lab was ended by signal 9"), std::string::npos) << record->errors();
    EXPECT_TRUE(all_are_gone());
    EXPECT_TRUE(agent_.process().is_running());
}

TEST_F(FakeSsh, ALostConnectionIsNotTakenForARefusedOne) {
    write_ssh("export PATH='" SLA_BINARIES
              "':/usr/bin:/bin\nexec 3<&0\nsh -c \"exec $4\" <&3 &\nrelay=$!\n"
              "until [ -e '" +
              agent_.file("cut") +
              "' ]; do sleep 0.1; done\n"
              "kill $relay; echo 'Connection to lab closed by remote host.' >&2; exit 255");
    ASSERT_TRUE(agent_.start());
    auto record = start({"record", "--address", address("lab"), "-o", agent_.file("far.sla")});
    ASSERT_TRUE(eventually([&] { return std::filesystem::exists(agent_.file("far.sla")); })) << record->errors();
    std::ofstream(agent_.file("cut")) << "now\n";
    EXPECT_EQ(record->wait().signal, 0);
    EXPECT_NE(record->errors().find("ssh lost the connection to lab: Connection to lab closed by remote host."),
              std::string::npos)
        << record->errors();
}

TEST_F(FakeSsh, WhatIsWaitedForInSilenceIsSaidAndCtrlCEndsIt) {
    write_ssh("exec sleep 100");
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"channels", "ssh:lab"},
                                               {"table", "ssh:lab", "--from", "1s"},
                                               {"mark", "--address", "ssh:lab", "x"},
                                               {"record", "--address", "ssh:lab", "-o", agent_.file("far.sla")}}) {
        auto command = start(words);
        EXPECT_TRUE(eventually([&] {
            return command->errors().find("ssh has brought no word from lab yet") != std::string::npos;
        })) << words[0]
            << ": " << command->errors();
        EXPECT_TRUE(command->is_running()) << command->errors();
        command->signal(SIGINT);
        EXPECT_TRUE(eventually([&] { return !command->is_running(); })) << words[0];
        EXPECT_NE(command->errors().find("stopped "), std::string::npos) << command->errors();
        EXPECT_EQ(command->wait().code, 3) << command->errors();
    }
    EXPECT_FALSE(std::filesystem::exists(agent_.file("far.sla")));
}

TEST_F(FakeSsh, OurDeathEndsItAndTheRelay) {
    write_local_ssh();
    ASSERT_TRUE(agent_.start());
    auto record = start({"record", "--address", address(), "-o", agent_.file("far.sla")});
    ASSERT_TRUE(eventually([&] { return agent_.process().errors().find(" joined") != std::string::npos; }))
        << record->errors();
    record->signal(SIGKILL);
    EXPECT_EQ(record->wait().signal, SIGKILL);
    EXPECT_TRUE(all_are_gone());
}

TEST_F(FakeSsh, TheRelayAloneSaysWhatItIsFor) {
    auto relay = start({"relay", std::string(200, 'x')});
    EXPECT_EQ(relay->wait().code, 2);
    auto nobody = start({"relay", "/nowhere/agent.sock"});
    EXPECT_EQ(nobody->wait().code, 3);
}

}  // namespace
}  // namespace sla
