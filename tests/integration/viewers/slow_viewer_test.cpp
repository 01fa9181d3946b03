// Several readers on one agent: one that stands still costs itself a gap, and nobody else anything.
#include "tests/support/agent_under_test.h"
#include "viewer/ingest/file_source.h"
#include "viewer/ingest/open.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <sstream>
#include <thread>

namespace sla {
namespace {

using support::AgentUnderTest;
using support::Process;

class Viewers : public testing::Test {
protected:
    std::unique_ptr<Process> record(const std::string& file, const std::string& address = "") {
        std::vector<std::string> argv{SLA_BINARIES "/sla", "record", "-o", agent_.file(file)};
        if (!address.empty()) argv.insert(argv.end(), {"--address", address});
        return std::make_unique<Process>(argv, agent_.environment());
    }
    std::unique_ptr<store::Session> read(const std::string& file) {
        auto session = std::make_unique<store::Session>();
        Result<void> loaded = ingest::load(agent_.file(file), *session);
        if (!loaded) ADD_FAILURE() << loaded.error().message;
        return session;
    }
    bool joined(std::size_t readers) {
        return support::eventually([&] {
            std::string said = agent_.process().errors();
            std::size_t count = 0;
            for (std::size_t at = said.find(" joined"); at != std::string::npos; at = said.find(" joined", at + 1)) count++;
            return count >= readers;
        });
    }
    // Events that the agent has taken out of the rings, and those that were lost there.
    std::uint64_t accounted_for() {
        store::Session now;
        ingest::LoadOptions options;
        options.status_only = true;
        if (!ingest::load(agent_.address(), now, options)) return 0;
        std::uint64_t sum = 0;
        for (const store::Lane* lane : now.lanes()) {
            const store::Ledger* ledger = now.ledger(lane->channel().id);
            if (ledger != nullptr) sum += ledger->events + ledger->lost();
        }
        return sum;
    }
    static std::uint64_t offered(Process& program) {
        std::istringstream words(program.output());
        std::string word;
        std::uint64_t number = 0;
        words >> word >> number;
        return number;
    }

    AgentUnderTest agent_{SLA_BINARIES};
};

TEST_F(Viewers, OneStoppedForSecondsComesBackWithAGapAndTheOthersNoticeNothing) {
    ASSERT_TRUE(agent_.start({"--channel-memory", "512KiB"}));
    auto quick = record("quick.sla");
    auto slow = record("slow.sla");
    Process window({SLA_BINARIES "/sla-viewer", "--headless", "--frames", "300", "--screenshot", agent_.file("window.png")},
                   agent_.environment());
    ASSERT_TRUE(joined(3)) << agent_.process().errors() << window.errors();
    Process program({SLA_TEST_MARKER, "pace", "7", "300000"}, agent_.environment());
    std::this_thread::sleep_for(std::chrono::seconds(1));
    slow->signal(SIGSTOP);
    std::this_thread::sleep_for(std::chrono::seconds(4));
    slow->signal(SIGCONT);
    ASSERT_EQ(program.wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    ASSERT_EQ(quick->wait().code, 0) << quick->errors();
    ASSERT_EQ(slow->wait().code, 0) << slow->errors();
    EXPECT_EQ(window.wait().code, 0) << window.errors();

    std::uint64_t total = offered(program);
    auto recorded = agent_.load();
    EXPECT_EQ(recorded->events(), total) << "the agent's own recorder has everything";
    EXPECT_EQ(recorded->lost(), 0u) << "and the program lost nothing";
    EXPECT_EQ(read("quick.sla")->events(), total) << "so has the viewer that kept reading";
    auto behind = read("slow.sla");
    const store::Lane* lane = behind->lane_named("test.main");
    ASSERT_NE(lane, nullptr);
    EXPECT_GT(lane->lost(wire::LossCause::kLagged), 0u);
    EXPECT_EQ(lane->events() + lane->lost(), total) << "the gap is exact";
    ASSERT_FALSE(lane->gaps().empty());
    EXPECT_GT(lane->gaps().front().index, 0u) << "there were events before it stood still";
    EXPECT_LT(lane->gaps().back().index, lane->size() - 1) << "and after it came back";
    EXPECT_GT(std::filesystem::file_size(agent_.file("window.png")), 1000u);
}

TEST_F(Viewers, ALateJoinerGetsTheHistoryOverTcpAsWell) {
    ASSERT_TRUE(agent_.start({"--listen", "tcp:127.0.0.1:0"}));
    Process program({SLA_TEST_MARKER, "burst", "3", "2", "5000"}, agent_.environment());
    ASSERT_EQ(program.wait().code, 0);
    std::string said = agent_.process().errors();
    std::size_t at = said.find("tcp:127.0.0.1:");
    ASSERT_NE(at, std::string::npos) << said;
    for (const std::string& address : {agent_.address(), said.substr(at, said.find('\n', at) - at)}) {
        store::Session late;
        Result<void> loaded = ingest::load(address, late);
        ASSERT_TRUE(loaded.ok()) << loaded.error().message;
        EXPECT_EQ(late.events(), 30000u) << address;
    }
    EXPECT_EQ(agent_.stop(), 0);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose shadow is address space as well
TEST_F(Viewers, ACommandTakesLittleMemoryHoweverMuchTheAgentHolds) {
    ASSERT_TRUE(agent_.start());
    Process program({SLA_TEST_MARKER, "burst", "1", "1", "12000000"}, agent_.environment());
    ASSERT_EQ(program.wait().code, 0);
    // In rows of a session these would be 240 MiB, and a gigabyte as hits; the agent holds some bytes of each, and pages that are
    // looked at may take 192 MiB.
    for (const std::string words :
         {"250000; exec \"$0\" stats --format jsonl", "500000; \"$0\" find 'burst.0 >= 0' | tail -n 1"}) {
        Process command({"/bin/sh", "-c", "ulimit -v " + words, SLA_BINARIES "/sla"}, agent_.environment());
        ASSERT_EQ(command.wait().code, 0) << command.errors();
        EXPECT_NE(command.output().find("burst.0"), std::string::npos) << words;
    }
    EXPECT_EQ(agent_.stop(), 0);
}
#endif

TEST_F(Viewers, ASnapshotBehindAHistoryThatIsGoneOpensLikeAnyOther) {
    ASSERT_TRUE(agent_.start({"--channel-memory", "64KiB"}));
    Process program({SLA_TEST_MARKER, "burst", "2", "2", "1000000"}, agent_.environment());
    ASSERT_EQ(program.wait().code, 0);
    ASSERT_TRUE(support::eventually([&] { return accounted_for() == 4'000'000U; }));
    Process snapshot({SLA_BINARIES "/sla", "snapshot", "-o", agent_.file("held.sla")}, agent_.environment());
    ASSERT_EQ(snapshot.wait().code, 0) << snapshot.errors();
    ingest::FileOptions options;
    options.rows_in_memory = 1000;
    const auto source = ingest::FileSource::open(agent_.file("held.sla"), options);
    ASSERT_TRUE(source.ok()) << source.error().message;
    EXPECT_TRUE(source->is_paged()) << "read in order it takes memory and time";
    const auto session = read("held.sla");
    EXPECT_EQ(session->damage_count(), 0U);
    std::uint64_t not_kept = 0;
    for (const store::Lane* lane : session->lanes()) not_kept += lane->lost(wire::LossCause::kNotKept);
    EXPECT_GT(not_kept, 0U) << "nothing was given up: this shows nothing";
    EXPECT_EQ(session->events() + session->lost() + not_kept, 4'000'000U) << "the gap is exact";
    EXPECT_EQ(agent_.stop(), 0);
}

TEST_F(Viewers, TheLedgerOfTheStatusFitsTheEvents) {
    ASSERT_TRUE(agent_.start());
    Process program({SLA_TEST_MARKER, "burst", "2", "2", "50000"},
                    {{"SLA_RUNTIME_DIR", agent_.runtime()}, {"SLA_RING_SLOTS", "64"}});
    ASSERT_EQ(program.wait().code, 0);
    store::Session now;
    ASSERT_TRUE(ingest::load(agent_.address(), now).ok());
    for (const store::Lane* lane : now.lanes()) {
        const store::Ledger* ledger = now.ledger(lane->channel().id);
        ASSERT_NE(ledger, nullptr);
        EXPECT_EQ(ledger->events, lane->events());
        EXPECT_EQ(ledger->lost(), lane->lost());
    }
    EXPECT_EQ(now.events() + now.lost(), 200000u);
    EXPECT_EQ(agent_.stop(), 0);
}

TEST_F(Viewers, AMarkFromTheCommandLineIsAnEventLikeAnyOther) {
    ASSERT_TRUE(agent_.start());
    for (const std::vector<std::string>& what :
         {std::vector<std::string>{"note", "42"}, {"note", "-2.5"}, {"note", "something happened"}, {"note"}}) {
        std::vector<std::string> argv{SLA_BINARIES "/sla", "mark"};
        for (const std::string& word : what) {
            if (word.starts_with('-')) argv.push_back("--");
            argv.push_back(word);
        }
        Process mark(argv, agent_.environment());
        EXPECT_EQ(mark.wait().code, 0) << mark.errors();
    }
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    const store::Lane* lane = session->lane_named("note");
    ASSERT_NE(lane, nullptr);
    ASSERT_EQ(lane->size(), 4u);
    EXPECT_EQ((*lane)[0].value, 42u);
    EXPECT_EQ(wire::as_double((*lane)[1].value), -2.5);
    EXPECT_EQ(lane->text(2), "something happened");
    EXPECT_EQ((*lane)[3].kind(), wire::Kind::kTick);
}

}  // namespace
}  // namespace sla
