// What is exported and imported again is the same, as far as the format goes.
#include "tests/unit/viewer/formats/round_trip.h"
#include "tests/unit/viewer/formats/small_capture.h"
#include "viewer/formats/stamp_errors.h"

namespace sla::formats {
namespace {

support::CaptureBuilder mixed() {
    support::CaptureBuilder capture(5'000'000'000, 2.7e9, 70);
    support::add_mixed(capture, 12, 3000, 7);
    return capture;
}

// Two programs of one name, a channel of the same name in each.
TEST_F(RoundTrip, ProgramsOfOneNameStayApart) {
    using Format = formats::ExportFormat;
    support::CaptureBuilder capture;
    const auto first = capture.channel("work", capture.source("worker", support::BuilderSource::kProgram, 70));
    const auto second = capture.channel("work", capture.source("worker", support::BuilderSource::kProgram, 71));
    const auto other = capture.channel("work", capture.source("master", support::BuilderSource::kProgram, 72));
    capture.value(first, 1000, 1);
    capture.value(second, 2000, 2);
    capture.value(other, 3000, 3);
    store::Session session;
    capture.fill(session);
    for (const Format format :
         {Format::kCsv, Format::kTsv, Format::kJson, Format::kJsonl, Format::kVcd, Format::kCtf, Format::kParquet}) {
        store::Session back;
        there_and_back(session, format, back);
        ASSERT_EQ(back.lanes().size(), 3u) << static_cast<int>(format);
        if (format == Format::kCsv) {
            EXPECT_EQ(csv_of(back).substr(0, 400), csv_of(session).substr(0, 400));
            EXPECT_NE(csv_of(back).find(",worker/71,"), std::string::npos);
            EXPECT_NE(csv_of(back).find(",master,"), std::string::npos) << "nobody else has its name";
        }
        if (format == Format::kCtf) {
            EXPECT_EQ(back.source_of(*back.lanes().front())->pid, 70u);
        }
    }
}

// What a stamp costs and how far cores are apart: without them a time would come back surer than it was.
TEST_F(RoundTrip, TimesComeBackAsUnsureAsTheyWere) {
    support::CaptureBuilder capture(1000, 2e9, 50);
    const auto work = capture.channel("work");
    const auto other = capture.thread("other", 7);
    capture.event(work, 1000, SLA_CODE_TICK, 0, 1);
    capture.event(work, 3000, SLA_CODE_TICK, 0, 1);
    capture.event(work, 5000, SLA_CODE_TICK, 0, other);
    store::Session session;
    capture.fill(session);
    for (const bool are_together : {true, false}) {
        store::Health health;
        health.known = health.clock.known = true;
        health.clock.cores = 2;
        health.clock.skew = {300, are_together};
        session.set_health(health);
        using enum ExportFormat;
        for (const auto format : {kChrome, kCtf, kParquet}) {
            store::Session back;
            there_and_back(session, format, back);
            EXPECT_EQ(csv_of(back), csv_of(session)) << static_cast<int>(format);
            EXPECT_EQ(back.stamp_ticks(), 50u);
            EXPECT_EQ(back.clock().skew().ticks, 300u);
        }
        store::Session back;
        there_and_back(session, kVcd, back);
        EXPECT_EQ(back.clock().skew().ticks, 300u) << "though it does not say which thread an event is of";
    }
}

// By whoever changed the file: what is no such word is taken for none.
TEST_F(RoundTrip, AnErrorOfStampsThatIsNoneIsLeftOut) {
    for (const char* const word : {"", "20", "x,-", "20,-", "20,x,apart", "20,30,maybe", "99999999999,30,apart", "-1,-"}) {
        SinkClock clock;
        read_stamp_errors(word, clock);
        EXPECT_FALSE(clock.skew) << word;
        EXPECT_EQ(clock.stamp_ticks, std::string_view(word).starts_with("20,") ? 20u : 0u) << word;
    }
    SinkClock clock;
    read_stamp_errors("20,30,apart", clock);
    ASSERT_TRUE(clock.skew);
    EXPECT_EQ(clock.skew->ticks, 30u);
    EXPECT_FALSE(clock.skew->synchronized);
}

TEST_F(RoundTrip, ACaptureWithoutEventsComesBack) {
    using Format = formats::ExportFormat;
    const support::CaptureBuilder capture(5'000'000'000, 2.7e9, 70);
    store::Session session;
    capture.fill(session);
    for (const Format format : {Format::kCsv, Format::kVcd, Format::kChrome, Format::kCtf, Format::kParquet}) {
        store::Session back;
        there_and_back(session, format, back);
        EXPECT_TRUE(back.lanes().empty()) << static_cast<int>(format);
    }
}

TEST_F(RoundTrip, NamesThatAreWordsOfAFormatComeBack) {
    support::CaptureBuilder capture;
    for (const char* name : {"$end", "$dumpvars.$end", "ends.", "...", "a,b", "\"quoted\"", "two words", "#5", "[cpu]"}) {
        const auto channel = capture.channel(name);
        capture.tick(channel, 1000);
        capture.tick(channel, 2000);
    }
    store::Session session;
    capture.fill(session);
    for (const auto format :
         {formats::ExportFormat::kVcd, formats::ExportFormat::kCsv, formats::ExportFormat::kJson,
          formats::ExportFormat::kChrome, formats::ExportFormat::kCtf, formats::ExportFormat::kParquet}) {
        store::Session back;
        there_and_back(session, format, back);
        expect_same_events(session, back);
    }
}

TEST_F(RoundTrip, AnEmptyTextIsStillAText) {
    support::CaptureBuilder capture;
    const auto channel = capture.channel("state");
    capture.text(channel, 1000, "");
    capture.text(channel, 2000, "busy");
    capture.text(channel, 3000, "");
    capture.tick(channel, 4000);
    store::Session session;
    capture.fill(session);
    for (const auto format : {formats::ExportFormat::kCsv, formats::ExportFormat::kJsonl, formats::ExportFormat::kChrome,
                              formats::ExportFormat::kCtf, formats::ExportFormat::kPerfetto}) {
        store::Session back;
        there_and_back(session, format, back);
        const store::Lane& lane = *back.lane_named("state");
        ASSERT_EQ(lane.size(), 4U);
        for (std::uint64_t i = 0; i < 4; ++i) EXPECT_EQ(lane[i].kind(), session.lane_named("state")->operator[](i).kind());
        EXPECT_EQ(lane.text(0), "");
        EXPECT_EQ(lane.text(1), "busy");
    }
}

TEST_F(RoundTrip, CtfKeepsEverything) {
    expect_same_table(formats::small_capture(), formats::ExportFormat::kCtf);
    store::Session session;
    store::Session back;
    mixed().fill(session);
    there_and_back(session, formats::ExportFormat::kCtf, back);
    expect_same_events(session, back);
    for (std::size_t i = 0; i < session.lanes().size(); ++i) {
        const store::Lane& before = *session.lanes()[i];
        const store::Lane& after = *back.lanes()[i];
        ASSERT_EQ(before.gaps().size(), after.gaps().size());
        for (std::size_t gap = 0; gap < before.gaps().size(); ++gap) {
            EXPECT_EQ(before.gaps()[gap].until_tick, after.gaps()[gap].until_tick);
            EXPECT_EQ(before.gaps()[gap].cause, after.gaps()[gap].cause);
        }
        for (std::uint64_t at = 0; at < before.size(); ++at) ASSERT_EQ(before.details(at), after.details(at));
    }
}

TEST_F(RoundTrip, ChromeKeepsEverything) {
    store::Session session;
    store::Session back;
    mixed().fill(session);
    there_and_back(session, formats::ExportFormat::kChrome, back);
    expect_same_events(session, back);
    expect_same_table(formats::small_capture(), formats::ExportFormat::kChrome);
}

TEST_F(RoundTrip, ChromeKeepsTheSourceOfACaptureThatBeginsWithASpan) {
    support::CaptureBuilder capture;
    const auto work = capture.channel("work");
    capture.span(work, 1'000, 2'000);
    capture.value(capture.channel("size"), 1'500, 7);
    capture.span(work, 3'000, 4'000);
    expect_same_table(capture, formats::ExportFormat::kChrome);
}

TEST_F(RoundTrip, CsvAndTsvGiveTheSameTableAgain) {
    for (const auto format : {formats::ExportFormat::kCsv, formats::ExportFormat::kTsv}) {
        store::Session session;
        store::Session back;
        formats::small_capture().fill(session);
        there_and_back(session, format, back);
        EXPECT_EQ(csv_of(back), csv_of(session));
        EXPECT_TRUE(has_note("how sure its clock is"));
    }
}

TEST_F(RoundTrip, TablesKeepLineEndsWithinTextsAndFloatsThatAreWhole) {
    support::CaptureBuilder capture;
    const auto log = capture.channel("log");
    const std::string texts[] = {"x\r\ny", "x\ny", "\r\n\r\n", "x\r", "\r", "say \"\r\n\""};
    for (std::uint64_t i = 0; i < std::size(texts); ++i) capture.text(log, 1000 + i, texts[i]);
    const auto load = capture.channel("load");
    for (std::uint64_t i = 0; const double number : {5.0, -0.0, 0.25, 1e20, 1e16, -123456789.0})
        capture.number(load, 1000 + i++, number);
    store::Session session;
    capture.fill(session);
    for (const auto format : {ExportFormat::kCsv, ExportFormat::kTsv, ExportFormat::kJson, ExportFormat::kJsonl}) {
        store::Session back;
        there_and_back(session, format, back);
        expect_same_events(session, back);
        for (std::uint64_t i = 0; i < std::size(texts); ++i) EXPECT_EQ(back.lane_named("log")->text(i), texts[i]);
    }
}

// Ticks of a picosecond, hours from the start: more of them than a double of microseconds tells apart.
TEST_F(RoundTrip, EveryTickComesBackHoursFromTheStart) {
    support::CaptureBuilder capture(1000, 1e12);
    const auto far = capture.channel("far");
    for (std::uint64_t i = 0; i < 50; ++i) capture.tick(far, 30'000'000'000'000'001 + 1'000'000'000'000'003 * i);
    capture.gap(far, 90'000'000'000'000'001, 3, wire::LossCause::kOverrun, 90'000'000'000'000'123);
    store::Session session;
    capture.fill(session);
    using enum ExportFormat;
    for (const auto format : {kChrome, kCtf, kCsv, kJson, kVcd, kParquet}) {
        store::Session back;
        there_and_back(session, format, back);
        expect_same_events(session, back);
        const store::Lane& lane = *back.lane_named("far");
        EXPECT_EQ(back.clock().to_ps(lane.last_tick()), session.clock().to_ps(lane.last_tick())) << static_cast<int>(format);
        if (format == kVcd) continue;
        EXPECT_EQ(lane.gaps().front().until_tick, 90'000'000'000'000'123u);
    }
}

TEST_F(RoundTrip, ParquetGivesTheSameTableAgainAndDetailsAndEndsOfLosses) {
    expect_same_table(small_capture(), ExportFormat::kParquet);
    EXPECT_TRUE(has_note("which formatter made a text"));
    store::Session session;
    store::Session back;
    small_capture().fill(session);
    there_and_back(session, ExportFormat::kParquet, back);
    EXPECT_EQ(back.lane_named("port.dbg")->details(0), session.lane_named("port.dbg")->details(0));
    EXPECT_EQ(back.lane_named("net.rx")->gaps().front().until_tick, session.lane_named("net.rx")->gaps().front().until_tick);
}

TEST_F(RoundTrip, ParquetTellsProgramsOfOneNameApart) {
    support::CaptureBuilder capture;
    const auto none = capture.channel("rx");
    const auto first = capture.channel("rx", capture.source("worker", support::BuilderSource::kProgram, 17));
    const auto second = capture.channel("rx", capture.source("worker", support::BuilderSource::kProgram, 18));
    for (std::uint64_t i = 0; i < 10; ++i) {
        capture.tick(first, 1000 + 10 * i);
        capture.tick(second, 1003 + 10 * i);
    }
    capture.tick(none, 2000);
    store::Session session;
    store::Session back;
    capture.fill(session);
    there_and_back(session, ExportFormat::kParquet, back);
    ASSERT_EQ(back.lanes().size(), 3u);
    for (const std::uint32_t pid : {17, 18}) {
        std::uint64_t rows = 0;
        for (const auto& lane : back.lanes()) {
            const store::Source* source = back.source_of(*lane);
            if (source != nullptr && source->pid == pid) rows += lane->size();
        }
        EXPECT_EQ(rows, 10u) << pid;
    }
}

TEST_F(RoundTrip, ParquetKeepsKindsValuesAndTicksOfManyRows) {
    store::Session session;
    store::Session back;
    mixed().fill(session);
    there_and_back(session, ExportFormat::kParquet, back);
    ASSERT_EQ(back.lanes().size(), session.lanes().size());
    for (const store::Lane* lane : session.lanes()) {
        const store::Lane& other = *back.lane_named(lane->channel().name);
        ASSERT_EQ(other.size(), lane->size()) << lane->channel().name;
        for (std::uint64_t i = 0; i < lane->size(); ++i) {
            const store::Event a = (*lane)[i];
            const store::Event b = other[i];
            ASSERT_EQ(std::tuple(a.tick, a.value, a.kind()), std::tuple(b.tick, b.value, b.kind())) << lane->channel().name;
            ASSERT_EQ(other.text(i), lane->text(i)) << lane->channel().name;
        }
    }
}

TEST_F(RoundTrip, VcdKeepsChannelsCodesAndTicks) {
    store::Session session;
    store::Session back;
    mixed().fill(session);
    there_and_back(session, formats::ExportFormat::kVcd, back);
    expect_same_events(session, back);
    EXPECT_TRUE(has_note("threads"));
    store::Session small;
    store::Session small_back;
    formats::small_capture().fill(small);
    there_and_back(small, formats::ExportFormat::kVcd, small_back);
    expect_same_events(small, small_back);
    EXPECT_EQ(small_back.lane_named("load")->text(2), "say \"hi\",\n\tok \\");
}

TEST_F(RoundTrip, PerfettoKeepsChannelsThreadsKindsValuesAndLossesToTheNanosecond) {
    store::Session session;
    store::Session back;
    small_capture().fill(session);
    there_and_back(session, ExportFormat::kPerfetto, back);
    const auto compare = [&](const store::Event& a, const store::Event& b, const std::string& place) {
        const bool is_level = a.kind() == wire::Kind::kLevel;  // a counter there, as values are
        EXPECT_EQ(is_level ? wire::Kind::kValue : a.kind(), b.kind()) << place;
        EXPECT_EQ(a.value, b.value) << place;
        EXPECT_EQ(session.clock().to_ps(a.tick) / 1000, back.clock().to_ps(b.tick) / 1000);
    };
    ASSERT_NO_FATAL_FAILURE(each_event(session, back, compare));
    EXPECT_EQ(back.lane_named("load")->text(2), "say \"hi\",\n\tok \\");
    EXPECT_EQ(back.lane_named("net.rx")->gaps().front().cause, wire::LossCause::kOverrun);
    const store::Event worker = (*back.lane_named("net.rx"))[1];
    EXPECT_EQ(back.thread(ThreadId{worker.thread})->name, "worker");
    EXPECT_EQ(back.thread(ThreadId{worker.thread})->tid, 77u);
}

TEST_F(RoundTrip, PerfettoMovesNoTimeThatLiesBeforeTheCapturesStart) {
    support::CaptureBuilder capture(1'000'000);
    const auto early = capture.channel("early");
    for (const std::uint64_t tick : {200'000, 999'999, 1'000'000, 1'500'000}) capture.tick(early, tick);
    store::Session session;
    store::Session back;
    capture.fill(session);
    ASSERT_LT(session.clock().to_ps(200'000), 0);
    there_and_back(session, ExportFormat::kPerfetto, back);
    ASSERT_NO_FATAL_FAILURE(
        each_event(session, back, [&](const store::Event& a, const store::Event& b, const std::string& at) {
            EXPECT_EQ(back.clock().to_ps(b.tick), session.clock().to_ps(a.tick)) << at;
        }));
    EXPECT_EQ(back.clock().origin_realtime_ns(), session.clock().origin_realtime_ns());
}

TEST_F(RoundTrip, ACaptureWithoutEventsComesBackAsOne) {
    support::CaptureBuilder capture;
    capture.channel("silent");
    store::Session session;
    capture.fill(session);
    for (const ExportFormat format : {ExportFormat::kVcd, ExportFormat::kChrome, ExportFormat::kPerfetto}) {
        store::Session back;
        there_and_back(session, format, back);
        EXPECT_TRUE(back.has_origin()) << static_cast<int>(format);
        for (const store::Lane* lane : back.lanes()) EXPECT_TRUE(lane->empty());
    }
}

TEST_F(RoundTrip, PerfettoKeepsWhatStampsCostInNanoseconds) {
    support::CaptureBuilder capture(0, 2e9, 40);
    capture.tick(capture.channel("a"), 1000);
    store::Session session;
    store::Session back;
    capture.fill(session);
    store::Source source = *session.source_of(*session.lanes().front());
    source.section_ticks = 60;
    session.add_source(source);
    there_and_back(session, ExportFormat::kPerfetto, back);
    EXPECT_EQ(back.source_of(*back.lanes().front())->section_ticks, 30u) << "ticks of half a nanosecond";
    EXPECT_EQ(back.stamp_ticks(), 20u);
}

TEST_F(RoundTrip, PerfettoMakesNoLargeValueNegative) {
    support::CaptureBuilder capture;
    const auto size = capture.channel("size");
    capture.event(size, 1000, SLA_CODE_VALUE_UNSIGNED, (std::uint64_t{1} << 63) + 1);
    capture.event(size, 2000, SLA_CODE_VALUE_UNSIGNED, 7);
    store::Session session;
    store::Session back;
    capture.fill(session);
    there_and_back(session, ExportFormat::kPerfetto, back);
    const store::Lane& lane = *back.lane_named("size");
    EXPECT_EQ(lane[0].value, (std::uint64_t{1} << 63) + 1) << "no digit is lost";
    EXPECT_EQ(lane[0].code, SLA_CODE_VALUE_UNSIGNED);
    EXPECT_EQ(lane[1].value, 7u);
}

// A reader of the wave sees what was busy there as busy.
TEST_F(RoundTrip, AValueChangeDumpOfAPartBeginsWithWhatHoldsThere) {
    support::CaptureBuilder capture(0);
    const auto other = capture.thread("other", 2);
    const auto work = capture.channel("work");
    const auto busy = capture.channel("busy");
    const auto idle = capture.channel("idle");
    capture.level(busy, 1'500, true);
    capture.begin(work, 2'000);
    capture.begin(work, 2'500, other);
    capture.end(work, 7'000);
    capture.end(work, 9'600, other);
    capture.span(idle, 1'000, 2'000);
    capture.tick(idle, 8'000);
    store::Session session;
    capture.fill(session);
    auto selection = *analysis::select(session, {});
    selection.from = 4'500;
    ASSERT_TRUE(export_capture(session, selection, {ExportFormat::kVcd, 1e9}, file("part.vcd")).ok());
    std::ifstream in(file("part.vcd"));
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(
        text.substr(text.find("#0\n")),
        "#0\n$dumpvars\nbx !\nx\"\n$end\n#4500000\n$dumpall\nb10 !\n1\"\n$end\n#7000000\nb1 !\n#8000000\n1#\n#9600000\n"
        "b0 !\n");
    store::Session back;
    take_in(file("part.vcd"), back);
    EXPECT_EQ(reported(back, "work"), "end @7000\nend @9600\n") << "what held there is no event";
    EXPECT_EQ(reported(back, "busy"), "");
}

TEST_F(RoundTrip, SrKeepsLevelsToTheSample) {
    support::CaptureBuilder capture(1000);
    const auto a = capture.channel("a");
    const auto b = capture.channel("b");
    for (std::uint64_t i = 0; i < 100; ++i) capture.level(a, 1000 + i * 20, i % 2 == 0);
    for (std::uint64_t i = 0; i < 30; ++i) capture.level(b, 1000 + i * 70, i % 2 == 1);
    store::Session session;
    store::Session back;
    capture.fill(session);
    there_and_back(session, formats::ExportFormat::kSr, back);
    for (const char* name : {"a", "b"}) {
        const store::Lane& before = *session.lane_named(name);
        const store::Lane& after = *back.lane_named(name);
        ASSERT_EQ(after.size(), before.size());
        for (std::uint64_t i = 0; i < before.size(); ++i) {
            EXPECT_EQ(after[i].value, before[i].value);
            EXPECT_EQ(back.clock().to_ps(after[i].tick), session.clock().to_ps(before[i].tick));
        }
    }
}

}  // namespace
}  // namespace sla::formats
