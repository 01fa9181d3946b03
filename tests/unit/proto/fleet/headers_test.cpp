#include "proto/fleet/headers.h"

#include <gtest/gtest.h>

#include <map>

namespace sla::fleet {
namespace {

using Lines = std::map<std::string, std::string>;

std::optional<MessageHeaders> parse(const Lines& lines) {
    return parse_headers([&](const char* name) {
        const auto at = lines.find(name);
        return at == lines.end() ? nullptr : at->second.c_str();
    });
}

const Lines kGood = {{"Nats-Msg-Id", "h:b:c:7:12:summary"},
                     {"Sla-Piece", "7"},
                     {"Sla-T0", "-5"},
                     {"Sla-T1", "9"},
                     {"Sla-N", "4"},
                     {"Sla-Of", "88"},
                     {"Sla-End", "1"}};

Lines with(const std::string& name, const std::string& value) {
    Lines lines = kGood;
    lines[name] = value;
    return lines;
}

TEST(FleetHeaders, AreReadAsTheyWereWritten) {
    MessageHeaders headers;
    headers.id = {"h", "b", "c", 7, 12, Kind::kSummary};
    headers.times = UtcInterval{-5, 9};
    headers.rows = 4;
    headers.frames_at = 88;
    headers.is_end = true;
    Lines lines;
    for (const auto& [name, value] : headers.texts()) lines[name] = value;
    EXPECT_EQ(lines, kGood);
    EXPECT_EQ(parse(lines), headers);
}

TEST(FleetHeaders, WithoutRowsThereAreNoTimes) {
    const auto headers = parse({{"Nats-Msg-Id", "h:b:c:7:0:frames"}});
    ASSERT_TRUE(headers);
    EXPECT_FALSE(headers->times);
    EXPECT_EQ(headers->rows, 0u);
    EXPECT_FALSE(headers->is_end);
}

TEST(FleetHeaders, ThatDoNotFitTogetherAreRefused) {
    EXPECT_TRUE(parse(kGood));
    EXPECT_FALSE(parse({}));
    EXPECT_FALSE(parse(with("Nats-Msg-Id", "none of ours")));
    EXPECT_FALSE(parse(with("Sla-Piece", "8")));
    EXPECT_FALSE(parse(with("Sla-T1", "-6")));
    EXPECT_FALSE(parse(with("Sla-T0", "soon")));
    EXPECT_FALSE(parse(with("Sla-N", "-1")));
    EXPECT_FALSE(parse(with("Sla-Of", "1e3")));
    Lines lines = kGood;
    lines.erase("Sla-T1");
    EXPECT_FALSE(parse(lines));
}

}  // namespace
}  // namespace sla::fleet
