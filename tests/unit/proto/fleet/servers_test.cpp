#include "proto/fleet/servers.h"

#include <gtest/gtest.h>

namespace sla::fleet {
namespace {

using Texts = std::vector<std::string>;

TEST(FleetServers, AreSeveralWithTheirPorts) {
    const Result<Servers> servers = parse_servers("nats://a,b.example.org:4300,[::1],[fe80::1]:77");
    ASSERT_TRUE(servers) << servers.error().message;
    EXPECT_EQ(servers->hosts, (Texts{"a:4222", "b.example.org:4300", "[::1]:4222", "[fe80::1]:77"}));
    EXPECT_EQ(servers->urls().front(), "nats://a:4222");
    EXPECT_FALSE(servers->is_tls);
    EXPECT_TRUE(servers->user.empty());
}

TEST(FleetServers, KeepUserAndPasswordOutOfWhatPeopleSee) {
    const Result<Servers> servers = parse_servers("tls://ann:p@ss:w0rd@a,b");
    ASSERT_TRUE(servers) << servers.error().message;
    EXPECT_TRUE(servers->is_tls);
    EXPECT_EQ(servers->user, "ann");
    EXPECT_EQ(servers->password, "p@ss:w0rd");
    EXPECT_EQ(servers->text(), "tls://a:4222,b:4222");
    const Result<Servers> wrong = parse_servers("nats://ann:secret@a b");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().message.find("secret"), std::string::npos) << wrong.error().message;
}

TEST(FleetServers, OneWordBeforeTheAtIsAToken) {
    const Result<Servers> servers = parse_servers("nats://t0ken@a");
    ASSERT_TRUE(servers);
    EXPECT_EQ(servers->user, "t0ken");
    EXPECT_FALSE(servers->has_password);
}

TEST(FleetServers, ThatAreNoneAreRefusedWithWhatToWrite) {
    for (const char* text :
         {"", "a:4222", "http://a", "nats://", "nats://a,", "nats://,a", "nats://a:0", "nats://a:70000", "nats://a:x",
          "nats://a/prod", "nats://::1", "nats://@a", "nats://:x@a", "nats://a b", "nats://\xc3\xa4"}) {
        const Result<Servers> servers = parse_servers(text);
        ASSERT_FALSE(servers) << text;
        EXPECT_NE(servers.error().message.find("nats://HOST"), std::string::npos);
    }
    std::string many = "nats://a";
    for (std::size_t i = 0; i < kMaxServers; ++i) many += ",a";
    EXPECT_FALSE(parse_servers(many));
}

TEST(FleetServers, WhatIsNotSaidOfCredentialsIsTakenFromTheEnvironment) {
    for (const char* const name : {"NATS_CREDS", "NATS_CA", "NATS_CERT", "NATS_KEY"}) ASSERT_EQ(::setenv(name, name, 1), 0);
    const Credentials all = with_environment({});
    EXPECT_EQ(all.creds, "NATS_CREDS");
    EXPECT_EQ(all.authorities, "NATS_CA");
    EXPECT_EQ(all.certificate, "NATS_CERT");
    EXPECT_EQ(all.key, "NATS_KEY");
    const Credentials said = with_environment({"my.creds", "my.ca", "my.cert", ""});
    EXPECT_EQ(said.creds, "my.creds");
    EXPECT_EQ(said.authorities, "my.ca");
    EXPECT_EQ(said.certificate, "my.cert");
    EXPECT_EQ(said.key, "") << "another certificate's key does not fit";
    for (const char* const name : {"NATS_CREDS", "NATS_CA", "NATS_CERT", "NATS_KEY"}) ::unsetenv(name);
    EXPECT_TRUE(with_environment({}).creds.empty());
}

}  // namespace
}  // namespace sla::fleet
