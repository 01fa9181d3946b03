// Traces of Chrome and of other tools that write its form.
#include "tests/unit/viewer/formats/imported.h"

namespace sla::formats {
namespace {

class ForeignChrome : public WithFiles {
protected:
    store::Session session_;
};

TEST_F(ForeignChrome, ChromeTraceOfAnotherTool) {
    take_in_bytes(
        R"({"traceEvents":[
        {"ph":"M","name":"process_name","pid":7,"args":{"name":"browser"}},
        {"ph":"M","name":"thread_name","pid":7,"tid":9,"args":{"name":"main"}},
        {"ph":"X","name":"paint","pid":7,"tid":9,"ts":10,"dur":5.5},
        {"ph":"B","name":"layout","pid":7,"tid":9,"ts":1},
        {"ph":"E","name":"layout","pid":7,"tid":9,"ts":2},
        {"ph":"i","name":"hit","pid":7,"tid":9,"ts":3,"s":"t"},
        {"ph":"C","name":"heap","pid":7,"ts":4,"args":{"used":12,"free":3.5}},
        {"ph":"s","name":"flow","pid":7,"tid":9,"ts":4,"id":1}]})",
        session_);
    EXPECT_EQ(reported(session_, "main"),
              "begin 'layout' @1000\nend @2000\ntext 'hit' @3000\nbegin 'paint' @10000\nend @15500\n");
    EXPECT_EQ(reported(session_, "heap.used"), "value 12 @4000\n");
    EXPECT_EQ(reported(session_, "heap.free"), "value 3.5 @4000\n");
    EXPECT_EQ(session_.source_of(*session_.lanes()[0])->name, "browser");
    EXPECT_TRUE(has_note("1 events of kinds"));
}

// As tools write them that write a span when it ends, the inner ones first.
TEST_F(ForeignChrome, ChromeSpansThatBeginAtOneTickAreNestedByTheirWidths) {
    take_in_bytes(
        R"([{"ph":"X","name":"inner","pid":1,"tid":1,"ts":100,"dur":5},
        {"ph":"X","name":"point","pid":1,"tid":1,"ts":100,"dur":0},
        {"ph":"X","name":"outer","pid":1,"tid":1,"ts":100,"dur":50}])",
        session_);
    EXPECT_EQ(
        reported(session_, "thread 1"),
        "begin 'outer' @100000\nbegin 'inner' @100000\nbegin 'point' @100000\nend @100000\nend @105000\nend @150000\n");
}

TEST_F(ForeignChrome, AChromeSpanEndsBeforeTheNextBeginsWhicheverStandsFirst) {
    take_in_bytes(
        R"([{"ph":"X","name":"q","pid":1,"tid":1,"ts":5,"dur":4},{"ph":"X","name":"p","pid":1,"tid":1,"ts":0,"dur":5}])",
        session_);
    const store::LaneSpans spans = session_.lane_named("thread 1")->spans();
    ASSERT_EQ(spans.size(), 2u);
    EXPECT_EQ(spans[0].end_tick - spans[0].begin_tick, 5'000'000u);
    EXPECT_EQ(spans[1].end_tick - spans[1].begin_tick, 4'000'000u);
    EXPECT_EQ(spans[1].depth, 0);
}

TEST_F(ForeignChrome, ChromeTraceThatNamesItsProcessBehindTheEvents) {
    take_in_bytes(
        R"([{"ph":"C","name":"heap","pid":7,"ts":1,"args":{"used":1}},
        {"ph":"M","name":"process_name","pid":7,"args":{"name":"browser"}},
        {"ph":"C","name":"heap","pid":7,"ts":2,"args":{"used":2}}])",
        session_);
    EXPECT_EQ(reported(session_, "heap"), "value 1 @1000\nvalue 2 @2000\n") << "one lane";
    EXPECT_EQ(session_.source_of(*session_.lanes()[0])->name, "browser");
    EXPECT_EQ(session_.source_of(*session_.lanes()[0])->pid, 7u);
}

TEST_F(ForeignChrome, ChromeCountersOfOneNameAreToldApartByTheirIds) {
    take_in_bytes(
        R"([{"ph":"C","name":"ctr","id":"1","pid":7,"ts":1,"args":{"value":10}},
        {"ph":"C","name":"ctr","id":2,"pid":7,"ts":2,"args":{"value":99}},
        {"ph":"C","name":"ctr","id":"1","pid":7,"ts":3,"args":{"value":11}},
        {"ph":"C","name":"ctr","pid":7,"ts":4,"args":{"value":5}}])",
        session_);
    EXPECT_EQ(reported(session_, "ctr[1]"), "value 10 @1000\nvalue 11 @3000\n");
    EXPECT_EQ(reported(session_, "ctr[2]"), "value 99 @2000\n");
    EXPECT_EQ(reported(session_, "ctr"), "value 5 @4000\n");
}

// As Chrome itself writes it.
TEST_F(ForeignChrome, ChromeTraceThatNamesItsThreadsBehindTheEvents) {
    take_in_bytes(
        R"([{"ph":"B","name":"a","pid":7,"tid":9,"ts":1},{"ph":"E","pid":7,"tid":9,"ts":2},
        {"ph":"M","name":"thread_name","pid":7,"tid":9,"args":{"name":"main"}},
        {"ph":"i","name":"b","pid":7,"tid":9,"ts":3}])",
        session_);
    EXPECT_EQ(reported(session_, "main"), "begin 'a' @1000\nend @2000\ntext 'b' @3000\n");
    ASSERT_EQ(session_.lanes().size(), 1u);
    EXPECT_EQ(session_.thread(ThreadId{(*session_.lanes()[0])[0].thread})->name, "main");
}

// Since the machine's start, days ago, or since 1970.
TEST_F(ForeignChrome, ChromeTraceWhoseTimesAreFarFromZeroCountsFromItsFirstEvent) {
    for (const auto& [first, second] :
         {std::pair{"500000000000", "500000008000.5"}, std::pair{"1795564800000000.125", "1795564800008000.625"}}) {
        store::Session session;
        const std::string event = R"({"name":"x","ph":"i","pid":1,"tid":1,"ts":)";
        take_in_bytes("[" + event + first + "}," + event + second + "}]", session);
        const store::Lane& lane = *session.lanes().front();
        ASSERT_EQ(lane.size(), 2u);
        EXPECT_TRUE(has_note("times count from the first event")) << first;
        EXPECT_EQ(session.clock().to_ps(lane.tick(0)), 0) << first;
        EXPECT_EQ(session.clock().to_ps(lane.tick(1)), 8'000'500'000) << first;
    }
    EXPECT_FALSE(import_bytes(R"([{"ph":"i","ts":1e12},{"ph":"i","ts":1.1e13}])", ImportFormat::kChrome).ok()) << "115 days";
}

TEST_F(ForeignChrome, ChromeTraceAsABareArray) {
    take_in_bytes(R"([{"ph":"B","name":"a","pid":1,"tid":1,"ts":1},{"ph":"E","pid":1,"tid":1,"ts":2}])", session_);
    EXPECT_EQ(reported(session_, "thread 1"), "begin 'a' @1000\nend @2000\n");
}

TEST_F(ForeignChrome, ChromeTimesMayBeTextsAndWhatIsNoEventIsCounted) {
    take_in_bytes(R"([{"ph":"i","ts":"1.5","name":"x","pid":1,"tid":1},5,null,[1],{"ph":"i","name":"y","pid":1,"tid":1}])",
                  session_);
    EXPECT_EQ(session_.events(), 1u);
    EXPECT_TRUE(has_note("3 elements of the list are no events"));
    EXPECT_TRUE(has_note("1 events without a time"));
}

TEST_F(ForeignChrome, ChromeTimesAreExactToThePicosecond) {
    take_in_bytes(
        R"([{"ph":"X","ts":20000000000.123457,"dur":20000000000.000001,"name":"x","pid":1,"tid":1},
            {"ph":"i","ts":"20000000000.1234567","name":"y","pid":1,"tid":2},
            {"ph":"i","ts":20000000000,"name":"y","pid":1,"tid":2},
            {"ph":"i","ts":2e10,"name":"y","pid":1,"tid":2}])",
        session_);
    const auto ps_of = [&](const char* lane, std::uint64_t index) {
        return session_.clock().to_ps(session_.lane_named(lane)->tick(index));
    };
    EXPECT_EQ(ps_of("thread 1", 0), 20'000'000'000'123'457);
    EXPECT_EQ(ps_of("thread 1", 1), 40'000'000'000'123'458);
    EXPECT_EQ(ps_of("thread 2", 0), 20'000'000'000'000'000);
    EXPECT_EQ(ps_of("thread 2", 1), 20'000'000'000'000'000);
    EXPECT_EQ(ps_of("thread 2", 2), 20'000'000'000'123'457);
}

TEST_F(ForeignChrome, AChromeListThatIsNotClosedIsReadAsFarAsItGoes) {
    for (const char* end : {"", ",", "\n,{\"ph\":\"i\",\"ts\":"}) {
        store::Session session;
        take_in_bytes(
            std::string(R"([{"ph":"i","ts":1,"name":"x","pid":1,"tid":1},{"ph":"i","ts":2,"name":"x","pid":1,"tid":1})") +
                end,
            session);
        EXPECT_EQ(session.events(), 2u) << end;
        EXPECT_TRUE(has_note("not closed")) << end;
    }
}

}  // namespace
}  // namespace sla::formats
