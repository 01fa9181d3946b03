#include "viewer/fleet/fleet_address.h"

#include <gtest/gtest.h>

namespace sla::fleet {
namespace {

TEST(FleetAddress, NamesServersFleetHostAndCapture) {
    const auto whole = parse_fleet_address("fleet:nats://a,b:5000/prod/web-1/20261124T1-ab");
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    EXPECT_EQ(whole->servers.hosts, (std::vector<std::string>{"a:4222", "b:5000"}));
    EXPECT_EQ(whole->fleet, "prod");
    EXPECT_EQ(whole->host, "web-1");
    EXPECT_EQ(whole->capture, "20261124T1-ab");
    const auto bare = parse_fleet_address("fleet:nats://a/prod");
    ASSERT_TRUE(bare.ok());
    EXPECT_EQ(bare->host, "");
    EXPECT_EQ(bare->capture, "");
}

TEST(FleetAddress, IsShownWithoutItsPassword) {
    const auto address = parse_fleet_address("fleet:nats://me:secret@a/prod/web-1");
    ASSERT_TRUE(address.ok()) << address.error().message;
    EXPECT_EQ(address->text().find("secret"), std::string::npos) << address->text();
    EXPECT_NE(address->text().find("/prod/web-1"), std::string::npos) << address->text();
}

TEST(FleetAddress, WhatIsNoneIsRefusedWithAnExample) {
    for (const char* text :
         {"fleet:", "fleet:nats://", "fleet:nats://a", "fleet:nats://a/", "fleet:nats://a/pro.d", "fleet:nats://a/prod//x",
          "fleet:nats://a/prod/h/c/more", "fleet:http://a/prod", "nats://a/prod", "fleet:nats://a/prod/"}) {
        const auto address = parse_fleet_address(text);
        ASSERT_FALSE(address.ok()) << text;
        EXPECT_EQ(address.error().code, ErrorCode::kInvalidInput) << text;
    }
}

}  // namespace
}  // namespace sla::fleet
