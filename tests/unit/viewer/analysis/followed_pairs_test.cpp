// Pairs of two programs, watched while they come: of programs that follow one another, and of two clocks.
#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/analysis/growing_capture.h"
#include "viewer/analysis/limits/limit_follower.h"
#include "viewer/analysis/limits/verdict.h"

#include <fmt/format.h>

#include <deque>
#include <memory>

namespace sla::analysis {
namespace {

class Breaks final : public BreakListener {
public:
    bool wants(const LimitName& /*name*/) override { return true; }
    void on_break(Finding finding) override { all.push_back(std::move(finding)); }
    void on_loss(const store::Lane& /*lane*/, const store::Gap& /*gap*/) override {}

    std::vector<Finding> all;
};

class FollowedPairs : public testing::Test {
protected:
    using Sources = std::vector<std::uint32_t>;

    void watch(const std::vector<std::string>& texts) {
        for (const std::string& text : texts) limits_.push_back(*parse_limit(text));
        follower_ = std::make_unique<LimitFollower>(limits_);
    }
    void apply(const std::string& frame) { applier_.apply(std::string_view(frame)); }
    void set_source(std::uint32_t id, std::uint32_t clock_domain, bool ended) {
        store::Source source = *session_.source(SourceId{id});
        source.clock_domain = clock_domain;
        source.ended = ended;
        session_.add_source(source);
    }
    // The machine's clock stands there, and what has come is walked over.
    void go_on_to(std::uint64_t tick) {
        session_.set_watermark(tick);
        follower_->go_on({session_, from_, tick + 1}, breaks_);
        from_ = tick + 1;
    }
    [[nodiscard]] Selection range() const {
        Selection all;
        all.until = from_;
        return all;
    }
    // limit, channel, verdict, how many, how far.
    static std::vector<std::string> texts_of(const std::vector<Finding>& findings) {
        std::vector<std::string> texts;
        for (const Finding& one : findings)
            texts.push_back(fmt::format("{} of {}: {}, {} checked, {} broken, {} at {}", one.limit, one.channel,
                                        verdict_name(one.verdict), one.checked, one.broken, one.measured, one.at_tick));
        return texts;
    }
    std::vector<Finding> found() { return follower_->finish(session_, range()); }
    std::vector<Finding> of_whole() { return check_limits(session_, limits_, range(), {}, Reading::kEveryRow); }

    std::vector<Limit> limits_;
    std::unique_ptr<LimitFollower> follower_;
    store::Session session_;
    ingest::FrameApplier applier_{session_};
    Breaks breaks_;
    std::uint64_t from_ = 0;
};

// Frames in which each channel's name comes right before its rows.
std::vector<std::string> frames_of(support::CaptureBuilder& capture, std::size_t slices) {
    capture.leave_open(1'000'000'000);
    return with_late_channels(capture.frames(slices));
}

TEST_F(FollowedPairs, OfAProgramThatEndedBeforeTheOtherBeganAreJudged) {
    support::CaptureBuilder capture(0);
    const auto first = capture.source("first", support::BuilderSource::kProgram, 70);
    const auto second = capture.source("second", support::BuilderSource::kProgram, 71);
    const auto a = capture.channel("a", first);
    const auto b = capture.channel("b", second);
    const auto c = capture.channel("c", second);
    for (const std::uint64_t tick : {1'000, 2'000, 3'000}) capture.tick(a, tick);
    for (const std::uint64_t tick : {50'000, 51'000, 60'000}) capture.tick(c, tick);
    capture.tick(b, 70'000);
    watch({"a->? max < 50us", "a->b < 50us", "b->a < 50us", "*->* max < 80us", "c->a max < 9us", "a->c mean < 40us"});
    for (const std::string& frame : frames_of(capture, 20)) {
        apply(frame);
        if (session_.watermark() < from_ || !session_.has_origin()) continue;
        if (session_.watermark() > 10'000) set_source(first, 0, true);
        go_on_to(session_.watermark());
    }
    const std::vector<Finding> whole = of_whole();
    EXPECT_EQ(texts_of(found()), texts_of(whole));
    ASSERT_EQ(whole.size(), 3u + 2u + 9u + 2u);
    EXPECT_EQ(whole[1].verdict, Verdict::kFail) << "a->b: " << whole[1].why;
}

// So many programs that mark a, and as many that mark b, each ended before the next one began.
class ManyPrograms : public FollowedPairs {
protected:
    std::vector<Finding> found_of(std::uint32_t programs) {
        support::CaptureBuilder capture(0);
        Sources sources;
        for (std::uint32_t i = 0; i < 2 * programs; ++i) {
            sources.push_back(capture.source("p", support::BuilderSource::kProgram, 100 + i));
            capture.tick(capture.channel(i % 2 == 0 ? "a" : "b", sources.back()), 1'000 * (i + 1));
        }
        watch({"a->b < 1s"});
        for (const std::string& frame : frames_of(capture, 2 * programs)) {
            apply(frame);
            if (session_.watermark() < from_ || !session_.has_origin()) continue;
            go_on_to(session_.watermark());
            for (std::uint32_t i = 0; i < 2 * programs && 1'000 * (i + 1) <= session_.watermark(); ++i)
                set_source(sources[i], 0, true);
        }
        return found();
    }
};

TEST_F(ManyPrograms, AreAllJudgedInPairs) {
    const std::vector<Finding> findings = found_of(10);
    EXPECT_EQ(findings.size(), 100u);
    EXPECT_EQ(texts_of(findings), texts_of(of_whole()));
}

// Of a limit so many pairs; the others may break it.
TEST_F(ManyPrograms, ThatAreTooManyCannotBeToldOf) {
    const std::vector<Finding> findings = found_of(40);
    ASSERT_EQ(findings.size(), 1'001u);
    EXPECT_EQ(findings.back().verdict, Verdict::kCannotTell);
    EXPECT_NE(findings.back().why.find("a recording has all"), std::string::npos) << findings.back().why;
}

TEST_F(FollowedPairs, OfTwoClocksThatComeInOrderHaveTheVerdictsOfTheWhole) {
    support::CaptureBuilder capture(0);
    const auto guest = capture.source("guest", support::BuilderSource::kPc);
    const auto m = capture.channel("m", guest);
    const auto n = capture.channel("n");
    for (std::uint64_t i = 1; i <= 20; ++i) {
        capture.tick(m, i * 10'000);
        capture.tick(n, i * 10'000 + (i == 7 ? 3'000 : 1'000));
    }
    watch({"m->n max < 2us", "n->m p50 < 20us", "m->n < 5us"});
    for (const std::string& frame : frames_of(capture, 20)) {
        apply(frame);
        if (session_.watermark() < from_ || session_.source(SourceId{guest}) == nullptr) continue;
        set_source(guest, 1, false);
        go_on_to(session_.watermark());
    }
    const std::vector<Finding> whole = of_whole();
    const std::vector<Finding> findings = found();
    ASSERT_EQ(findings.size(), 3u);
    EXPECT_EQ(findings[0].verdict, Verdict::kFail);
    EXPECT_EQ(findings[0].measured, whole[0].measured);
    EXPECT_EQ(findings[2].verdict, whole[2].verdict);
    EXPECT_EQ(findings[2].checked, 20u);
    EXPECT_TRUE(breaks_.all.empty()) << "what breaks may not be so when the other clock has got there";
}

// The guest's own time goes by much slower than the machine's: its rows lie before those that came with them.
TEST_F(FollowedPairs, OfTwoClocksThatComeOutOfOrderCannotBeToldOf) {
    support::CaptureBuilder capture(0);
    const auto guest = capture.source("guest", support::BuilderSource::kPc);
    const auto n = capture.channel("n");
    const auto m = capture.channel("m", guest);
    for (std::uint64_t i = 1; i <= 20; ++i) {
        capture.tick(n, i * 10'000 + 5'000);
        capture.tick(m, 10'000 + i * 100);
    }
    capture.leave_open(1'000'000);
    std::deque<std::string> of_guest;
    std::vector<std::string> of_machine;
    for (const std::string& bytes : capture.frames(2'100)) {  // each row alone
        wire::Frame frame;
        ASSERT_TRUE(frame.ParseFromString(bytes));
        const bool is_of_guest = frame.has_batch() && frame.batch().channel() == m;
        is_of_guest ? of_guest.push_back(bytes) : of_machine.push_back(bytes);
    }
    ASSERT_EQ(of_guest.size(), 20u);
    watch({"m->n p95 < 5us", "m->n mean < 50ns", "n->m < 5us", "m->n max < 5us", "gap m < 2us", "count m == 20"});
    for (std::size_t i = 0; i < of_machine.size(); ++i) {
        apply(of_machine[i]);
        if (i % 100 != 99) continue;
        set_source(guest, 1, false);
        if (!of_guest.empty()) {
            apply(of_guest.front());
            of_guest.pop_front();
        }
        go_on_to(session_.watermark());
    }
    ASSERT_TRUE(of_guest.empty());
    const std::vector<Finding> findings = found();
    ASSERT_EQ(findings.size(), 6u);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(findings[i].verdict, Verdict::kCannotTell) << findings[i].limit << ": " << findings[i].measured;
        EXPECT_FALSE(findings[i].measured_any);
    }
    EXPECT_EQ(findings[4].verdict, Verdict::kPass) << "of its own channel";
    EXPECT_EQ(findings[5].verdict, Verdict::kPass) << findings[5].measured;
    EXPECT_TRUE(breaks_.all.empty());
}

// Its rows are known before the first of them lies behind what was walked over.
TEST_F(FollowedPairs, OneThatIsBehindTheMachinesClockFromTheBeginningIsJudgedFromItsFirstRow) {
    support::CaptureBuilder capture(0);
    const auto guest = capture.source("guest", support::BuilderSource::kPc);
    const auto m = capture.channel("m", guest);
    for (std::uint64_t i = 1; i <= 20; ++i) capture.tick(m, i * 100);
    capture.leave_open(1'000'000);
    watch({"count m == 20", "count m < 5", "rate m > 1/s"});
    const std::vector<std::string> frames = capture.frames(1);
    apply(frames.front());
    go_on_to(10);
    go_on_to(50'000);
    for (std::size_t i = 1; i < frames.size(); ++i) apply(frames[i]);
    set_source(guest, 1, true);
    go_on_to(60'000);
    const std::vector<Finding> findings = found();
    ASSERT_EQ(findings.size(), 3u);
    EXPECT_EQ(findings[0].verdict, Verdict::kPass) << findings[0].measured;
    for (const Finding& finding : findings) EXPECT_EQ(finding.lane, ChannelId{m}) << "whose it is: " << finding.limit;
    ASSERT_FALSE(breaks_.all.empty());
    EXPECT_EQ(breaks_.all[0].lane, ChannelId{m});
}

}  // namespace
}  // namespace sla::analysis
