#include "agent/stream/login.h"

#include "proto/common/tls/secret.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"

#include <gtest/gtest.h>

namespace sla::stream {
namespace {

using What = LoginVerdict::What;

const std::string kCertificate(64, 'a');

AccessList access() {
    AccessList list;
    EXPECT_TRUE(list.add({Role::kLooker, AccessEntry::By::kToken, tls::hash_of("good"), "ann"}).ok());
    EXPECT_TRUE(list.add({Role::kController, AccessEntry::By::kCertificate, kCertificate, "bob"}).ok());
    return list;
}

std::string login(const std::string& token) {
    wire::Request request;
    request.mutable_login()->set_token(token);
    return wire::encode_frame(request);
}

std::string subscribe() {
    wire::Request request;
    request.mutable_subscribe()->set_version(1);
    return wire::encode_frame(request);
}

TEST(Login, ByATokenLetsInAsItSaysAndLeavesTheRestToTheSession) {
    const std::string received = login("good") + subscribe();
    const LoginVerdict verdict = judge_login(received, "", access());
    ASSERT_EQ(verdict.what, What::kAdmitted) << verdict.why;
    EXPECT_EQ(verdict.entry.name, "ann");
    EXPECT_EQ(received.substr(verdict.used), subscribe());
}

TEST(Login, ByACertificateLeavesTheFirstRequestToTheSession) {
    const LoginVerdict verdict = judge_login(subscribe(), kCertificate, access());
    ASSERT_EQ(verdict.what, What::kAdmitted) << verdict.why;
    EXPECT_EQ(verdict.entry.role, Role::kController);
    EXPECT_EQ(verdict.used, 0U);
}

TEST(Login, ByATokenIsDecidedByTheTokenAlone) {
    EXPECT_EQ(judge_login(login("good"), kCertificate, access()).entry.name, "ann");
    EXPECT_EQ(judge_login(login("bad"), kCertificate, access()).what, What::kRefused);
}

TEST(Login, WaitsForTheWholeOfTheFirstRequest) {
    const std::string received = login("good");
    for (std::size_t length = 0; length < received.size(); length++) {
        EXPECT_EQ(judge_login(received.substr(0, length), kCertificate, access()).what, What::kMore) << length;
    }
}

TEST(Login, OfWhoShowsNothingOrTheWrongThingIsRefusedInWords) {
    EXPECT_NE(judge_login(subscribe(), "", access()).why.find("SLA_TOKEN"), std::string::npos);
    const std::string other(64, 'b');
    EXPECT_NE(judge_login(subscribe(), other, access()).why.find("--allow-certificate look " + other), std::string::npos);
    for (const std::string& token : {std::string("bad"), std::string(), tls::hash_of("good"), std::string(3000, 'x')}) {
        const LoginVerdict verdict = judge_login(login(token), "", access());
        EXPECT_EQ(verdict.what, What::kRefused);
        EXPECT_NE(verdict.why.find("revoked"), std::string::npos) << verdict.why;
    }
    EXPECT_EQ(judge_login(subscribe(), "", AccessList()).what, What::kRefused);
}

TEST(Login, OfGarbageAndOfMoreThanItMayBeIsRefused) {
    EXPECT_EQ(judge_login(std::string(4, '\0'), "", access()).what, What::kRefused);
    EXPECT_EQ(judge_login(std::string(8, '\xff'), "", access()).what, What::kRefused);
    std::string unreadable = "\x03";
    unreadable += std::string(3, '\0') + "\xff\xff\xff";
    EXPECT_EQ(judge_login(unreadable, "", access()).what, What::kRefused);
    std::string slow(kMaxLoginBytes - 1, 'x');
    slow.replace(0, 4, std::string("\x00\x00\x01\x00", 4));  // 64 KiB are announced
    EXPECT_EQ(judge_login(slow, "", access()).what, What::kMore);
    EXPECT_EQ(judge_login(slow + "x", "", access()).what, What::kRefused);
}

TEST(FirstBytes, OfTlsAreDistinguishedFromAnythingElse) {
    for (const char* hello : {"\x16", "\x16\x03", "\x16\x03\x01", "\x16\x03\x03"}) EXPECT_TRUE(begins_like_tls(hello));
    EXPECT_FALSE(begins_like_tls(""));
    EXPECT_FALSE(begins_like_tls("GET"));
    EXPECT_FALSE(begins_like_tls(subscribe()));
    // A frame of 22 or 790 bytes begins alike, but not for three bytes.
    EXPECT_FALSE(begins_like_tls(std::string("\x16\x00\x00", 3)));
    EXPECT_FALSE(begins_like_tls(std::string("\x16\x03\x00", 3)));
}

TEST(FirstBytes, ThatAreNotTlsAreAnsweredInTheirLanguage) {
    EXPECT_EQ(answer_in_plain("GET").rfind("HTTP/1.1 400 ", 0), 0U);
    wire::FrameDecoder decoder;
    decoder.feed(answer_in_plain(subscribe()));
    wire::Frame frame;
    ASSERT_TRUE(wire::parse_message(**decoder.next(), frame));
    EXPECT_NE(frame.end().reason().find("write tls:HOST:PORT"), std::string::npos);
}

}  // namespace
}  // namespace sla::stream
