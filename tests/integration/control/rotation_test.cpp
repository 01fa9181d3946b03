// Recordings that go on in file after file, disks that are full, and files that are removed while they are written.
#include "proto/capture/pieces/capture_series.h"
#include "tests/integration/control/control_fixture.h"

#include <sys/mount.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace sla {
namespace {

class Rotation : public ControlFixture {
protected:
    // Counter values of one file, which opens alone and was ended on purpose. A busy machine may lose events in the
    // program's ring: they are counted in lost_.
    void add_counters(const std::string& file, std::vector<std::uint64_t>& values) {
        auto session = load(file);
        EXPECT_TRUE(session->has_origin()) << file;
        EXPECT_TRUE(session->ended()) << file;
        EXPECT_EQ(session->damage_count(), 0u) << file;
        const store::Lane* lane = session->lane_named("ctl.counter");
        if (!lane) return;
        EXPECT_NE(session->source_of(*lane), nullptr) << file;
        EXPECT_EQ(lane->lost(), lane->lost(wire::LossCause::kOverrun)) << file;
        lost_ += lane->lost();
        for (std::uint64_t i = 0; i < lane->size(); i++) {
            if (wire::kind_of((*lane)[i].code) != wire::Kind::kGap) values.push_back((*lane)[i].value);
        }
    }
    // Every value is there once, in order, or counted as lost.
    void expect_counting(const std::vector<std::uint64_t>& values, std::uint64_t count) const {
        EXPECT_EQ(values.size() + lost_, count);
        for (std::size_t i = 1; i < values.size(); i++) ASSERT_GT(values[i], values[i - 1]) << "doubled between two files";
    }

    std::uint64_t lost_ = 0;
};

TEST_F(Rotation, NoEventIsLostOrDoubledBetweenFilesAndEachOpensAlone) {
    ASSERT_TRUE(agent_.start({"--rotate", "100kB"}));
    auto marked = program({"150000"});
    ASSERT_EQ(marked->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    std::vector<std::string> files = capture::files_of_series(agent_.capture());
    EXPECT_GE(files.size(), 4u);
    std::vector<std::uint64_t> values;
    for (const std::string& file : files) add_counters(file, values);
    expect_counting(values, 150000);
}

TEST_F(Rotation, OnlyTheNewestFilesAreKeptAndNumbersGoOnAfterARestart) {
    ASSERT_TRUE(agent_.start({"--rotate", "200kB", "--keep-files", "2"}));
    ASSERT_EQ(program({"100000"})->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    std::vector<std::string> first = capture::files_of_series(agent_.capture());
    ASSERT_EQ(first.size(), 2u);
    ASSERT_TRUE(agent_.start({"--rotate", "200kB", "--keep-files", "2"}));
    ASSERT_EQ(program({"100"})->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    std::vector<std::string> second = capture::files_of_series(agent_.capture());
    ASSERT_EQ(second.size(), 2u);
    EXPECT_EQ(second[0], first[1]) << "the newest file of the agent before is still there";
    std::vector<std::uint64_t> values;
    add_counters(second[1], values);
    expect_counting(values, 100);
}

TEST_F(Rotation, RecordingAProgramRotatesToo) {
    std::string file = agent_.file("program.sla");
    ASSERT_EQ(sla({"record", "-o", file, "--rotate", "200kB", "--", SLA_CONTROL_PROGRAM, "80000"}), 0) << said_;
    EXPECT_NE(said_.find("80000 events, 0 lost, "), std::string::npos) << "of all files together: " << said_;
    std::vector<std::uint64_t> values;
    for (const std::string& one : capture::files_of_series(file)) add_counters(one, values);
    expect_counting(values, 80000);
}

TEST_F(Rotation, ASummaryIsOfTheFilesOfThatRecordingAlone) {
    const std::string file = agent_.file("series.sla");
    ASSERT_EQ(sla({"record", "-o", file, "--rotate", "200kB", "--", SLA_CONTROL_PROGRAM, "80000"}), 0) << said_;
    const std::size_t earlier = capture::files_of_series(file).size();
    ASSERT_EQ(sla({"record", "-o", file, "--rotate", "200kB", "--", SLA_CONTROL_PROGRAM, "100"}), 0) << said_;
    ASSERT_EQ(capture::files_of_series(file).size(), earlier + 1);
    EXPECT_NE(said_.find("in 1 file, "), std::string::npos) << said_;
}

TEST_F(Rotation, RecordingTheRunningAgentRotatesToo) {
    ASSERT_TRUE(agent_.start());
    auto marked = program();
    std::string file = agent_.file("stream.sla");
    ASSERT_EQ(sla({"record", "-o", file, "--rotate", "1s", "--for", "3500ms"}), 0) << said_;
    end(*marked);
    agent_.stop();
    std::vector<std::string> files = capture::files_of_series(file);
    EXPECT_GE(files.size(), 3u);
    std::vector<std::uint64_t> values;
    for (const std::string& one : files) add_counters(one, values);
    ASSERT_GT(values.size(), 1000u);
    expect_counting(values, values.back() - values.front() + 1);
}

TEST_F(Rotation, AFullDiskStopsTheRecordingOnceAndKeepsWhatIsThere) {
    std::string small = agent_.file("small");
    ASSERT_EQ(mkdir(small.c_str(), 0700), 0);
    if (mount("tmpfs", small.c_str(), "tmpfs", 0, "size=1m") != 0) {
        GTEST_SKIP() << "a small disk cannot be mounted here: " << std::strerror(errno);
    }
    std::string file = small + "/full.sla";
    Process agent({std::string(SLA_BINARIES) + "/sla-agent", "--record", file}, agent_.environment());
    ASSERT_TRUE(support::eventually([&] { return agent.errors().find("listening on unix:") != std::string::npos; }));
    EXPECT_EQ(program({"400000"})->wait().code, 0);
    EXPECT_TRUE(support::eventually([&] { return agent.errors().find("No space left") != std::string::npos; }));
    EXPECT_EQ(sla({"channels"}), 0) << "the agent goes on";
    agent.signal(SIGTERM);
    EXPECT_EQ(agent.wait().code, 3) << "the recording is not whole";
    std::string said = agent.errors();
    EXPECT_EQ(said.find("stopped: "), said.rfind("stopped: ")) << said;
    EXPECT_EQ(said.find("events recorded"), std::string::npos) << said;
    EXPECT_NE(said.find("events collected, the recording lacks what came when it had stopped, 0 lost"), std::string::npos)
        << said;
    auto session = load(file);
    const store::Lane* lane = session->lane_named("ctl.counter");
    ASSERT_NE(lane, nullptr);
    EXPECT_GT(lane->events(), 1000u);
    for (std::uint64_t i = 0; i < lane->size(); i++) ASSERT_EQ((*lane)[i].value, i);
    session.reset();
    EXPECT_EQ(umount(small.c_str()), 0);
}

TEST_F(Rotation, AnAgentWhoseFileIsRemovedSaysSoAndBeginsItAnew) {
    ASSERT_TRUE(agent_.start());
    ASSERT_EQ(program({"1000"})->wait().code, 0);
    ASSERT_EQ(std::remove(agent_.capture().c_str()), 0);
    ASSERT_TRUE(
        support::eventually([&] { return agent_.process().errors().find("removed or moved") != std::string::npos; }));
    ASSERT_EQ(program({"500"})->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    const std::string said = agent_.process().errors();
    EXPECT_EQ(said.find("events recorded"), std::string::npos) << said;
    EXPECT_NE(said.find("the recording was begun anew"), std::string::npos) << said;
    const auto session = load(agent_.capture());
    std::uint64_t events = 0;
    for (const store::Lane* lane : session->lanes()) {
        if (lane->channel().name == "ctl.counter") events += lane->events();
    }
    EXPECT_EQ(events, 1500u) << "the agent still had all";
}

TEST_F(Rotation, ARecordedProgramWhoseFileIsReplacedEndsWithAnError) {
    const std::string file = agent_.file("gone.sla");
    const std::string script =
        "mv " + file + " " + agent_.file("moved.sla") + "; echo hello > " + file + "; " SLA_CONTROL_PROGRAM " 1000";
    EXPECT_EQ(sla({"record", "-o", file, "--", "/bin/sh", "-c", script}), 3) << said_;
    EXPECT_NE(said_.find("another file stands there now"), std::string::npos) << said_;
}

// As on a disk that is full: what failed is no seed that was found.
TEST_F(Rotation, ASweepWhoseRecordingFailsHasNoVerdictAndSaysWhy) {
    std::filesystem::create_directory(agent_.runtime());
    const auto sweep = [&](const std::string& program) {
        Process process({"/bin/sh", "-c",
                         "ulimit -f 1; exec " SLA_BINARIES "/sla check --limit 'lost == 0' --seeds 7..7 -- /bin/sh -c '" +
                             program + "; exit 0{seed}'"},
                        agent_.environment());
        const int code = process.wait().code;
        said_ = process.errors();
        output_ = process.output();
        return code;
    };
    EXPECT_EQ(sweep(SLA_BINARIES "/sla mark note {seed}; exit 0"), 3) << output_;
    EXPECT_NE(said_.find("seed 7 was not recorded"), std::string::npos) << said_;
    EXPECT_NE(said_.find("File too large"), std::string::npos) << said_;
    EXPECT_EQ(sweep("exit 3"), 1) << "its own code" << said_;
    EXPECT_NE(output_.find("the program ends with code 0: code 3"), std::string::npos) << output_;
    EXPECT_EQ(sweep("printf no.end.of.line; exit 1"), 1) << "what it printed last goes on in the recorder's line" << said_;
    EXPECT_NE(output_.find("code 1; it says: no.end.of.line"), std::string::npos) << output_;
}

TEST_F(Rotation, RecordingTheRunningAgentIntoAFileThatIsRemovedEndsWithAnError) {
    ASSERT_TRUE(agent_.start());
    const std::string file = agent_.file("gone.sla");
    Process record({SLA_BINARIES "/sla", "record", "-o", file, "--for", "30s"}, agent_.environment());
    ASSERT_TRUE(support::eventually([&] { return std::remove(file.c_str()) == 0; }));
    EXPECT_EQ(record.wait().code, 3) << record.errors();
    EXPECT_NE(record.errors().find("removed, moved away or replaced"), std::string::npos) << record.errors();
    agent_.stop();
}

}  // namespace
}  // namespace sla
