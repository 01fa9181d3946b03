// Files that other tools wrote.
#include "tests/unit/viewer/formats/imported.h"
#include "viewer/formats/perfetto/perfetto.pb.h"
#include "viewer/formats/table/json_reader.h"

namespace sla::formats {
namespace {

class Foreign : public WithFiles {
protected:
    store::Session session_;
};

TEST_F(Foreign, BareCsvIsTimeChannelValue) {
    take_in_bytes("0.001,a,5\n0.0015,b,hello\n0.002,a,\n2.5e-3,a,0.5\n", session_);
    EXPECT_EQ(reported(session_, "a"), "value 5 @1e+06\ntick @2e+06\nvalue 0.5 @2.5e+06\n");
    EXPECT_EQ(reported(session_, "b"), "text 'hello' @1.5e+06\n");
}

TEST_F(Foreign, CsvColumnsMayStandInAnyOrderBehindAByteOrderMark) {
    take_in_bytes(
        "\xef\xbb\xbf"
        "Channel;Kind;Time [us];Value\nx;level;1.5;1\nx;level;2;0\n",
        session_);
    EXPECT_EQ(reported(session_, "x"), "level 1 @1500\nlevel 0 @2000\n");
}

TEST_F(Foreign, CsvWithTicksAndNoTimesSaysThatATickIsTakenAsANanosecond) {
    take_in_bytes("tick,channel,value\n1000,a,1\n3000,a,2\n", session_);
    EXPECT_EQ(reported(session_, "a"), "value 1 @1000\nvalue 2 @3000\n");
    EXPECT_TRUE(has_note("a nanosecond"));
    store::Session timed;
    take_in_bytes("tick,time_ns,channel,value\n1000,0,a,1\n3000,1000,a,2\n", timed);
    EXPECT_FALSE(has_note("a nanosecond"));
}

TEST_F(Foreign, CsvWithMicrosecondsAndWindowsLineEnds) {
    take_in_bytes("channel,kind,time_us,value\r\nx,level,1.5,1\r\nx,level,2,0\r\nx,begin,3,\r\n", session_);
    EXPECT_EQ(reported(session_, "x"), "level 1 @1500\nlevel 0 @2000\nbegin @3000\n");
}

TEST_F(Foreign, CsvTimesMayCarryUnitsAndBeNegative) {
    take_in_bytes("time,channel\n-1.5ms,a\n200us,a\n", session_);
    EXPECT_EQ(reported(session_, "a"), "tick @-1.5e+06\ntick @200000\n");
}

TEST_F(Foreign, CsvWallClockTimesCountFromTheFirst) {
    take_in_bytes("time,channel,value\n1700000000.25,a,1\n1700000000.50,a,2\n", session_);
    EXPECT_EQ(reported(session_, "a"), "value 1 @0\nvalue 2 @2.5e+08\n");
    EXPECT_EQ(session_.clock().origin_realtime_ns(), 1'700'000'000'250'000'000);
    EXPECT_TRUE(has_note("first event"));
}

TEST_F(Foreign, CsvWallClockTimesMayCarryUnits) {
    for (const char* rows : {"1700000000.25s,a,1\n1700000000.50s,a,2\n", "1700000000250ms,a,1\n1700000000500 ms,a,2\n",
                             "1700000000250000000ns,a,1\n1700000000500000000ns,a,2\n"}) {
        store::Session session;
        take_in_bytes(std::string("time,channel,value\n") + rows, session);
        EXPECT_EQ(reported(session, "a"), "value 1 @0\nvalue 2 @2.5e+08\n") << rows;
        EXPECT_EQ(session.clock().origin_realtime_ns(), 1'700'000'000'250'000'000) << rows;
    }
}

TEST_F(Foreign, VcdOfASimulator) {
    take_in_bytes(
        "$date today $end $version Icarus $end\n$timescale 10 ns $end\n$scope module top $end\n$var wire 1 ! clk $end\n"
        "$var reg 8 \" bus [7:0] $end\n$scope module sub $end\n$var wire 1 ! clk_alias $end\n$var real 64 # temp $end\n"
        "$var integer 32 % n $end\n$var event 1 & go $end\n$upscope $end $upscope $end $enddefinitions $end\n"
        "$dumpvars\nx!\nbx \"\n$end\n#0\n1!\nb1010 \"\n#5\n0!\nr1.5 #\nb11111111111111111111111111111110 %\n#7 1& 1!\n",
        session_);
    EXPECT_EQ(reported(session_, "top.clk"), "level 1 @0\nlevel 0 @50\nlevel 1 @70\n");
    EXPECT_EQ(reported(session_, "top.bus"), "value 10 @0\n");
    EXPECT_EQ(reported(session_, "top.sub.temp"), "value 1.5 @50\n");
    EXPECT_EQ(reported(session_, "top.sub.n"), "value -2 @50\n");
    EXPECT_EQ(reported(session_, "top.sub.go"), "tick @70\n");
    EXPECT_TRUE(has_note("2 changes to x or z"));
    EXPECT_TRUE(has_note("1 further name of signals that have one already, 'clk_alias' for instance, is left out"));
}

TEST_F(Foreign, VcdOfBitsAndPartsOfVectors) {
    take_in_bytes(
        "$timescale 1ns $end $scope module t $end\n$var wire 1 ! d [0] $end\n$var wire 1 \" d [1] $end\n"
        "$var reg 4 # n [7:4] $end\n$var reg 4 % n [3:0] $end\n$upscope $end $enddefinitions $end\n"
        "#1\n1!\n0\"\nb11 #\nb10 %\n#2\n0!\n",
        session_);
    EXPECT_EQ(reported(session_, "t.d[0]"), "level 1 @1\nlevel 0 @2\n");
    EXPECT_EQ(reported(session_, "t.d[1]"), "level 0 @1\n");
    EXPECT_EQ(reported(session_, "t.n[7:4]"), "value 3 @1\n");
    EXPECT_EQ(reported(session_, "t.n"), "value 2 @1\n");
}

// Units of a second and more: a capture's clock is no slower than 1 kHz.
TEST_F(Foreign, VcdOfEveryTimescale) {
    for (const auto& [scale, unit_ps] : {std::pair{"100 s", 100e12}, std::pair{"1s", 1e12}, std::pair{"100 ms", 1e11},
                                         std::pair{"10 ms", 1e10}, std::pair{"1 ms", 1e9}, std::pair{"10us", 1e7}}) {
        store::Session session;
        take_in_bytes(
            std::string("$timescale ") + scale +
                " $end $scope module t $end $var wire 1 ! c $end $upscope $end $enddefinitions $end\n#0\n0!\n#20\n1!\n",
            session);
        const store::Lane& lane = *session.lane_named("t.c");
        const auto ps = session.clock().ticks_to_ps(static_cast<std::int64_t>(lane.tick(1) - lane.tick(0)));
        EXPECT_EQ(static_cast<double>(ps), 20 * unit_ps) << scale;
    }
}

// Ticks of a picosecond end after three days; whole nanoseconds do not.
TEST_F(Foreign, WhatSpansMoreThanThreeDaysHasTimesInNanoseconds) {
    store::Session table;
    take_in_bytes("time,channel\n0,a\n0.000000001,a\n864000.25,a\n8640000.000000002,a\n", table);
    const store::Lane& of_table = *table.lane_named("a");
    ASSERT_EQ(of_table.size(), 4U);
    EXPECT_EQ(table.clock().to_ps(of_table[1].tick), 1'000);
    EXPECT_EQ(table.clock().to_ps(of_table[2].tick), 864'000'250'000'000'000);
    EXPECT_EQ(table.clock().to_ps(of_table[3].tick), 8'640'000'000'000'002'000);
    EXPECT_TRUE(has_note("whole nanoseconds"));
    store::Session chrome;
    take_in_bytes(
        R"([{"ph":"i","ts":1,"pid":1,"tid":1,"name":"x"},{"ph":"i","ts":864000000000.001,"pid":1,"tid":1,"name":"y"}])",
        chrome);
    const store::Lane& of_chrome = *chrome.lanes().front();
    ASSERT_EQ(of_chrome.size(), 2U);
    EXPECT_EQ(chrome.clock().to_ps(of_chrome[1].tick) - chrome.clock().to_ps(of_chrome[0].tick), 863'999'999'999'001'000);
    EXPECT_TRUE(has_note("whole nanoseconds"));
    store::Session brief;
    take_in_bytes("time,channel\n0,a\n0.000000000001,a\n", brief);
    EXPECT_EQ(brief.clock().to_ps((*brief.lane_named("a"))[1].tick), 1) << "picoseconds are kept where they can be";
    EXPECT_FALSE(has_note("whole nanoseconds"));
}

TEST_F(Foreign, PerfettoWhoseTimesCountFrom1970) {
    std::string bytes;
    for (const std::uint64_t ns : {1'795'564'800'000'000'000u, 1'795'564'800'000'000'700u}) {
        sla::perfetto::TracePacket packet;
        packet.set_timestamp(ns);
        packet.mutable_track_event()->set_type(sla::perfetto::TrackEvent::TYPE_INSTANT);
        packet.mutable_track_event()->set_track_uuid(5);
        const std::string one = packet.SerializeAsString();
        bytes += std::string("\x0a", 1) + static_cast<char>(one.size()) + one;  // field 1 of a trace
    }
    take_in_bytes(bytes, session_);
    const store::Lane& lane = *session_.lanes().front();
    ASSERT_EQ(lane.size(), 2u);
    EXPECT_EQ(session_.clock().to_ps(lane.tick(1)) - session_.clock().to_ps(lane.tick(0)), 700'000);
    EXPECT_TRUE(has_note("times count from the first event"));
}

TEST_F(Foreign, TraceCmdReport) {
    take_in_bytes(
        "cpus=2\n"
        "          <idle>-0     [001]  5678.000001: sched_switch:         swapper/1:0 [120] R ==> bash:1234 [120]\n"
        "CPU:1 [LOST 12 EVENTS]\n"
        "      my-daemon-77    [000] d..2.  5678.000002500: sys_enter_read: fd: 3\n"
        "nothing of the kind\n",
        session_);
    EXPECT_EQ(reported(session_, "sched_switch"), "text 'swapper/1:0 [120] R ==> bash:1234 [120]' @0\n");
    EXPECT_EQ(reported(session_, "sys_enter_read"), "text 'fd: 3' @1500\n");
    EXPECT_EQ(reported(session_, "lost"), "gap 12 'overrun' @0\n");
    const store::Event event = (*session_.lane_named("sys_enter_read"))[0];
    EXPECT_EQ(session_.thread(ThreadId{event.thread})->name, "my-daemon");
    EXPECT_TRUE(has_note("is no event and left out"));
}

// A ring buffer that has come round begins so; the kernel does not always know how many it dropped.
TEST_F(Foreign, LossesOfTraceCmdBeforeTheFirstEventAndOfAnUnknownNumberAreLosses) {
    take_in_bytes(
        "cpus=2\n"
        "CPU:0 [12 EVENTS DROPPED]\n"
        "CPU:1 [EVENTS DROPPED]\n"
        "          <idle>-0     [001]  5678.000001: sched_switch:         a\n"
        "CPU:1 [LOST EVENTS]\n"
        "          <idle>-0     [001]  5678.000002: sched_switch:         b\n",
        session_);
    EXPECT_EQ(reported(session_, "lost"), "gap 12 'overrun' @0\ngap 0 'overrun' @0\ngap 0 'overrun' @0\n");
    EXPECT_EQ(reported(session_, "sched_switch"), "text 'a' @0\ntext 'b' @1000\n");
    EXPECT_EQ(session_.uncounted_losses(), 2u);
    EXPECT_FALSE(has_note("no events"));
}

// A packet as it stands in a trace.
std::string packed(sla::perfetto::TracePacket packet) {
    packet.set_trusted_packet_sequence_id(7);
    const std::string bytes = packet.SerializeAsString();
    std::string size(1, static_cast<char>(bytes.size() & 0x7f));
    if (bytes.size() > 0x7f) size = {static_cast<char>(size[0] | '\x80'), static_cast<char>(bytes.size() >> 7)};
    return "\x0a" + size + bytes;
}

TEST_F(Foreign, PerfettoWithTheClockOfItsSequenceAndNestedSlicesOfAThread) {
    sla::perfetto::TracePacket clocks;
    clocks.set_sequence_flags(1);
    const auto add = [&](std::uint32_t id, std::uint64_t at) {
        auto& clock = *clocks.mutable_clock_snapshot()->add_clocks();
        clock.set_clock_id(id);
        clock.set_timestamp(at);
        return &clock;
    };
    add(6, 1'000'000);
    auto* own = add(64, 50);
    own->set_is_incremental(true);
    own->set_unit_multiplier_ns(1000);
    clocks.mutable_trace_packet_defaults()->set_timestamp_clock_id(64);
    clocks.mutable_trace_packet_defaults()->mutable_track_event_defaults()->set_track_uuid(11);
    sla::perfetto::TracePacket track;
    track.mutable_track_descriptor()->set_uuid(11);
    track.mutable_track_descriptor()->mutable_thread()->set_pid(70);
    track.mutable_track_descriptor()->mutable_thread()->set_tid(77);
    track.mutable_track_descriptor()->mutable_thread()->set_thread_name("main");
    sla::perfetto::TracePacket other;
    other.set_timestamp(1);
    std::string bytes = packed(clocks) + packed(track) + packed(other);
    const auto event = [&](std::uint64_t later, sla::perfetto::TrackEvent::Type type, const char* name) {
        sla::perfetto::TracePacket packet;
        packet.set_timestamp(later);
        packet.mutable_track_event()->set_type(type);
        packet.mutable_track_event()->set_name(name);
        bytes += packed(packet);
    };
    event(0, sla::perfetto::TrackEvent::TYPE_SLICE_BEGIN, "frame");
    event(5, sla::perfetto::TrackEvent::TYPE_SLICE_BEGIN, "physics");
    event(3, sla::perfetto::TrackEvent::TYPE_SLICE_END, "");
    event(2, sla::perfetto::TrackEvent::TYPE_SLICE_END, "");
    take_in_bytes(bytes, session_);
    EXPECT_EQ(reported(session_, "main"), "begin 'frame' @1000\nbegin 'physics' @6000\nend @9000\nend @11000\n");
    EXPECT_EQ(session_.thread(ThreadId{(*session_.lane_named("main"))[0].thread})->tid, 77u);
    EXPECT_TRUE(has_note("1 packets hold no track events"));
    for (const std::size_t cut : {bytes.size() - 1, bytes.size() - 5}) {
        EXPECT_FALSE(import_bytes(bytes.substr(0, cut), ImportFormat::kPerfetto).ok()) << "cut off";
    }
}

// Of others, and such as ours that makes no sense: the events are taken all the same.
TEST_F(Foreign, PerfettoWithMetadataThatSaysNothingOfACapture) {
    using Words = std::vector<std::pair<const char*, const char*>>;
    const auto trace = [](const Words& words) {
        sla::perfetto::TracePacket facts;
        for (const auto& [name, text] : words) {
            auto& one = *facts.mutable_chrome_events()->add_metadata();
            one.set_name(name);
            one.set_string_value(text);
        }
        sla::perfetto::TracePacket event;
        event.set_timestamp(1'000);
        event.mutable_track_event()->set_type(sla::perfetto::TrackEvent::TYPE_INSTANT);
        event.mutable_track_event()->set_name("x");
        return packed(facts) + packed(event);
    };
    const Words of_others = {{"os-name", "Linux"}, {"sla.capture", "2"}, {"sla.stamp_errors", "40,-"}};
    take_in_bytes(trace(of_others), session_);
    EXPECT_TRUE(has_note("1 packets hold no track events"));
    EXPECT_EQ(session_.stamp_ticks(), 0u);
    for (const char* ticks : {"", "nan", "-1", "0", "1e300", "fast"}) {
        store::Session session;
        take_in_bytes(trace({{"sla.capture", "1"},
                             {"sla.ticks_per_second", ticks},
                             {"sla.clock_error_ppb", "inf"},
                             {"sla.stamp_errors", "40,-"},
                             {"sla.sources", "pc:1:7:5:trace"}}),
                      session);
        ASSERT_EQ(session.lanes().size(), 1u) << ticks;
        EXPECT_EQ(session.lanes().front()->size(), 1u);
        EXPECT_EQ(session.stamp_ticks(), 0u) << ticks;
    }
    store::Session least;
    take_in_bytes(trace({{"sla.capture", "1"},
                         {"sla.ticks_per_second", "1e12"},
                         {"sla.clock_error_ppb", "-5"},
                         {"sla.stamp_errors", "1,1000000000,apart"}}),
                  least);
    EXPECT_EQ(least.stamp_ticks(), 1u) << "it is more than none";
    EXPECT_LT(least.clock().slope_error_ppb(), 1e-3);
}

TEST_F(Foreign, PerfScript) {
    take_in_bytes(
        "# captured on: today\n"
        "my daemon  1234 [001]  5678.000001:                      sched:sched_switch: prev_comm=bash prev_pid=1\n"
        "     true  77/78        5678.000002:     250000 cycles:u:  7f0a main+0x10 (/usr/bin/true)\n"
        "     true  78 [000] d... 5678.000003:     250000 cycles:u: \n"
        "\t            7f0b leaf+0x1 (/usr/bin/true)\n"
        "\t            7f01 start+0x5 (/usr/lib/libc.so)\n"
        "\n"
        "     true  78 [000] 5678.000004:          1 page-faults: \n"
        "     true  78 [000] 5678.000005: PERF_RECORD_LOST lost 12\n"
        "nothing of the kind\n",
        session_);
    EXPECT_EQ(reported(session_, "sched:sched_switch"), "text 'prev_comm=bash prev_pid=1' @0\n");
    EXPECT_EQ(reported(session_, "cycles:u"),
              "text '7f0a main+0x10 (/usr/bin/true)' @1000\ntext 'leaf+0x1 (/usr/bin/true)' @2000\n");
    EXPECT_EQ(reported(session_, "page-faults"), "tick 1 @3000\n");
    EXPECT_EQ(reported(session_, "lost"), "gap 12 'overrun' @4000\n");
    ASSERT_NE(session_.lane_named("sched:sched_switch"), nullptr);
    const store::Thread* thread = session_.thread(ThreadId{(*session_.lane_named("sched:sched_switch"))[0].thread});
    EXPECT_EQ(thread->name, "my daemon");
    EXPECT_EQ(thread->tid, 1234u);
    EXPECT_EQ(session_.thread(ThreadId{(*session_.lane_named("cycles:u"))[0].thread})->tid, 78u);
    EXPECT_TRUE(has_note("is no event and left out"));
}

TEST_F(Foreign, FormatsAreRecognizedByTheirContent) {
    const std::pair<std::string, ImportFormat> known[] = {
        {"$timescale 1ns $end", ImportFormat::kVcd},
        {"  \n{\"traceEvents\":[]}", ImportFormat::kChrome},
        {"[{\"ph\":\"X\"}]", ImportFormat::kChrome},
        {"[{\"ph\":\"X\",\"args\":{\"channel\":1,\"tick\":2}}]", ImportFormat::kChrome},
        {"[\n{\"index\":0,\"tick\":5,\"channel\":\"a\"},\n", ImportFormat::kJson},
        {"{\"time\":0.5,\"channel\":\"a\"}\n", ImportFormat::kJson},
        {std::string("PK\x03\x04", 4), ImportFormat::kSr},
        {"index,tick,time_ns,source\n", ImportFormat::kCsv},
        {"index\ttick\ttime_ns\n", ImportFormat::kCsv},
        {"0.5,a,1\n", ImportFormat::kCsv},
        {"cpus=4\n", ImportFormat::kTraceCmd},
        {"   bash-12   [003]  1.000000: x: y\n", ImportFormat::kTraceCmd},
        {"   bash  12 [003]  1.000000: x:y: z\n", ImportFormat::kPerfScript},
    };
    for (const auto& [head, format] : known) {
        const auto found = detect_content(head);
        ASSERT_TRUE(found.ok()) << head << ": " << found.error().message;
        EXPECT_EQ(*found, format) << head;
    }
    for (const char* head : {"", "\n\n", "hello world", "\x89SLA", "\xc1\x1f\xfc\xc1",
                             "\x7f"
                             "ELF"})
        EXPECT_FALSE(detect_content(head).ok()) << head;
}

TEST_F(Foreign, AnyJsonWithAnObjectALineIsATable) {
    take_in_bytes(
        "{\"time_us\": 1, \"channel\": \"a\", \"value\": 1.5}\n\n"
        "{\"channel\": \"a\", \"time_us\": 2.000001, \"value\": null, \"text\": \"caf\\u00e9\"}\n"
        "{\"channel\": \"on\", \"time_us\": 3, \"value\": true, \"kind\": \"level\"}\n",
        session_);
    EXPECT_EQ(reported(session_, "a"), "value 1.5 @1000\ntext 'caf\xc3\xa9' @2000\n");
    EXPECT_EQ((*session_.lane_named("a"))[1].tick - (*session_.lane_named("a"))[0].tick, 1'000'001u) << "picoseconds";
    EXPECT_EQ((*session_.lane_named("on"))[0].value, 1u);
}

TEST_F(Foreign, JsonThatIsNoTableIsRefusedWithItsLine) {
    const std::pair<const char*, const char*> wrong[] = {
        {"{\"tick\":1,\"channel\":\"a\"}\n{\"tick\":2,\"channel\":", "line 2: the object that begins here has no end"},
        {"{\"tick\":1,\"channel\":\"a\"}\n{\"tick\":2,\"channel\"}",
         "line 2: it is no JSON object; a table as JSON is an object an event"},
        {"{\"tick\":1,\"channel\":\"a\"}\n{\"tick\":2,\"channel\":[1]}",
         "line 2: it is no object of names with numbers and texts"},
        {"{\"tick\":1,\"channel\":\"a\"}\n{\"tick\":{\"x\":1}}", "line 2: it is no object of names"},
        {"{\"tick\":1,\"channel\":\"a\"}\n7", "line 2: it is no object of names"},
        {"{\"tick\":1,\"channel\":\"a\"}\n{\"tick\":-2,\"channel\":\"a\"}", "line 2: '-2' is not a tick"},
        {"{\"tick\":1,\"channel\":\"a\"}\n{\"tick\":3}", "line 2: it names no channel"}};
    for (const auto& [bytes, what] : wrong) {
        auto sink = CaptureSink::create(file("x.sla"), "test");
        std::istringstream in{bytes};
        Notes notes;
        const Result<void> taken = import_json(in, *sink, notes);
        ASSERT_FALSE(taken.ok()) << bytes;
        EXPECT_NE(taken.error().message.find(what), std::string::npos) << taken.error().message;
    }
}

// As json.dump, jq -c, jq and many others write lists.
TEST_F(Foreign, JsonIsReadHoweverItsObjectsAreLaidOut) {
    const std::string one = R"({"time_us":1,"channel":"rx","value":5})";
    const std::string other = R"({"time_us":2,"channel":"rx","text":"} \\\" ] {, [","unknown":null})";
    const std::string spread = "{\n  \"time_us\": 1,\n  \"channel\": \"rx\",\n  \"value\": 5\n}";
    for (const std::string& bytes :
         {one + "\n" + other + "\n", "[" + one + "," + other + "]", "[\n" + one + ",\n" + other + "\n]",
          "[\n" + spread + ",\n" + other + "]\n", one + other}) {
        store::Session session;
        take_in_bytes(bytes, session);
        EXPECT_EQ(reported(session, "rx"), "value 5 @1000\ntext '} \\\" ] {, [' @2000\n") << bytes;
    }
    std::string many = "[";  // more than one line may have
    for (int i = 1; i <= 40'000; ++i)
        many += (i > 1 ? ", " : "") + ("{\"time_us\": " + std::to_string(i)) + ", \"channel\": \"rx\"}";
    store::Session session;
    take_in_bytes(many + "]", session);
    EXPECT_EQ(session.events(), 40'000u);
}

TEST_F(Foreign, AnImportEndsWithItsLastEvent) {
    take_in_bytes("time,channel,value\n1,a,1\n2,a,2\n3,a,3\n", session_);
    const store::Lane& lane = *session_.lane_named("a");
    EXPECT_EQ(session_.watermark(), lane.tick(2));
    EXPECT_EQ(session_.last_tick(), lane.tick(2));
}

TEST_F(Foreign, CsvWithBlanksBehindItsCommas) {
    take_in_bytes("time, channel, value\n1, a, 5\n2, b, \"two words\"\n", session_);
    EXPECT_EQ(reported(session_, "a"), "value 5 @1e+09\n");
    EXPECT_EQ(reported(session_, "b"), "text 'two words' @2e+09\n");
}

TEST_F(Foreign, CsvTextsMayStandAsValues) {
    take_in_bytes("time,channel,kind,value\n5,a,text,7\n6,a,value,7\n", session_);
    EXPECT_EQ(reported(session_, "a"), "text '7' @5e+09\nvalue 7 @6e+09\n");
}

TEST_F(Foreign, CsvFieldsBehindTheColumnsAreCounted) {
    take_in_bytes("time,channel,value\n0.001,a,1,5\n0.002,a,2,\n0.003,a,3\n", session_);
    EXPECT_EQ(reported(session_, "a"), "value 1 @1e+06\nvalue 2 @2e+06\nvalue 3 @3e+06\n");
    EXPECT_TRUE(has_note("1 row has more fields"));
}

}  // namespace
}  // namespace sla::formats
