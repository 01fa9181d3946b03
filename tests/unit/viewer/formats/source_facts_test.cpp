// What a capture knows of its sources comes back with formats that carry it.
#include "viewer/formats/source_facts.h"

#include "tests/unit/viewer/formats/round_trip.h"
#include "viewer/analysis/known_extents.h"

namespace sla::formats {
namespace {

class SourceFactsTest : public RoundTrip {};

// A PC on a clock of its own beside two programs of one name, of which the cost of a section was measured for one.
TEST_F(SourceFactsTest, KindsClocksAndCostsOfSourcesComeBack) {
    using Format = formats::ExportFormat;
    support::CaptureBuilder capture;
    const auto pc = capture.source("emulated PC: $end,1", support::BuilderSource::kPc, 70);
    const auto measured = capture.source("game", support::BuilderSource::kProgram, 71);
    const auto plain = capture.source("game", support::BuilderSource::kProgram, 72);
    const auto host = capture.source("linux", support::BuilderSource::kHost, 0);
    for (const std::uint32_t source : {pc, measured, plain, host})
        capture.value(capture.channel("of." + std::to_string(source), source), 1000 + source, 1);
    store::Session session;
    capture.fill(session);
    const auto describe = [&](std::uint32_t id, std::uint32_t domain, std::uint32_t section, bool ended) {
        store::Source source = *session.source(SourceId{id});
        source.clock_domain = domain;
        source.section_ticks = section;
        source.ended = ended;
        session.add_source(source);
    };
    describe(pc, 1, 0, false);
    describe(measured, 0, 31, true);
    store::Source started = *session.source(SourceId{pc});
    started.command = "sla-emu run --demo, 'a:b' \xc3\xbc";
    session.add_source(started);
    describe(plain, 0, 0, false);
    describe(host, 0, 0, true);
    for (const Format format : {Format::kVcd, Format::kChrome, Format::kCtf, Format::kParquet, Format::kPerfetto}) {
        store::Session back;
        there_and_back(session, format, back);
        for (const std::uint32_t id : {pc, measured, plain, host}) {
            const store::Source& was = *session.source(SourceId{id});
            const store::Lane* const lane = back.lane_named("of." + std::to_string(id));
            ASSERT_NE(lane, nullptr);
            const store::Source& is = *back.source_of(*lane);
            EXPECT_EQ(is.kind, was.kind) << was.name << " " << static_cast<int>(format);
            EXPECT_EQ(is.clock_domain, was.clock_domain) << was.name << " " << static_cast<int>(format);
            EXPECT_EQ(is.section_ticks, was.section_ticks) << was.name << " " << static_cast<int>(format);
            EXPECT_EQ(is.ended, was.ended) << was.name << " " << static_cast<int>(format);
            EXPECT_EQ(is.pid, was.pid) << was.name << " " << static_cast<int>(format);
            EXPECT_EQ(is.command, was.command) << was.name << " " << static_cast<int>(format);
        }
    }
}

// Of a fleet's hosts, or of a merge's.
TEST_F(SourceFactsTest, FactsOfProgramsOfOneNameOnSeveralHostsComeBackFromAValueChangeDump) {
    support::CaptureBuilder capture;
    const auto here = capture.source("game", support::BuilderSource::kPc, 71);
    const auto there = capture.source("game", support::BuilderSource::kProgram, 72);
    for (const std::uint32_t source : {here, there})
        capture.value(capture.channel(source == here ? "a" : "b", source), 1000, 1);
    store::Session session;
    capture.fill(session);
    store::Host host;
    host.id = 1;
    host.name = "far";
    session.add_host(host);
    store::Source pc = *session.source(SourceId{here});
    pc.clock_domain = 3;
    pc.host = 1;
    session.add_source(pc);
    store::Session back;
    there_and_back(session, ExportFormat::kVcd, back);
    const store::Source& is = *back.source_of(*back.lane_named("a"));
    EXPECT_EQ(is.kind, store::SourceKind::kPc);
    EXPECT_EQ(is.clock_domain, 3u);
    EXPECT_EQ(is.pid, 71u);
    EXPECT_EQ(back.source_of(*back.lane_named("b"))->pid, 72u);
}

// Plain programs otherwise: what one was started by is worth a word.
TEST_F(SourceFactsTest, ACommandAloneComesBackToo) {
    using Format = formats::ExportFormat;
    support::CaptureBuilder capture;
    const auto a = capture.source("game", support::BuilderSource::kProgram, 71);
    const auto b = capture.source("game", support::BuilderSource::kProgram, 72);
    capture.value(capture.channel("a", a), 1000, 1);
    capture.value(capture.channel("b", b), 2000, 1);
    store::Session session;
    capture.fill(session);
    for (const std::uint32_t id : {a, b}) {
        store::Source source = *session.source(SourceId{id});
        source.ended = true;
        if (id == b) source.command = "./game --level 2";
        session.add_source(source);
    }
    for (const Format format : {Format::kVcd, Format::kChrome, Format::kCtf, Format::kParquet, Format::kPerfetto}) {
        store::Session back;
        there_and_back(session, format, back);
        EXPECT_EQ(back.source_of(*back.lane_named("a"))->command, "") << static_cast<int>(format);
        EXPECT_EQ(back.source_of(*back.lane_named("b"))->command, "./game --level 2") << static_cast<int>(format);
    }
}

// Silence at the ends of a capture is known, and counts in rates and gaps.
TEST_F(SourceFactsTest, FromWhereToWhereTheCaptureIsKnownComesBack) {
    using enum ExportFormat;
    support::CaptureBuilder capture(0, 1e9, 50);
    const auto rx = capture.channel("rx");
    for (std::uint64_t tick = 1'000'000; tick <= 3'000'000; tick += 1'000'000) capture.value(rx, tick, 7);
    store::Session session;
    capture.fill(session);
    session.set_watermark(9'000'000);
    analysis::Selection all = *analysis::select(session, {});
    analysis::Selection part = all;
    part.from = 2'000'000;
    part.until = 5'000'000;
    for (const auto format : {kVcd, kChrome, kCtf, kParquet, kPerfetto}) {
        for (const auto* selection : {&all, &part}) {
            ASSERT_TRUE(export_capture(session, *selection, {format, 1e9}, file("exported")).ok());
            store::Session back;
            take_in(file("exported"), back);
            std::filesystem::remove_all(file("exported"));
            const auto was = analysis::known_extent(session, *selection);
            const auto is = analysis::known_extent(back, *analysis::select(back, {}));
            EXPECT_EQ(back.clock().to_ps(is.from), session.clock().to_ps(was.from)) << static_cast<int>(format);
            const std::uint64_t last = selection == &all ? was.until : was.until - 1;
            EXPECT_EQ(back.clock().to_ps(is.until), session.clock().to_ps(last)) << static_cast<int>(format);
            EXPECT_EQ(back.events(), selection == &all ? 3u : 2u);
        }
    }
}

// A hang at the end of a part lasts to its end, whatever came later.
TEST_F(SourceFactsTest, WhatEndedBehindAPartHadNotEndedYet) {
    using enum ExportFormat;
    support::CaptureBuilder capture(0, 1e9, 50);
    const auto a = capture.source("a", support::BuilderSource::kProgram, 70);
    const auto b = capture.source("b", support::BuilderSource::kProgram, 71);
    const auto hang = capture.channel("hang", a);
    const auto done = capture.channel("done", b);
    const auto of_a = capture.thread("main", 70, a);
    const auto of_b = capture.thread("main", 71, b);
    capture.tick(done, 1'000'000, 0, of_b);
    capture.tick(hang, 1'000'000, 0, of_a);
    capture.tick(done, 4'000'000, 0, of_b);
    capture.tick(hang, 9'000'000, 0, of_a);
    store::Session session;
    capture.fill(session);
    for (const auto& [id, source] : std::map(session.sources())) {
        store::Source ended = source;
        ended.ended = true;
        session.add_source(ended);
    }
    analysis::Selection part = *analysis::select(session, {});
    part.until = 5'000'000;
    const auto expect_so = [&](const store::Session& back) {
        EXPECT_FALSE(back.source_of(*back.lane_named("hang"))->ended);
        EXPECT_TRUE(back.source_of(*back.lane_named("done"))->ended);
    };
    for (const auto format : {kVcd, kChrome, kCtf, kParquet, kPerfetto}) {
        SCOPED_TRACE(static_cast<int>(format));
        ASSERT_TRUE(export_capture(session, part, {format, 1e9}, file("exported")).ok());
        store::Session back;
        take_in(file("exported"), back);
        std::filesystem::remove_all(file("exported"));
        expect_so(back);
    }
    ASSERT_TRUE(export_capture(session, part, {kSla, 1e9}, file("part.sla")).ok());
    store::Session back;
    ASSERT_TRUE(ingest::load(file("part.sla"), back).ok());
    expect_so(back);
}

// More may be missing, so that limits cannot tell.
TEST_F(SourceFactsTest, WhatWasWrongWithTheCaptureComesBack) {
    using enum ExportFormat;
    support::CaptureBuilder capture(0, 1e9, 50);
    capture.tick(capture.channel("rx"), 1'000'000);
    store::Session session;
    capture.fill(session);
    session.add_note({700'000, "a chunk, \"damaged\": 50 %", true});
    session.add_note({0, "not finished", true});
    session.add_note({800'000, "a word", false});
    for (const auto format : {kVcd, kChrome, kCtf, kParquet, kPerfetto}) {
        ASSERT_TRUE(export_capture(session, *analysis::select(session, {}), {format, 1e9}, file("exported")).ok());
        const auto detected = detect_format(file("exported"));
        ASSERT_TRUE(import_file(file("exported"), *detected, file("imported.sla")).ok());
        std::filesystem::remove_all(file("exported"));
        store::Session back;
        ASSERT_TRUE(ingest::load(file("imported.sla"), back).ok());
        EXPECT_EQ(back.damage_count(), 2u) << static_cast<int>(format);
        std::vector<std::pair<std::int64_t, std::string>> damage;
        for (const store::Note& note : back.notes()) {
            if (note.damage) damage.emplace_back(note.tick == 0 ? 0 : back.clock().to_ps(note.tick), note.text);
        }
        const std::vector<std::pair<std::int64_t, std::string>> expected{{700'000'000, "a chunk, \"damaged\": 50 %"},
                                                                         {0, "not finished"}};
        EXPECT_EQ(damage, expected) << static_cast<int>(format);
    }
}

// Of what goes on at the end of one part of a capture the next part says whether it had ended by then.
TEST_F(SourceFactsTest, WhatWentOnInOnePartMayHaveEndedInTheNext) {
    auto sink = CaptureSink::create(file("parts.sla"), "test");
    ASSERT_TRUE(sink.ok());
    const auto put = [&](const char* name, std::uint64_t tick) {
        const auto channel = sink->channel(sink->source(name, 5), std::string("of.") + name);
        ASSERT_TRUE(channel.ok());
        ASSERT_TRUE(sink->put(*channel, {tick}).ok());
    };
    read_source_facts("pc+:1:0:5:gone,program+:0:0:5:stays", *sink);
    put("gone", 1000);
    put("stays", 1000);
    read_source_facts("program+:0:0:5:stays,program+:0:0:5:new", *sink);
    put("stays", 2000);
    put("new", 2000);
    ASSERT_TRUE(sink->finish().ok());
    store::Session back;
    ASSERT_TRUE(ingest::load(file("parts.sla"), back).ok());
    const auto source = [&](const char* name) { return back.source_of(*back.lane_named(std::string("of.") + name)); };
    EXPECT_TRUE(source("gone")->ended);
    EXPECT_EQ(source("gone")->kind, store::SourceKind::kPc) << "the first part said so";
    EXPECT_EQ(source("gone")->clock_domain, 1u);
    EXPECT_FALSE(source("stays")->ended);
    EXPECT_FALSE(source("new")->ended);
}

TEST_F(SourceFactsTest, WhatIsNoFactOfASourceIsLeftOut) {
    auto sink = CaptureSink::create(file("facts.sla"), "test");
    ASSERT_TRUE(sink.ok());
    read_source_facts(
        ",,pc,pc:1:2,known:,known:5,known:x:9,known:9:5,known::y,damage:,damage:x:y,tv:1:0:5:a,pc:x:0:5:b,pc:1:-1:5:c,pc:1:"
        "2000000000:5:d,pc:1:"
        "0:99999999999:e,pc:1:0:5:,pc:1:0:5:f%",
        *sink);
    for (const char* const name : {"a", "b", "c", "d", "e", "f%"}) {
        const auto channel = sink->channel(sink->source(name, 5), std::string("of.") + name);
        ASSERT_TRUE(channel.ok());
        ASSERT_TRUE(sink->put(*channel, {1000}).ok());
    }
    ASSERT_TRUE(sink->finish().ok());
    store::Session back;
    ASSERT_TRUE(ingest::load(file("facts.sla"), back).ok());
    for (const char* const name : {"a", "b", "c", "d", "e"}) {
        const store::Source& source = *back.source_of(*back.lane_named(std::string("of.") + name));
        EXPECT_EQ(source.kind, store::SourceKind::kProgram) << name;
        EXPECT_EQ(source.clock_domain, 0u) << name;
    }
    EXPECT_EQ(back.source_of(*back.lane_named("of.f%"))->kind, store::SourceKind::kPc) << "a name is taken as it is";
}

}  // namespace
}  // namespace sla::formats
