// Whom a client believes, what either end says to the wrong language, and that nothing older than TLS 1.3 is spoken.
#include "tests/integration/tls/tls_fixture.h"

#include <fstream>

namespace sla {
namespace {

class Trust : public OverTls {
protected:
    void SetUp() override { token_ = make_token("look", "ann"); }
    std::string token_;
};

TEST_F(Trust, IsAskedForOnceAndTheFingerprintIsSaid) {
    start_agent();
    const Said first = sla({"sql", address(), "SELECT count(*) AS n FROM captures"}, token_);
    EXPECT_EQ(first.code, 0) << first.errors;
    EXPECT_TRUE(has(first.errors, fingerprint_)) << first.errors;
    const Said second = sla({"sql", address(), "SELECT count(*) AS n FROM captures"}, token_);
    EXPECT_EQ(second.code, 0) << second.errors;
    EXPECT_EQ(second.errors, "");
}

TEST_F(Trust, EndsWhenTheCertificateChangesAndSaysWhatToDo) {
    start_agent();
    const std::string old = fingerprint_;
    ASSERT_EQ(sla({"sql", address(), "SELECT 1"}, token_).code, 0);
    for (const char* file : {"config/sla/agent-cert.pem", "config/sla/agent-key.pem"}) {
        ASSERT_TRUE(std::filesystem::remove(agent_.file(file)));
    }
    const std::string now = word_behind("fingerprint", errand({"--make-certificate"}).output);
    reload();
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"sql", address(), "SELECT 1"}, {"mark", "--address", address(), "x"}}) {
        const Said refused = sla(words, token_);
        EXPECT_EQ(refused.code, 3);
        EXPECT_TRUE(has(refused.errors, "its fingerprint was " + old + ", now it is " + now)) << refused.errors;
        EXPECT_TRUE(has(refused.errors, "take out line 1 of " + agent_.file("client/sla/known_agents"))) << refused.errors;
    }
    EXPECT_FALSE(has(agent_.process().errors(), "failed")) << "no token was sent to it: " << agent_.process().errors();
    std::ofstream(agent_.file("client/sla/known_agents"), std::ios::trunc).flush();
    EXPECT_EQ(sla({"sql", address(), "SELECT 1"}, token_).code, 0);
}

TEST_F(Trust, IsNotNeededWhenTheAddressNamesTheCertificate) {
    start_agent();
    const Said named = sla({"sql", address() + "#" + fingerprint_, "SELECT 1"}, token_);
    EXPECT_EQ(named.code, 0) << named.errors;
    EXPECT_EQ(named.errors, "");
    EXPECT_FALSE(std::filesystem::exists(agent_.file("client/sla/known_agents")));
    const Said other = sla({"sql", address() + "#" + std::string(64, 'a'), "SELECT 1"}, token_);
    EXPECT_EQ(other.code, 3);
    EXPECT_TRUE(has(other.errors, "is not the one that was named")) << other.errors;
}

TEST_F(Trust, InATokenOfAFileNeedsTheFileToBeOnesOwn) {
    start_agent();
    const std::string path = agent_.file("token");
    std::ofstream(path) << token_ << "\n";
    std::filesystem::permissions(path, std::filesystem::perms(0600));
    const Said good = sla({"--token-file", path, "sql", address(), "SELECT 1"});
    EXPECT_EQ(good.code, 0) << good.errors;
    EXPECT_EQ(sla({"sql", address(), "SELECT 1", "--token-file", path}).code, 0);
    std::filesystem::permissions(path, std::filesystem::perms(0644));
    const Said open = sla({"sql", address(), "SELECT 1", "--token-file", path});
    EXPECT_EQ(open.code, 3);
    EXPECT_TRUE(has(open.errors, "chmod 600 " + path)) << open.errors;
}

TEST_F(Trust, BetweenPlainAndTlsEndsInWordsOnBothSides) {
    start_agent({"--listen", "tcp:127.0.0.1:0"});
    const Said plain = sla({"channels", "tcp:127.0.0.1:" + port()});
    EXPECT_EQ(plain.code, 3);
    EXPECT_TRUE(has(plain.errors, "this address speaks TLS: write tls:HOST:PORT")) << plain.errors;
    const std::string said = agent_.process().errors();
    const std::string kBefore = "listening on tcp:127.0.0.1:";
    const std::size_t at = said.find(kBefore) + kBefore.size();
    const std::string tcp = said.substr(at, said.find('\n', at) - at);
    const Said tls = sla({"channels", "tls:127.0.0.1:" + tcp}, token_);
    EXPECT_EQ(tls.code, 3);
    EXPECT_TRUE(has(tls.errors, "speaks no TLS: an agent there is tcp:127.0.0.1:" + tcp)) << tls.errors;
    const Said mark = sla({"mark", "--address", "tls:127.0.0.1:" + tcp, "x"}, token_);
    EXPECT_EQ(mark.code, 3);
    EXPECT_TRUE(has(mark.errors, "speaks no TLS")) << mark.errors;
}

TEST_F(Trust, IsInTls13AlonePlainToOpenssl) {
    if (!std::filesystem::exists("/usr/bin/openssl")) GTEST_SKIP() << "there is no openssl";
    start_agent();
    const auto talk = [&](const std::string& version) {
        return run({"/bin/sh", "-c", "openssl s_client -connect 127.0.0.1:" + port() + " -" + version + " </dev/null"}, {});
    };
    const Said modern = talk("tls1_3");
    EXPECT_EQ(modern.code, 0) << modern.errors;
    EXPECT_TRUE(has(modern.output, "New, TLSv1.3, Cipher is TLS_")) << modern.output;
    EXPECT_TRUE(has(modern.output, "Early data was not sent")) << modern.output;
    for (const char* version : {"tls1_2", "tls1_1", "tls1"}) {
        const Said old = talk(version);
        EXPECT_NE(old.code, 0) << version;
        EXPECT_TRUE(has(old.output, "Cipher is (NONE)")) << version << old.output;
    }
    const Said weak =
        run({"/bin/sh", "-c",
             "openssl s_client -connect 127.0.0.1:" + port() + " -tls1_3 -ciphersuites TLS_AES_128_CCM_8_SHA256 </dev/null"},
            {});
    EXPECT_NE(weak.code, 0) << weak.output;
}

// What testssl.sh looks for that TLS 1.3 alone does not settle.
TEST_F(Trust, LeavesOpensslNothingToWarnOf) {
    if (!std::filesystem::exists("/usr/bin/openssl")) GTEST_SKIP() << "there is no openssl";
    start_agent();
    const auto talk = [&](const std::string& options, const std::string& input = "</dev/null") {
        const std::string words = "openssl s_client -connect 127.0.0.1:" + port() + " " + options;
        return run({"/bin/sh", "-c", input.starts_with("<") ? words + " " + input : input + " | " + words}, {});
    };
    const Said plain = talk("-tls1_3");
    ASSERT_EQ(plain.code, 0) << plain.errors;
    for (const char* good :
         {"Compression: NONE", "Early data was not sent", "Peer signature type: ECDSA", "Peer signing digest: SHA256"})
        EXPECT_TRUE(has(plain.output, good)) << good << plain.output;
    for (const char* bad : {"SHA1", "MD5", "RC4", "DES", "NULL"})
        EXPECT_FALSE(has(plain.output, bad)) << bad << plain.output;
    const std::size_t bits = plain.output.find("Server public key is ");
    ASSERT_NE(bits, std::string::npos) << plain.output;
    EXPECT_GE(std::stoi(plain.output.substr(bits + 21)), 256);
    // Every cipher that was ever weak is of TLS 1.2 or before, which is not spoken, whichever is offered.
    for (const char* cipher : {"aNULL:eNULL", "EXPORT:LOW", "RC4:3DES", "ADH:AECDH", "PSK", "ALL:COMPLEMENTOFALL"}) {
        const Said weak = talk("-no_tls1_3 -cipher " + std::string(cipher) + ":@SECLEVEL=0");
        EXPECT_NE(weak.code, 0) << cipher;
        EXPECT_FALSE(has(weak.output, "Cipher is TLS_")) << cipher << weak.output;
    }
    // There is no renegotiation in TLS 1.3; asking for one, and for new keys again and again, harms nobody.
    (void)talk("-tls1_3", "(sleep 0.3; for i in 1 2 3 4 5 6 7 8 9; do echo R; echo K; echo k; sleep 0.05; done)");
    // There is no session to be taken up again, and so no early data either: each connection begins with a whole handshake.
    const std::string session = agent_.file("session.pem");
    (void)talk("-tls1_3 -sess_out " + session, "(sleep 0.5)");
    EXPECT_FALSE(std::filesystem::exists(session));
    const Said without = sla({"sql", address(), "SELECT 1"});
    EXPECT_EQ(without.code, 3);
    EXPECT_TRUE(has(without.errors, "give a token")) << without.errors;
    EXPECT_EQ(sla({"sql", address(), "SELECT 1"}, token_).code, 0) << "and who says it is served as before";
    EXPECT_EQ(agent_.stop(), 0) << agent_.process().errors();
}

TEST_F(Trust, NeedsACertificateToBeginWith) {
    EXPECT_FALSE(agent_.start({"--listen", "tls:127.0.0.1:0"}));
    EXPECT_TRUE(has(agent_.process().errors(), "Make a certificate: sla-agent --make-certificate"))
        << agent_.process().errors();
    const Said made = errand({"--make-certificate", "--name", "lab.example", "--years", "2"});
    ASSERT_EQ(made.code, 0) << made.errors;
    EXPECT_EQ(word_behind("for ", made.output), "lab.example");
    const auto mode = std::filesystem::status(agent_.file("config/sla/agent-key.pem")).permissions();
    EXPECT_EQ(static_cast<unsigned>(mode), 0600U);
    const Said again = errand({"--make-certificate"});
    EXPECT_EQ(again.code, 2);
    EXPECT_TRUE(has(again.errors, "is there already")) << again.errors;
}

}  // namespace
}  // namespace sla
