// Triggers as words, there and back; and what makes one doubt them.
#include "proto/common/trigger/awaited_channels.h"
#include "proto/common/trigger/doubts.h"
#include "proto/common/trigger/parser.h"
#include "proto/common/trigger/trigger_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace sla::trigger {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(TriggerWords, AskForTheSameAfterTheWayBack) {
    std::mt19937_64 random(7);
    const auto below = [&](std::uint64_t most) { return static_cast<std::int64_t>(random() % most); };
    for (int round = 0; round < 2000; ++round) {
        wire::SetTrigger asked;
        if (round % 3 == 0) {
            asked.set_levels("level a\n  if x > 3 trigger\n");
        } else {
            asked.set_expression("a then b > 3");
        }
        if (round % 2 == 0) asked.set_name("slow " + std::to_string(round));
        if (round % 5 == 0) {
            asked.set_pre_ns(below(1'000'000'000'000));
            asked.set_post_ns(1 + below(1'000'000));
            asked.set_pre_share(0.5);
        } else {
            asked.set_window_ns(1 + below(3'600'000'000'000));
            asked.set_pre_share(static_cast<double>(below(1001)) / 1000);
        }
        asked.set_hold_off_ns(round % 4 == 0 ? 0 : below(5'000'000'000));
        asked.set_shots(static_cast<std::uint64_t>(below(5)));
        asked.set_keep_shots(static_cast<std::uint32_t>(below(9)));
        if (round % 7 == 0) asked.add_actions("run=logger \"a b\"");
        const auto again = to_requests(words_of(asked));
        ASSERT_TRUE(again.ok()) << again.error().message;
        ASSERT_EQ(again->size(), 1u);
        const wire::SetTrigger& back = again->front();
        EXPECT_NEAR(back.pre_share(), asked.pre_share(), 1e-12);
        wire::SetTrigger same = back;
        same.set_pre_share(asked.pre_share());
        EXPECT_EQ(same.SerializeAsString(), asked.SerializeAsString()) << round;
    }
}

TEST(TriggerWords, AFileThatIsWrongIsNamed) {
    const auto path = std::filesystem::path(testing::TempDir()) / ("sla-words-" + std::to_string(getpid()) + ".trigger");
    std::ofstream(path) << "level a\n  if x > trigger\n";
    const auto file = read_trigger_file(path.string());
    ASSERT_TRUE(file.ok());
    TriggerWords words;
    words.files.push_back(*file);
    const auto requests = to_requests(words);
    ASSERT_FALSE(requests.ok());
    EXPECT_THAT(requests.error().message, HasSubstr(path.string() + ": line 2, column"));
    std::filesystem::remove(path);
    EXPECT_THAT(read_trigger_file(path.string()).error().message, HasSubstr(path.string()));
    std::ofstream(path) << std::string(kMaxTextBytes + 10, ' ');
    words.files = {*read_trigger_file(path.string())};
    EXPECT_THAT(to_requests(words).error().message, HasSubstr("longer than"));
    std::filesystem::remove(path);
}

TEST(TriggerWords, AWindowOfNoTimeIsRefused) {
    TriggerWords words;
    words.expressions = {"a"};
    words.window = "0ms";
    EXPECT_THAT(to_requests(words).error().message, HasSubstr("--window: '0ms' is no time at all"));
    words.window = "1ns";
    EXPECT_EQ(to_requests(words)->front().window_ns(), 1);
    words.window.clear();
    words.pre_time = words.post_time = "0s";
    EXPECT_THAT(to_requests(words).error().message, HasSubstr("are both 0"));
    words.post_time = "1us";
    EXPECT_EQ(to_requests(words)->front().post_ns(), 1000);
}

TEST(TriggerWords, AreNamedAsOptionsOrAsKeysWithTheirPath) {
    const WordNames keys{"f: triggers[0].expression", "f: triggers[0]"};
    const auto said = [&keys](const TriggerWords& words) {
        return std::pair{to_requests(words).error().message, to_requests(words, keys).error().message};
    };
    TriggerWords words;
    words.expressions = {"a >"};
    EXPECT_THAT(said(words).first, testing::StartsWith("--trigger: "));
    EXPECT_THAT(said(words).second, testing::StartsWith("f: triggers[0].expression: "));
    words.expressions = {"a"};
    words.pre_time = "-5ms";
    EXPECT_EQ(said(words), (std::pair<std::string, std::string>("--pre-time: '-5ms' is negative",
                                                                "f: triggers[0].pre_time: '-5ms' is negative")));
    words.window = "5ms";
    EXPECT_EQ(said(words).first, "say either --window and --pre, or --pre-time and --post-time");
    EXPECT_EQ(said(words).second, "f: triggers[0]: say either window and pre, or pre_time and post_time");
    words.pre_time.clear();
    words.pre = "101%";
    EXPECT_THAT(said(words).first, testing::AllOf(testing::StartsWith("--pre: '101%'"), HasSubstr("--pre-time")));
    EXPECT_THAT(said(words).second, testing::StartsWith("f: triggers[0].pre: '101%'"));
    words.pre = "30";
    EXPECT_DOUBLE_EQ(to_requests(words, keys)->front().pre_share(), 0.3);
}

std::vector<std::string> doubts(const char* text, const std::vector<std::string>& channels) {
    return std::string_view(text).starts_with("level") ? doubts_of(*parse_sequencer(text), channels)
                                                       : doubts_of(*parse_expression(text), channels);
}

TEST(Doubts, AreOfChannelsThatNobodyHas) {
    const std::vector<std::string> channels{"net.rx", "irq.0"};
    EXPECT_THAT(doubts("net.rx > 3 then delta irq.0 -> net.rx > 5ms", channels), IsEmpty());
    EXPECT_THAT(doubts("irq.* and net.rx > 3", channels), IsEmpty());
    EXPECT_THAT(doubts("net.rxx > 3 or (net.rxx and gap cpu* > 1ms)", channels),
                ElementsAre("no channel is called 'net.rxx' yet (did you mean 'net.rx'?); waiting for it",
                            "no channel matches 'cpu*' yet; waiting for it"));
    EXPECT_THAT(doubts("delta net.rx -> disk > 1us", channels),
                ElementsAre("no channel is called 'disk' yet; waiting for it"));
}

TEST(Doubts, AreOfLevelsThatCanComeToNothing) {
    EXPECT_THAT(
        doubts("level a\n if x start t, add c, goto b\nlevel b\n if timer t > 1ms and counter c > 2 trigger\n", {"x"}),
        IsEmpty());
    EXPECT_THAT(doubts("level a\n if x and timer t > 1ms trigger\n", {"x"}), ElementsAre("nothing starts the timer 't'"));
    EXPECT_THAT(doubts("level a\n if x and counter c > 1 stay\n", {"x"}),
                ElementsAre("nothing adds to the counter 'c'", "no level triggers"));
}

TEST(AwaitedChannels, AreSaidAgainWhenOneComesThatIsNearAndForgottenWhenTheyCome) {
    AwaitedChannels awaited(*parse_expression("dma.strat then irq.0 > 1 within 5ms"));
    EXPECT_EQ(awaited.text(), "no channel is called 'dma.strat' yet; no channel is called 'irq.0' yet; waiting for them");
    EXPECT_FALSE(awaited.came("irq.0"));
    EXPECT_FALSE(awaited.came("net.rx"));
    EXPECT_EQ(awaited.text(), "no channel is called 'dma.strat' yet; waiting for it");
    EXPECT_FALSE(awaited.has_near());
    EXPECT_TRUE(awaited.came("dma.trat"));
    EXPECT_FALSE(awaited.came("dma.start")) << "it is said already that one is near";
    EXPECT_TRUE(awaited.has_near());
    EXPECT_TRUE(awaited.text().starts_with("no channel is called 'dma.strat' yet (did you mean 'dma.")) << awaited.text();
    EXPECT_FALSE(awaited.came("dma.strat"));
    EXPECT_TRUE(awaited.empty());
    EXPECT_EQ(awaited.text(), "");
    AwaitedChannels pattern(*parse_expression("cpu* > 3"));
    EXPECT_FALSE(pattern.came("cpx"));
    EXPECT_EQ(pattern.text(), "no channel matches 'cpu*' yet; waiting for it");
    EXPECT_FALSE(pattern.came("cpu.1"));
    EXPECT_TRUE(pattern.empty());
}

}  // namespace
}  // namespace sla::trigger
