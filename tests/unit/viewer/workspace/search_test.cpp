#include "viewer/workspace/search/search.h"

#include "tests/support/capture_builder.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sla::workspace {
namespace {

class Searches : public ::testing::Test {
protected:
    Searches() {
        const auto rx = capture_.channel("net.rx");
        const auto log = capture_.channel("log");
        for (std::uint64_t i = 0; i < 100; ++i) capture_.tick(rx, 1000 + i * 1000, static_cast<std::int64_t>(i));
        capture_.text(log, 5500, "opened FILE seven");
        capture_.text(log, 90'500, "closed file");
    }
    void run(Search& search, const char* text) {
        search.set(text);
        for (int i = 0; i < 100 && (i == 0 || search.busy()); ++i) search.step();
        EXPECT_FALSE(search.busy());
    }
    support::CaptureBuilder capture_;
};

TEST_F(Searches, FindsTextWhateverItsCapitals) {
    store::Session session;
    capture_.fill(session);
    Search search(session);
    run(search, "file");
    EXPECT_EQ(search.mode(), SearchMode::kText);
    ASSERT_EQ(search.hits().size(), 2u);
    EXPECT_EQ(search.hits()[0].tick, 5500u);
    EXPECT_EQ(search.hits()[1].lane, session.lane_named("log"));
    run(search, "/^closed/");
    EXPECT_EQ(search.hits().size(), 1u);
    run(search, "/(/");
    EXPECT_EQ(search.mode(), SearchMode::kWrong);
    EXPECT_FALSE(search.problem().empty());
}

TEST_F(Searches, FindsTheTextsThatAFormatMakesAndThoseOfLosses) {
    const auto port = capture_.channel("port.pic", 1, "x86.addr");
    capture_.detail(port, 96'000, SLA_CODE_TICK_VALUE, 5, 0, 0xF000'0000'F148);
    capture_.gap(capture_.channel("lossy"), 97'000, 3, wire::LossCause::kOverrun);
    store::Session session;
    capture_.fill(session);
    Search search(session);
    for (const char* text : {"f000:f148", "/at F000|f148$/", "overrun"}) {
        run(search, text);
        EXPECT_EQ(search.hits().size(), 1u) << text;
    }
}

// An arrangement comes with a capture, so its pattern is anybody's.
TEST_F(Searches, NoPatternTakesMoreThanTheTextIsLong) {
    const auto log = capture_.channel("log");
    capture_.text(log, 95'000, std::string(5000, 'a') + "b7");
    store::Session session;
    capture_.fill(session);
    Search search(session);
    run(search, "/(a+)+$/");
    EXPECT_TRUE(search.hits().empty());
    run(search, "/(a+)+b7$/");
    EXPECT_EQ(search.hits().size(), 1u) << "a long text is looked at to its end";
    run(search, ("/" + std::string(60'000, '(') + std::string(60'000, ')') + "/").c_str());
    EXPECT_LT(search.problem().size(), 300u) << "wrong or not, as the library's version has it";
    run(search, ("/" + std::string(60'000, 'a') + "(/").c_str());
    EXPECT_EQ(search.mode(), SearchMode::kWrong);
    EXPECT_LT(search.problem().size(), 300u);
}

TEST_F(Searches, FindsConditionsAndSaysWhatIsWrongWithOne) {
    store::Session session;
    capture_.fill(session);
    Search search(session);
    run(search, "value >= 97 and kind == tick");
    EXPECT_EQ(search.mode(), SearchMode::kCondition);
    EXPECT_EQ(search.hits().size(), 3u);
    run(search, "value >");
    EXPECT_EQ(search.mode(), SearchMode::kWrong);
}

TEST_F(Searches, AFieldIsNoChannelInWhateverOrderTheWordsCome) {
    store::Session session;
    capture_.fill(session);
    Search search(session);
    for (const char* text : {"value > 97 and channel ~ 'net.*'", "channel ~ 'net.*' and value > 97",
                             "value > 97 and channel == net.rx", "value > 97 and channel ~ '*'"}) {
        run(search, text);
        EXPECT_EQ(search.mode() == SearchMode::kWrong ? search.problem() : "", "") << text;
        EXPECT_EQ(search.hits().size(), 2u) << text;
    }
    run(search, "value > 97 or channel == log");
    EXPECT_EQ(search.mode(), SearchMode::kCondition);
    EXPECT_EQ(search.hits().size(), 4u);
    run(search, "net.rx then net.zx within 5ms");
    EXPECT_EQ(search.mode(), SearchMode::kWrong);
    EXPECT_NE(search.problem().find("'net.zx' (did you mean 'net.rx'?)"), std::string::npos) << search.problem();
}

TEST_F(Searches, FindsWhereATriggerWouldHaveFired) {
    store::Session session;
    capture_.fill(session);
    Search search(session);
    run(search, "net.rx > 97");
    EXPECT_EQ(search.mode(), SearchMode::kTrigger);
    ASSERT_EQ(search.hits().size(), 2u);
    EXPECT_EQ(search.hits()[0].tick, 1000u + 98 * 1000);
    EXPECT_EQ(search.hits()[0].lane, nullptr);
    Search rows(session, SearchOver::kEvents);
    run(rows, "net.rx");
    EXPECT_EQ(rows.mode(), SearchMode::kText);
    EXPECT_EQ(rows.hits().size(), 100u);
}

TEST_F(Searches, FindsWhatATriggerOfLevelsWouldHaveMadeOfIt) {
    store::Session session;
    capture_.fill(session);
    Search search(session);
    run(search, "level idle\n  if net.rx > 90 goto high\nlevel high\n  if net.rx > 97 trigger\n");
    EXPECT_EQ(search.mode(), SearchMode::kTrigger);
    ASSERT_EQ(search.hits().size(), 1u);
    EXPECT_EQ(search.hits()[0].tick, 1000u + 98 * 1000);
    run(search, "level idle\n  if net.rx > 90 goto nowhere\n");
    EXPECT_EQ(search.mode(), SearchMode::kWrong);
}

TEST_F(Searches, StepsFromHitToHit) {
    store::Session session;
    capture_.fill(session);
    Search search(session);
    run(search, "file");
    EXPECT_EQ(search.next(0), 0u);
    EXPECT_EQ(search.next(5500), 0u);
    EXPECT_EQ(search.next(5501), 1u);
    EXPECT_FALSE(search.next(90'501));
    EXPECT_EQ(search.previous(90'500), 0u);
    EXPECT_FALSE(search.previous(5500));
}

TEST_F(Searches, KnowsEachOfSeveralHitsAtOneTick) {
    const auto other = capture_.channel("net.tx");
    for (int i = 0; i < 3; ++i) capture_.tick(other, 200'000, 500);
    store::Session session;
    capture_.fill(session);
    Search search(session);
    for (const char* text : {"value > 400", "net.tx > 400"}) {  // events, and places in time
        run(search, text);
        ASSERT_EQ(search.hits().size(), 3u) << text;
        for (std::size_t i = 0; i < 3; ++i) {
            const Hit& hit = search.hits()[i];
            EXPECT_EQ(search.position_of(hit.lane, hit.index, hit.tick), i) << text;
        }
        EXPECT_FALSE(search.position_of(session.lane_named("log"), 0, 200'000)) << text;
    }
}

TEST_F(Searches, GoesOnAsTheSessionGrows) {
    capture_.leave_open(50'000);
    store::Session session;
    capture_.fill(session);
    Search search(session);
    run(search, "value >= 0");
    const std::size_t before = search.hits().size();
    EXPECT_LT(before, 100u);
    session.set_watermark(200'000);
    for (int i = 0; i < 100 && !search.is_abreast(); ++i) search.step();
    EXPECT_EQ(search.hits().size(), 100u);
}

TEST_F(Searches, KnowsTheHitsOfEachLane) {
    store::Session session;
    capture_.leave_open(50'000);
    capture_.fill(session);
    Search search(session);
    const auto expect_all = [&] {
        const std::vector<Hit>& hits = search.hits();
        std::size_t found = 0;
        for (const store::Lane* lane : session.lanes()) {
            const auto own = search.by_lane().of(lane);
            found += own.size();
            EXPECT_TRUE(std::is_sorted(own.begin(), own.end()));
            for (const std::uint32_t at : own) EXPECT_EQ(hits[at].lane, lane);
            for (std::uint64_t tick = 0; tick < 110'000; tick += 250) {
                const auto is_later = [&](std::uint32_t at) { return hits[at].tick >= tick; };
                const auto later = std::find_if(own.begin(), own.end(), is_later);
                for (const std::size_t from : {std::size_t{0}, own.size() / 3}) {
                    const auto wanted = std::max<std::size_t>(from, static_cast<std::size_t>(later - own.begin()));
                    EXPECT_EQ(next_of(own, hits, from, tick), wanted);
                }
            }
        }
        EXPECT_EQ(found, hits.size());
    };
    run(search, "value >= 3 or kind == text");
    expect_all();
    const std::size_t before = search.hits().size();
    session.set_watermark(200'000);  // the session grows
    for (int i = 0; i < 100 && !search.is_abreast(); ++i) search.step();
    EXPECT_GT(search.hits().size(), before);
    expect_all();
    run(search, "file");
    expect_all();
    EXPECT_EQ(search.by_lane().of(session.lane_named("log")).size(), 2u);
    EXPECT_TRUE(search.by_lane().of(session.lane_named("net.rx")).empty());
    run(search, "net.rx > 97");  // a trigger's: of no lane
    EXPECT_EQ(search.by_lane().of(nullptr).size(), 2u);
}

TEST_F(Searches, OfAChannelThatIsToComeBeginWhenItHas) {
    store::Session session;
    capture_.fill(session);
    Search search(session);
    search.set("net.late > 5");
    search.step();
    ASSERT_EQ(search.mode(), SearchMode::kWrong);
    store::Channel late;
    late.id = ChannelId{77};
    late.name = "net.late";
    session.add_channel(std::move(late));
    session.touch();
    EXPECT_TRUE(search.step());
    EXPECT_EQ(search.mode(), SearchMode::kTrigger) << search.problem();
    EXPECT_EQ(search.text(), "net.late > 5");
}

TEST_F(Searches, AnEmptyTextEndsIt) {
    store::Session session;
    capture_.fill(session);
    Search search(session);
    run(search, "file");
    run(search, "   ");
    EXPECT_EQ(search.mode(), SearchMode::kNothing);
    EXPECT_TRUE(search.hits().empty());
}

}  // namespace
}  // namespace sla::workspace
