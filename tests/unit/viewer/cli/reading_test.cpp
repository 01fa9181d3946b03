#include "proto/wire/capture.pb.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/support/capture_builder.h"
#include "tests/support/fake_agent.h"
#include "tests/unit/viewer/cli/run_sla.h"

#include <fstream>

namespace sla::cli {
namespace {

class Reading : public WithDirectory {
protected:
    Reading() {
        const auto rx = capture_.channel("net.rx");
        const auto tx = capture_.channel("net.tx");
        for (std::uint64_t i = 0; i < 10; ++i) {
            capture_.tick(rx, 1000 + i * 1000, static_cast<std::int64_t>(i));
            capture_.tick(tx, 1300 + i * 1000);
        }
        capture_.gap(tx, 20'000, 5);
        capture_.write(file("c.sla"));
    }
    support::CaptureBuilder capture_{0};
};

TEST_F(Reading, WhatIsFoundStandsInUnitsForPeople) {
    const Outcome people = run_sla({"find", file("c.sla"), "net.rx > 7", "--format", "text"});
    EXPECT_EQ(people.code, kDone);
    EXPECT_EQ(people.out.find("hit  time  "), 0u) << people.out;
    EXPECT_NE(people.out.find("1 µs ± "), std::string::npos) << people.out;
    EXPECT_EQ(people.out.find("tick"), std::string::npos) << people.out;
    const Outcome raw = run_sla({"find", file("c.sla"), "net.rx > 7", "--raw"});
    EXPECT_NE(raw.out.find("delta_hit_ns"), std::string::npos) << raw.out;
}

// It may be among what is missing: "nowhere" would be an answer. Up to --to all is there.
TEST_F(Reading, OfACaptureThatWasCutOffWhatIsFoundSaysThatNobodyKnowsTheRest) {
    support::CaptureBuilder capture(0);
    support::add_mixed(capture, 6, 120'000);
    capture.write(file("whole.sla"));
    std::filesystem::copy_file(file("whole.sla"), file("cut.sla"));
    std::filesystem::resize_file(file("cut.sla"), std::filesystem::file_size(file("cut.sla")) * 2 / 3);
    for (const std::string text : {"net.load > 1e18", "channel == net.load and value > 1e18"}) {
        EXPECT_EQ(run_sla({"find", file("whole.sla"), text}).code, kNo);
        const Outcome cut = run_sla({"find", file("cut.sla"), text, "--format", "csv"});
        EXPECT_EQ(cut.code, kDone) << cut.errors;
        EXPECT_NE(cut.out.find(",cannot tell,what is missing"), std::string::npos) << cut.out;
        EXPECT_EQ(run_sla({"find", file("cut.sla"), text, "--to", "2us"}).code, kNo);
    }
}

// Its row is before the range, where nothing is looked for; what it lost may be in it.
TEST_F(Reading, WhatIsFoundSaysThatALossReachesIntoTheRange) {
    support::CaptureBuilder capture(0);
    const auto rx = capture.channel("net.rx");
    capture.tick(rx, 1'000, 1);
    capture.gap(rx, 2'000, 3, wire::LossCause::kOverrun, 50'000);
    capture.tick(rx, 60'000, 2);
    capture.write(file("lossy.sla"));
    for (const std::string text : {"net.rx > 7", "channel == net.rx and value > 7"}) {
        const Outcome inside = run_sla({"find", file("lossy.sla"), text, "--from", "30us", "--format", "csv"});
        EXPECT_EQ(inside.code, kDone) << text << inside.errors;
        EXPECT_NE(inside.out.find("\n0,30000,30000"), std::string::npos) << text << inside.out;
        EXPECT_NE(inside.out.find(",cannot tell,"), std::string::npos) << text << inside.out;
        EXPECT_EQ(run_sla({"find", file("lossy.sla"), text, "--from", "50us"}).code, kNo) << text << "it is over there";
    }
    const std::string said = run_sla({"stats", file("lossy.sla"), "--from", "30us"}).errors;
    EXPECT_NE(said.find("losses that began before --from last into the range, of 3 events"), std::string::npos) << said;
    EXPECT_EQ(run_sla({"stats", file("lossy.sla"), "--from", "50us"}).errors.find("losses"), std::string::npos);
}

TEST_F(Reading, OfAnotherToolsFileItSaysHowItBecomesACapture) {
    std::ofstream(file("t.csv")) << "time,channel,value\n1ms,a,1\n";
    const Outcome foreign = run_sla({"stats", file("t.csv")});
    EXPECT_EQ(foreign.code, kOutsideFailed);
    EXPECT_NE(foreign.errors.find("is not a capture"), std::string::npos) << foreign.errors;
    EXPECT_NE(
        foreign.errors.find("it looks like csv, of which `sla import '" + file("t.csv") + "' -o '" + file("t.sla") + "'`"),
        std::string::npos)
        << foreign.errors;
    for (const std::vector<std::string>& command : {std::vector<std::string>{"verify", file("t.csv")},
                                                    {"cut", file("t.csv"), "-o", file("part.sla")},
                                                    {"merge", file("c.sla"), file("t.csv"), "-o", file("both.sla")}}) {
        const Outcome refused = run_sla(command);
        EXPECT_NE(refused.code, kDone) << command[0];
        EXPECT_NE(refused.errors.find("`sla import '" + file("t.csv") + "' -o"), std::string::npos) << refused.errors;
    }
    std::ofstream(file("noise")) << std::string(5000, '\7');
    const Outcome noise = run_sla({"stats", file("noise")});
    EXPECT_EQ(noise.code, kOutsideFailed);
    EXPECT_EQ(noise.errors.find("sla import"), std::string::npos) << noise.errors;
}

TEST_F(Reading, ATableGoesToStandardOutputAsCsv) {
    const Outcome outcome = run_sla({"table", file("c.sla")});
    EXPECT_EQ(outcome.code, kDone);
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 22);
    EXPECT_EQ(outcome.out.substr(0, 6), "index,");
    EXPECT_EQ(outcome.errors, "");
}

TEST_F(Reading, QuietLeavesRemarksOutButNoWarningAndVerboseReportsWhatWasRead) {
    const std::vector<std::string> empty = {"table", file("c.sla"), "--from", "5s"};
    EXPECT_NE(run_sla(empty).errors, "");
    const Outcome quiet = run_sla({"-q", "table", file("c.sla"), "--from", "5s"});
    EXPECT_EQ(quiet.code, kDone);
    EXPECT_EQ(quiet.errors, "");
    const Outcome verbose = run_sla({"channels", "-v", file("c.sla")});
    EXPECT_NE(verbose.errors.find("c.sla': 20 events on 2 channels in "), std::string::npos) << verbose.errors;
    EXPECT_EQ(run_sla({"channels", file("c.sla")}).errors, "") << "-v was of the command before";
    std::filesystem::resize_file(file("c.sla"), std::filesystem::file_size(file("c.sla")) - 30);
    EXPECT_NE(run_sla({"channels", "-q", file("c.sla")}).errors.find("damage: "), std::string::npos);
}

TEST_F(Reading, AFileGetsTheFormOfItsEnding) {
    EXPECT_EQ(run_sla({"table", file("c.sla"), "-o", file("t.json")}).code, kDone);
    EXPECT_EQ(content(file("t.json")).substr(0, 2), "[\n");
    EXPECT_EQ(run_sla({"table", file("c.sla"), "-o", file("t.tsv")}).code, kDone);
    EXPECT_EQ(content(file("t.tsv")).substr(0, 6), "index\t");
}

TEST_F(Reading, AnEndingThatMeansAnotherFormatIsRefused) {
    for (const char* name : {"t.yaml", "t.png", "t.xlsx", "t.sla"}) {
        const Outcome outcome = run_sla({"table", file("c.sla"), "-o", file(name)});
        EXPECT_EQ(outcome.code, kWrongUse) << name;
        EXPECT_NE(outcome.errors.find("--format"), std::string::npos) << outcome.errors;
        EXPECT_FALSE(std::filesystem::exists(file(name)));
    }
    for (const char* name : {"t", "tmp.XkQ2b8sPq0", "run.12", ".hidden"}) {
        EXPECT_EQ(run_sla({"table", file("c.sla"), "-o", file(name)}).code, kDone) << name << " promises nothing";
        EXPECT_EQ(content(file(name)).substr(0, 6), "index,");
    }
    EXPECT_EQ(run_sla({"table", file("c.sla"), "-o", file("t.yaml"), "--format", "json"}).code, kDone) << "it was said";
    EXPECT_EQ(run_sla({"report", file("c.sla"), "-o", file("r.pdf")}).code, kWrongUse);
    EXPECT_EQ(run_sla({"draw", file("c.sla"), "-o", file("r.jpg")}).code, kWrongUse);
    EXPECT_EQ(run_sla({"cut", file("c.sla"), "-o", file("part.csv")}).code, kWrongUse);
    EXPECT_EQ(run_sla({"cut", file("c.sla"), "-o", file("part.old")}).code, kDone);
}

TEST_F(Reading, ChannelsAndTimesSelect) {
    const Outcome some = run_sla({"table", file("c.sla"), "--channel", "*.rx", "--from", "3us", "--to", "5us"});
    EXPECT_EQ(some.code, kDone);
    EXPECT_EQ(std::count(some.out.begin(), some.out.end(), '\n'), 3);
    EXPECT_NE(some.out.find("0,3000,3000.000,"), std::string::npos);
}

TEST_F(Reading, WhatIsNotThereIsCodeOne) {
    const Outcome none = run_sla({"table", file("c.sla"), "--channel", "usb.*"});
    EXPECT_EQ(none.code, kNo);
    EXPECT_NE(none.errors.find("net.rx"), std::string::npos);
    EXPECT_NE(run_sla({"stats", file("c.sla"), "--pair", "net.rx:net.tc"}).errors.find("'net.tc' (did you mean 'net.tx'?)"),
              std::string::npos);
    EXPECT_EQ(run_sla({"table", file("c.sla"), "--from", "1s"}).code, kDone) << "a table without rows is a table";
    EXPECT_EQ(run_sla({"stats", file("c.sla"), "--pair", "a:b"}).code, kNo);
}

TEST_F(Reading, ChannelsShowKindsRatesAndLosses) {
    const Outcome outcome = run_sla({"channels", file("c.sla"), "--format", "csv"});
    EXPECT_EQ(outcome.code, kDone);
    EXPECT_EQ(outcome.out,
              "channel,source,kinds,events,lost,rate_hz,first_ns,last_ns,losses,not_kept\n"
              "net.rx,program,tick,10,0,1000000,1000.000,10000.000,,0\n"
              "net.tx,program,tick,10,5,1000000,1300.000,10300.000,5 overrun,0\n");
}

// What an agent had given up before it was asked is no time in which the channel was looked at.
TEST_F(Reading, ARateCountsFromWhereEventsAreKept) {
    support::CaptureBuilder capture(0);
    const auto channel = capture.channel("late");
    const auto gone = capture.channel("gone");
    capture.gap(channel, 1000, 500, wire::LossCause::kNotKept, 1'000'000);
    for (std::uint64_t i = 0; i <= 10; ++i) capture.tick(channel, 1'000'000 + i * 100);
    capture.gap(gone, 1000, 500, wire::LossCause::kNotKept, 1'000'000);
    capture.write(file("n.sla"));
    const Outcome listed = run_sla({"channels", file("n.sla"), "--format", "csv"});
    EXPECT_NE(listed.out.find("\nlate,program,tick,11,0,10000000,1000000.000,1001000.000,,500\n"), std::string::npos)
        << listed.out;
    EXPECT_NE(listed.out.find("\ngone,program,,0,0,,,,,500\n"), std::string::npos) << listed.out;
}

// One agent was killed, another came: nobody counted what was marked in between.
TEST_F(Reading, ALossThatNobodyCountedIsNamedAndIsNoFirstEvent) {
    support::CaptureBuilder capture(0);
    const auto channel = capture.channel("slow");
    capture.gap(channel, 1000, 0, wire::LossCause::kNoAgent, 1'000'000);
    for (std::uint64_t i = 0; i <= 10; ++i) capture.tick(channel, 1'000'000 + i * 100);
    capture.write(file("u.sla"));
    const Outcome listed = run_sla({"channels", file("u.sla"), "--format", "csv"});
    EXPECT_NE(listed.out.find("\nslow,program,tick,11,0,10000000,1000000.000,1001000.000,an unknown number no agent,0\n"),
              std::string::npos)
        << listed.out;
    EXPECT_EQ(run_sla({"sql", file("u.sla"), "SELECT first_ns, first_tick FROM channels", "--format", "csv"}).out,
              "first_ns,first_tick\n1000000.0,1000000\n");
}

TEST_F(Reading, StatisticsOfChannelsAndPairs) {
    const Outcome both = run_sla({"stats", file("c.sla"), "--pair", "net.rx:net.tx", "--format", "csv"});
    EXPECT_EQ(both.code, kDone);
    const Outcome file_last = run_sla({"stats", "--format", "csv", "--pair", "net.rx:net.tx", file("c.sla")});
    EXPECT_EQ(file_last.out, both.out) << "a repeatable option takes one word, not the capture behind it";
    EXPECT_NE(both.out.find("\nnet.rx,net.rx:net.tx,10,0,300.000,300.000,"), std::string::npos);
    const Outcome channels = run_sla({"stats", file("c.sla"), "--format", "csv"});
    EXPECT_NE(channels.out.find("\nnet.rx,,9,0,1000.000,"), std::string::npos);
    EXPECT_NE(channels.out.find("\nnet.tx,,9,5,1000.000,"), std::string::npos);
}

TEST_F(Reading, StatisticsOfTheValues) {
    const Outcome csv = run_sla({"stats", "--values", file("c.sla"), "--format", "csv"});
    EXPECT_EQ(csv.code, kDone);
    EXPECT_EQ(csv.out,
              "channel,count,lost,min,p50,mean,p90,p99,p999,max,stddev,not_numbers,source\n"
              "net.rx,10,0,0,4,4.5,8,9,9,9,2.8722813232690143,0,program\n");
    const Outcome json = run_sla({"stats", "--values", file("c.sla"), "--to", "4us", "--format", "jsonl"});
    EXPECT_EQ(json.code, kDone);
    EXPECT_NE(json.out.find("\"count\":3,\"lost\":0,\"min\":0,\"p50\":1,\"mean\":1"), std::string::npos) << json.out;
    const Outcome none = run_sla({"stats", "--values", file("c.sla"), "--channel", "net.tx"});
    EXPECT_EQ(none.code, kNo);
    EXPECT_NE(none.errors.find("carries a number"), std::string::npos) << none.errors;
    EXPECT_EQ(run_sla({"stats", "--values", file("c.sla"), "--pair", "net.rx:net.tx"}).code, kWrongUse);
    support::FakeAgent agent({capture_.stream()});
    EXPECT_EQ(run_sla({"stats", "--values", agent.address()}).out, csv.out);
}

TEST_F(Reading, AnAgentIsReadLikeAFile) {
    support::FakeAgent agent({capture_.stream(), capture_.stream()});
    EXPECT_EQ(run_sla({"table", agent.address()}).out, run_sla({"table", file("c.sla")}).out);
    EXPECT_EQ(run_sla({"stats", agent.address()}).out, run_sla({"stats", file("c.sla")}).out);
}

TEST_F(Reading, FindNamesTheChannelThatIsNotThereAndTheNearest) {
    const Outcome slip = run_sla({"find", file("c.sla"), "net.rz > 5"});
    EXPECT_EQ(slip.code, kNo);
    EXPECT_EQ(slip.errors, "sla: no channel is called 'net.rz' (did you mean 'net.rx'?); there are: net.rx, net.tx\n");
    EXPECT_EQ(run_sla({"find", file("c.sla"), "net.rx > 5 then usb.* > 1"}).code, kNo);
    const Outcome there = run_sla({"find", file("c.sla"), "net.rx > 99"});
    EXPECT_EQ(there.code, kNo);
    EXPECT_NE(there.errors.find("nowhere in"), std::string::npos) << there.errors;
    EXPECT_EQ(run_sla({"find", file("c.sla"), "net.* > 5"}).code, kDone);
}

TEST_F(Reading, FindSaysThatATriggerFileStoppedItByGoingInCircles) {
    std::ofstream(file("c.trg")) << "level A\n  if net.tx trigger\n  else if net.rx start t, goto B\n"
                                    "level B\n  if timer t > 5ns trigger, goto B\n";
    const Outcome outcome = run_sla({"find", file("c.sla"), "--trigger-file", file("c.trg"), "--format", "json"});
    EXPECT_EQ(outcome.code, kWrongUse);
    EXPECT_NE(outcome.errors.find("go in circles"), std::string::npos) << outcome.errors;
    EXPECT_EQ(outcome.errors.find("nowhere"), std::string::npos) << outcome.errors;
    EXPECT_NE(outcome.out.find("]"), std::string::npos) << "what it found stands there whole";
}

TEST_F(Reading, FindAsksAnAgentWhenNoCaptureIsNamed) {
    support::FakeAgent agent({capture_.stream()});
    const Outcome outcome = run_sla({"find", "net.rx > 5", "--address", agent.address(), "--format", "csv"});
    EXPECT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 5) << outcome.out;
    EXPECT_EQ(run_sla({"find", file("c.sla"), "net.rx > 5", "--address", "unix:x"}).code, kWrongUse);
}

TEST_F(Reading, EveryReadingCommandTakesTheAgentByItsOption) {
    support::FakeAgent agent({capture_.stream()});
    EXPECT_EQ(run_sla({"channels", "--address", agent.address()}).code, kDone);
    EXPECT_EQ(run_sla({"channels", file("c.sla"), "--address", "unix:x"}).code, kWrongUse) << "one of both";
}

TEST_F(Reading, OfARangeAnAgentIsAskedForNoMore) {
    support::CaptureBuilder capture(1'000'000);
    const auto rx = capture.channel("net.rx");
    for (std::uint64_t i = 0; i < 100; ++i) capture.tick(rx, 1'000'000 + i * 1'000'000'000);
    wire::Frame status;
    status.mutable_status()->set_tick(100'000'000'000);
    const std::string stream = capture.stream();
    support::CaptureBuilder open = capture;
    open.leave_open(1);
    support::FakeAgent agent({open.stream() + wire::encode_frame(status), stream});
    const Outcome outcome = run_sla({"table", agent.address(), "--from", "40s", "--until", "42s", "--format", "csv"});
    EXPECT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 3) << outcome.out;
    wire::FrameDecoder decoder;
    decoder.feed(agent.requests().at(1));
    const auto frame = decoder.next();
    wire::Request request;
    ASSERT_TRUE(frame.ok() && frame->has_value());
    ASSERT_TRUE(request.ParseFromArray((*frame)->data(), static_cast<int>((*frame)->size())));
    EXPECT_NEAR(static_cast<double>(request.subscribe().from_tick()), 40.001e9, 0.011e9);
    EXPECT_NEAR(static_cast<double>(request.subscribe().until_tick()), 42.001e9, 0.011e9);
}

TEST_F(Reading, DamageIsSaidAndTheRestIsGiven) {
    support::CaptureBuilder large(0);
    support::add_mixed(large, 6, 30000);
    large.write(file("cut.sla"));
    std::filesystem::resize_file(file("cut.sla"), std::filesystem::file_size(file("cut.sla")) * 2 / 3);
    const Outcome outcome = run_sla({"table", file("cut.sla")});
    EXPECT_EQ(outcome.code, kDone);
    EXPECT_NE(outcome.errors.find("damage"), std::string::npos);
}

}  // namespace
}  // namespace sla::cli
