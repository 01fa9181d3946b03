// The table of what goes on, written piece by piece, is the table of the whole.
#include "viewer/formats/table/following_table.h"

#include "proto/wire/capture.pb.h"
#include "tests/support/capture_builder.h"
#include "viewer/formats/names.h"
#include "viewer/formats/table/table.h"
#include "viewer/ingest/frame_applier.h"

#include <gtest/gtest.h>

namespace sla::formats {
namespace {

analysis::Selection all_from(const store::Session& session, std::uint64_t from) {
    analysis::Selection selection;
    selection.lanes.assign(session.lanes().begin(), session.lanes().end());
    selection.from = from;
    return selection;
}

Result<void> write_final(FollowingTable& table, const analysis::FinalRows& rows) {
    return table.write(rows, all_from(rows.session, rows.from).lanes, std::nullopt);
}

std::string whole_table(const support::CaptureBuilder& capture, Format format) {
    store::Session session;
    capture.fill(session);
    std::string out;
    Output output = Output::to_string(out);
    EXPECT_TRUE(write_table(session, all_from(session, 0), format, output).ok());
    return out;
}

// Written after every frame.
std::string followed_table(const support::CaptureBuilder& capture, Format format, bool is_for_people = false) {
    store::Session session;
    ingest::FrameApplier applier(session);
    std::string out;
    Output output = Output::to_string(out);
    FollowingTable table(output, format, is_for_people);
    std::uint64_t from = 0;
    for (const std::string& frame : capture.frames(50)) {
        applier.apply(std::string_view(frame));
        if (!session.has_origin() || session.final_tick() < from) continue;
        EXPECT_TRUE(write_final(table, {session, from, session.ended() ? store::kNever : session.final_tick() + 1}).ok());
        from = session.ended() ? store::kNever : session.final_tick() + 1;
    }
    EXPECT_TRUE(table.finish().ok());
    EXPECT_EQ(table.rows(), session.events() + session.lanes()[0]->gaps().size());
    return out;
}

support::CaptureBuilder some_capture() {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 6, 400);
    return capture;
}

TEST(FollowingTableTest, HasTheSameRowsWhateverTheForm) {
    const support::CaptureBuilder capture = some_capture();
    for (const Format format : {Format::kCsv, Format::kTsv, Format::kJson, Format::kJsonl})
        EXPECT_EQ(followed_table(capture, format), whole_table(capture, format));
}

TEST(FollowingTableTest, ForPeopleAllTimesAreInOneUnit) {
    support::CaptureBuilder capture(0);
    const auto rx = capture.channel("net.rx");
    capture.tick(rx, 1'500);
    capture.tick(rx, 2'500'000'000);
    const std::string out = followed_table(capture, Format::kText, true);
    EXPECT_NE(out.find("time s"), std::string::npos) << out;
    EXPECT_NE(out.find("0.000001500"), std::string::npos) << out;
    EXPECT_NE(out.find("2.500000000"), std::string::npos) << out;
}

TEST(FollowingTableTest, AThreadAndATextThatComeLaterAreWritten) {
    support::CaptureBuilder before;
    const auto rx = before.channel("net.rx");
    before.tick(rx, 2000);
    before.leave_open(2500);
    support::CaptureBuilder after;
    after.channel("net.rx");
    const auto worker = after.thread("worker", 77);
    after.tick(rx, 2000);
    after.tick(rx, 3000, 5, worker);
    after.text(rx, 4000, "hello");
    std::string out;
    Output output = Output::to_string(out);
    FollowingTable table(output, Format::kCsv, false);
    const auto name_of = [](const store::Lane& lane) { return lane.channel().name; };
    store::Session session;
    before.fill(session);
    ASSERT_TRUE(write_final(table, {session, 0, 2001, name_of}).ok());
    store::Session later;
    after.fill(later);
    ASSERT_TRUE(write_final(table, {later, 2001, store::kNever, name_of}).ok()) << "another session, which goes on";
    ASSERT_TRUE(table.finish().ok());
    EXPECT_NE(out.find("\n1,3000,2000.000,program,worker/77,net.rx,tick,5,,,,\n"), std::string::npos) << out;
    EXPECT_NE(out.find("\n2,4000,3000.000,program,main/4242,net.rx,text,,hello,1000.000,1000.000,"), std::string::npos)
        << out;
}

TEST(FollowingTableTest, RowsThatWereGivenAreLeftOut) {
    support::CaptureBuilder capture;
    const auto known = capture.channel("known");
    const auto late = capture.channel("late");
    for (const std::uint64_t tick : {1100, 1200, 1300, 1400}) capture.tick(known, tick);
    for (const std::uint64_t tick : {1150, 1250}) capture.tick(late, tick);
    store::Session session;
    capture.fill(session);
    std::string out;
    Output output = Output::to_string(out);
    FollowingTable table(output, Format::kCsv, false);
    const auto given = [](const store::Lane& lane) { return std::uint64_t{lane.channel().name == "known" ? 3U : 0U}; };
    ASSERT_TRUE(write_final(table, {session, 1150, store::kNever, {}, given}).ok());
    ASSERT_TRUE(table.finish().ok());
    EXPECT_EQ(table.rows(), 3u) << out;
    EXPECT_NE(out.find("0,1150,"), std::string::npos) << out;
    EXPECT_NE(out.find("1,1250,"), std::string::npos) << out;
    EXPECT_NE(out.find("2,1400,"), std::string::npos) << out;
}

// A guest's own time that is behind the machine's clock: its rows come when those of the machine's time have been written.
TEST(FollowingTableTest, RowsOfASourceThatIsBehindTheMachinesClockAreWrittenLate) {
    support::CaptureBuilder capture(0);
    const auto guest = capture.source("guest", support::BuilderSource::kPc);
    const auto n = capture.channel("n");
    const auto m = capture.channel("m", guest);
    for (std::uint64_t i = 1; i <= 30; ++i) {
        capture.tick(n, i * 1000);
        capture.tick(m, i * 100);
    }
    capture.leave_open(100'000);
    std::vector<std::string> of_guest;
    store::Session session;
    ingest::FrameApplier applier(session);
    for (const std::string& bytes : capture.frames(300)) {
        wire::Frame frame;
        ASSERT_TRUE(frame.ParseFromString(bytes));
        if (frame.has_batch() && frame.batch().channel() == m) {
            of_guest.push_back(bytes);
        } else {
            applier.apply(std::string_view(bytes));
        }
    }
    ASSERT_GE(of_guest.size(), 2u);
    store::Source own = *session.source(SourceId{guest});
    own.clock_domain = 1;
    session.add_source(own);
    std::string out;
    Output output = Output::to_string(out);
    FollowingTable table(output, Format::kCsv, false);
    ASSERT_TRUE(write_final(table, {session, 0, 20'001}).ok());
    EXPECT_EQ(table.rows(), 20u);
    applier.apply(std::string_view(of_guest[0]));
    ASSERT_TRUE(write_final(table, {session, 20'001, 25'001}).ok());
    for (std::size_t i = 1; i < of_guest.size(); ++i) applier.apply(std::string_view(of_guest[i]));
    ASSERT_TRUE(write_final(table, {session, 25'001, 100'000}).ok());
    ASSERT_TRUE(table.finish().ok());
    EXPECT_EQ(table.rows(), 60u) << out;
    for (std::uint64_t i = 1; i <= 30; ++i) {
        for (const char* channel : {"n", "m"}) {
            const std::string row = "," + std::to_string(i * (*channel == 'n' ? 1000 : 100)) + ",";
            EXPECT_NE(out.find(row), std::string::npos) << row << " of " << channel;
        }
    }
}

TEST(FollowingTableTest, ATableOfNothingHasItsHead) {
    store::Session session;
    support::CaptureBuilder().fill(session);
    std::string out;
    Output output = Output::to_string(out);
    FollowingTable table(output, Format::kJson, false);
    ASSERT_TRUE(write_final(table, {session, 0, store::kNever}).ok());
    ASSERT_TRUE(table.finish().ok());
    EXPECT_EQ(out, whole_table(support::CaptureBuilder(), Format::kJson));
}

// Nobody knows whether another one of its name is still to come; what is said stays said.
TEST(FollowedNames, TheFirstProgramOfANameHasItAlone) {
    support::CaptureBuilder capture;
    const auto first = capture.channel("work", capture.source("worker", support::BuilderSource::kProgram, 70));
    const auto second = capture.channel("work", capture.source("worker", support::BuilderSource::kProgram, 71));
    const auto other = capture.channel("rest", capture.source("master", support::BuilderSource::kProgram, 72));
    for (const auto channel : {first, second, other}) capture.tick(channel, 1000);
    store::Session session;
    capture.fill(session);
    FollowedSourceTexts names;
    const auto name_of = [&](std::uint32_t channel) { return names.of(session, *session.lane(ChannelId{channel})); };
    EXPECT_EQ(name_of(second), "worker");
    EXPECT_EQ(name_of(first), "worker/70");
    EXPECT_EQ(name_of(other), "master");
    EXPECT_EQ(name_of(second), "worker");
}

}  // namespace
}  // namespace sla::formats
