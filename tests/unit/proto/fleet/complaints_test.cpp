#include "proto/fleet/complaints.h"

#include <gtest/gtest.h>

namespace sla::fleet {
namespace {

constexpr const char* kOfRegistry = "Permissions Violation for Publish to \"$KV.SLA_f_hosts.h\"";
constexpr const char* kOfStream = "Permissions Violation for Publish to \"sla.v1.f.0.h.c.frames\"";
constexpr const char* kOfAnswers = "Permissions Violation for Subscription to \"_INBOX.abc.*\"";
constexpr const char* kSubject = "sla.v1.f.0.h.c.frames";

class ComplaintsOfAConnection : public testing::Test {
protected:
    void SetUp() override { all_.begin(nullptr); }
    void TearDown() override { all_.end(nullptr); }
    void say(const char* words) { all_.add(nullptr, words); }

    Complaints& all_ = Complaints::all();
};

TEST_F(ComplaintsOfAConnection, AboutASubjectAreThoseThatNameItSinceAMessageWasSentThere) {
    say(kOfStream);
    const std::uint64_t sent = all_.count(nullptr);
    say(kOfRegistry);
    EXPECT_EQ(all_.about(nullptr, kSubject, sent), "") << "an old one, and one about something else";
    EXPECT_EQ(all_.about(nullptr, "sla.v1.f.0.h.c", 0), "") << "another subject";
    say(kOfStream);
    say(kOfRegistry);
    EXPECT_EQ(all_.about(nullptr, kSubject, sent), kOfStream);
    EXPECT_EQ(all_.of(nullptr), kOfRegistry);
}

TEST_F(ComplaintsOfAConnection, ThatNoAnswerCanBeReceivedIsAboutEverySubject) {
    say(kOfAnswers);
    say(kOfRegistry);
    EXPECT_EQ(all_.about(nullptr, kSubject, all_.count(nullptr)), kOfAnswers);
}

}  // namespace
}  // namespace sla::fleet
