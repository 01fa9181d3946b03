#include "proto/wire/address.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace sla::wire {
namespace {

std::string complaint(std::string_view text) {
    const Result<Address> address = parse_address(text);
    return address ? "accepted as " + address->text() : address.error().message;
}

TEST(Address, OfAUnixSocketIsAPath) {
    const Result<Address> address = parse_address("unix:/run/sla/agent.sock");
    ASSERT_TRUE(address.ok());
    EXPECT_EQ(address->family, Address::Family::kUnix);
    EXPECT_EQ(address->path, "/run/sla/agent.sock");
    EXPECT_EQ(address->text(), "unix:/run/sla/agent.sock");
    EXPECT_TRUE(address->is_loopback());
    EXPECT_EQ(parse_address("unix:a:b c")->path, "a:b c");
}

TEST(Address, OfTcpIsAHostAndAPort) {
    const Result<Address> address = parse_address("tcp:lab-3.example:4321");
    ASSERT_TRUE(address.ok());
    EXPECT_EQ(address->family, Address::Family::kTcp);
    EXPECT_EQ(address->host, "lab-3.example");
    EXPECT_EQ(address->port, 4321);
    EXPECT_EQ(address->text(), "tcp:lab-3.example:4321");
    EXPECT_EQ(parse_address("tcp:0.0.0.0:0")->port, 0);
    EXPECT_EQ(parse_address("tcp:h:65535")->port, 65535);
}

TEST(Address, OfIpv6IsTypedWithBracketsAndKeptWithout) {
    const Result<Address> address = parse_address("tcp:[fe80::1%eth0]:80");
    ASSERT_TRUE(address.ok());
    EXPECT_EQ(address->host, "fe80::1%eth0");
    EXPECT_EQ(address->text(), "tcp:[fe80::1%eth0]:80");
}

TEST(Address, OfSshIsAHostPerhapsWithAUserAndThePathOfASocketThere) {
    const Result<Address> address = parse_address("ssh:ann@lab-3.example:/run/sla/agent.sock");
    ASSERT_TRUE(address.ok());
    EXPECT_EQ(address->family, Address::Family::kSsh);
    EXPECT_EQ(address->host, "ann@lab-3.example");
    EXPECT_EQ(address->path, "/run/sla/agent.sock");
    EXPECT_FALSE(address->is_loopback());
    EXPECT_EQ(parse_address("ssh:lab")->path, "");
    EXPECT_EQ(parse_address("ssh:lab:a b:c@d")->path, "a b:c@d");
    EXPECT_EQ(parse_address("ssh:ann@[fe80::1]:/x")->host, "ann@fe80::1");
    for (const char* text : {"ssh:lab", "ssh:ann@lab", "ssh:lab:/x", "ssh:[::1]", "ssh:ann@[::1]:/x y"}) {
        EXPECT_EQ(parse_address(text)->text(), text);
    }
}

TEST(Address, OfTlsIsAHostAndAPortAndPerhapsTheFingerprintOfACertificate) {
    const Result<Address> address = parse_address("tls:lab-3.example:4321");
    ASSERT_TRUE(address.ok());
    EXPECT_EQ(address->family, Address::Family::kTls);
    EXPECT_EQ(address->host_and_port(), "lab-3.example:4321");
    EXPECT_EQ(address->fingerprint, "");
    EXPECT_EQ(address->text(), "tls:lab-3.example:4321");
    EXPECT_FALSE(address->is_loopback());
    EXPECT_TRUE(parse_address("tls:[::1]:1")->is_loopback());
    std::string openssls;  // as `openssl x509 -fingerprint -sha256` prints it
    std::string plain;
    for (int i = 0; i < 32; i++) openssls += i == 0 ? "AB" : ":AB", plain += "ab";
    for (const std::string& typed : {openssls, plain}) {
        const Result<Address> pinned = parse_address("tls:[::1]:4321#" + typed);
        ASSERT_TRUE(pinned.ok()) << typed;
        EXPECT_EQ(pinned->fingerprint, plain);
        EXPECT_EQ(pinned->text(), "tls:[::1]:4321#" + plain);
    }
}

TEST(Address, KnowsWhichHostsAreThisMachine) {
    for (const char* text :
         {"tcp:localhost:1", "tcp:127.0.0.1:1", "tcp:127.9.8.7:1", "tcp:[::1]:1", "tcp:[::ffff:127.0.0.1]:1"}) {
        EXPECT_TRUE(parse_address(text)->is_loopback()) << text;
    }
    for (const char* text : {"tcp:0.0.0.0:1", "tcp:10.0.0.1:1", "tcp:[::]:1", "tcp:example.org:1", "tcp:127.0.0.1.org:1"}) {
        EXPECT_FALSE(parse_address(text)->is_loopback()) << text;
    }
}

TEST(Address, ThatIsWrongSaysWhatIsExpected) {
    const std::pair<std::string, const char*> cases[] = {
        {"", "write unix:PATH, ssh:[USER@]HOST[:PATH], tls:HOST:PORT or tcp:HOST:PORT"},
        {"/run/agent.sock", "none of unix:, ssh:, tls: and tcp:"},
        {"udp:host:1", "none of unix:, ssh:, tls: and tcp:"},
        {"unix:", "the path is missing"},
        {"unix:" + std::string(108, 'x'), "may have 107 bytes, this one has 108"},
        {std::string("unix:a\0b", 8), "control character"},
        {"tcp:", "the port is missing"},
        {"tcp:host", "the port is missing"},
        {"tcp:[::1]", "the port is missing"},
        {"tcp::80", "the host is missing"},
        {"tcp:[]:80", "the host is missing"},
        {"tcp:host:", "not a number from 0 to 65535"},
        {"tcp:host:http", "not a number from 0 to 65535"},
        {"tcp:host:65536", "not a number from 0 to 65535"},
        {"tcp:host:-1", "not a number from 0 to 65535"},
        {"tcp:host:+1", "not a number from 0 to 65535"},
        {"tcp:host: 1", "not a number from 0 to 65535"},
        {"tcp:::1:80", "needs brackets"},
        {"tcp:[host]:80", "not an IPv6 address"},
        {"tcp:two words:80", "not a name or an IP address"},
        {"tcp:a/b:80", "not a name or an IP address"},
        {"ssh:", "the host is missing"},
        {"ssh::/run/agent.sock", "the host is missing"},
        {"ssh:ann@", "the host is missing"},
        {"ssh:@lab", "the user is missing"},
        {"ssh:lab:", "the path is missing"},
        {"ssh:-oProxyCommand=x", "begins with -"},
        {"ssh:-ann@lab", "begins with -"},
        {"ssh:ann@-lab", "begins with -"},
        {"ssh:lab:-x", "no path begins with -"},
        {"ssh:two words", "not a name or an IP address"},
        {"ssh:a'b", "not a name or an IP address"},
        {"ssh:ann@bob@lab", "not a name or an IP address"},
        {"ssh:[::1", "a bracket is not closed"},
        {"ssh:[lab]", "not an IPv6 address"},
        {"ssh:[::1]x", "behind a colon"},
        {"ssh:lab:" + std::string(108, 'x'), "may have 107 bytes"},
        {"tls:host", "the port is missing"},
        {"tls:host:1#", "64 hex digits"},
        {"tls:host:1#" + std::string(63, 'a'), "64 hex digits"},
        {"tls:host:1#" + std::string(65, 'a'), "64 hex digits"},
        {"tls:host:1#" + std::string(64, 'g'), "64 hex digits"},
        {"tcp:host:1#" + std::string(64, 'a'), "not a number"},
        {"tcp:" + std::string(256, 'h') + ":80", "not a name or an IP address"},
    };
    for (const auto& [text, reason] : cases) EXPECT_NE(complaint(text).find(reason), std::string::npos) << complaint(text);
    EXPECT_NE(complaint("unix:" + std::string(107, 'x')).find("accepted"), std::string::npos);
}

TEST(Address, IsDistinguishedFromAFileByItsBeginning) {
    EXPECT_TRUE(looks_like_address("unix:x"));
    EXPECT_TRUE(looks_like_address("tcp:"));
    EXPECT_TRUE(looks_like_address("ssh:lab"));
    EXPECT_TRUE(looks_like_address("tls:lab"));
    EXPECT_FALSE(looks_like_address("capture.sla"));
    EXPECT_FALSE(looks_like_address("./unix:x"));
}

TEST(Address, ByDefaultIsThisUsersAgent) {
    setenv("SLA_RUNTIME_DIR", "/run/of/mine", 1);
    EXPECT_EQ(default_address().text(), "unix:/run/of/mine/agent.sock");
    unsetenv("SLA_RUNTIME_DIR");
}

}  // namespace
}  // namespace sla::wire
