#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/cli/recording_file.h"
#include "tests/unit/viewer/cli/run_sla.h"
#include "viewer/ingest/file_source.h"

#include <functional>

namespace sla::cli {
namespace {

class MergeCompare : public WithDirectory {
protected:
    [[nodiscard]] Outcome merge(const std::vector<std::string>& names) const {
        std::vector<std::string> words = {"merge", "-o", file("c.sla")};
        for (const std::string& name : names) words.push_back(file(name));
        return run_sla(words);
    }
    void expect_merged(const std::function<void(store::Session&)>& look) const {
        store::Session merged;
        ASSERT_TRUE(ingest::load_file(file("c.sla"), merged).ok());
        EXPECT_EQ(merged.damage_count(), 0U);
        look(merged);
        EXPECT_EQ(run_sla({"verify", file("c.sla")}).code, kDone);
    }
};

TEST_F(MergeCompare, CapturesOfOneMachineKeepTheirTicksAndGetNewNumbers) {
    Recording(file("a.sla"), {}).channel(1, "rx").rows(1, 0, 100, 1'100'000'000, 1000);
    Machine later;
    later.capture_id = 2;
    later.start_tick = 1'050'000'000;
    Recording(file("b.sla"), later).channel(1, "tx").rows(1, 0, 100, 1'100'000'500, 1000);
    const Outcome outcome = merge({"b.sla", "a.sla"});
    ASSERT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_NE(outcome.errors.find("b.sla': stamped by the same counter as"), std::string::npos) << outcome.errors;
    expect_merged([](store::Session& merged) {
        EXPECT_EQ(merged.origin().start_tick, 1'000'000'000U);
        ASSERT_EQ(merged.lanes().size(), 2U);
        EXPECT_EQ(merged.lane_named("rx")->tick(0), 1'100'000'000U);
        EXPECT_EQ(merged.lane_named("tx")->tick(99), 1'100'099'500U);
        EXPECT_EQ(merged.sources().size(), 2U);
        EXPECT_EQ(merged.source_of(*merged.lane_named("tx"))->name, "program (b.sla)") << "the first has the plain name";
        EXPECT_EQ(merged.threads().size(), 2U);
    });
}

TEST_F(MergeCompare, CapturesOfTwoMachinesAreAlignedByTheirWallClocksAndItIsSaid) {
    Recording(file("a.sla"), {}).channel(1, "rx").rows(1, 0, 10, 1'100'000'000, 1000);
    Machine other;
    other.host = "there";
    other.capture_id = 2;
    other.hz = 2e9;
    other.start_tick = 50'000'000'000;
    // Its tick 50e9 (25 s after its boot) is half a second after the other's start.
    other.boot_realtime_ns = 1'700'000'000'000'000'000 + 1'500'000'000 - 25'000'000'000;
    Recording(file("b.sla"), other).channel(1, "tx").rows(1, 0, 10, 50'000'002'000, 2000);
    const Outcome outcome = merge({"a.sla", "b.sla"});
    ASSERT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_NE(outcome.errors.find("another machine or boot"), std::string::npos) << outcome.errors;
    EXPECT_NE(outcome.errors.find("aligned by CLOCK_REALTIME: ± "), std::string::npos) << outcome.errors;
    expect_merged([](store::Session& merged) {
        EXPECT_NEAR(static_cast<double>(merged.lane_named("tx")->tick(0)), 1'500'001'000.0, 200.0);
        EXPECT_NEAR(static_cast<double>(merged.lane_named("tx")->tick(9)), 1'500'010'000.0, 200.0);
        EXPECT_EQ(merged.snapshots().size(), 3U) << "the other counter's readings would not fit";
    });
}

// A second host of 2 GHz whose tick 50e9 is half a second after the first's start.
Machine other_machine() {
    Machine other;
    other.host = "there";
    other.capture_id = 2;
    other.hz = 2e9;
    other.start_tick = 50'000'000'000;
    other.boot_realtime_ns = 1'700'000'000'000'000'000 + 1'500'000'000 - 25'000'000'000;
    return other;
}

std::int64_t error_ns(const store::Session& session, const std::string& from, const std::string& to) {
    const store::Lane& a = *session.lane_named(from);
    const store::Lane& b = *session.lane_named(to);
    return session.error_between(a, a.tick(0), b, b.tick(a.channel().id == b.channel().id ? 1 : 0),
                                 time::Stamps::kTwoThreads) /
           1000;
}

TEST_F(MergeCompare, TwoSynchronisedHostsAreBoundedByWhatTheirKernelsSay) {
    Machine here;
    here.max_error_ns = 2'000'000;
    Machine there = other_machine();
    there.max_error_ns = 3'000'000;
    Recording(file("a.sla"), here).channel(1, "rx").rows(1, 0, 10, 1'100'000'000, 1000);
    Recording(file("b.sla"), there).channel(1, "tx").rows(1, 0, 10, 50'000'002'000, 2000);
    const Outcome outcome = merge({"a.sla", "b.sla"});
    ASSERT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_EQ(outcome.errors.find("however well"), std::string::npos) << outcome.errors;
    expect_merged([](store::Session& merged) {
        ASSERT_EQ(merged.hosts().size(), 1U);
        EXPECT_EQ(merged.hosts().begin()->second.name, "there");
        EXPECT_TRUE(merged.hosts().begin()->second.errors.is_bounded);
        EXPECT_EQ(merged.host_of(*merged.lane_named("rx")), nullptr);
        EXPECT_EQ(merged.host_of(*merged.lane_named("tx")), &merged.hosts().begin()->second);
        EXPECT_GT(error_ns(merged, "rx", "tx"), 5'000'000) << "both kernels' bounds";
        EXPECT_LT(error_ns(merged, "rx", "tx"), 12'000'000);
        EXPECT_LT(error_ns(merged, "rx", "rx"), 1'000) << "of one host its own clock is as good as ever";
        EXPECT_LT(error_ns(merged, "tx", "tx"), 1'000);
    });
    const Outcome table = run_sla({"table", file("c.sla"), "--format", "csv"});
    EXPECT_EQ(table.code, kDone);
    const std::size_t row = table.out.find(",tx,");
    ASSERT_NE(row, std::string::npos) << table.out;
    const std::string line = table.out.substr(row, table.out.find('\n', row) - row);
    EXPECT_GT(std::stod(line.substr(line.rfind(',') + 1)), 5e6) << line;
    const Outcome channels = run_sla({"channels", file("c.sla")});
    EXPECT_NE(channels.errors.find("'there' was placed by both wall clocks, within"), std::string::npos) << channels.errors;
}

TEST_F(MergeCompare, AnUnsynchronisedHostIsNamed) {
    Machine here;
    here.max_error_ns = 2'000'000;
    Machine there = other_machine();
    there.max_error_ns = 16'000'000'000;
    there.is_synchronised = false;
    Recording(file("a.sla"), here).channel(1, "rx").rows(1, 0, 10, 1'100'000'000, 1000);
    Recording(file("b.sla"), there).channel(1, "tx").rows(1, 0, 10, 50'000'002'000, 2000);
    const Outcome outcome = merge({"a.sla", "b.sla"});
    ASSERT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_NE(outcome.errors.find("however well the two wall clocks agree; of 'there' the wall clock is not synchronised"),
              std::string::npos)
        << outcome.errors;
    const Outcome channels = run_sla({"channels", file("c.sla")});
    EXPECT_NE(channels.errors.find("'there': the wall clock is not synchronised"), std::string::npos) << channels.errors;
    expect_merged([](store::Session& merged) { EXPECT_FALSE(merged.hosts().begin()->second.errors.is_bounded); });
}

TEST_F(MergeCompare, PingsBetweenTheAgentsAreTheTighterBound) {
    Machine there = other_machine();
    there.boot_realtime_ns += 40'000'000;  // its wall clock is wrong, and nothing bounds it
    Recording(file("a.sla"), {}).channel(1, "rx").rows(1, 0, 10, 1'100'000'000, 1000);
    Recording(file("b.sla"), there)
        .channel(1, "tx")
        .ping("here", 50'000'000'000, 1'500'000'000, 60'000)
        .ping("elsewhere", 50'000'000'000, 77, 10)
        .ping("here", 54'000'000'000, 3'500'000'000, 80'000)
        .rows(1, 0, 10, 50'000'002'000, 2000);
    const Outcome outcome = merge({"a.sla", "b.sla"});
    ASSERT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_NE(outcome.errors.find("aligned by pings between the agents: ± "), std::string::npos) << outcome.errors;
    expect_merged([](store::Session& merged) {
        EXPECT_NEAR(static_cast<double>(merged.lane_named("tx")->tick(0)), 1'500'001'000.0, 10.0);
        EXPECT_GE(error_ns(merged, "rx", "tx"), 60'000);
        EXPECT_LT(error_ns(merged, "rx", "tx"), 250'000) << "a jump that nobody saw might lie between the two pings";
    });
}

TEST_F(MergeCompare, FilesOfOneRecordingBecomeOneAgain) {
    Recording(file("r-1.sla"), {}).channel(7, "rx").rows(7, 0, 100, 1'100'000'000, 1000);
    Recording(file("r-2.sla"), {}).channel(7, "rx").rows(7, 100, 50, 1'100'100'000, 1000);
    ASSERT_EQ(merge({"r-2.sla", "r-1.sla"}).code, kDone);
    expect_merged([](store::Session& merged) {
        ASSERT_EQ(merged.lanes().size(), 1U);
        const store::Lane& lane = *merged.lanes()[0];
        ASSERT_EQ(lane.size(), 150U);
        for (std::uint64_t i = 0; i < 150; ++i) ASSERT_EQ(lane[i].value, i);
        EXPECT_EQ(merged.sources().begin()->second.name, "program");
    });
}

// A slow channel's batch is closed long after it began, so that a later file begins before an earlier one ends, or begins.
TEST_F(MergeCompare, FilesOfARotatedRecordingKeepEveryRowWhateverTheirTimesAre) {
    Recording(file("r-1.sla"), {}).channel(7, "rx").channel(8, "slow").rows(7, 0, 100, 1'100'000'000, 1000);
    Recording(file("r-2.sla"), {}).channel(7, "rx").channel(8, "slow").rows(7, 100, 100, 1'100'100'000, 1000);
    Recording(file("r-3.sla"), {})
        .channel(7, "rx")
        .channel(8, "slow")
        .rows(8, 0, 20, 1'099'999'000, 15'000)
        .rows(7, 200, 100, 1'100'200'000, 1000);
    for (const std::vector<std::string>& order :
         {std::vector<std::string>{"r-1.sla", "r-2.sla", "r-3.sla"}, {"r-3.sla", "r-1.sla", "r-2.sla"}}) {
        const Outcome outcome = merge(order);
        ASSERT_EQ(outcome.code, kDone);
        EXPECT_NE(outcome.errors.find("are files of one recording: one again"), std::string::npos) << outcome.errors;
        EXPECT_EQ(outcome.errors.find("same counter"), std::string::npos) << outcome.errors;
        expect_merged([](store::Session& merged) {
            EXPECT_EQ(merged.lost(), 0u);
            ASSERT_EQ(merged.lanes().size(), 2U);
            const store::Lane& lane = *merged.lane_named("rx");
            ASSERT_EQ(lane.size(), 300U);
            for (std::uint64_t i = 0; i < 300; ++i) ASSERT_EQ(lane[i].value, i);
            EXPECT_EQ(merged.lane_named("slow")->size(), 20u);
        });
        std::filesystem::remove(file("c.sla"));
    }
}

TEST_F(MergeCompare, MergeWritesOverNoneOfTheFilesOfARotatedCapture) {
    Recording(file("run-0001.sla"), {}).channel(1, "rx").rows(1, 0, 100, 1'100'000'000, 1000);
    Recording(file("b.sla"), {}).channel(1, "rx").rows(1, 100, 100, 1'200'000'000, 1000);
    const std::string before = content(file("run-0001.sla"));
    const Outcome outcome = run_sla({"merge", file("run.sla"), file("b.sla"), "-o", file("run-0001.sla")});
    EXPECT_EQ(outcome.code, kWrongUse);
    EXPECT_NE(outcome.errors.find("is one of the captures to merge"), std::string::npos) << outcome.errors;
    EXPECT_TRUE(content(file("run-0001.sla")) == before);
}

TEST_F(MergeCompare, MergeRefusesWhatItCannotDoAndLeavesNothing) {
    Recording(file("a.sla"), {}).channel(1, "rx").rows(1, 0, 10, 1'100'000'000, 1000);
    EXPECT_EQ(merge({"a.sla", "missing.sla"}).code, kOutsideFailed);
    EXPECT_EQ(merge({"a.sla"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"merge", file("a.sla"), file("a.sla"), "-o", file("a.sla")}).code, kWrongUse);
    EXPECT_FALSE(std::filesystem::exists(file("c.sla")));
}

TEST_F(MergeCompare, CompareSetsFiguresSideBySide) {
    Recording(file("a.sla"), {})
        .channel(1, "rx")
        .channel(2, "tx")
        .rows(1, 0, 10, 1'100'000'000, 1000)
        .rows(2, 0, 10, 1'100'000'200, 1000);
    Recording(file("b.sla"), {})
        .channel(1, "tx")
        .channel(2, "rx")
        .rows(2, 0, 10, 1'100'000'000, 1500)
        .rows(1, 0, 10, 1'100'000'300, 1500);
    const Outcome outcome = run_sla({"compare", file("a.sla"), file("b.sla"), "--pair", "rx:tx", "--format", "csv"});
    ASSERT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')), "channel,pair,figure,a,b,difference,ratio,source");
    EXPECT_NE(outcome.out.find("\nrx,rx:tx,count,10,10,0"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("\nrx,rx:tx,p50_ns,200.000,300.000,100.000,1.5"), std::string::npos) << outcome.out;
    const Outcome channels = run_sla({"compare", file("a.sla"), file("b.sla"), "--channel", "r*", "--format", "csv"});
    EXPECT_NE(channels.out.find("\nrx,,max_ns,1000.000,1500.000,500.000,1.5"), std::string::npos) << channels.out;
    EXPECT_EQ(channels.out.find("\ntx,"), std::string::npos);
    EXPECT_EQ(run_sla({"compare", file("a.sla"), file("b.sla"), "--channel", "usb"}).code, kNo);
    EXPECT_EQ(run_sla({"compare", file("a.sla")}).code, kWrongUse);
    EXPECT_EQ(run_sla({"compare", file("a.sla"), file("missing.sla")}).code, kOutsideFailed);
}

TEST_F(MergeCompare, ChannelsOfOneNameAreComparedEach) {
    support::CaptureBuilder capture(0);
    const auto one = capture.channel("rx");
    const auto other = capture.channel("rx", capture.source("other", support::BuilderSource::kProgram, 9));
    for (std::uint64_t i = 0; i < 5; ++i) capture.tick(one, 1000 + i * 10);
    for (std::uint64_t i = 0; i < 3; ++i) capture.tick(other, 1000 + i * 20);
    capture.write(file("a.sla"));
    const Outcome outcome = run_sla({"compare", file("a.sla"), file("a.sla"), "--format", "csv"});
    EXPECT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_NE(outcome.out.find("\nrx,,count,4,4,0,1,program\n"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("\nrx,,count,2,2,0,1,other\n"), std::string::npos) << outcome.out;
    run_sla({"compare", file("a.sla"), file("a.sla"), "--limit", "gap rx max < +10%", "--junit", file("s.xml")});
    std::ifstream junit(file("s.xml"));
    const std::string xml((std::istreambuf_iterator<char>(junit)), {});
    EXPECT_NE(xml.find("name=\"rx of program\""), std::string::npos) << xml;
    EXPECT_NE(xml.find("name=\"rx of other\""), std::string::npos) << xml;
}

// Programs that were started in another order; and one that has another name by now.
TEST_F(MergeCompare, ChannelsOfOneNameAreComparedByTheirPrograms) {
    const auto write = [&](const std::string& name, std::vector<std::pair<std::string, std::uint64_t>> programs) {
        support::CaptureBuilder capture(0);
        for (const auto& [program, events] : programs) {
            const auto rx = capture.channel("rx", capture.source(program, support::BuilderSource::kProgram, 9));
            for (std::uint64_t i = 0; i < events; ++i) capture.tick(rx, 1000 + i * 10);
        }
        capture.write(file(name));
    };
    write("a.sla", {{"web", 3}, {"db", 7}});
    write("b.sla", {{"db", 7}, {"web", 3}});
    const Outcome outcome = run_sla({"compare", file("a.sla"), file("b.sla"), "--format", "csv"});
    EXPECT_NE(outcome.out.find("\nrx,,count,2,2,0,1,web\n"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("\nrx,,count,6,6,0,1,db\n"), std::string::npos) << outcome.out;
    EXPECT_EQ(run_sla({"compare", file("a.sla"), file("b.sla"), "--limit", "count rx == +0"}).code, kDone);
    write("c.sla", {{"web-2", 3}, {"db-2", 7}});
    EXPECT_EQ(run_sla({"compare", file("a.sla"), file("c.sla"), "--limit", "count rx == +0"}).code, kDone);
    write("d.sla", {{"db", 7}, {"cache", 3}});
    const Outcome other = run_sla({"compare", file("a.sla"), file("d.sla"), "--limit", "count rx == +0", "--format", "csv"});
    EXPECT_EQ(other.code, kNo);
    EXPECT_EQ(std::count(other.out.begin(), other.out.end(), '\n'), 4) << other.out;
}

TEST_F(MergeCompare, CompareHoldsACaptureAgainstAGoldenOne) {
    Recording(file("a.sla"), {}).channel(1, "rx").rows(1, 0, 10, 1'100'000'000, 1'000'000);
    Recording(file("b.sla"), {}).channel(1, "rx").rows(1, 0, 10, 1'100'000'000, 1'500'000);
    const auto compare = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words = {"compare", file("a.sla"), file("b.sla")};
        words.insert(words.end(), more.begin(), more.end());
        return run_sla(words);
    };
    const Outcome kept = compare({"--limit", "gap rx p99 < +60%", "--limit", "lost <= +0"});
    EXPECT_EQ(kept.code, kDone) << kept.out << kept.errors;
    EXPECT_NE(kept.out.find("pass         gap rx p99 < +60%: rx 1.5 ms ± "), std::string::npos) << kept.out;
    EXPECT_NE(kept.out.find(", was 1 ms ± "), std::string::npos) << kept.out;
    const Outcome broken = compare({"--limit", "gap rx p99 < +10%", "--format", "csv", "--junit", file("j.xml")});
    EXPECT_EQ(broken.code, kNo) << broken.errors;
    EXPECT_EQ(broken.out.substr(0, broken.out.find('\n')),
              "limit,channel,verdict,a,a_error,b,b_error,unit,difference,ratio,at_tick,at_ns,why,source");
    EXPECT_NE(broken.out.find("\ngap rx p99 < +10%,rx,fail,1000000.000,"), std::string::npos) << broken.out;
    EXPECT_NE(broken.out.find(",ns,500000.000,1.5,"), std::string::npos) << broken.out;
    std::ifstream junit(file("j.xml"));
    const std::string xml((std::istreambuf_iterator<char>(junit)), {});
    EXPECT_NE(xml.find("failures=\"1\""), std::string::npos) << xml;
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"--limit", "gap rx < +10%"},
                                               {"--limit", "gap rx p99 < 10us"},
                                               {"--junit", file("k.xml")},
                                               {"--limit", "gap rx p99 < +1%", "--pair", "rx:rx"},
                                               {"--limit", "gap rx p99 < +1%", "--channel", "rx"},
                                               {"--limit", "gap rx p99 < +1%", "--format", "pdf"}}) {
        EXPECT_EQ(compare(wrong).code, kWrongUse) << wrong[1];
    }
    EXPECT_EQ(compare({"--limit", "gap usb p99 < +1%"}).code, kNo);
    EXPECT_FALSE(std::filesystem::exists(file("k.xml")));
}

TEST_F(MergeCompare, FiguresStandInUnitsForPeople) {
    const auto write = [&](const std::string& name, std::uint64_t width) {
        support::CaptureBuilder capture(0, 1e9);
        capture.span(capture.channel("work"), 1000, 1000 + width);
        capture.write(file(name));
    };
    write("before.sla", 1000);
    write("after.sla", 1500);
    const Outcome people = run_sla({"compare", file("before.sla"), file("after.sla"), "--format", "text"});
    EXPECT_EQ(people.code, kDone);
    EXPECT_NE(people.out.find("work     span width      p50     1 µs  1.5 µs     +500 ns  +50.0 %"), std::string::npos)
        << people.out;
    const Outcome raw = run_sla({"compare", file("before.sla"), file("after.sla"), "--raw"});
    EXPECT_NE(raw.out.find("stddev_ns"), std::string::npos) << raw.out;
}

// Three workers of one program: the first one that is slower does not hide behind the others.
TEST_F(MergeCompare, CompareJudgesEachOfSeveralChannelsOfOneName) {
    const auto write = [&](const std::string& name, std::uint64_t first_width) {
        support::CaptureBuilder capture;
        for (std::uint32_t worker = 0; worker < 3; ++worker) {
            const auto work =
                capture.channel("work", capture.source("worker", support::BuilderSource::kProgram, 70 + worker));
            const std::uint64_t width = worker == 0 ? first_width : 1000;
            for (std::uint64_t i = 0; i < 10; ++i)
                capture.span(work, 1000 + worker + i * 100'000, 1000 + worker + i * 100'000 + width);
        }
        capture.write(file(name));
    };
    write("before.sla", 1000);
    write("after.sla", 10'000);
    const Outcome slower = run_sla(
        {"compare", file("before.sla"), file("after.sla"), "--limit", "width work p50 < +50%", "--junit", file("w.xml")});
    EXPECT_EQ(slower.code, kNo) << slower.out;
    EXPECT_NE(slower.out.find("fail         width work p50 < +50%: work of worker/70 "), std::string::npos) << slower.out;
    EXPECT_NE(slower.out.find("pass         width work p50 < +50%: work of worker/71 "), std::string::npos) << slower.out;
    const Outcome checked =
        run_sla({"check", file("after.sla"), "--limit", "width work < 5us", "--format", "csv", "--junit", file("v.xml")});
    EXPECT_EQ(checked.code, kNo);
    EXPECT_NE(checked.out.find(",worker/70\n"), std::string::npos) << checked.out;
    std::ifstream junit(file("v.xml"));
    const std::string xml((std::istreambuf_iterator<char>(junit)), {});
    EXPECT_NE(xml.find("work of worker/70"), std::string::npos) << xml;
}

TEST_F(MergeCompare, CompareCountsTimesFromTheShotWhereBothHaveOne) {
    Recording(file("a.sla"), {}).channel(1, "rx").shot(1'100'005'000).rows(1, 0, 20, 1'100'000'000, 1000);
    Recording(file("b.sla"), {}).channel(1, "rx").shot(1'100'010'000).rows(1, 0, 20, 1'100'000'000, 1000);
    const Outcome outcome =
        run_sla({"compare", file("a.sla"), file("b.sla"), "--from", "0", "--to", "4us", "--format", "csv"});
    ASSERT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_NE(outcome.errors.find("both have a shot"), std::string::npos);
    EXPECT_NE(outcome.out.find("\nrx,,count,3,3,0"), std::string::npos) << outcome.out;
}

TEST_F(MergeCompare, CompareCountsTimesFromNoShotOfBeforeTheRecording) {
    Recording(file("a.sla"), {}).channel(1, "rx").shot(1'000'005'000).rows(1, 0, 20, 1'100'000'000, 1000);
    Recording(file("b.sla"), {})
        .channel(1, "rx")
        .shot(1'000'010'000)
        .shot(1'100'005'000)
        .rows(1, 0, 20, 1'100'000'000, 1000);
    const Outcome without = run_sla({"compare", file("a.sla"), file("b.sla"), "--format", "csv"});
    ASSERT_EQ(without.code, kDone) << without.errors;
    EXPECT_EQ(without.errors.find("both have a shot"), std::string::npos) << without.errors;
    const Outcome with = run_sla({"compare", file("b.sla"), file("b.sla"), "--from", "0", "--to", "4us", "--format", "csv"});
    EXPECT_NE(with.errors.find("both have a shot"), std::string::npos);
    EXPECT_NE(with.out.find("\nrx,,count,3,3,0"), std::string::npos) << with.out;
}

TEST_F(MergeCompare, AChannelThatNeitherHasDoesNotKeepTheOthersFromBeingJudged) {
    Recording(file("a.sla"), {}).channel(1, "a").rows(1, 0, 10, 1'000'000'000, 1000);
    Recording(file("b.sla"), {}).channel(1, "a").rows(1, 0, 10, 1'000'000'000, 1000);
    const Outcome outcome = run_sla({"compare", file("a.sla"), file("b.sla"), "--limit", "count a == +0", "--limit",
                                     "count typo == +0", "--junit", file("j.xml"), "--format", "csv"});
    EXPECT_EQ(outcome.code, kNo);
    EXPECT_NE(outcome.out.find(",pass,"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("typo,cannot tell,"), std::string::npos) << outcome.out;
    EXPECT_NE(content(file("j.xml")).find("typo"), std::string::npos);
}

// A later file of a rotated recording, or one of an agent that ran already: its rows do not begin with the session.
TEST_F(MergeCompare, RatesCountFromWhereTheFileBegins) {
    Recording(file("late.sla"), {}).channel(1, "a").rows(1, 500, 101, 101'000'000'000, 10'000'000);
    Recording(file("early.sla"), {}).channel(1, "a").rows(1, 0, 101, 101'000'000'000, 10'000'000);
    const auto verdict = [&](const std::string& name, const std::string& limit) {
        return run_sla({"check", file(name), "--limit", limit}).code;
    };
    EXPECT_EQ(verdict("late.sla", "rate a > 90/s"), kDone);
    EXPECT_EQ(verdict("late.sla", "rate a < 110/s"), kDone);
    EXPECT_EQ(verdict("early.sla", "rate a < 2/s"), kDone) << "100 s of silence belong to it";
    ASSERT_EQ(run_sla({"cut", file("early.sla"), "--from", "100500ms", "-o", file("cut.sla")}).code, kDone);
    EXPECT_EQ(verdict("cut.sla", "rate a > 90/s"), kDone);
    EXPECT_EQ(verdict("cut.sla", "rate a < 110/s"), kDone);
}

}  // namespace
}  // namespace sla::cli
