#include "viewer/ui/commands/go_to.h"

#include "tests/support/sample_capture.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

namespace sla::ui {
namespace {

TEST(GoTo, UnderstandsTimesTicksAndRows) {
    support::CaptureBuilder capture(1'000'000, 2.7e9);
    support::add_few(capture);
    store::Session session;
    capture.fill(session);
    EXPECT_EQ(*parse_place(" @123456 ", session), 123456u);
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

}  // namespace
}  // namespace sla::ui
