#include "agent/daemon/options/channel_rules.h"

#include "agent/daemon/options/channel_rule_text.h"
#include "proto/wire/filter_text.h"

#include <gtest/gtest.h>

namespace sla::daemon {
namespace {

wire::SetChannels rule(const std::string& text) {
    Result<wire::SetChannels> parsed = parse_channel_rule(text);
    EXPECT_TRUE(parsed.ok()) << (parsed ? "" : parsed.error().message);
    return parsed ? *parsed : wire::SetChannels();
}

TEST(ChannelRules, AChannelThatNobodySpokeOfHasTheDefaults) {
    ChannelRules rules;
    ChannelSettings settings = rules.settings_of("a");
    EXPECT_TRUE(settings.enabled);
    EXPECT_FALSE(settings.keep_bytes || settings.keep_ns || settings.overwrite);
    EXPECT_EQ(wire::filter_text(settings.filter), "");
}

TEST(ChannelRules, OfEachSettingTheNewestWordThatMatchesCounts) {
    ChannelRules rules;
    EXPECT_EQ(rules.add(rule("net.*: keep 10s; off")), "");
    EXPECT_EQ(rules.add(rule("net.rx: keep 20s")), "");
    EXPECT_EQ(rules.add(rule("*: bytes 4096")), "");
    ChannelSettings settings = rules.settings_of("net.rx");
    EXPECT_EQ(settings.keep_ns, 20'000'000'000);
    EXPECT_FALSE(settings.enabled) << "the newer rule says nothing of it";
    EXPECT_EQ(settings.keep_bytes, 4096u);
    EXPECT_EQ(rules.settings_of("net.tx").keep_ns, 10'000'000'000);
    EXPECT_TRUE(rules.settings_of("other").enabled);
}

TEST(ChannelRules, TurningOneKnobForEverKeepsTheListShort) {
    ChannelRules rules;
    for (int i = 0; i < 5000; i++) {
        ASSERT_EQ(rules.add(rule(i % 2 ? "a: on" : "a: off")), "");
        ASSERT_EQ(rules.add(rule("a: keep 1s")), "");
    }
    EXPECT_LE(rules.size(), 2u);
    EXPECT_TRUE(rules.settings_of("a").enabled);
}

TEST(ChannelRules, AWordForAllChannelsMakesOlderOnesForgotten) {
    ChannelRules rules;
    for (int i = 0; i < 500; i++) ASSERT_EQ(rules.add(rule("c" + std::to_string(i) + ": off")), "");
    ASSERT_EQ(rules.add(rule("*: on")), "");
    EXPECT_EQ(rules.size(), 1u);
    EXPECT_TRUE(rules.settings_of("c7").enabled);
}

TEST(ChannelRules, AnOldWordIsNotBroughtBackByANewOneForTheSamePattern) {
    ChannelRules rules;
    ASSERT_EQ(rules.add(rule("a.*: keep 5s")), "");
    ASSERT_EQ(rules.add(rule("*.b: keep 10s")), "");
    ASSERT_EQ(rules.add(rule("a.*: off")), "");
    EXPECT_EQ(rules.settings_of("a.b").keep_ns, 10'000'000'000);
}

TEST(ChannelRules, ANewerFilterTakesThePlaceOfTheWholeOlderOne) {
    ChannelRules rules;
    ASSERT_EQ(rules.add(rule("a: filter value > 5")), "");
    ASSERT_EQ(rules.add(rule("a: every 3")), "");
    EXPECT_EQ(wire::filter_text(rules.settings_of("a").filter), "every 3") << "as sla set says";
    ASSERT_EQ(rules.add(rule("a: filter value > 5; every 3")), "");
    EXPECT_EQ(wire::filter_text(rules.settings_of("a").filter), "value > 5, every 3");
}

TEST(ChannelRules, TooManyRulesAreRefusedAndChangeNothing) {
    ChannelRules rules;
    for (std::size_t i = 0; i < ChannelRules::kMaxRules; i++)
        ASSERT_EQ(rules.add(rule("c" + std::to_string(i) + ": off")), "");
    EXPECT_NE(rules.add(rule("one-more: off")).find("at most 1000"), std::string::npos);
    EXPECT_EQ(rules.size(), ChannelRules::kMaxRules);
    EXPECT_FALSE(rules.settings_of("c0").enabled);
    EXPECT_EQ(rules.add(rule("c0: on")), "") << "what is there can still be changed";
}

TEST(ChannelRules, RequestsThatSayNothingOrNobodyAreRefused) {
    ChannelRules rules;
    wire::SetChannels request;
    EXPECT_NE(rules.add(request), "");
    request.add_channels("a");
    EXPECT_EQ(rules.add(request), "nothing is to be set");
    request.set_enabled(false);
    request.add_channels("");
    EXPECT_EQ(rules.add(request), "a channel's name is empty");
    request.clear_channels();
    request.add_channels(std::string(5000, '*'));
    EXPECT_NE(rules.add(request), "");
    request.clear_channels();
    request.add_channels("a");
    request.mutable_filter()->set_compare(static_cast<wire::Filter::Compare>(77));
    EXPECT_NE(rules.add(request), "");
    EXPECT_EQ(rules.size(), 0u);
}

TEST(ChannelRuleText, EverySettingIsRead) {
    wire::SetChannels parsed = rule("net.*: off; keep 1.5s; bytes 2KiB; policy overwrite; filter value in -3..9; every 4");
    EXPECT_EQ(parsed.channels(0), "net.*");
    EXPECT_FALSE(parsed.enabled());
    EXPECT_EQ(parsed.keep_ns(), 1'500'000'000);
    EXPECT_EQ(parsed.keep_bytes(), 2048u);
    EXPECT_TRUE(parsed.overwrite());
    EXPECT_EQ(wire::filter_text(parsed.filter()), "value in -3..9, every 4");
    EXPECT_EQ(rule("a:b: keep always").channels(0), "a:b");
}

TEST(ChannelRuleText, WhatIsNoRuleIsRefusedWithAReason) {
    for (const char* text : {"", "net", ": off", "net: ", "net: sideways", "net: keep", "net: keep soon", "net: bytes -1",
                             "net: policy maybe", "net: filter value ~ 3", "net: every 0", "net: on please", "net: on;"}) {
        EXPECT_FALSE(parse_channel_rule(text).ok()) << text;
    }
}

}  // namespace
}  // namespace sla::daemon
