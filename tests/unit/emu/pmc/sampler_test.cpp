// Samples at every N-th event, and N found for a wanted rate.
#include "emu/pmc/sampler.h"

#include <gmock/gmock.h>

namespace sla::pmc {
namespace {

using testing::HasSubstr;

constexpr std::uint8_t kInstructions = 0x16;
constexpr bus::Nanoseconds kSecond = 1'000'000'000;

// A guest of nothing but instructions, by a clock that the test moves.
class Running {
public:
    explicit Running(const char* wanted) : sampler_(make(wanted)) {}

    // So many instructions, one every so many ns; how many samples that gave.
    std::uint64_t run(std::uint64_t instructions, bus::Nanoseconds each) {
        std::uint64_t samples = 0;
        for (std::uint64_t i = 0; i < instructions; ++i) {
            ++counts_.instructions;
            now_ += each;
            samples += sampler_.is_due(tally()) ? 1 : 0;
            if (!sampler_.has_news()) continue;
            news_.push_back(sampler_.take_news());
        }
        return samples;
    }
    void halt(bus::Nanoseconds time) { now_ += time; }
    [[nodiscard]] std::uint64_t period() const { return sampler_.period(); }
    [[nodiscard]] const std::vector<std::string>& news() const { return news_; }

private:
    Sampler make(const char* wanted) {
        auto made = Sampler::make(parse_sample(wanted).value(), tally(), [this] { return now_; });
        EXPECT_TRUE(made.ok());
        return std::move(made).value();
    }
    [[nodiscard]] Tally tally() const { return {counts_, modelled_}; }

    cpu::EventCounts counts_{};
    P5Counts modelled_{};
    bus::Nanoseconds now_ = 0;
    std::vector<std::string> news_;
    Sampler sampler_;
};

TEST(SampleRequests, AreEveryNthOrSoManyASecond) {
    const auto every = parse_sample("16:10000");
    ASSERT_TRUE(every.ok());
    EXPECT_EQ(every->event, kInstructions);
    EXPECT_EQ(every->period, 10000U);
    EXPECT_EQ(every->per_second, 0U);
    const auto rate = parse_sample("1d:1000/s");
    ASSERT_TRUE(rate.ok());
    EXPECT_EQ(rate->event, 0x1DU);
    EXPECT_EQ(rate->period, 0U);
    EXPECT_EQ(rate->per_second, 1000U);
    for (const char* bad : {"", "16", "16:", ":5", "16:x", "16:5x", "16:/s", "16:5/", "16:5/ms", "16:-5/s", "16:1.5/s",
                            "100:5", "zz:5", "16:5/s/s", "16 :5", "16:18446744073709551616"}) {
        const auto none = parse_sample(bad);
        ASSERT_FALSE(none.ok()) << bad;
        EXPECT_THAT(none.error().message, HasSubstr("EVENT:RATE/s")) << bad;
    }
    EXPECT_THAT(parse_sample("16:0/s").error().message, HasSubstr("from 1/s to 1000000/s"));
    EXPECT_THAT(parse_sample("16:1000001/s").error().message, HasSubstr("from 1/s to 1000000/s"));
    const cpu::EventCounts counts{};
    const P5Counts modelled{};
    const std::string none = Sampler::make(parse_sample("16:0").value(), {counts, modelled}, {}).error().message;
    const std::string example = none.substr(none.rfind(' ') + 1);
    EXPECT_TRUE(parse_sample(example)) << "what it tells people to write: " << none;
}

TEST(Samplers, OfAFixedPeriodNeverAskForTheTime) {
    Running guest("16:10");
    EXPECT_EQ(guest.run(1000, 1), 100U);
    EXPECT_EQ(guest.period(), 10U);
    EXPECT_TRUE(guest.news().empty());
}

TEST(Samplers, FindThePeriodOfASteadyRateAndSayItOnce) {
    Running guest("16:1000/s");
    guest.run(3'000'000, 10);  // 30 ms at 100 million a second
    EXPECT_NEAR(static_cast<double>(guest.period()), 100'000, 1000);
    ASSERT_EQ(guest.news().size(), 1U);
    EXPECT_THAT(guest.news()[0], HasSubstr("16:1000/s: a sample every "));
    const std::uint64_t samples = guest.run(50'000'000, 10);  // half a second
    EXPECT_GE(samples, 495U);
    EXPECT_LE(samples, 505U);
    EXPECT_EQ(guest.news().size(), 1U) << "it has settled";
}

TEST(Samplers, FollowARateThatChanges) {
    Running guest("16:1000/s");
    guest.run(3'000'000, 100);  // ten million a second
    EXPECT_NEAR(static_cast<double>(guest.period()), 10'000, 100);
    const std::uint64_t burst = guest.run(30'000'000, 5);  // twenty times as fast, for 150 ms
    EXPECT_LE(burst, 1000U) << "not 3000, 20 times as many samples as wanted";
    EXPECT_NEAR(static_cast<double>(guest.period()), 200'000, 20'000);
    guest.run(1'000'000, 1000);  // a million a second, for a second
    EXPECT_NEAR(static_cast<double>(guest.period()), 1000, 150);
    const std::uint64_t slow = guest.run(1'000'000, 1000);
    EXPECT_GE(slow, 900U);
    EXPECT_LE(slow, 1100U);
}

TEST(Samplers, OfAGuestThatHaltsBetweenItsWorkKeepTheMeanRate) {
    Running guest("16:1000/s");
    const auto tick = [&] {  // a thousand times a second: 1000 instructions in 10 us, then nothing
        const std::uint64_t samples = guest.run(1000, 10);
        guest.halt(990'000);
        return samples;
    };
    for (int i = 0; i < 1000; ++i) tick();
    std::uint64_t samples = 0;
    for (int i = 0; i < 2000; ++i) samples += tick();
    EXPECT_GE(samples, 1700U);
    EXPECT_LE(samples, 2300U);
}

TEST(Samplers, OfARateAreTheSameForTheSameRun) {
    const auto samples = [] {
        Running guest("16:777/s");
        std::vector<std::uint64_t> out;
        for (const bus::Nanoseconds each : {10, 300, 2, 45}) out.push_back(guest.run(700'000, each));
        out.push_back(guest.period());
        return out;
    };
    EXPECT_EQ(samples(), samples());
}

TEST(SampleRates, ThatAreZeroForAWhileHalveThePeriodAndGoOn) {
    SampleRate rate(1000, 0, 0);
    EXPECT_FALSE(rate.look(0, kSecond)) << "nothing is known of events that never came";
    EXPECT_TRUE(rate.look(1'000'000, kSecond + kSecond / 10));
    const std::uint64_t before = rate.period();
    EXPECT_TRUE(rate.look(1'000'000, 2 * kSecond));
    EXPECT_EQ(rate.period(), before / 2);
    for (int i = 0; i < 60; ++i) (void)rate.look(1'000'000, (3 + i) * kSecond);
    EXPECT_EQ(rate.period(), 1U) << "never 0 again";
}

}  // namespace
}  // namespace sla::pmc
