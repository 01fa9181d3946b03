#include "viewer/report/lanes_svg.h"

#include "tests/support/capture_builder.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace sla::report {
namespace {

std::string picture_of(const std::vector<double>& values) {
    support::CaptureBuilder capture;
    const auto channel = capture.channel("v");
    std::uint64_t tick = 1000;
    for (const double value : values) capture.number(channel, tick += 1000, value);
    store::Session session;
    capture.fill(session);
    return lanes_svg(session, *analysis::select(session, {}), 10);
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

// The path of the values alone.
std::string steps_of(const std::string& picture) {
    const std::size_t begin = picture.find("<path class=step d=\"");
    return begin == std::string::npos ? "" : picture.substr(begin, picture.find("/>", begin) - begin);
}

TEST(LanesSvg, BreaksTheLineWhereAValueIsNotFinite) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::string finite = picture_of({0, 10, 5, 5, 10, 0});
    EXPECT_EQ(count(steps_of(finite), "M"), 1u);
    EXPECT_EQ(count(finite, "\u221E"), 0u);
    const std::string odd = picture_of({0, kInfinity, 5, std::numeric_limits<double>::quiet_NaN(), -kInfinity, 10});
    EXPECT_EQ(count(steps_of(odd), "M"), 3u) << odd;
    EXPECT_EQ(count(odd, ">\u221E<"), 1u) << odd;
    EXPECT_EQ(count(odd, ">\u2212\u221E<"), 1u) << odd;
    EXPECT_EQ(count(odd, "nan") + count(odd, "inf"), 0u) << odd;
}

TEST(LanesSvg, OfNothingFiniteHasNoLine) {
    const std::string picture =
        picture_of({std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()});
    EXPECT_EQ(steps_of(picture), "") << picture;
    EXPECT_EQ(count(picture, ">\u221E<"), 1u);
}

}  // namespace
}  // namespace sla::report
