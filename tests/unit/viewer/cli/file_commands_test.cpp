#include "proto/capture/capture_index.h"
#include "proto/capture/file_format.h"
#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/cli/run_sla.h"
#include "viewer/ingest/file_source.h"
#include "viewer/timeline/readable.h"

#include <algorithm>
#include <random>
#include <sstream>

namespace sla::cli {
namespace {

class FileCommands : public WithDirectory {
protected:
    // A thousand ticks, a span from 100 µs to 900 µs with a short one inside every 20 µs, a level that rises at 250 µs, a
    // text.
    void write_scene(const std::string& name) const {
        support::CaptureBuilder capture(0);
        const auto rx = capture.channel("net.rx");
        const auto spans = capture.channel("job");
        const auto ready = capture.channel("ready");
        const auto state = capture.channel("state");
        for (std::uint64_t i = 0; i < 1000; ++i) capture.tick(rx, i * 1000, static_cast<std::int64_t>(i));
        capture.begin(spans, 100'000);
        for (std::uint64_t i = 0; i < 30; ++i) capture.span(spans, 200'000 + i * 20'000, 205'000 + i * 20'000);
        capture.end(spans, 900'000);
        capture.level(ready, 50'000, false);
        capture.level(ready, 250'000, true);
        capture.text(state, 10'000, "idle");
        capture.text(state, 240'000, "busy");
        capture.write(file(name));
    }
    void change(const std::string& name, std::uint64_t at) const {
        std::string bytes = content(file(name));
        bytes[at] ^= 1;
        std::filesystem::remove(file(name));
        std::ofstream(file(name), std::ios::binary) << bytes;
    }
    static std::vector<std::string> lines(const std::string& text) {
        std::vector<std::string> out;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);) out.push_back(line);
        return out;
    }
};

TEST_F(FileCommands, NoCommandWritesOverWhatItReads) {
    write_scene("a.sla");
    const std::string before = content(file("a.sla"));
    using Words = std::vector<std::string>;
    for (const Words& words :
         {Words{"table"}, Words{"stats"}, Words{"channels"}, Words{"export", "--format", "csv"}, Words{"report"},
          Words{"verify"}, Words{"check", "--limit", "lost == 0"}, Words{"find", "net.rx > 5"}}) {
        Words all = words;
        all.insert(all.begin() + 1, file("a.sla"));
        all.insert(all.end(), {"-o", file("a.sla")});
        const Outcome outcome = run_sla(all);
        EXPECT_EQ(outcome.code, kWrongUse) << words[0] << ": " << outcome.errors;
        EXPECT_TRUE(content(file("a.sla")) == before) << words[0];
    }
    EXPECT_EQ(run_sla({"import", file("a.sla"), "--from", "csv", "-o", file("a.sla")}).code, kWrongUse);
    EXPECT_TRUE(content(file("a.sla")) == before);
}

TEST_F(FileCommands, APartOfACutOffCaptureSaysSo) {
    write_scene("a.sla");
    std::filesystem::resize_file(file("a.sla"), std::filesystem::file_size(file("a.sla")) / 2);
    const Outcome cut = run_sla({"cut", file("a.sla"), "-o", file("part.sla")});
    EXPECT_NE(cut.errors.find("damage: "), std::string::npos) << cut.errors;
    const auto expect_remembered = [&](const std::string& name) {
        const Outcome read = run_sla({"channels", file(name)});
        EXPECT_NE(read.errors.find("damage: "), std::string::npos) << name << ": " << read.errors;
        const Outcome check = run_sla({"check", file(name), "--limit", "lost == 0"});
        EXPECT_EQ(check.code, kNo) << name;
        EXPECT_NE(check.out.find("cannot tell"), std::string::npos) << name << ": " << check.out;
    };
    expect_remembered("part.sla");
    write_scene("b.sla");
    const Outcome merged = run_sla({"merge", file("a.sla"), file("b.sla"), "-o", file("both.sla")});
    EXPECT_EQ(merged.code, kDone);
    EXPECT_NE(merged.errors.find("was not finished"), std::string::npos) << merged.errors;
    expect_remembered("both.sla");
}

TEST_F(FileCommands, VerifySaysWholeOfWhatIsWhole) {
    write_scene("a.sla");
    const Outcome outcome = run_sla({"verify", file("a.sla")});
    EXPECT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_NE(outcome.errors.find("whole: 1066 events on 4 channels"), std::string::npos) << outcome.errors;
    EXPECT_EQ(outcome.out, "");
}

TEST_F(FileCommands, VerifyNamesPlaceChunkChannelsAndTimesOfDamage) {
    write_scene("a.sla");
    const auto index = capture::CaptureIndex::open(file("a.sla"));
    ASSERT_TRUE(index.ok());
    change("a.sla", index->chunks()[0].offset + capture::kChunkHeaderBytes + 40);
    const Outcome outcome = run_sla({"verify", file("a.sla"), "--format", "csv"});
    EXPECT_EQ(outcome.code, kNo);
    EXPECT_NE(outcome.errors.find("damaged in 1 place, 1066 rows are known to be gone"), std::string::npos)
        << outcome.errors;
    EXPECT_NE(outcome.out.find("net.rx,1000,0.000,999000.000,yes,the checksum of a chunk is wrong"), std::string::npos)
        << outcome.out;
    EXPECT_NE(outcome.out.find("ready,2,50000.000,250000.000,yes,"), std::string::npos) << outcome.out;
}

TEST_F(FileCommands, VerifySaysWhenNoEventIsGoneAndWhenAFileWasNotFinished) {
    write_scene("a.sla");
    const auto index = capture::CaptureIndex::open(file("a.sla"));
    const auto& place = index->chunks()[0];
    change("a.sla", place.offset + capture::kChunkHeaderBytes + place.stored_bytes + 50);
    const Outcome summary = run_sla({"verify", file("a.sla"), "--format", "csv"});
    EXPECT_EQ(summary.code, kNo);
    EXPECT_NE(summary.errors.find("no event is gone"), std::string::npos) << summary.errors;
    write_scene("b.sla");
    std::filesystem::resize_file(file("b.sla"), std::filesystem::file_size(file("b.sla")) - 10);
    const Outcome cut = run_sla({"verify", file("b.sla")});
    EXPECT_EQ(cut.code, kNo);
    EXPECT_NE(cut.errors.find("not finished"), std::string::npos) << cut.errors;
    EXPECT_NE(cut.errors.find("1066 events on 4 channels"), std::string::npos) << cut.errors;
}

TEST_F(FileCommands, VerifyOfSomethingElseIsRefused) {
    std::ofstream(file("x.sla")) << "index,tick,time_ns\n";
    EXPECT_EQ(run_sla({"verify", file("x.sla")}).code, kNo);
    EXPECT_EQ(run_sla({"verify", file("missing.sla")}).code, kOutsideFailed);
    EXPECT_EQ(run_sla({"verify"}).code, kWrongUse);
}

TEST_F(FileCommands, CutKeepsThePartItsTimesAndWhatHeldAtItsEdge) {
    write_scene("a.sla");
    const Outcome outcome = run_sla({"cut", file("a.sla"), "--from", "300us", "--to", "400us", "-o", file("part.sla")});
    ASSERT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_EQ(run_sla({"verify", file("part.sla")}).code, kDone);
    const std::string table = run_sla({"table", file("part.sla"), "--format", "csv"}).out;
    const std::string whole = run_sla({"table", file("a.sla"), "--format", "csv", "--from", "300us", "--to", "400us"}).out;
    EXPECT_EQ(lines(table).size(), lines(whole).size() + 3) << table;
    store::Session part;
    ASSERT_TRUE(ingest::load_file(file("part.sla"), part).ok());
    EXPECT_EQ(part.damage_count(), 0U);
    const store::Lane& rx = *part.lane_named("net.rx");
    ASSERT_EQ(rx.size(), 100U);
    EXPECT_EQ(rx[0].tick, 300'000U);
    const store::Lane& job = *part.lane_named("job");
    EXPECT_EQ(job.spans()[0].begin_tick, 100'000U) << "the span around the part, with its true begin";
    EXPECT_EQ(job.spans()[0].state, store::SpanState::kOpen);
    EXPECT_EQ(job.spans().size(), 6U);
    EXPECT_EQ(part.lane_named("ready")->level_at(300'000), store::Level::kHigh);
    EXPECT_EQ(part.lane_named("ready")->first_tick(), 250'000U);
    EXPECT_EQ(part.lane_named("state")->text(0), "busy");
    EXPECT_EQ(part.clock().ticks_per_second(), 1e9);
}

// What held at its begin stands before it in a part, and what came between was left out: no time between them is one.
TEST_F(FileCommands, APartCountsWhatTheWholeCountsFromThereOn) {
    support::CaptureBuilder capture(0);
    const auto span = capture.channel("span");
    const auto level = capture.channel("level");
    const auto value = capture.channel("value");
    const auto other = capture.thread("other", 2, 1);
    capture.begin(span, 1'000);
    for (std::uint64_t i = 0; i < 10; ++i) {
        capture.span(span, 2'000 + i * 1'000, 2'100 + i * 1'000, other);
        capture.level(level, 2'200 + i * 1'000, i % 2 == 0);
        capture.level(level, 2'300 + i * 1'000, i % 2 == 0);
        capture.value(value, 2'400 + i * 1'000, 7);
    }
    capture.end(span, 12'000);
    capture.write(file("whole.sla"));
    ASSERT_EQ(run_sla({"cut", file("whole.sla"), "--from", "6500ns", "-o", file("part.sla")}).code, kDone);
    const auto rows = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"--format", "csv", "--channel", "level", "--channel", "value"});
        return run_sla(words).out;
    };
    EXPECT_EQ(rows({"stats", file("part.sla")}), rows({"stats", file("whole.sla"), "--from", "6500ns"}));
    EXPECT_EQ(rows({"stats", file("part.sla"), "--exact"}), rows({"stats", file("whole.sla"), "--from", "6500ns"}));
    for (const char* limit : {"gap value < 1010ns", "gap span < 910ns", "width level < 1010ns", "count value == 5"}) {
        const Outcome judged = run_sla({"check", file("part.sla"), "--limit", limit});
        EXPECT_EQ(judged.code, kDone) << judged.out;
    }
    EXPECT_EQ(run_sla({"check", file("part.sla"), "--limit", "width span < 5us"}).code, kNo) << "one has all its time";
    for (const char* expression :
         {"gap value > 500ns", "gap level > 500ns", "delta value->level > 500ns", "value then level", "width span > 50ns",
          "width level > 500ns", "level rises", "value == 7", "span begins", "level falls and value == 7", "level == 0"}) {
        const auto found_in = [&](const char* name) {
            return run_sla({"find", file(name), expression, "--from", "7us", "--format", "csv"}).out;
        };
        EXPECT_EQ(found_in("part.sla"), found_in("whole.sla")) << expression;
        std::string found = run_sla({"find", file("part.sla"), expression, "--format", "csv"}).out;
        for (const std::string& line : lines(found)) EXPECT_EQ(line.find("cannot tell"), std::string::npos) << line;
        found = lines(found).size() < 2 ? "" : lines(found)[1];
        EXPECT_TRUE(found.empty() || std::stoul(found.substr(2)) >= 6500) << expression << ": " << found;
    }
    const std::string listed = run_sla({"channels", file("part.sla"), "--format", "csv"}).out;
    EXPECT_NE(listed.find("\nvalue,program,value,5,0,"), std::string::npos) << listed;
    EXPECT_NE(listed.find(",7400.000,11400.000,"), std::string::npos) << listed;
    EXPECT_NE(listed.find("\nlevel,program,level,10,0,"), std::string::npos) << listed;
    EXPECT_EQ(
        run_sla({"sql", file("part.sla"), "SELECT events FROM channels WHERE channel = 'value'", "--format", "csv"}).out,
        "events\n5\n");
    const std::string table = run_sla({"table", file("part.sla"), "--format", "csv"}).out;
    EXPECT_NE(table.find(",7000.000,program,other/2,span,begin,,,,,\n"), std::string::npos) << "no row before is near\n"
                                                                                            << table;
    EXPECT_NE(table.find(",7200.000,program,main/4242,level,level,0,,100.000,,"), std::string::npos) << table;
}

TEST_F(FileCommands, CutTakesChannelsAndRefusesWhatIsNotThere) {
    write_scene("a.sla");
    ASSERT_EQ(run_sla({"cut", file("a.sla"), "--channel", "re*", "-o", file("part.sla")}).code, kDone);
    const std::string channels = run_sla({"channels", file("part.sla"), "--format", "csv"}).out;
    EXPECT_EQ(lines(channels).size(), 2U) << channels;
    EXPECT_NE(channels.find("ready,"), std::string::npos);
    EXPECT_EQ(run_sla({"cut", file("a.sla"), "--channel", "usb", "-o", file("no.sla")}).code, kNo);
    EXPECT_EQ(run_sla({"cut", file("a.sla"), "--from", "5s", "-o", file("no.sla")}).code, kNo);
    EXPECT_EQ(run_sla({"cut", file("a.sla"), "-o", file("a.sla")}).code, kWrongUse);
    EXPECT_EQ(run_sla({"cut", file("missing.sla"), "-o", file("no.sla")}).code, kOutsideFailed);
    EXPECT_FALSE(std::filesystem::exists(file("no.sla")));
    EXPECT_EQ(run_sla({"cut", file("a.sla"), "-o", file("no/such/part.sla")}).code, kOutsideFailed);
}

TEST_F(FileCommands, CutOfAllIsTheSameEvents) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 12, 3000);
    capture.write(file("m.sla"));
    ASSERT_EQ(run_sla({"cut", file("m.sla"), "-o", file("all.sla")}).code, kDone);
    EXPECT_EQ(run_sla({"table", file("m.sla")}).out, run_sla({"table", file("all.sla")}).out);
}

TEST_F(FileCommands, CutGoesRoundDamageAndPutsAGapThere) {
    support::CaptureBuilder capture(0);
    const auto rx = capture.channel("rx");
    std::mt19937_64 random(5);
    for (std::uint64_t i = 0; i < 400'000; ++i)
        capture.tick(rx, i * 100 + random() % 90, static_cast<std::int64_t>(random()));
    capture.write(file("d.sla"));
    const auto index = capture::CaptureIndex::open(file("d.sla"));
    ASSERT_GE(index->chunks().size(), 4U);
    const std::uint64_t gone = index->lanes()[0].summaries[2].rows;
    change("d.sla", index->chunks()[2].offset + 100);
    const Outcome outcome = run_sla({"cut", file("d.sla"), "-o", file("rest.sla")});
    EXPECT_EQ(outcome.code, kDone);
    EXPECT_NE(outcome.errors.find("the checksum of a chunk is wrong"), std::string::npos) << outcome.errors;
    store::Session rest;
    ASSERT_TRUE(ingest::load_file(file("rest.sla"), rest).ok());
    EXPECT_EQ(rest.lost(), gone);
    EXPECT_EQ(rest.events() + gone, 400'000U);
    EXPECT_EQ(run_sla({"verify", file("rest.sla")}).code, kDone) << "the gap tells of it, the file itself is whole";
}

// Of a damaged chunk: its losses were of more events than one each, of causes of their own, and stand where they were.
TEST_F(FileCommands, WhatADamagedChunkHadToldOfLossesIsLostTooAndNoLossIsAnEvent) {
    support::CaptureBuilder capture(0);
    const auto rx = capture.channel("rx");
    std::mt19937_64 random(5);
    for (std::uint64_t i = 0; i < 400'000; ++i) {
        if (i % 10'000 == 5'000) {
            capture.gap(rx, i * 100, 412, wire::LossCause::kTorn, i * 100 + 50);
        } else {
            capture.tick(rx, i * 100 + random() % 90, static_cast<std::int64_t>(random()));
        }
    }
    capture.write(file("d.sla"));
    const auto index = capture::CaptureIndex::open(file("d.sla"));
    ASSERT_GE(index->chunks().size(), 4U);
    const capture::LaneSummary gone = index->lanes()[0].summaries[2];
    ASSERT_GT(gone.gap_rows, 0U);
    const std::string events = std::to_string(gone.rows - gone.gap_rows);
    const std::string expected = "\nrx,program,tick," + std::to_string(400'000 - 40 - gone.rows + gone.gap_rows) + "," +
                                 std::to_string(40 * 412 + gone.rows - gone.gap_rows) + ",";
    change("d.sla", index->chunks()[2].offset + 100);
    ASSERT_EQ(run_sla({"cut", file("d.sla"), "-o", file("rest.sla")}).code, kDone);
    for (const char* name : {"d.sla", "rest.sla"}) {
        const std::string listed = run_sla({"channels", file(name), "--format", "csv"}).out;
        EXPECT_NE(listed.find(expected), std::string::npos) << listed << expected;
        EXPECT_NE(listed.find("16480 torn, " + events + " damaged"), std::string::npos) << listed;
        const std::string rows = run_sla({"table", file(name), "--format", "csv"}).out;
        EXPECT_NE(rows.find(",rx,gap," + events + ",damaged until tick "), std::string::npos) << name;
        std::size_t torn = 0;
        for (std::size_t at = rows.find(",gap,412,torn"); at != std::string::npos; at = rows.find(",gap,412,torn", at + 1))
            ++torn;
        EXPECT_EQ(torn, 40U) << name;
    }
    EXPECT_EQ(run_sla({"table", file("d.sla"), "--format", "csv"}).out,
              run_sla({"table", file("rest.sla"), "--format", "csv"}).out);
}

// Nobody unpacks them for a list of channels; what of them cannot be read is known all the same.
TEST_F(FileCommands, ACaptureOfSomeHundredThousandEventsStaysOnTheDiskAndIsLookedAtWhole) {
    support::CaptureBuilder capture(0);
    const auto rx = capture.channel("rx");
    std::mt19937_64 random(5);
    for (std::uint64_t i = 0; i < 600'000; ++i)
        capture.tick(rx, i * 100 + random() % 90, static_cast<std::int64_t>(random()));
    capture.write(file("d.sla"));
    const Outcome exact = run_sla({"stats", file("d.sla"), "--format", "csv"});
    EXPECT_EQ(exact.code, kDone);
    EXPECT_NE(exact.out.find(",0,0,program\n"), std::string::npos) << "no quantile error: " << exact.out;
    const auto index = capture::CaptureIndex::open(file("d.sla"));
    const std::uint64_t gone = index->lanes()[0].summaries[2].rows;
    change("d.sla", index->chunks()[2].offset + 100);
    const std::string lost = std::to_string(gone);
    const Outcome listed = run_sla({"channels", file("d.sla"), "--format", "csv"});
    EXPECT_NE(listed.out.find("rx,program,tick," + std::to_string(600'000 - gone) + "," + lost + ","), std::string::npos)
        << listed.out;
    EXPECT_NE(listed.out.find("," + lost + " damaged,0\n"), std::string::npos) << listed.out;
    EXPECT_NE(listed.errors.find("'rx': " + lost + " events cannot be read: "), std::string::npos) << listed.errors;
    const Outcome asked = run_sla({"sql", file("d.sla"), "SELECT lost FROM channels"});
    EXPECT_NE(asked.out.find(lost), std::string::npos) << asked.out;
    const Outcome rows = run_sla({"table", file("d.sla"), "--format", "csv"});
    EXPECT_EQ(static_cast<std::uint64_t>(std::count(rows.out.begin(), rows.out.end(), '\n')), 600'000 - gone + 2);
    EXPECT_NE(rows.out.find(",rx,gap," + lost + ",damaged,"), std::string::npos) << "one loss, not each event's";
    ASSERT_EQ(run_sla({"export", file("d.sla"), "-o", file("d.parquet")}).code, kDone);
    ASSERT_EQ(run_sla({"import", file("d.parquet"), "-o", file("back.sla")}).code, kDone);
    const Outcome back =
        run_sla({"sql", file("back.sla"), "SELECT lost, cause, until_tick > tick FROM gaps", "--format", "csv"});
    EXPECT_NE(back.out.find("\n" + lost + ",damaged,1\n"), std::string::npos) << back.out;
    const Outcome counted = run_sla({"stats", file("d.sla"), "--format", "csv"});
    EXPECT_NE(counted.out.find("," + lost + ","), std::string::npos) << counted.out;
    EXPECT_EQ(run_sla({"check", file("d.sla"), "--limit", "lost == 0"}).code, kNo);
    ASSERT_EQ(run_sla({"report", file("d.sla"), "-o", file("r.html")}).code, kDone);
    const std::string page = content(file("r.html"));
    const std::string words = timeline::grouped(gone);
    EXPECT_NE(page.find("<p>" + timeline::grouped(600'000 - gone) + " events on 1 channel"), std::string::npos);
    EXPECT_NE(page.find("<b class=lost>" + words + " events were lost</b>"), std::string::npos);
    EXPECT_NE(page.find(">" + words + "<td>damaged"), std::string::npos);
}

TEST_F(FileCommands, WhatHeldBehindADamagedChunkIsNotKnown) {
    support::CaptureBuilder capture(0);
    const auto rx = capture.channel("rx");
    const auto ready = capture.channel("ready");
    const auto job = capture.channel("job");
    std::mt19937_64 random(5);
    capture.level(ready, 10, false);
    capture.begin(job, 10);
    for (std::uint64_t i = 0; i < 400'000; ++i)
        capture.tick(rx, i * 100 + random() % 90, static_cast<std::int64_t>(random()));
    capture.level(ready, 20'000'050, true);
    capture.end(job, 20'000'050);
    capture.write(file("d.sla"));
    const auto index = capture::CaptureIndex::open(file("d.sla"));
    ASSERT_TRUE(index.ok());
    const auto lane = std::find_if(index->lanes().begin(), index->lanes().end(),
                                   [&](const auto& one) { return one.channel.value == ready; });
    ASSERT_NE(lane, index->lanes().end());
    ASSERT_EQ(lane->summaries.size(), 2U);
    change("d.sla", index->chunks()[lane->chunk_numbers[1]].offset + capture::kChunkHeaderBytes + 40);
    ASSERT_EQ(run_sla({"cut", file("d.sla"), "--from", "38ms", "-o", file("rest.sla")}).code, kDone);
    store::Session rest;
    ASSERT_TRUE(ingest::load_file(file("rest.sla"), rest).ok());
    EXPECT_EQ(rest.lane_named("ready")->size(), 0U) << "not low: it has risen meanwhile";
    EXPECT_EQ(rest.lane_named("job")->size(), 0U) << "not open: it has ended meanwhile";
}

TEST_F(FileCommands, PartsOfOneCapturePutTogetherAreAllThere) {
    write_scene("a.sla");
    ASSERT_EQ(run_sla({"cut", file("a.sla"), "--to", "500us", "-o", file("one.sla")}).code, kDone);
    ASSERT_EQ(run_sla({"cut", file("a.sla"), "--from", "500us", "-o", file("two.sla")}).code, kDone);
    ASSERT_EQ(run_sla({"merge", file("one.sla"), file("two.sla"), "-o", file("both.sla")}).code, kDone);
    const auto count = [&](const std::string& name) {
        return lines(run_sla({"table", file(name), "--channel", "net.rx", "--format", "csv"}).out).size() - 1;
    };
    EXPECT_EQ(count("one.sla") + count("two.sla"), count("both.sla"));
    EXPECT_GE(count("both.sla"), count("a.sla"));
}

// A part of few channels that begins first, named behind one that has more.
TEST_F(FileCommands, PartsMayBeNamedInAnyOrder) {
    write_scene("a.sla");
    ASSERT_EQ(run_sla({"cut", file("a.sla"), "--channel", "net.rx", "-o", file("few.sla")}).code, kDone);
    ASSERT_EQ(run_sla({"cut", file("a.sla"), "--from", "500us", "-o", file("late.sla")}).code, kDone);
    for (const auto& [first, second] : {std::pair{"late.sla", "few.sla"}, std::pair{"few.sla", "late.sla"}}) {
        ASSERT_EQ(run_sla({"merge", file(first), file(second), "-o", file("both.sla")}).code, kDone);
        const Outcome verified = run_sla({"verify", file("both.sla")});
        EXPECT_EQ(verified.code, kDone) << verified.errors << verified.out;
        EXPECT_EQ(run_sla({"table", file("both.sla")}).errors, "");
    }
}

TEST_F(FileCommands, DamageAtTheEdgesIsRememberedToo) {
    support::CaptureBuilder capture(0);
    const auto rx = capture.channel("net.rx");
    for (std::uint64_t i = 0; i < 400'000; ++i)
        capture.tick(rx, i * 1000 + i * i % 700,
                     static_cast<std::int64_t>(i * i * 7919 % 2'147'483'647));  // nothing to pack
    capture.write(file("whole.sla"));
    capture.write(file("other.sla"));
    const auto index = capture::CaptureIndex::open(file("whole.sla"));
    ASSERT_TRUE(index.ok());
    ASSERT_GT(index->chunks().size(), 2u);
    for (const std::size_t chunk : {std::size_t{0}, index->chunks().size() - 1}) {
        std::filesystem::copy_file(file("whole.sla"), file("a.sla"), std::filesystem::copy_options::overwrite_existing);
        change("a.sla", index->chunks()[chunk].offset + capture::kChunkHeaderBytes + 40);
        const Outcome check = run_sla({"check", file("a.sla"), "--limit", "count net.rx < 500000"});
        EXPECT_EQ(check.code, kNo) << chunk;
        EXPECT_NE(check.out.find("cannot tell"), std::string::npos) << check.out;
        ASSERT_EQ(run_sla({"cut", file("a.sla"), "-o", file("part.sla")}).code, kDone);
        const Outcome part = run_sla({"check", file("part.sla"), "--limit", "lost == 0"});
        EXPECT_EQ(part.code, kNo) << chunk << part.out;
    }
}

}  // namespace
}  // namespace sla::cli
