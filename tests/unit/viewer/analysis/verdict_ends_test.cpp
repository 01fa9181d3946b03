// Until when what has no end lasted: of programs that are gone, and of a guest whose time is its own.
#include "tests/unit/viewer/analysis/verdicts.h"

namespace sla::analysis {
namespace {

TEST_F(Verdicts, OfAProgramThatIsGoneASectionLastedUntilItsNewestEvent) {
    const std::uint32_t gone = capture_.source("gone");
    capture_.begin(capture_.channel("lock", gone), 5'000);
    capture_.tick(capture_.channel("alive", gone), 20'000);
    capture_.tick(capture_.channel("beat"), 100'000);
    capture_.fill(session_);
    filled_ = true;
    store::Source source = *session_.source(SourceId{gone});
    EXPECT_EQ(verdict("width lock < 50us"), Verdict::kFail);
    source.ended = true;
    session_.add_source(source);
    EXPECT_EQ(verdict("width lock < 50us"), Verdict::kCannotTell) << "nobody knows when it ended";
    EXPECT_EQ(check("width lock < 10us").measured, 15'000'000);
}

TEST_F(Verdicts, AProgramThatIsGoneIsNotSilent) {
    const std::uint32_t gone = capture_.source("gone");
    const auto beat = capture_.channel("beat", gone);
    for (const std::uint64_t tick : {1'000, 3'000, 5'000}) capture_.tick(beat, tick);
    capture_.tick(capture_.channel("exit", gone), 9'000);
    capture_.tick(capture_.channel("other"), 100'000);
    capture_.fill(session_);
    filled_ = true;
    EXPECT_EQ(verdict("gap beat < 10us"), Verdict::kFail) << "it may still run";
    store::Source source = *session_.source(SourceId{gone});
    source.ended = true;
    session_.add_source(source);
    EXPECT_EQ(verdict("gap beat < 10us"), Verdict::kPass);
    EXPECT_EQ(verdict("gap beat max < 10us"), Verdict::kPass);
    EXPECT_EQ(verdict("gap exit < 1us"), Verdict::kCannotTell) << "there is nothing to measure";
    const Finding silent = check("gap beat < 3us");
    EXPECT_EQ(silent.verdict, Verdict::kFail) << "its program went on for 4 us";
    EXPECT_EQ(silent.measured, 4'000'000);
    EXPECT_EQ(verdict("gap beat < 1us"), Verdict::kFail) << "between its events";
}

// A guest by the virtual clock: how far its time went, only its own events say.
class VerdictsOfAGuest : public Verdicts {
protected:
    // Ten interrupts, one a microsecond, and an exit; the machine's clock stamps `beat`.
    void fill_with_beat_at(std::uint64_t beat) {
        const std::uint32_t guest = capture_.source("guest", support::BuilderSource::kPc);
        const auto irq = capture_.channel("irq", guest);
        for (std::uint64_t i = 1; i <= 10; ++i) capture_.tick(irq, i * 10'000);
        capture_.tick(capture_.channel("nmi", guest), 1'000);
        capture_.tick(capture_.channel("exit", guest), 101'000);
        const auto beats = capture_.channel("beat");
        capture_.tick(beats, beat - 1'000);
        capture_.tick(beats, beat);
        capture_.leave_open(beat);
        capture_.fill(session_);
        filled_ = true;
        store::Source source = *session_.source(SourceId{guest});
        source.clock_domain = 1;
        session_.add_source(source);
    }
};

// What the program would have marked it cannot any more.
TEST_F(Verdicts, APairLastsUntilTheEndsProgramWasGone) {
    const std::uint32_t gone = capture_.source("gone");
    capture_.tick(capture_.channel("ask", gone), 5'000);
    capture_.tick(capture_.channel("answer", gone), 4'000);
    capture_.tick(capture_.channel("exit", gone), 5'400);
    capture_.tick(capture_.channel("other"), 4'000);
    capture_.tick(capture_.channel("lives on"), 900'000);
    capture_.fill(session_);
    filled_ = true;
    store::Source source = *session_.source(SourceId{gone});
    source.ended = true;
    session_.add_source(source);
    EXPECT_NE(verdict("ask->answer < 500ns"), Verdict::kFail);
    EXPECT_EQ(verdict("ask->answer < 300ns"), Verdict::kFail);
    EXPECT_EQ(verdict("ask->other < 500ns"), Verdict::kFail) << "that program might have marked";
}

TEST_F(VerdictsOfAGuest, OfATimeOfItsOwnNothingIsKnownBehindItsNewestEvent) {
    fill_with_beat_at(1'000'000);
    EXPECT_EQ(verdict("gap irq < 12us"), Verdict::kPass) << "its run is over, not silent";
    EXPECT_EQ(verdict("gap irq max < 12us"), Verdict::kPass);
    EXPECT_EQ(check("exit->nmi < 1us").verdict, Verdict::kCannotTell);
    EXPECT_EQ(verdict("irq->nmi < 12us"), Verdict::kCannotTell) << "the last one waited for 1 us, until the exit";
    EXPECT_NEAR(check("rate irq > 1/s").measured, 1e5, 1) << "ten from the first event, at 1 us, to the exit";
    Selection part;
    part.from = 41'000;
    part.until = 81'000;
    EXPECT_NEAR(check("rate irq > 1/s", part).measured, 1e5, 1);
}

TEST_F(VerdictsOfAGuest, ATimeThatRunsAheadMakesNoSilenceOfOthers) {
    fill_with_beat_at(50'000);
    EXPECT_EQ(verdict("gap beat < 10us"), Verdict::kPass);
    EXPECT_NEAR(check("rate beat > 1/s").measured, 2e9 / 50'000, 1);
}

}  // namespace
}  // namespace sla::analysis
