#include "viewer/ingest/remote/known_agents.h"

#include "proto/common/tls/private_file.h"
#include "tests/support/process.h"
#include "viewer/ingest/remote/credentials.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace sla::ingest {
namespace {

const std::string kOne(64, '1');
const std::string kTwo(64, '2');

class KnownAgentsTest : public testing::Test {
protected:
    // What people are shown, or why not.
    std::string check(const std::string& address, const std::string& fingerprint) {
        const auto said = KnownAgents(path_).check(*wire::parse_address(address), fingerprint);
        return said ? *said : "no: " + said.error().message;
    }
    std::string held() {
        std::ostringstream text;
        text << std::ifstream(path_).rdbuf();
        return text.str();
    }
    void write(const std::string& text) { ASSERT_TRUE(tls::write_private(path_, text).ok()); }

    support::TempDir directory_;
    std::string path_ = directory_.file("sla/known_agents");
};

TEST_F(KnownAgentsTest, RememberWhoIsMetFirstAndSayTheFingerprint) {
    EXPECT_NE(check("tls:lab:4321", kOne).find("met for the first time, the fingerprint of its certificate is " + kOne),
              std::string::npos);
    EXPECT_EQ(check("tls:lab:4321", kOne), "");
    EXPECT_EQ(held(), "lab:4321 " + kOne + "\n");
    struct stat info {};
    ASSERT_EQ(stat(path_.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777U, 0600U);
}

TEST_F(KnownAgentsTest, RefuseAnotherCertificateNamingBothAndTheLine) {
    write("# mine\nother:1 " + kTwo + "\nlab:4321 " + kOne);
    const std::string said = check("tls:lab:4321", kTwo);
    EXPECT_NE(
        said.find("no: the certificate of tls:lab:4321 has changed: its fingerprint was " + kOne + ", now it is " + kTwo),
        std::string::npos)
        << said;
    EXPECT_NE(said.find("take out line 3 of " + path_), std::string::npos) << said;
    EXPECT_EQ(check("tls:lab:4321", kOne), "");
}

TEST_F(KnownAgentsTest, TellHostsAndPortsApart) {
    check("tls:lab:4321", kOne);
    EXPECT_NE(check("tls:lab:432", kTwo).find("first time"), std::string::npos);
    EXPECT_NE(check("tls:[::1]:4321", kTwo).find("first time"), std::string::npos);
    EXPECT_EQ(check("tls:[::1]:4321", kTwo), "");
}

TEST_F(KnownAgentsTest, AreNotAskedWhenTheAddressNamesTheCertificate) {
    EXPECT_EQ(check("tls:lab:4321#" + kOne, kOne), "");
    EXPECT_EQ(held(), "");
    write("lab:4321 " + kOne + "\n");
    EXPECT_NE(check("tls:lab:4321#" + kOne, kTwo).find("is not the one that was named"), std::string::npos);
    EXPECT_EQ(check("tls:lab:4321#" + kTwo, kTwo), "");
}

TEST_F(KnownAgentsTest, OfAFileThatCannotBeReadWholeAreNobody) {
    for (const std::string& broken : {"lab:4321 " + kOne.substr(1), std::string("lab:4321"), std::string("\xff\x80\0", 3),
                                      "lab:4321 " + kOne + " more"}) {
        write("other:1 " + kTwo + "\n" + broken + "\n");
        EXPECT_NE(check("tls:lab:4321", kOne).find("no: line 2 of " + path_), std::string::npos)
            << check("tls:lab:4321", kOne);
        EXPECT_NE(check("tls:other:1", kTwo).find("no: line 2"), std::string::npos);
    }
}

TEST_F(KnownAgentsTest, OfAFileThatOthersCanChangeAreNobody) {
    write("lab:4321 " + kOne + "\n");
    chmod(path_.c_str(), 0622);
    EXPECT_NE(check("tls:lab:4321", kOne).find("can be changed by others"), std::string::npos);
}

TEST_F(KnownAgentsTest, AddBehindALineThatWasNotEnded) {
    write("other:1 " + kTwo);
    check("tls:lab:4321", kOne);
    EXPECT_EQ(held(), "other:1 " + kTwo + "\nlab:4321 " + kOne + "\n");
}

TEST_F(KnownAgentsTest, AreMetByManyAtATimeAndEachRememberedOnce) {
    constexpr int kThreads = 8;
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; i++) {
        threads.emplace_back([&, i] {
            for (const int port : {1, i + 2}) {
                const std::string address = "tls:lab:" + std::to_string(port);
                EXPECT_TRUE(KnownAgents(path_).check(*wire::parse_address(address), kOne).ok());
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    const std::string text = held();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), kThreads + 1) << text;
}

class Token : public testing::Test {
protected:
    ~Token() override {
        token_file().clear();
        unsetenv("SLA_TOKEN");
        unsetenv("SLA_TOKEN_FILE");
    }
    std::string file_with(const std::string& text) {
        const std::string path = directory_.file("token" + std::to_string(files_++));
        EXPECT_TRUE(tls::write_private(path, text).ok());
        return path;
    }
    static std::string complaint() {
        const auto token = own_token();
        return token ? "it is " + *token : token.error().message;
    }
    support::TempDir directory_;
    int files_ = 0;
};

TEST_F(Token, IsNoneUnlessItIsGiven) {
    EXPECT_EQ(*own_token(), "");
}

TEST_F(Token, OfTheCommandLineWinsOverTheEnvironment) {
    setenv("SLA_TOKEN_FILE", file_with("of-the-file-in-the-environment\n").c_str(), 1);
    EXPECT_EQ(*own_token(), "of-the-file-in-the-environment");
    setenv("SLA_TOKEN", "of-the-environment", 1);
    EXPECT_EQ(*own_token(), "of-the-environment");
    token_file() = file_with("of-the-command-line\r\nmore\n");
    EXPECT_EQ(*own_token(), "of-the-command-line");
}

TEST_F(Token, InAFileThatIsNoneOrOpenToOthersIsAnError) {
    for (const std::string& text :
         {std::string(), std::string("\nx"), std::string("two words"), std::string("\xff\n"), std::string(257, 'x')}) {
        token_file() = file_with(text);
        EXPECT_NE(complaint().find("no token: the first line of"), std::string::npos) << complaint();
    }
    token_file() = directory_.file("none");
    EXPECT_EQ(own_token().error().code, ErrorCode::kUnavailable);
    token_file() = file_with("token\n");
    chmod(token_file().c_str(), 0640);
    EXPECT_NE(complaint().find("chmod 600"), std::string::npos) << complaint();
}

}  // namespace
}  // namespace sla::ingest
