#include "viewer/fleet/fleet_address.h"

#include <gtest/gtest.h>

namespace sla::fleet {
namespace {

TEST(FleetAddress, NamesServersFleetHostAndCapture) {
    const auto whole = parse_fleet_address("fleet:nats://a,b:5000/prod/web-1/20261124T1-ab");
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    EXPECT_EQ(whole->servers.hosts, (std::vector<std::string>{"a:4222", "b:5000"}));
    EXPECT_EQ(whole->fleet, "prod");
    EXPECT_EQ(whole->hosts, (std::vector<std::string>{"web-1"}));
    EXPECT_EQ(whole->capture, "20261124T1-ab");
    const auto bare = parse_fleet_address("fleet:nats://a/prod");
    ASSERT_TRUE(bare.ok());
    EXPECT_TRUE(bare->hosts.empty());
    EXPECT_TRUE(bare->wants_host("any") && bare->wants_capture("any"));
    EXPECT_EQ(bare->capture, "");
}

TEST(FleetAddress, BothSpellingsMeanTheSame) {
    const std::pair<const char*, const char*> pairs[] = {
        {"fleet:nats://a:1,b:2/prod?host=web-1&capture=20261124T1-ab", "fleet:nats://a:1,b:2/prod/web-1/20261124T1-ab"},
        {"fleet:nats://a:1/prod?host=web-*,db", "fleet:nats://a:1/prod/web-*,db"},
        {"fleet:nats://a:1/prod?capture=20261124*", "fleet:nats://a:1/prod/*/20261124*"},
        {"fleet:nats://a:1/prod?", "fleet:nats://a:1/prod"},
    };
    for (const auto& [query, path] : pairs) {
        const auto address = parse_fleet_address(query);
        ASSERT_TRUE(address.ok()) << address.error().message;
        EXPECT_EQ(address->text(), path);
        const auto again = parse_fleet_address(path);
        ASSERT_TRUE(again.ok()) << again.error().message;
        EXPECT_EQ(again->text(), path);
    }
}

TEST(FleetAddress, PatternsChooseHostsAndCaptures) {
    const auto address = parse_fleet_address("fleet:nats://a/prod/web-?,db*/2026*");
    ASSERT_TRUE(address.ok()) << address.error().message;
    EXPECT_TRUE(address->wants_host("web-1") && address->wants_host("db") && address->wants_capture("20261124T1-ab"));
    EXPECT_FALSE(address->wants_host("web-12") || address->wants_host("mail") || address->wants_capture("2025"));
}

TEST(FleetAddress, IsShownWithoutItsPassword) {
    const auto address = parse_fleet_address("fleet:nats://me:secret@a/prod/web-1");
    ASSERT_TRUE(address.ok()) << address.error().message;
    EXPECT_EQ(address->text().find("secret"), std::string::npos) << address->text();
    EXPECT_NE(address->text().find("/prod/web-1"), std::string::npos) << address->text();
}

// Reports, notes and files that are cut say what they are of.
TEST(FleetAddress, WhatIsShownHasNoPasswordWhateverElseIsWrong) {
    EXPECT_EQ(shown_address("fleet:nats://me:secret@a/prod/web-1"),
              parse_fleet_address("fleet:nats://a/prod/web-1")->text());
    EXPECT_EQ(shown_address("fleet:nats://token@a:4223,b/prod"), parse_fleet_address("fleet:nats://a:4223,b/prod")->text());
    EXPECT_EQ(shown_address("fleet:nats://me:se/cr,et@a"), "fleet:...@a");
    for (const char* const text : {"fleet:nats://a/prod", "file@home.sla", "", "ssh:me@host", "nonsense"})
        EXPECT_EQ(shown_address(text), text);
}

TEST(FleetAddress, WhatIsNoneIsRefusedWithAnExample) {
    for (const char* text :
         {"fleet:", "fleet:nats://", "fleet:nats://a", "fleet:nats://a/", "fleet:nats://a/pro.d", "fleet:nats://a/prod//x",
          "fleet:nats://a/prod/h/c/more", "fleet:http://a/prod", "nats://a/prod", "fleet:nats://a/prod/",
          "fleet:nats://a/prod?web-1", "fleet:nats://a/prod?host=", "fleet:nats://a/prod?host=a&host=b",
          "fleet:nats://a/prod?capture=a,b", "fleet:nats://a/prod?host=a,,b", "fleet:nats://a/prod/h?capture=c",
          "fleet:nats://a/prod?color=red"}) {
        const auto address = parse_fleet_address(text);
        ASSERT_FALSE(address.ok()) << text;
        EXPECT_EQ(address.error().code, ErrorCode::kInvalidInput) << text;
    }
}

}  // namespace
}  // namespace sla::fleet
