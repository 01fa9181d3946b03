#include "viewer/timeline/value_at.h"

#include "tests/support/capture_builder.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

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
    const auto at = [&](const char* name, std::uint64_t when) { return value_at(*session.lane_named(name), when, 10'000); };
    EXPECT_EQ(at("level", 1999), "");
    EXPECT_EQ(at("level", 2000), "1");
    EXPECT_EQ(at("level", 3000), "?");
    EXPECT_EQ(at("value", 9999), "0.42");
    EXPECT_EQ(at("span", 2200), "open");
    EXPECT_EQ(at("span", 2600), "");
    EXPECT_EQ(at("text", 2100), "hello");
    EXPECT_EQ(at("tick", 2100), "-3");
}

TEST(ValueAt, SaysNothingBehindWhatIsKnown) {
    support::CaptureBuilder capture;
    const auto level = capture.channel("level");
    const auto value = capture.channel("value");
    const auto span = capture.channel("span");
    const auto text = capture.channel("text");
    capture.level(level, 2000, true);
    capture.number(value, 2000, 0.42);
    capture.begin(span, 2000);
    capture.text(text, 2000, "hello");
    store::Session session;
    capture.fill(session);
    for (const char* name : {"level", "value", "span", "text"}) {
        const store::Lane& lane = *session.lane_named(name);
        EXPECT_NE(value_at(lane, 3000, 3000), "") << name;
        EXPECT_EQ(value_at(lane, 3001, 3000), "") << name;
        EXPECT_NE(value_at(lane, 2000, 1000), "") << name << ": its own newest is known";
    }
}

TEST(ValueAt, SaysWhatIsInfiniteAndWhatIsNoNumber) {
    support::CaptureBuilder capture;
    const auto value = capture.channel("value");
    const double infinity = std::numeric_limits<double>::infinity();
    const double no_number = std::numeric_limits<double>::quiet_NaN();
    std::uint64_t tick = 2000;
    for (const double number : {infinity, -infinity, no_number, std::copysign(no_number, -1.0)})
        capture.number(value, tick++, number);
    store::Session session;
    capture.fill(session);
    std::vector<std::string> said;
    for (tick = 2000; tick < 2004; ++tick) said.push_back(value_at(*session.lane_named("value"), tick, 2004));
    EXPECT_EQ(said, (std::vector<std::string>{"inf", "-inf", "nan", "nan"}));
}

}  // namespace
}  // namespace sla::timeline
