// Texts of events that are no texts: formats that have a place for them bring them back.
#include "tests/unit/viewer/formats/round_trip.h"
#include "viewer/formats/names.h"

#include <fstream>

namespace sla::formats {
namespace {

class EventTexts : public RoundTrip {};

// As rows of an imported table may, or a guest's.
TEST_F(EventTexts, TextsOfEventsThatAreNoTextsComeBack) {
    const std::string table =
        "time_ns,source,thread,channel,kind,value,text\n1,p,t/1,a,begin,1,hm\n2,p,t/1,a,end,,bye\n3,p,t/1,b,tick,5,out 43h\n"
        "4,p,t/1,c,value,5,five\n5,p,t/1,c,value,6,\n6,p,t/1,d,level,1,up\n7,p,t/1,e,text,,said\n8,p,t/1,e,tick,,\n";
    std::ofstream(file("rows.csv"), std::ios::binary) << table;
    store::Session session;
    take_in(file("rows.csv"), session);
    ASSERT_EQ(session.lane_named("b")->text(0), "out 43h");
    using enum ExportFormat;
    for (const auto format : {kCtf, kChrome, kParquet, kJsonl}) {
        store::Session back;
        there_and_back(session, format, back);
        EXPECT_EQ(csv_of(back), csv_of(session)) << static_cast<int>(format);
    }
    saved_and_back(session, [&](const store::Session& back) { EXPECT_EQ(csv_of(back), csv_of(session)); });
    store::Session by_perfetto;  // where levels are values
    there_and_back(session, kPerfetto, by_perfetto);
    for (const store::Lane* lane : session.lanes()) {
        const store::Lane& back = *by_perfetto.lane_named(lane->channel().name);
        ASSERT_EQ(back.size(), lane->size()) << lane->channel().name;
        for (std::uint64_t row = 0; row < lane->size(); ++row) {
            EXPECT_EQ(back.text(row), lane->text(row)) << lane->channel().name << " " << row;
            const bool is_level = (*lane)[row].kind() == wire::Kind::kLevel;
            EXPECT_EQ(back[row].kind(), is_level ? wire::Kind::kValue : (*lane)[row].kind()) << lane->channel().name;
        }
    }
}

// What the format makes of the details is not told as the event's own.
TEST_F(EventTexts, TextsBesideWhatAFormatMakesOfDetailsComeBack) {
    support::CaptureBuilder capture(0, 1e9, 20);
    const auto port = capture.channel("port", 1, "out {0:x}h");
    capture.detail(port, 1000, SLA_CODE_TICK_VALUE, 7, 0x80, 1);
    capture.text(port, 2000, "said");
    capture.text(port, 3000, "");
    store::Session session;
    capture.fill(session);
    const auto expect_same = [&](const store::Session& back) {
        EXPECT_EQ(csv_of(back), csv_of(session));
        EXPECT_EQ(own_text(*back.lane_named("port"), 0), "");
        EXPECT_EQ(own_text(*back.lane_named("port"), 1), "said");
    };
    store::Session by_ctf;
    there_and_back(session, ExportFormat::kCtf, by_ctf);
    expect_same(by_ctf);
    saved_and_back(session, expect_same);
}

// A thread of one name and number in each of two programs.
TEST_F(EventTexts, ThreadsOfOneNameComeBackFromCtf) {
    const std::string table =
        "time_ns,source,thread,channel,kind,value,text\n1,web,t1/11,a,tick,,\n2,db,t1/11,b,tick,,\n3,web,t1/11,a,tick,,\n";
    std::ofstream(file("threads.csv"), std::ios::binary) << table;
    store::Session session;
    take_in(file("threads.csv"), session);
    store::Session back;
    there_and_back(session, ExportFormat::kCtf, back);
    EXPECT_EQ(csv_of(back), csv_of(session));
    for (const auto& [id, thread] : back.threads()) EXPECT_EQ(thread.tid, 11u) << thread.name;
}

}  // namespace
}  // namespace sla::formats
