// Limits watched while rows come find what they find in the whole, and say at once what breaks.
#include "viewer/analysis/limits/limit_follower.h"

#include "tests/unit/viewer/analysis/growing_capture.h"
#include "tests/unit/viewer/analysis/random_losses.h"
#include "viewer/analysis/limits/verdict.h"

#include <fmt/format.h>

namespace sla::analysis {
namespace {

// Hears all.
class Heard final : public BreakListener {
public:
    bool wants(const LimitName& name) override {
        ++times[name.limit + " of " + name.channel];
        return true;
    }
    void on_break(Finding finding) override { breaks.push_back(std::move(finding)); }
    void on_loss(const store::Lane& lane, const store::Gap& gap) override { lost[lane.channel().name] += gap.lost; }

    std::map<std::string, std::uint64_t> times;
    std::vector<Finding> breaks;
    std::map<std::string, std::uint64_t> lost;
};

std::vector<Limit> parsed(const std::vector<std::string>& texts) {
    std::vector<Limit> limits;
    for (const std::string& text : texts) limits.push_back(*parse_limit(text));
    return limits;
}

std::vector<Finding> followed(const std::vector<std::string>& frames, const std::vector<Limit>& limits, Heard& heard) {
    GrowingCapture capture;
    LimitFollower follower(limits);
    capture.take(frames, [&](const FinalRows& rows) { follower.go_on(rows, heard); });
    return follower.finish(capture.session(), {});
}

std::vector<Finding> of_whole(const support::CaptureBuilder& capture, const std::vector<Limit>& limits) {
    store::Session session;
    capture.fill(session);
    return check_limits(session, limits, {}, {}, Reading::kEveryRow);
}

std::string text_of(const Finding& finding, bool with_place) {
    std::string text =
        fmt::format("{} of {}: {}, {} checked, {} broken, {} unknown; {}", finding.limit, finding.channel,
                    verdict_name(finding.verdict), finding.checked, finding.broken, finding.unknown, finding.why);
    if (with_place)
        text += fmt::format(" {} ± {} at {}, {} to {}", finding.measured, finding.error, finding.at_tick, finding.least,
                            finding.most);
    return text;
}

// Widths are found in another order, which decides what a finding shows that has none it is sure of. Of a mean or percentile
// only the whole capture keeps the places.
bool is_place_known(const Finding& finding) {
    const Share share = parse_limit(finding.limit)->share;
    const bool is_one_of_all = share == Share::kEvery || share == Share::kMin || share == Share::kMax;
    return is_one_of_all && (!finding.limit.starts_with("width") || finding.unknown == 0);
}

void expect_same(const std::vector<Finding>& found, const std::vector<Finding>& whole) {
    ASSERT_EQ(found.size(), whole.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool with_place = is_place_known(whole[i]);
        EXPECT_EQ(text_of(found[i], with_place), text_of(whole[i], with_place));
    }
}

class LimitFollowerTest : public RandomLosses {
protected:
    support::CaptureBuilder capture_of(Sort a, Sort b, std::uint32_t threads) {
        a_ = truth_of(a, 0, threads);
        b_ = truth_of(b, 1, threads);
        support::CaptureBuilder capture(0);
        for (std::uint32_t i = 2; i <= threads; ++i) capture.thread("t", i);
        put(a_, capture.channel("a"), capture);
        put(b_, capture.channel("b"), capture);
        return capture;
    }
    std::uint64_t some() { return 1 + random_() % 400; }
};

TEST_F(LimitFollowerTest, FindsWhatIsFoundInTheWhole) {
    std::map<Verdict, int> verdicts;
    for (int round = 0; round < 4'000; ++round) {
        const support::CaptureBuilder capture = capture_of(kSorts[random_() % 3], kSorts[random_() % 3], 1 + round % 3);
        const std::vector<Limit> limits = parsed({
            fmt::format("a -> b < {}ns", some()),
            fmt::format("a -> b max <= {}ns", some()),
            fmt::format("b -> a min > {}ns", some() / 4),
            fmt::format("a -> a >= {}ns", some() / 8),
            fmt::format("gap a < {}ns", some()),
            fmt::format("gap * max < {}ns", some()),
            fmt::format("gap b > {}ns", some() / 8),
            fmt::format("gap a min > {}ns", some() / 16),
            fmt::format("gap a p90 < {}ns", some()),
            fmt::format("gap * mean < {}ns", some() / 4),
            fmt::format("width a < {}ns", some()),
            fmt::format("width * min > {}ns", some() / 8),
            fmt::format("width b max < {}ns", 2 * some()),
            fmt::format("count a < {}", some() / 8),
            fmt::format("count * == {}", some() / 8),
            fmt::format("rate b > {}/s", some() * 100'000),
            "lost == 0",
            "lost a == 0",
            fmt::format("count value == 1 < {}", some() / 8),
            "count nobody == 0",
            "a -> nobody < 1ms",
        });
        std::vector<std::string> frames = capture.frames(1 + random_() % 30);
        if (random_() % 2 == 0) frames = with_late_channels(frames);
        Heard heard;
        const std::vector<Finding> found = followed(frames, limits, heard);
        expect_same(found, of_whole(capture, limits));
        for (const Finding& finding : found) ++verdicts[finding.verdict];
        ASSERT_FALSE(HasFailure()) << round;
    }
    for (const Verdict verdict : {Verdict::kPass, Verdict::kFail, Verdict::kCannotTell}) EXPECT_GT(verdicts[verdict], 1000);
}

// Two copies of a program at once, and a server that has the end alone: a start belongs to its own program's end, where there is
// one. The channels come one after the other, so that the second copy's starts first know the first one's ends alone.
TEST_F(LimitFollowerTest, AStartBelongsToTheEndOfItsOwnProgram) {
    support::CaptureBuilder capture(0, 1e9);
    const std::uint32_t first = capture.source("worker", support::BuilderSource::kProgram, 70);
    const std::uint32_t second = capture.source("worker", support::BuilderSource::kProgram, 71);
    const auto ask_1 = capture.channel("ask", first);
    const auto get_1 = capture.channel("get", first);
    const auto ask_2 = capture.channel("ask", second);
    const auto get_2 = capture.channel("get", second);
    const auto served = capture.channel("served", capture.source("server", support::BuilderSource::kProgram, 72));
    for (std::uint64_t i = 1; i <= 50; ++i) {
        capture.tick(ask_1, i * 10'000);
        capture.tick(ask_2, i * 10'000 + 2000);
        capture.tick(served, i * 10'000 + 2500);
        capture.tick(get_1, i * 10'000 + 3000);
        capture.tick(get_2, i * 10'000 + 6000);
    }
    const std::vector<Limit> limits = parsed({"ask->get < 5us", "ask->served < 3us", "*->served < 9us", "ask->* < 20us"});
    Heard heard;
    const std::vector<Finding> found = followed(capture.frames(20), limits, heard);
    const std::vector<Finding> whole = of_whole(capture, limits);
    ASSERT_EQ(whole.size(), 2u + 2u + 5u + 2u * 3u);
    ASSERT_EQ(found.size(), whole.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(text_of(found[i], true), text_of(whole[i], true));
    EXPECT_EQ(whole[0].checked, 50u);
    EXPECT_EQ(whole[0].verdict, Verdict::kPass);
    EXPECT_EQ(whole[1].measured, 4'000'000) << "the second one's own answer, not the first one's";
    EXPECT_EQ(whole[2].verdict, Verdict::kPass) << "whose end no other program has";
}

// So many rows that most are gone when later ones are judged.
TEST_F(LimitFollowerTest, NeedsNoRowThatWasWalkedOver) {
    const std::vector<Limit> limits =
        parsed({"net.* -> net.* < 3us", "gap * < 5us", "width * < 20us", "width * max < 1ms", "count value > 3 == 5",
                "lost == 0", "net.packet -> net.parse p99 < 3us", "width * p50 < 1us", "gap * mean < 2us"});
    support::CaptureBuilder capture;
    support::add_mixed(capture, 8, 6000, 5);
    Heard heard;
    const std::vector<Finding> found = followed(capture.frames(400), limits, heard);
    const std::vector<Finding> whole = of_whole(capture, limits);
    ASSERT_EQ(found.size(), whole.size());
    std::uint64_t broken = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].checked, whole[i].checked) << found[i].limit << found[i].channel;
        EXPECT_EQ(found[i].broken, whole[i].broken) << found[i].limit << found[i].channel;
        EXPECT_EQ(found[i].unknown, whole[i].unknown) << found[i].limit << found[i].channel;
        EXPECT_EQ(verdict_name(found[i].verdict), std::string(verdict_name(whole[i].verdict))) << found[i].limit;
        if (limits[0].text == found[i].limit) broken += heard.times[found[i].limit + " of " + found[i].channel];
    }
    EXPECT_GT(broken, 500u);
}

// One step a tick from there on, with nothing but the time that passes.
struct Watched {
    explicit Watched(const char* limit) : follower(parsed({limit})) {}
    // What is said when the source's time is that.
    std::size_t at(std::uint64_t tick) {
        const std::size_t before = heard.breaks.size();
        session.set_watermark(tick);
        follower.go_on({session, from, tick + 1}, heard);
        from = tick + 1;
        return heard.breaks.size() - before;
    }
    void fill(const support::CaptureBuilder& capture) { capture.fill(session); }

    store::Session session;
    LimitFollower follower;
    Heard heard;
    std::uint64_t from = 0;
};

struct Hang {
    const char* limit;
    std::function<void(support::CaptureBuilder&, std::uint32_t a, std::uint32_t b)> events;
    const char* why;
};

class HangTest : public testing::TestWithParam<Hang> {};

TEST_P(HangTest, IsSaidOnceAsSoonAsTheTimeIsPastTheBoundNotWhenItEnds) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("a");
    const auto b = capture.channel("b");
    GetParam().events(capture, a, b);
    Watched watched(GetParam().limit);
    capture.leave_open(1'000);
    watched.fill(capture);
    EXPECT_EQ(watched.at(1'000), 0u);
    EXPECT_EQ(watched.at(50'900), 0u) << "within the bound";
    ASSERT_EQ(watched.at(51'100), 1u);
    EXPECT_EQ(watched.heard.breaks.back().why, GetParam().why);
    EXPECT_EQ(watched.heard.breaks.back().at_tick, 1'000u);
    EXPECT_EQ(watched.at(60'000), 0u) << "once";
    EXPECT_EQ(watched.at(80'000), 0u) << "not again when it ends";
    EXPECT_EQ(watched.at(200'000), 1u) << "the next one, which has no end";
    Selection range;
    range.until = 200'001;
    const auto findings = watched.follower.finish(watched.session, range);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].broken, 2u);
    EXPECT_EQ(findings[0].verdict, Verdict::kFail);
}

INSTANTIATE_TEST_SUITE_P(All, HangTest,
                         testing::Values(Hang{"width a < 50us",
                                              [](support::CaptureBuilder& capture, std::uint32_t a, std::uint32_t b) {
                                                  capture.span(a, 1'000, 70'000);
                                                  capture.begin(a, 90'000);
                                                  capture.tick(b, 90'001);
                                              },
                                              "and still open"},
                                         Hang{"a -> b < 50us",
                                              [](support::CaptureBuilder& capture, std::uint32_t a, std::uint32_t b) {
                                                  capture.tick(a, 1'000);
                                                  capture.tick(b, 70'000);
                                                  capture.tick(a, 90'000);
                                              },
                                              "and no end of it yet"},
                                         Hang{"gap a < 50us",
                                              [](support::CaptureBuilder& capture, std::uint32_t a, std::uint32_t b) {
                                                  capture.tick(a, 1'000);
                                                  capture.tick(a, 70'000);
                                                  capture.tick(b, 90'001);
                                              },
                                              "and still silent"}));

TEST_F(LimitFollowerTest, AGuestWithATimeOfItsOwnIsSilentAsLongAsItsOwnEventsSay) {
    support::CaptureBuilder capture(0);
    const auto guest = capture.source("guest", support::BuilderSource::kPc);
    const auto irq = capture.channel("irq", guest);
    capture.tick(irq, 500);
    capture.tick(irq, 1'000);
    capture.tick(capture.channel("post", guest), 40'000);
    capture.tick(capture.channel("beat"), 90'000);
    Watched watched("gap irq < 50us");
    capture.leave_open(1'000);
    watched.fill(capture);
    store::Source source = *watched.session.source(SourceId{guest});
    source.clock_domain = 1;
    watched.session.add_source(source);
    EXPECT_EQ(watched.at(100'000), 0u) << "its time stands at 40 us";
    Selection range;
    range.until = 100'001;
    EXPECT_EQ(watched.follower.finish(watched.session, range).at(0).verdict, Verdict::kPass);
}

TEST_F(LimitFollowerTest, RatesAreOfTheTimeOfTheirOwnSource) {
    support::CaptureBuilder capture(0);
    const auto guest = capture.source("guest", support::BuilderSource::kPc);
    const auto irq = capture.channel("irq", guest);
    for (std::uint64_t i = 1; i <= 10; ++i) capture.tick(irq, i * 1'000);
    capture.tick(capture.channel("exit", guest), 11'000);
    capture.tick(capture.channel("beat"), 90'000);
    capture.leave_open(1'000);
    store::Session session;
    capture.fill(session);
    store::Source source = *session.source(SourceId{guest});
    source.clock_domain = 1;
    session.add_source(source);
    session.set_watermark(100'000);
    LimitFollower follower(parsed({"rate irq > 1/s", "rate kind == tick and channel == irq > 1/s", "rate beat > 1/s"}));
    Heard heard;
    follower.go_on({session, 0, 100'001}, heard);
    Selection range;
    range.until = 100'001;
    const std::vector<Finding> findings = follower.finish(session, range);
    ASSERT_EQ(findings.size(), 3u);
    EXPECT_NEAR(findings[0].measured, 1e6, 1) << "ten in 10 us of its own";
    EXPECT_NEAR(findings[1].measured, 1e6, 1) << findings[1].why;
    EXPECT_NEAR(findings[2].measured, 1e4, 1) << "one in 100 us";
}

// At the end of a watch all that has come is walked over: what a guest marked ahead of the machine's clock, and rows of others
// among which some may still be missing.
TEST_F(LimitFollowerTest, AGuestAheadOfTheMachinesClockIsJudgedAndSaysNothingOfOthers) {
    support::CaptureBuilder capture(0);
    const auto guest = capture.source("guest", support::BuilderSource::kPc);
    const auto irq = capture.channel("irq", guest);
    for (std::uint64_t i = 1; i <= 90; ++i) capture.tick(irq, i * 1'000);
    const auto beat = capture.channel("beat");
    const auto ask = capture.channel("ask");
    for (std::uint64_t i = 1; i <= 15; ++i) capture.tick(beat, i * 1'000);
    for (std::uint64_t i = 1; i <= 30; ++i) capture.tick(ask, i * 1'000 - 100);
    capture.leave_open(10'500);
    store::Session session;
    capture.fill(session);
    store::Source source = *session.source(SourceId{guest});
    source.clock_domain = 1;
    session.add_source(source);
    const std::vector<Limit> limits =
        parsed({"gap beat < 2us", "rate beat > 800000/s", "gap beat p99 < 2us", "ask -> beat < 1us", "count irq == 90",
                "rate irq > 800000/s", "rate channel == ask or channel == beat < 2100000/s", "count beat == 10"});
    LimitFollower follower(limits);
    Heard heard;
    follower.go_on({session, 0, 10'501, {}, {}, 10'500}, heard);
    session.set_watermark(90'000);
    follower.go_on({session, 10'501, 90'001, {}, {}, 10'500}, heard);
    Selection range;
    range.until = 90'001;
    for (const Finding& finding : follower.finish(session, range))
        EXPECT_EQ(finding.verdict, Verdict::kPass) << text_of(finding, true);
    EXPECT_TRUE(heard.breaks.empty()) << text_of(heard.breaks.front(), true);
}

// While it runs its silence breaks the limit; when it has ended it is not silent any more.
TEST_F(LimitFollowerTest, AProgramThatIsGoneIsNotSilent) {
    for (const bool is_gone : {false, true}) {
        support::CaptureBuilder capture(0);
        const auto program = capture.source("program");
        const auto beat = capture.channel("beat", program);
        for (const std::uint64_t tick : {1'000, 20'000, 39'000}) capture.tick(beat, tick);
        capture.tick(capture.channel("other"), 90'000);
        Watched watched("gap beat < 50us");
        capture.leave_open(1'000);
        watched.fill(capture);
        store::Source source = *watched.session.source(SourceId{program});
        source.ended = is_gone;
        watched.session.add_source(source);
        EXPECT_EQ(watched.at(100'000), is_gone ? 0u : 1u);
        Selection range;
        range.until = 100'001;
        EXPECT_EQ(watched.follower.finish(watched.session, range).at(0).verdict, is_gone ? Verdict::kPass : Verdict::kFail);
    }
}

TEST_F(LimitFollowerTest, CountsThatCanOnlyGrowBreakWhereTheyPassTheBound) {
    support::CaptureBuilder capture(0);
    const auto rx = capture.channel("rx");
    for (std::uint64_t tick = 100; tick < 1000; tick += 100) capture.tick(rx, tick, static_cast<std::int64_t>(tick / 100));
    Heard heard;
    static_cast<void>(followed(capture.frames(5), parsed({"count rx < 8", "count rx > 7 == 0", "count rx > 3"}), heard));
    std::vector<std::string> said;
    for (const Finding& finding : heard.breaks) said.push_back(fmt::format("{} at {}", finding.limit, finding.at_tick));
    std::sort(said.begin(), said.end());
    EXPECT_EQ(said, (std::vector<std::string>{"count rx < 8 at 800", "count rx < 8 at 900", "count rx > 7 == 0 at 800",
                                              "count rx > 7 == 0 at 900"}));
}

TEST_F(LimitFollowerTest, LossesAreToldAndAreBreaksOfTheirLimit) {
    support::CaptureBuilder capture(0);
    const auto rx = capture.channel("rx");
    const auto tx = capture.channel("tx");
    capture.tick(rx, 100);
    capture.gap(rx, 200, 7);
    capture.tick(rx, 300);
    capture.gap(tx, 250, 5);
    Heard heard;
    static_cast<void>(followed(capture.frames(5), parsed({"lost rx == 0", "gap rx < 1us"}), heard));
    EXPECT_EQ(heard.lost, (std::map<std::string, std::uint64_t>{{"rx", 7}})) << "nobody asked about tx";
    ASSERT_EQ(heard.breaks.size(), 1u);
    EXPECT_EQ(heard.breaks[0].at_tick, 200u);
    EXPECT_EQ(heard.breaks[0].measured, 7);
}

// An agent still has the channels of programs that are long gone.
TEST_F(LimitFollowerTest, ChannelsOfProgramsThatHadEndedBeforeAreNotJudged) {
    for (const bool is_gone : {false, true}) {
        support::CaptureBuilder capture(0);
        capture.tick(capture.channel("rx"), 100);
        const auto second = capture.source("second");
        const auto rx = capture.channel("rx", second);
        capture.tick(rx, 2'000);
        capture.tick(rx, 2'100);
        store::Session session;
        capture.fill(session);
        store::Source first = *session.source(SourceId{1});
        first.ended = is_gone;
        session.add_source(first);
        LimitFollower follower(parsed({"gap rx < 1s"}));
        Heard heard;
        follower.go_on({session, 1'000}, heard);
        Selection range;
        range.from = 1'000;
        const std::vector<Finding> findings = follower.finish(session, range);
        ASSERT_EQ(findings.size(), is_gone ? 1u : 2u);
        EXPECT_EQ(findings.back().verdict, Verdict::kPass);
        EXPECT_EQ(findings.front().verdict, is_gone ? Verdict::kPass : Verdict::kCannotTell);
    }
}

// As a fleet that is opened anew: every frame makes a session of its own.
TEST_F(LimitFollowerTest, GoesOnInAnotherSession) {
    for (int round = 0; round < 300; ++round) {
        const support::CaptureBuilder capture = capture_of(kSorts[random_() % 3], kSorts[random_() % 3], 1 + round % 3);
        const std::vector<Limit> limits =
            parsed({fmt::format("a -> b < {}ns", some()), fmt::format("gap a < {}ns", some()),
                    fmt::format("width * < {}ns", some()), fmt::format("count * < {}", some() / 8), "lost == 0"});
        const std::vector<std::string> frames = capture.frames(12);
        LimitFollower follower(limits);
        Heard heard;
        std::vector<std::unique_ptr<store::Session>> sessions;  // all of them, so that none stands where another was
        std::uint64_t from = 0;
        for (std::size_t count = 1; count <= frames.size(); ++count) {
            auto next = std::make_unique<store::Session>();
            ingest::FrameApplier applier(*next);
            for (std::size_t i = 0; i < count; ++i) applier.apply(std::string_view(frames[i]));
            const std::uint64_t until = next->ended() ? store::kNever : next->final_tick() + 1;
            const auto name_of = [](const store::Lane& lane) { return lane.channel().name; };
            if (next->has_origin()) follower.go_on({*next, from, std::max(from, until), name_of, {}}, heard);
            from = std::max(from, until);
            sessions.push_back(std::move(next));
        }
        expect_same(follower.finish(*sessions.back(), {}), of_whole(capture, limits));
        ASSERT_FALSE(HasFailure()) << round;
    }
}

}  // namespace
}  // namespace sla::analysis
