// What a capture knows of its sources comes back with formats that carry it.
#include "viewer/formats/source_facts.h"

#include "tests/unit/viewer/formats/round_trip.h"

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
    const auto describe = [&](std::uint32_t id, std::uint32_t domain, std::uint32_t section) {
        store::Source source = *session.source(SourceId{id});
        source.clock_domain = domain;
        source.section_ticks = section;
        session.add_source(source);
    };
    describe(pc, 1, 0);
    describe(measured, 0, 31);
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
        }
    }
}

TEST_F(SourceFactsTest, WhatIsNoFactOfASourceIsLeftOut) {
    auto sink = CaptureSink::create(file("facts.sla"), "test");
    ASSERT_TRUE(sink.ok());
    read_source_facts(
        ",,pc,pc:1:2,tv:1:0:5:a,pc:x:0:5:b,pc:1:-1:5:c,pc:1:2000000000:5:d,pc:1:0:99999999999:e,pc:1:0:5:,pc:1:0:5:f%",
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
