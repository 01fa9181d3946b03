#include "agent/member/unsent.h"

#include <gtest/gtest.h>

#include <vector>

namespace sla::member {
namespace {

std::vector<std::string> sent_of(Unsent& unsent) {
    std::vector<std::string> bodies;
    unsent.send([&](const std::string&, const std::string& body, bool is_first_word) {
        bodies.push_back(is_first_word ? body + " first" : body);
        return true;
    });
    return bodies;
}

TEST(Unsent, CountsWhatHadToGoForNewerMessages) {
    Unsent unsent;
    for (std::size_t i = 0; i < Unsent::kMost + 10; ++i) unsent.add("shot", std::to_string(i));
    EXPECT_EQ(unsent.lost(), Unsent::kMost + 10);
    EXPECT_EQ(sent_of(unsent).front(), "10");
    EXPECT_EQ(unsent.lost(), 10u);
}

TEST(Unsent, SaysOfAKeyTheNewestOnly) {
    Unsent unsent;
    unsent.replace("$KV.shots.a", "filling");
    unsent.add("shot", "fired");
    unsent.replace("$KV.shots.b", "filling");
    unsent.replace("$KV.shots.a", "kept");
    EXPECT_EQ(unsent.lost(), 3u);
    EXPECT_EQ(sent_of(unsent), (std::vector<std::string>{"kept", "fired", "filling"}));
}

// A later agent of the host has nothing of the shot; the one before may have said that it kept it.
TEST(Unsent, AFirstWordIsWantedOnlyWhereThereIsNoneBefore) {
    Unsent unsent;
    unsent.add_first_word("$KV.shots.a", "lacking");
    unsent.replace("$KV.shots.b", "kept");
    EXPECT_EQ(sent_of(unsent), (std::vector<std::string>{"lacking first", "kept"}));
    unsent.add_first_word("$KV.shots.a", "lacking");
    unsent.replace("$KV.shots.a", "filling");
    EXPECT_EQ(sent_of(unsent), std::vector<std::string>{"filling"});
}

TEST(Unsent, WhatDoesNotLeaveStays) {
    Unsent unsent;
    unsent.add("shot", "1");
    unsent.add("shot", "2");
    unsent.send([](const std::string&, const std::string& body, bool) { return body == "1"; });
    EXPECT_EQ(unsent.lost(), 1u);
    EXPECT_EQ(sent_of(unsent), std::vector<std::string>{"2"});
}

}  // namespace
}  // namespace sla::member
