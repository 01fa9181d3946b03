#include "viewer/timeline/value_at.h"

#include "tests/support/capture_builder.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

namespace sla::timeline {
namespace {

TEST(ValueAt, SaysWhatALaneOfEachKindShows) {
    support::CaptureBuilder capture;
    const auto level = capture.channel("level");
    const auto value = capture.channel("value");
    const auto span = capture.channel("span");
    const auto text = capture.channel("text");
    const auto tick = capture.channel("tick");
    capture.level(level, 2000, true);
    capture.gap(level, 3000, 4);
    capture.number(value, 2000, 0.42);
    capture.span(span, 2000, 2500);
    capture.text(text, 2000, "hello");
    capture.tick(tick, 2000, -3);
    store::Session session;
    capture.fill(session);
    const auto at = [&](const char* name, std::uint64_t when) { return value_at(*session.lane_named(name), when); };
    EXPECT_EQ(at("level", 1999), "");
    EXPECT_EQ(at("level", 2000), "1");
    EXPECT_EQ(at("level", 3000), "?");
    EXPECT_EQ(at("value", 9999), "0.42");
    EXPECT_EQ(at("span", 2200), "open");
    EXPECT_EQ(at("span", 2600), "");
    EXPECT_EQ(at("text", 2100), "hello");
    EXPECT_EQ(at("tick", 2100), "-3");
}

}  // namespace
}  // namespace sla::timeline
