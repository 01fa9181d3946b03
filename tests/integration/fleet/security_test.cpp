// Fleets whose servers want to be sure: TLS, certificates, credentials, and the permissions that `sla fleet setup` prints.
#include "tests/integration/fleet/fleet_fixture.h"

#include <fstream>
#include <regex>
#include <string>

namespace sla {
namespace {

class SecuredFleet : public InFleet {
protected:
    void openssl(Words words) {
        words.emplace(words.begin(), "/usr/bin/openssl");
        const Said said = run(words);
        ASSERT_EQ(said.code, 0) << said.errors;
    }
    // NAME.pem and NAME.key, one's own.
    void make_authority(const std::string& name) {
        openssl({"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                 "/CN=" + name, "-keyout", agent_.file(name + ".key"), "-out", agent_.file(name + ".pem")});
    }
    void make_certificate(const std::string& name, const std::string& authority) {
        const std::string names = agent_.file("names");
        std::ofstream(names) << "subjectAltName=IP:127.0.0.1\n";
        openssl({"req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=" + name, "-keyout",
                 agent_.file(name + ".key"), "-out", agent_.file(name + ".csr")});
        openssl({"x509", "-req", "-in", agent_.file(name + ".csr"), "-CA", agent_.file(authority + ".pem"), "-CAkey",
                 agent_.file(authority + ".key"), "-CAcreateserial", "-days", "2", "-extfile", names, "-out",
                 agent_.file(name + ".pem")});
    }
    // Servers with a certificate of the authority "ca", which want one from whoever comes or do not.
    void start_tls_servers(bool want_certificates) {
        std::filesystem::create_directories(agent_.file(""));
        ASSERT_NO_FATAL_FAILURE(make_authority("ca"));
        ASSERT_NO_FATAL_FAILURE(make_certificate("server", "ca"));
        ASSERT_NO_FATAL_FAILURE(make_certificate("client", "ca"));
        cluster_.emplace(1, "tls { cert_file: \"" + agent_.file("server.pem") + "\", key_file: \"" +
                                agent_.file("server.key") + "\", ca_file: \"" + agent_.file("ca.pem") +
                                "\", verify: " + (want_certificates ? "true" : "false") + " }");
        fleet::Credentials files;
        files.authorities = agent_.file("ca.pem");
        files.certificate = agent_.file("client.pem");
        files.key = agent_.file("client.key");
        cluster_->connect_with(files);
        ASSERT_TRUE(cluster_->start()) << cluster_->problem();
        set_up(1);
    }
    // What an agent published in the end that has these options and a spool of its own, of `offered_` events.
    std::uint64_t published_by(const Words& options, const std::string& host = "h1") {
        Words all{"--publish",   address_.empty() ? cluster_->address() : address_, "--fleet", "t", "--host", host,
                  "--spool-dir", agent_.file("spool " + std::to_string(++agents_))};
        all.insert(all.end(), options.begin(), options.end());
        EXPECT_TRUE(agent_.start(all)) << agent_.process().errors();
        offered_ = run_burst("1", "2000");
        EXPECT_EQ(agent_.stop(), 0) << agent_.process().errors();
        return number_before("events published");
    }
    [[nodiscard]] std::string name() const { return "fleet:" + cluster_->address() + "/t/h1"; }

    std::uint64_t offered_ = 0;
    int agents_ = 0;
};

TEST_F(SecuredFleet, OverTlsOnlyServersOfTheNamedAuthorityAreBelieved) {
    ASSERT_NO_FATAL_FAILURE(start_tls_servers(false));
    ASSERT_NO_FATAL_FAILURE(make_authority("stranger"));
    EXPECT_EQ(published_by({"--nats-ca", agent_.file("stranger.pem")}), 0u);
    EXPECT_EQ(number_before("left in the spool"), offered_);
    EXPECT_EQ(published_by({"--nats-ca", agent_.file("ca.pem")}), offered_);

    const Said read = run_sla({"table", "--format", "csv", name()}, {{"NATS_CA", agent_.file("ca.pem")}});
    EXPECT_EQ(read.code, 0) << read.errors;
    EXPECT_GE(static_cast<std::uint64_t>(std::count(read.output.begin(), read.output.end(), '\n')), offered_);
    for (const std::string& authority : {std::string(), agent_.file("stranger.pem")}) {
        const Said refused = run_sla({"table", name()}, {{"NATS_CA", authority}});
        EXPECT_EQ(refused.code, 3);
        EXPECT_EQ(refused.output, "");
        EXPECT_NE(refused.errors.find("certificate"), std::string::npos) << refused.errors;
    }
}

TEST_F(SecuredFleet, ServersThatWantACertificateServeNobodyWithoutOne) {
    ASSERT_NO_FATAL_FAILURE(start_tls_servers(true));
    EXPECT_EQ(published_by({"--nats-ca", agent_.file("ca.pem")}), 0u);
    EXPECT_EQ(number_before("left in the spool"), offered_);
    EXPECT_EQ(published_by({"--nats-ca", agent_.file("ca.pem"), "--nats-cert", agent_.file("client.pem"), "--nats-key",
                            agent_.file("client.key")}),
              offered_);

    const std::map<std::string, std::string> authority{{"NATS_CA", agent_.file("ca.pem")}};
    std::map<std::string, std::string> all = authority;
    all["NATS_CERT"] = agent_.file("client.pem");
    all["NATS_KEY"] = agent_.file("client.key");
    EXPECT_EQ(run_sla({"channels", name()}, authority).code, 3);
    const Said read = run_sla({"channels", name()}, all);
    EXPECT_EQ(read.code, 0) << read.errors;
    const Said hosts = run_sla({"fleet", "hosts", cluster_->address(), "--fleet", "t", "--nats-ca", agent_.file("ca.pem"),
                                "--nats-cert", agent_.file("client.pem"), "--nats-key", agent_.file("client.key")});
    EXPECT_EQ(hosts.code, 0) << hosts.errors;
    EXPECT_NE(hosts.output.find("h1"), std::string::npos) << hosts.output;
}

// As of an operator's servers, where users are known by keys and tokens that accounts sign.
TEST_F(SecuredFleet, AUsersCredentialsLetHimInAndOtherUsersStayOut) {
    for (const char* const who : {"ours", "stranger"}) {
        std::filesystem::create_directories(agent_.file(who));
        const Said made = run({"/usr/bin/python3", SLA_NATS_OPERATOR, agent_.file(who)});
        ASSERT_EQ(made.code, 0) << made.errors;
    }
    std::ifstream rules(agent_.file("ours/servers.conf"));
    cluster_.emplace(1, std::string(std::istreambuf_iterator<char>(rules), {}));
    fleet::Credentials files;
    files.creds = agent_.file("ours/user.creds");
    cluster_->connect_with(files);
    ASSERT_TRUE(cluster_->start()) << cluster_->problem();
    ASSERT_NO_FATAL_FAILURE(set_up(1));

    EXPECT_EQ(published_by({"--nats-creds", agent_.file("stranger/user.creds")}), 0u);
    EXPECT_EQ(number_before("left in the spool"), offered_);
    EXPECT_EQ(published_by({"--nats-creds", files.creds}), offered_);
    const Said read = run_sla({"channels", name()}, {{"NATS_CREDS", files.creds}});
    EXPECT_EQ(read.code, 0) << read.errors;
    const Said refused = run_sla({"channels", name()}, {{"NATS_CREDS", agent_.file("stranger/user.creds")}});
    EXPECT_EQ(refused.code, 3);
    EXPECT_NE(refused.errors.find("credentials"), std::string::npos) << refused.errors;

    // Of signatures, one in 256 begins with a zero byte.
    constexpr int kConnections = 1500;
    for (int i = 0; i < kConnections; ++i) ASSERT_TRUE(connect()) << "connection " << i;
}

// The printed words stand in the servers' configuration as they are, with HOST named.
TEST_F(SecuredFleet, ThePermissionsThatAreAdvisedAreEnoughForAgentsAndReadersAndNoMore) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    const Said advised = run_sla(
        {"fleet", "setup", cluster_->address(), "--fleet", "t", "--replicas", "1", "--shards", "2", "--bytes", "64MiB"});
    ASSERT_EQ(advised.code, 0) << advised.errors;
    std::string rules = advised.output;
    const std::string kHost = "HOST";
    for (std::size_t at = 0; (at = rules.find(kHost, at)) != std::string::npos;) rules.replace(at, kHost.size(), "h1");
    const std::string users =
        "authorization {\n" + rules +
        "users = [ { user: admin, password: all }\n { user: agent, password: some, permissions: $agent }\n"
        " { user: reader, password: few, permissions: $reader }\n"
        " { user: controller, password: more, permissions: $controller } ]\n}";
    cluster_.reset();
    ASSERT_NO_FATAL_FAILURE(start_servers(1, users, "admin:all"));

    address_ = cluster_->address_as("agent:some");
    EXPECT_EQ(published_by({}, "h2"), 0u) << "as another host";
    EXPECT_EQ(published_by({}), offered_);
    const std::string as_reader = cluster_->address_as("reader:few");
    const Said read = run_sla({"table", "--format", "csv", "fleet:" + as_reader + "/t/h1"});
    EXPECT_EQ(read.code, 0) << read.errors;
    EXPECT_GE(static_cast<std::uint64_t>(std::count(read.output.begin(), read.output.end(), '\n')), offered_);
    const Said status = run_sla({"fleet", "status", as_reader, "--fleet", "t"});
    EXPECT_EQ(status.code, 0) << status.errors;

    // All streams and buckets are set up at once: the refusal that is told is that of the one that is named.
    const Said refused =
        run_sla({"fleet", "setup", cluster_->address_as("reader:few"), "--fleet", "t", "--replicas", "1", "--age", "2h"});
    EXPECT_EQ(refused.code, 3);
    std::smatch named;
    ASSERT_TRUE(std::regex_search(refused.errors, named, std::regex("cannot set up the (?:stream|bucket) (\\w+): ([^;]*)")))
        << refused.errors;
    const bool has_subject = named[2].str().find('"') != std::string::npos;
    EXPECT_TRUE(!has_subject || named[2].str().find(named[1].str() + "\"") != std::string::npos) << refused.errors;
    EXPECT_NE(named[2].str().find("Permissions Violation"), std::string::npos) << refused.errors;
    cluster_->connect_as("reader:few");
    const auto reader = connect();
    ASSERT_TRUE(reader);
    const std::string subject = fleet::Subject{"t", fleet::shard_of("h1", 2), "h1", "forged", fleet::Kind::kFrames}.text();
    jsPubOptions soon;
    jsPubOptions_Init(&soon);
    soon.MaxWait = 500;
    EXPECT_NE(js_Publish(nullptr, reader->jetstream(), subject.c_str(), "x", 1, &soon, nullptr), NATS_OK);
    cluster_->connect_as("admin:all");
    EXPECT_EQ(contents().captures.size(), 1u) << "nobody published what was not his";
}

// Whatever is asked first: who lacks a permission is told which, and does not wait for an election.
TEST_F(SecuredFleet, APermissionThatIsMissingIsNamed) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    std::string users = "authorization { users = [ { user: admin, password: all }\n";
    const std::vector<std::string> all{"$JS.API.STREAM.INFO.*", "$JS.API.STREAM.MSG.GET.*", "$JS.API.DIRECT.GET.>"};
    for (std::size_t lacking = 0; lacking < all.size(); ++lacking) {
        users += "{ user: reader" + std::to_string(lacking) + ", password: few, permissions: { publish: [";
        for (std::size_t i = 0; i < all.size(); ++i) users += i == lacking ? "" : " \"" + all[i] + "\"\n";
        users += " ], subscribe: [\"_INBOX.>\"] } }\n";
    }
    cluster_.reset();
    ASSERT_NO_FATAL_FAILURE(start_servers(1, users + "] }", "admin:all"));
    ASSERT_EQ(published_by({}), 0u) << "who is nobody";
    address_ = cluster_->address_as("admin:all");
    ASSERT_EQ(published_by({}), offered_);
    for (std::size_t lacking = 0; lacking < all.size(); ++lacking) {
        const std::string as = cluster_->address_as("reader" + std::to_string(lacking) + ":few");
        const auto begin = std::chrono::steady_clock::now();
        const Said said =
            lacking == 0 ? run_sla({"fleet", "status", as, "--fleet", "t"}) : run_sla({"channels", "fleet:" + as + "/t"});
        EXPECT_EQ(said.code, 3);
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30)) << "as long as an election takes";
        EXPECT_NE(said.errors.find("Permissions Violation"), std::string::npos) << said.errors;
        EXPECT_NE(said.errors.find("sla fleet setup"), std::string::npos) << said.errors;
    }
}

TEST_F(SecuredFleet, AnAgentWhoseEntriesTheRegistryRefusesSaysThatNobodyFindsItsCapture) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    cluster_.reset();
    const auto may = [](const std::string& permissions) {
        return "authorization { users = [ { user: admin, password: all }\n{ user: agent, password: some" + permissions +
               " } ] }";
    };
    const std::string all_but_entries = may(", permissions: { publish: { deny: [\"$KV.SLA_t_captures.>\"] } }");
    ASSERT_NO_FATAL_FAILURE(start_servers(1, all_but_entries, "admin:all"));
    address_ = cluster_->address_as("agent:some");
    ASSERT_NO_FATAL_FAILURE(start_agent());
    EXPECT_TRUE(support::eventually([&] { return agent_said("nobody finds it: Permissions Violation"); }, kTimeout))
        << agent_.process().errors();
    const auto has_problem = [&] {
        const auto told = entry();
        return told && told->problem.find("nobody finds it") != std::string::npos;
    };
    EXPECT_TRUE(support::eventually(has_problem, kTimeout));
    cluster_->reload(may(""));
    EXPECT_TRUE(support::eventually([&] { return entry() && !has_problem(); }, kTimeout)) << "once it may";
    cluster_->reload(all_but_entries);
    EXPECT_TRUE(support::eventually(has_problem, kTimeout)) << "and again when it may not";
    EXPECT_EQ(agent_.stop(), 0);
    EXPECT_TRUE(agent_said("stays in the spool")) << "the next agent says it";
}

TEST_F(SecuredFleet, WhatIsWrongWithACertificateIsSaidWithWhatToDo) {
    ASSERT_NO_FATAL_FAILURE(start_tls_servers(true));
    ASSERT_NO_FATAL_FAILURE(make_authority("stranger"));
    ASSERT_NO_FATAL_FAILURE(make_certificate("other", "stranger"));
    const auto status = [&](const std::string& authority, const std::string& certificate, const std::string& key) {
        Words words{"fleet", "status", cluster_->address(), "--fleet", "t", "--nats-ca", agent_.file(authority)};
        if (!certificate.empty())
            words.insert(words.end(), {"--nats-cert", agent_.file(certificate), "--nats-key", agent_.file(key)});
        const Said said = run_sla(words);
        EXPECT_EQ(said.code, 3) << said.errors;
        EXPECT_EQ(said.errors.find(".c:"), std::string::npos) << "a place in libnats: " << said.errors;
        return said.errors;
    };
    const auto has = [](const std::string& said, const std::string& words) {
        EXPECT_NE(said.find(words), std::string::npos) << words << " in " << said;
    };
    has(status("stranger.pem", "client.pem", "client.key"), "of no authority that is known here");
    has(status("nowhere.pem", "client.pem", "client.key"), "is that file there");
    has(status("ca.pem", "", ""), "--nats-cert");
    has(status("ca.pem", "other.pem", "other.key"), "of an authority that it trusts");
    has(status("ca.pem", "client.pem", "other.key"), "belong to the certificate");
}

}  // namespace
}  // namespace sla
