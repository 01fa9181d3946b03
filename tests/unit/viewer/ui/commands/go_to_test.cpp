#include "viewer/ui/commands/go_to.h"

#include "tests/support/sample_capture.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace sla::ui {
namespace {

TEST(GoTo, UnderstandsTimesTicksAndRows) {
    support::CaptureBuilder capture(1'000'000, 2.7e9);
    support::add_few(capture);
    store::Session session;
    capture.fill(session);
    EXPECT_EQ(*parse_place(" @1234567 ", session), 1'234'567u);
    EXPECT_EQ(*parse_place("#0", session), session.first_tick());
    EXPECT_NEAR(static_cast<double>(*parse_place("1us", session)), 1'002'700.0, 1.0);
    for (const char* wrong : {"", "  ", "@", "@x", "#99999999", "#-1", "soon", "@99999999999999999999"}) {
        EXPECT_FALSE(parse_place(wrong, session).ok()) << wrong;
    }
    const std::string beyond = parse_place("#99999999", session).error().message;
    const std::string last = beyond.substr(beyond.rfind(' ') + 1);
    EXPECT_TRUE(parse_place("#" + last, session).ok()) << beyond;
    EXPECT_FALSE(parse_place("#" + std::to_string(std::stoull(last) + 1), session).ok()) << beyond;
}

TEST(GoTo, LeadsNowhereWhereNothingIs) {
    support::CaptureBuilder capture(1'000'000, 2.7e9);
    support::add_few(capture);
    store::Session session;
    capture.fill(session);
    const std::string last = std::to_string(std::max(session.last_tick(), session.watermark()));
    EXPECT_TRUE(parse_place("@" + last, session).ok());
    for (const char* beyond : {"99999s", "-1s", "@5", "@99999999999999999", "@18446744073709551615"}) {
        const auto place = parse_place(beyond, session);
        ASSERT_FALSE(place.ok()) << beyond;
        EXPECT_NE(place.error().message.find("there is nothing at " + std::string(beyond)), std::string::npos);
    }
    EXPECT_NE(parse_place("@5", session).error().message.find("(@" + last + ")"), std::string::npos)
        << parse_place("@5", session).error().message;
}

}  // namespace
}  // namespace sla::ui
