#include "proto/fleet/names.h"

#include <gtest/gtest.h>

#include <set>

namespace sla::fleet {
namespace {

TEST(FleetNames, ASubjectSurvivesBeingWrittenAndRead) {
    const Subject subject{"prod", 3, "web-1", "20261124T164501-9f3a", Kind::kSummary};
    EXPECT_EQ(subject.text(), "sla.v1.prod.3.web-1.20261124T164501-9f3a.summary");
    EXPECT_EQ(parse_subject(subject.text()), subject);
}

TEST(FleetNames, AMessageIdSurvivesBeingWrittenAndRead) {
    const MessageId id{"web-1", "5c1f0a", "20261124T164501-9f3a", 7, 12, Kind::kIndex};
    EXPECT_EQ(id.text(), "web-1:5c1f0a:20261124T164501-9f3a:7:12:index");
    EXPECT_EQ(parse_message_id(id.text()), id);
}

TEST(FleetNames, WhatIsNoSubjectIsRefused) {
    for (const char* text : {"", "sla.v1.prod.3.web.c", "sla.v1.prod.3.web.c.frames.more", "sla.v2.prod.3.web.c.frames",
                             "sla.v1.prod.03.web.c.frames", "sla.v1.prod.-1.web.c.frames", "sla.v1.prod.1024.web.c.frames",
                             "sla.v1.prod.3.web.c.rows", "sla.v1.p*d.3.web.c.frames", "sla.v1..3.web.c.frames",
                             "sla.v1.prod.3.web.>.frames", "sla.v1.prod..web.c.frames"}) {
        EXPECT_FALSE(parse_subject(text)) << text;
    }
}

TEST(FleetNames, WhatIsNoMessageIdIsRefused) {
    for (const char* text :
         {"", "a:b:c:1:2", "a:b:c:1:2:frames:x", "a:b:c:x:2:frames", "a:b:c:1:+2:frames", "a:b:c:01:2:frames",
          "a:b:c:1:99999999999999999999:frames", "a.x:b:c:1:2:frames", ":b:c:1:2:frames"}) {
        EXPECT_FALSE(parse_message_id(text)) << text;
    }
}

TEST(FleetNames, AnyHostNameBecomesAToken) {
    EXPECT_EQ(to_token("web-1.example.org"), "web-1-example-org");
    EXPECT_EQ(to_token(""), "unnamed");
    EXPECT_EQ(to_token(std::string(500, 'x')).size(), kMaxToken);
    EXPECT_TRUE(is_token(to_token("Jürgens Rechner")));
    EXPECT_FALSE(is_token("a b"));
    EXPECT_FALSE(is_token(std::string(kMaxToken + 1, 'x')));
}

TEST(FleetNames, HostsAreSpreadOverAllShardsAndStayWhereTheyAre) {
    std::set<std::uint32_t> shards;
    for (int i = 0; i < 100; ++i) shards.insert(shard_of("host-" + std::to_string(i), 4));
    EXPECT_EQ(shards, (std::set<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(shard_of("web-1", 4), 1u);  // in every version: else a host's captures would lie in two streams
    EXPECT_EQ(shard_of("web-1", 1), 0u);
}

TEST(FleetNames, StreamsAndBucketsAreNamedAfterTheirFleet) {
    EXPECT_EQ(stream_name("prod", 2), "SLA_prod_2");
    EXPECT_EQ(subjects_of_shard("prod", 2), "sla.v1.prod.2.>");
    EXPECT_EQ(subjects_of_capture("prod", 2, "a", "c"), "sla.v1.prod.2.a.c.*");
    EXPECT_EQ(subjects_of_capture("prod", 2, "a", "c", Kind::kIndex), "sla.v1.prod.2.a.c.index");
    EXPECT_EQ(hosts_bucket("prod"), "SLA_prod_hosts");
    EXPECT_EQ(captures_bucket("prod"), "SLA_prod_captures");
    EXPECT_EQ(capture_key("a", "c"), "a.c");
}

TEST(FleetNames, WhatIsSaidBesideTheStreamsNamesItsHost) {
    EXPECT_EQ(talk_subject("prod", Talk::kPing, "a"), "sla.v1.prod.ping.a");
    EXPECT_EQ(talk_subject("prod", Talk::kControl, "a"), "sla.v1.prod.control.a");
    EXPECT_EQ(host_of_talk("sla.v1.prod.shot.web-1", "prod", Talk::kShot), "web-1");
    for (const char* text : {"sla.v1.prod.shot.", "sla.v1.prod.shot.a.b", "sla.v1.prod.ping.a", "sla.v1.lab.shot.a", ""})
        EXPECT_FALSE(host_of_talk(text, "prod", Talk::kShot)) << text;
    EXPECT_FALSE(parse_subject("sla.v1.prod.ping.a")) << "it is in no stream";
    EXPECT_EQ(shots_bucket("prod"), "SLA_prod_shots");
    EXPECT_EQ(shot_key("s", "a"), "s.a");
}

}  // namespace
}  // namespace sla::fleet
