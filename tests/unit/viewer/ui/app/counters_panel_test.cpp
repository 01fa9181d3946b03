// The Counters panel, with this very process as what is counted.
#include "tests/support/fake_guest.h"
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ui/panels_fixture.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>

namespace sla::ui {
namespace {

// As an agent's of this machine.
class SourceHere final : public DataSource {
public:
    store::Session& session() override { return still_.session(); }
    [[nodiscard]] SourceStatus status() const override { return still_.status(); }
    void poll(std::chrono::milliseconds) override {}
    [[nodiscard]] std::optional<wire::Address> address() const override { return wire::default_address(); }

private:
    StillSource still_{support::add_few};
};

class OfCounters : public Panels {
protected:
    void SetUp() override {
        const auto events = counters::parse_events("task-clock", counters::World::kHost);
        ASSERT_TRUE(events.ok());
        const std::string absence = counters::absence_of(events->front(), counters::Privilege::kBoth);
        if (!absence.empty()) GTEST_SKIP() << absence;
        open_few();
        act("counters");
        frames(2);
    }
    CountersPanel& panel() { return app().panels().inspector.counters(); }
    CounterWatch& watch() { return *app().document().counters; }
    void wait_for_samples(std::size_t count) {
        for (int i = 0; i < 3000 && watch().samples().size() < count && watch().problem().empty(); ++i) {
            usleep(10'000);
            frames(1);
        }
        ASSERT_GE(watch().samples().size(), count) << watch().problem();
    }
};

TEST_F(OfCounters, NothingIsCountedUntilAProcessIsChosen) {
    EXPECT_FALSE(watch().is_running());
    keep("counters-none");
    panel().choose_process("no number");
    frames(2);
    EXPECT_FALSE(watch().is_running());
    keep("counters-no-number");
}

TEST_F(OfCounters, TheyShowAStripForEachEventAndStopWhenThePanelCloses) {
    panel().choose_events({"host:task-clock", "host:page-faults", "host:context-switches"});
    panel().choose_every(std::chrono::milliseconds(20));
    panel().choose_process(std::to_string(getpid()));
    frames(2);
    EXPECT_TRUE(watch().is_running());
    EXPECT_EQ(watch().target().events.size(), 3u);
    wait_for_samples(20);
    frames(1);
    keep("counters");
    EXPECT_TRUE(has_colour(screen_->pixels(), app().layout().inspector, theme_of(ThemeName::kDark).accent));
    act("measure");
    frames(2);
    EXPECT_FALSE(watch().is_running());
}

TEST_F(OfCounters, ALogGoesOnBehindAnotherPanel) {
    const std::string path = testing::TempDir() + "sla-counters-panel-" + std::to_string(getpid()) + ".csv";
    panel().choose_events({"host:task-clock"});
    panel().choose_every(std::chrono::milliseconds(20));
    panel().choose_process(std::to_string(getpid()));
    wait_for_samples(1);
    ASSERT_TRUE(watch().begin_log(path).ok());
    act("measure");
    const std::size_t before = watch().samples().size();
    wait_for_samples(before + 3);
    EXPECT_TRUE(watch().is_logging());
    EXPECT_TRUE(watch().end_log().ok());
    frames(2);
    EXPECT_FALSE(watch().is_running()) << "nobody looks any more";
    EXPECT_EQ(unlink(path.c_str()), 0);
}

// The file appears when the log ends.
TEST_F(OfCounters, ALogThatCannotBeFinishedIsNotLostInSilence) {
    const support::TemporaryPath folder("counters_log");
    panel().choose_events({"host:task-clock"});
    panel().choose_every(std::chrono::milliseconds(20));
    panel().choose_process(std::to_string(getpid()));
    const auto begin_log_that_fails = [&] {
        std::filesystem::create_directories(folder.path);
        ASSERT_TRUE(watch().begin_log((folder.path / "run.csv").string()).ok());
        std::filesystem::remove_all(folder.path);
    };
    wait_for_samples(1);
    begin_log_that_fails();
    EXPECT_EQ(app().keep().size(), 1u) << "the window closes";
    EXPECT_TRUE(app().keep().empty());
    begin_log_that_fails();
    act("close-source");
    frames(2);
    ASSERT_TRUE(app().errors().any());
    EXPECT_NE(app().errors().shown().text.find("run.csv"), std::string::npos) << app().errors().shown().text;
}

TEST_F(OfCounters, ALogThatFailsBehindAnotherPanelSaysSo) {
    panel().choose_events({"host:task-clock"});
    panel().choose_every(std::chrono::milliseconds(20));
    panel().choose_process(std::to_string(getpid()));
    wait_for_samples(1);
    ASSERT_TRUE(watch().begin_log("/dev/full").ok());
    act("measure");
    frames_until([&] { return app().errors().any(); });
    ASSERT_TRUE(app().errors().any());
    EXPECT_NE(app().errors().shown().text.find("/dev/full"), std::string::npos) << app().errors().shown().text;
    frames(3);
    EXPECT_FALSE(watch().is_running()) << "nobody looks any more";
    EXPECT_EQ(app().errors().count(), 1u) << "it is said once";
}

TEST_F(OfCounters, ALogWithoutACaptureGoesOnWhenOneIsOpened) {
    const support::TemporaryPath file("counters_log_beside");
    open(no_source());
    act("counters");
    panel().choose_events({"host:task-clock"});
    panel().choose_every(std::chrono::milliseconds(20));
    panel().choose_process(std::to_string(getpid()));
    wait_for_samples(1);
    CounterWatch& logging = watch();
    ASSERT_TRUE(logging.begin_log(file.path.string()).ok());
    app().open(std::make_unique<StillSource>(support::add_few));
    frames(3);
    ASSERT_EQ(app().documents(), 2u);
    EXPECT_NE(&watch(), &logging) << "what was opened is shown";
    EXPECT_TRUE(logging.is_logging());
    EXPECT_TRUE(logging.end_log().ok());
    EXPECT_TRUE(std::filesystem::exists(file.path));
}

// This process as an emulated PC, whose handler of the timer counts the same every time.
TEST_F(OfCounters, ASectionOfAnEmulatedPcShowsWhatEachSpanCounts) {
    std::string directory = testing::TempDir() + "sla-panel-section-XXXXXX";
    ASSERT_NE(mkdtemp(directory.data()), nullptr);
    setenv("SLA_RUNTIME_DIR", directory.c_str(), 1);
    {
        std::atomic<std::uint64_t> looks = 0;
        support::FakeGuest guest(getpid(), [&](const std::string& command) -> std::string {
            if (command.starts_with("counts"))
                return fmt::format("16 exact {}\n1D exact {}\n12 exact {}\n", 2'345'678 * ++looks, 12'400 * looks,
                                   310'000 * looks);
            if (!command.starts_with("section irq.0.isr,")) return "";
            return fmt::format(R"({{"cpu": "x86emu", "events": {{"16": "exact", "1D": "exact", "12": "exact"}}, "sections": [
                {{"name": "irq.0.isr", "unfinished": 0, "events": {{"16": {{"values": [[6, {0}], [9, 3], [900, 1]]}},
                "1D": {{"values": [[1, {0}]]}}, "12": {{"values": [[0, {0}]]}}}}}}]}})",
                               1000 * looks);
        });
        panel().choose_events({"pentium:instructions", "pentium:port-accesses", "pentium:branches"});
        panel().choose_every(std::chrono::milliseconds(20));
        panel().choose_process(std::to_string(getpid()));
        panel().choose_section("irq.0.isr");
        frames(2);
        wait_for_samples(4);
        frames(2);
        ASSERT_EQ(watch().section().rows.size(), 3U) << watch().section().problem;
        EXPECT_EQ(watch().section().rows[1].event, "pentium:instructions");
        EXPECT_EQ(watch().section().rows[1].numbers.culled, 1U);
        keep("counters-section");
        panel().choose_section("");
        frames(2);
        EXPECT_TRUE(watch().target().section.empty());
        panel().choose_process("");
        frames(2);
    }
    unsetenv("SLA_RUNTIME_DIR");
    std::filesystem::remove_all(directory);
}

TEST_F(OfCounters, ASectionThatIsNotThereIsSaid) {
    panel().choose_events({"host:task-clock"});
    panel().choose_every(std::chrono::milliseconds(20));
    panel().choose_process(std::to_string(getpid()));
    panel().choose_section("app.nothing");
    wait_for_samples(2);
    EXPECT_EQ(watch().section().problem, "this program has no channel 'app.nothing' here yet");
    frames(1);
    keep("counters-no-section");
}

TEST_F(OfCounters, AProcessThatIsTakenBackIsCountedNoMore) {
    panel().choose_events({"host:task-clock"});
    panel().choose_process(std::to_string(getpid()));
    frames(2);
    EXPECT_TRUE(watch().is_running());
    panel().choose_process("");
    frames(2);
    EXPECT_FALSE(watch().is_running());
}

TEST_F(OfCounters, AnEndedProcessIsNamed) {
    panel().choose_events({"host:task-clock"});
    panel().choose_process("4194305");  // above every pid_max
    frames(2);
    for (int i = 0; i < 3000 && watch().problem().empty(); ++i) {
        usleep(10'000);
        frames(1);
    }
    EXPECT_EQ(watch().problem(), "there is no process 4194305");
    keep("counters-no-process");
}

TEST_F(OfCounters, TheOnlyEmulatedPcIsChosenAsLongAsNobodySaysOtherwise) {
    std::string directory = testing::TempDir() + "sla-panel-only-XXXXXX";
    ASSERT_NE(mkdtemp(directory.data()), nullptr);
    setenv("SLA_RUNTIME_DIR", directory.c_str(), 1);
    open(std::make_unique<SourceHere>());
    act("counters");
    frames(70);
    EXPECT_EQ(watch().target().process, 0) << "there is none yet";
    {
        support::FakeGuest first(getpid(), [](const std::string&) { return std::string(); });
        panel().choose_events({"host:task-clock"});
        frames(70);
        EXPECT_EQ(watch().target().process, getpid()) << "it is looked for once a second";
        keep("counters-only-pc");
        panel().choose_process("");
        frames(70);
        EXPECT_EQ(watch().target().process, 0) << "taken back it stays so";
        support::FakeGuest second(getppid(), [](const std::string&) { return std::string(); });
        open(std::make_unique<SourceHere>());
        act("counters");
        frames(70);
        EXPECT_EQ(watch().target().process, 0) << "which of two is not for the panel to say";
    }
    unsetenv("SLA_RUNTIME_DIR");
    std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace sla::ui
