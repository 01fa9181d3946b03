#include "proto/fleet/stored_answer.h"

#include <gtest/gtest.h>

#include <map>

namespace sla::fleet {
namespace {

Result<std::uint64_t> place(const std::map<std::string, std::string>& headers) {
    return place_of_answer([&](const char* name) {
        const auto at = headers.find(name);
        return at == headers.end() ? nullptr : at->second.c_str();
    });
}

TEST(StoredAnswer, TheNewestMessageIsReadOutOfJson) {
    const auto newest = parse_newest(
        R"({"type":"io.nats.jetstream.api.v1.stream_msg_get_response","message":{"subject":"a.b","seq":4711,"hdrs":"TkFUUw==",)"
        R"("data":"eyJhIjoxfQ==","time":"2026-11-29T13:00:00Z"}})");
    ASSERT_TRUE(newest.ok()) << newest.error().message;
    EXPECT_EQ(newest->sequence, 4711u);
    EXPECT_EQ(newest->body, R"({"a":1})");
    for (const auto& [text, body] : std::map<std::string, std::string>{
             {"", ""}, {"AA==", std::string(1, '\0')}, {"/+8=", "\xff\xef"}, {"YWJj", "abc"}, {"YWI=", "ab"}}) {
        const auto one = parse_newest(R"({"message":{"seq":1,"data":")" + text + R"("}})");
        ASSERT_TRUE(one.ok()) << text;
        EXPECT_EQ(one->body, body);
    }
    EXPECT_EQ(parse_newest(R"({"message":{"seq":1}})")->body, "") << "a key that was deleted";
}

TEST(StoredAnswer, WhatIsNotThereIsToldFromWhatCannotBeSaid) {
    const auto none = parse_newest(R"({"error":{"code":404,"err_code":10037,"description":"no message found"}})");
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
    const auto away =
        parse_newest(R"({"error":{"code":503,"err_code":10008,"description":"system temporarily unavailable"}})");
    ASSERT_FALSE(away.ok());
    EXPECT_EQ(away.error().code, ErrorCode::kUnavailable);
    EXPECT_EQ(away.error().message, "system temporarily unavailable");
    for (const char* const nonsense :
         {"", "x", "[]", "{}", R"({"error":1})", R"({"message":7})", R"({"message":{"seq":"1"}})",
          R"({"message":{"seq":-1}})", R"({"message":{"seq":1,"data":"?"}})"}) {
        const auto wrong = parse_newest(nonsense);
        ASSERT_FALSE(wrong.ok()) << nonsense;
        EXPECT_EQ(wrong.error().code, ErrorCode::kDamaged) << nonsense;
    }
}

TEST(StoredAnswer, TheHeadersOfAMessageSayWhereItIs) {
    EXPECT_EQ(*place({{"Nats-Sequence", "12"}}), 12u);
    EXPECT_EQ(place({{"Status", "404"}, {"Description", "Message Not Found"}}).error().code, ErrorCode::kNotFound);
    EXPECT_EQ(place({{"Status", "408"}}).error().code, ErrorCode::kUnavailable);
    EXPECT_EQ(place({{"Status", "x"}}).error().code, ErrorCode::kUnavailable);
    for (const char* const number : {"", "0", "-1", "1x", "99999999999999999999"})
        EXPECT_EQ(place({{"Nats-Sequence", number}}).error().code, ErrorCode::kDamaged) << number;
}

TEST(StoredAnswer, QuestionsNameStreamsAndSubjects) {
    EXPECT_EQ(ask_newest("S", "a.\"b\"").subject, "$JS.API.STREAM.MSG.GET.S");
    EXPECT_EQ(ask_newest("S", "a.\"b\"").body, R"({"last_by_subj":"a.\"b\""})");
    EXPECT_EQ(ask_message("S", 7).subject, "$JS.API.DIRECT.GET.S");
    EXPECT_EQ(ask_message("S", 7).body, R"({"seq":7})");
    EXPECT_EQ(ask_next("S", "a.b", 7).body, R"({"next_by_subj":"a.b","seq":7})");
}

}  // namespace
}  // namespace sla::fleet
