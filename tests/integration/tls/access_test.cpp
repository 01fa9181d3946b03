// Who may do what over TLS: the rows of the table in agent/stream/README.md, by the programs that people use.
#include "tests/integration/tls/tls_fixture.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace sla {
namespace {

using support::eventually;

class Access : public OverTls {
protected:
    // The cells of a row, in the table's order: look, mark, triggers, triggers with actions, switches and limits.
    std::string row(const std::string& token) {
        std::string cells;
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{"channels", address()},
              {"mark", "--address", address(), "far.away", "42"},
              {"trigger", "--address", address(), "set", "rate far.away > 100/s", "--name", "t"},
              {"trigger", "--address", address(), "set", "rate far.away > 100/s", "--name", "r", "--action",
               "run=/bin/true"},
              {"set", "--address", address(), "far.*", "--keep", "5s"}}) {
            last_ = sla(words, token);
            said_ += last_.errors;
            cells += last_.code == 0 ? "yes " : "no ";
        }
        return cells;
    }
    void see_one_event() {
        const Said marked = run({SLA_BINARIES "/sla", "mark", "far.away", "1"}, agent_.environment());
        ASSERT_EQ(marked.code, 0) << marked.errors;
    }
    Said last_;
    std::string said_;
};

TEST_F(Access, OfATokenIsWhatItsRoleSays) {
    const std::string look = make_token("look", "ann");
    const std::string control = make_token("control", "bob");
    start_agent();
    see_one_event();
    EXPECT_EQ(row(look), "yes no no no no ") << said_;
    EXPECT_TRUE(has(said_, "this connection may only look")) << said_;
    said_.clear();
    EXPECT_EQ(row(control), "yes yes yes no yes ") << said_;
    EXPECT_TRUE(has(said_, "Unix socket only")) << said_;
    const Said table = sla({"table", address(), "--format", "csv"}, look);
    EXPECT_TRUE(has(table.output, ",far.away,value,42,")) << table.output;
    EXPECT_TRUE(has(agent_.process().errors(), "ann (look, 127.0.0.1)")) << agent_.process().errors();
    EXPECT_EQ(agent_.stop(), 0);
}

TEST_F(Access, ATokenThatNobodySawIsNone) {
    const std::string agent = SLA_BINARIES "/sla-agent";
    for (const char* words : {"--make-token look ann", "--make-certificate"}) {
        const Said said = run({"/bin/sh", "-c", agent + " " + words + " >/dev/full"},
                              {{"XDG_CONFIG_HOME", agent_.file("other")}, {"SLA_RUNTIME_DIR", agent_.runtime()}});
        EXPECT_EQ(said.code, 3) << words << ": " << said.errors;
    }
    EXPECT_EQ(errand({"--list-access"}, "other").output, "");
}

TEST_F(Access, WithoutATokenOrWithAWrongOneIsNone) {
    make_token("control", "bob");
    start_agent();
    const Said none = sla({"mark", "--address", address(), "x"});
    EXPECT_EQ(none.code, 3);
    EXPECT_TRUE(has(none.errors, "give a token in SLA_TOKEN or by --token-file")) << none.errors;
    const Said wrong = sla({"channels", address()}, "sla-" + std::string(64, '0'));
    EXPECT_EQ(wrong.code, 3);
    EXPECT_TRUE(has(wrong.errors, "the token is not one that this agent knows, or it was revoked")) << wrong.errors;
    EXPECT_TRUE(has(agent_.process().errors(), "a login from 127.0.0.1 failed")) << agent_.process().errors();
    EXPECT_FALSE(has(agent_.process().errors(), std::string(64, '0'))) << "a token in the log";
}

TEST_F(Access, OfACertificateIsWhatTheListSays) {
    const Said made = errand({"--make-client-certificate", "--name", "laptop"}, "client");
    ASSERT_EQ(made.code, 0) << made.errors;
    const std::string certificate = word_behind("fingerprint", made.output);
    ASSERT_EQ(errand({"--allow-certificate", "look", certificate, "ann"}).code, 0);
    start_agent();
    see_one_event();
    EXPECT_EQ(row(""), "yes no no no no ") << said_;
    ASSERT_EQ(errand({"--revoke", "ann"}).code, 0);
    ASSERT_EQ(errand({"--allow-certificate", "control", certificate, "ann"}).code, 0);
    reload();
    EXPECT_EQ(row(""), "yes yes yes no yes ") << said_;
    ASSERT_EQ(errand({"--revoke", "ann"}).code, 0);
    reload();
    const Said refused = sla({"channels", address()});
    EXPECT_EQ(refused.code, 3);
    EXPECT_TRUE(has(refused.errors, "sla-agent --allow-certificate look " + certificate)) << refused.errors;
    ASSERT_EQ(std::filesystem::remove(word_behind("key", made.output)), true);
    const Said half = sla({"channels", address()});
    EXPECT_EQ(half.code, 3);
    EXPECT_TRUE(has(half.errors, "the client certificate cannot be shown")) << half.errors;
}

TEST_F(Access, ThatIsRevokedEndsStreamsThatItBegan) {
    const std::string ann = make_token("look", "ann");
    const std::string bob = make_token("look", "bob");
    start_agent();
    Process of_ann({SLA_BINARIES "/sla", "record", "--address", address(), "-o", agent_.file("ann.sla")},
                   client_environment(ann));
    Process of_bob({SLA_BINARIES "/sla", "record", "--address", address(), "-o", agent_.file("bob.sla")},
                   client_environment(bob));
    ASSERT_TRUE(eventually([&] {
        const std::string said = agent_.process().errors();
        return has(said, "of ann (look, 127.0.0.1) joined") && has(said, "of bob (look, 127.0.0.1) joined");
    })) << agent_.process().errors();
    ASSERT_EQ(errand({"--revoke", "ann"}).code, 0);
    reload();
    EXPECT_NE(of_ann.wait().code, 0);
    EXPECT_TRUE(has(of_ann.errors(), "what let it in was revoked")) << of_ann.errors();
    EXPECT_TRUE(of_bob.is_running());
    EXPECT_EQ(sla({"channels", address()}, ann).code, 3);
    EXPECT_EQ(agent_.stop(), 0);
    EXPECT_EQ(of_bob.wait().code, 0) << of_bob.errors();
}

// A trigger for the fleet in an agent that publishes to none is found wrong last of all.
TEST_F(Access, StaysByTheListInForceWhereTheConfigurationIsWrong) {
    const std::string ann = make_token("look", "ann");
    const std::string bob = make_token("look", "bob");
    start_agent();
    see_one_event();
    ASSERT_EQ(sla({"channels", address()}, ann).code, 0);
    ASSERT_EQ(errand({"--revoke", "bob"}).code, 0);
    const std::string other = agent_.file("other-list");
    std::ofstream(other).close();
    std::filesystem::permissions(other, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::ofstream(agent_.file("config/sla/agent.json"))
        << R"({"access": ")" << other << R"(", "triggers": [{"expression": "x > 5", "actions": ["fleet"]}]})";
    reload();
    EXPECT_TRUE(has(agent_.process().errors(), "everything stays as it was")) << agent_.process().errors();
    EXPECT_EQ(sla({"channels", address()}, ann).code, 0) << agent_.process().errors();
    EXPECT_EQ(sla({"channels", address()}, bob).code, 3) << "who was revoked does not stay for that";
}

TEST_F(Access, StaysByTheListInForceWhereTheConfigurationNamesACertificateThatIsNotThere) {
    const std::string ann = make_token("look", "ann");
    const std::string bob = make_token("look", "bob");
    const std::string eve = make_token("look", "eve");
    start_agent();
    see_one_event();
    ASSERT_EQ(sla({"channels", address()}, bob).code, 0) << agent_.process().errors();
    std::ofstream(agent_.file("config/sla/agent.json")) << R"({"certificate": "/nowhere/cert.pem"})";
    ASSERT_EQ(errand({"--revoke", "bob"}).code, 0);
    reload();
    EXPECT_TRUE(has(agent_.process().errors(), "the files for TLS were not read anew")) << agent_.process().errors();
    EXPECT_EQ(sla({"channels", address()}, bob).code, 3) << "the list needs no certificate";
    EXPECT_EQ(sla({"channels", address()}, eve).code, 0) << agent_.process().errors();
    ASSERT_EQ(errand({"--revoke", "eve"}).code, 0);
    std::ofstream(agent_.file("config/sla/agent.json")) << "{";
    reload();
    EXPECT_EQ(sla({"channels", address()}, ann).code, 0) << agent_.process().errors();
    EXPECT_EQ(sla({"channels", address()}, eve).code, 3) << "what cannot be read is not in force";
}

TEST_F(Access, ListIsMadeShownAndCutByName) {
    const std::string token = make_token("look", "ann");
    EXPECT_EQ(errand({"--make-token", "look", "ann"}).code, 2);
    EXPECT_EQ(errand({"--make-token", "own"}).code, 2);
    EXPECT_EQ(errand({"--make-token", "control"}).code, 0);
    EXPECT_EQ(errand({"--allow-certificate", "look", "abc"}).code, 2);
    const Said list = errand({"--list-access"});
    EXPECT_EQ(list.output, "look     token        ann\ncontrol  token        control-1\n");
    EXPECT_EQ(errand({"--revoke", "carol"}).code, 1);
    EXPECT_EQ(errand({"--revoke", "ann"}).code, 0);
    EXPECT_FALSE(has(errand({"--list-access"}).output, "ann"));
}

TEST_F(Access, ListKeepsWhatOthersPutThereMeanwhile) {
    const std::string make = std::string(SLA_BINARIES "/sla-agent") + " --make-token look";
    const Said made = run({"/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8; do " + make + " t$i & done; wait"},
                          {{"XDG_CONFIG_HOME", agent_.file("many")}, {"SLA_RUNTIME_DIR", agent_.runtime()}});
    EXPECT_EQ(made.code, 0) << made.errors;
    const std::string list = errand({"--list-access"}, "many").output;
    EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 8) << list;
}

TEST_F(Access, IsCountedInTheMetrics) {
    const std::string token = make_token("look", "ann");
    start_agent({"--metrics", "unix:" + agent_.file("metrics.sock")});
    EXPECT_EQ(sla({"channels", address()}, token).code, 1) << "nothing is there to see";
    EXPECT_EQ(sla({"channels", address()}, "wrong").code, 3);
    Process page(
        {"/usr/bin/python3", "-c",
         "import socket\ns=socket.socket(socket.AF_UNIX)\ns.connect('" + agent_.file("metrics.sock") +
             "')\ns.send(b'GET /metrics HTTP/1.0\\r\\n\\r\\n')\nd=b''\nwhile True:\n  p=s.recv(65536)\n  if not p: break\n  "
             "d+=p\nprint(d.decode())"});
    ASSERT_EQ(page.wait().code, 0) << page.errors();
    EXPECT_TRUE(has(page.output(), "sla_logins_total{outcome=\"admitted\"} 1\n")) << page.output();
    EXPECT_TRUE(has(page.output(), "sla_logins_total{outcome=\"failed\"} 1\n")) << page.output();
}

}  // namespace
}  // namespace sla
