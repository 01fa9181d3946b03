// A run that goes on from a snapshot ends as the run that came by there: the same events, by their hash.
#include "tests/integration/emu/guests.h"
#include "tests/support/agent_under_test.h"

#include <gmock/gmock.h>

#include <csignal>
#include <map>

namespace sla {
namespace {

using testing::HasSubstr;

class Snapshots : public testing::TestWithParam<const char*> {
protected:
    [[nodiscard]] std::vector<std::string> pc(const std::vector<std::string>& guest, std::vector<std::string> more) const {
        std::vector<std::string> words{
            SLA_BINARIES "/sla-emu", "run", "--cpu", GetParam(), "--clock", "virtual", "--hash", "--debug-output",
            runs_.file("debug.txt")};
        words.insert(words.end(), guest.begin(), guest.end());
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    std::string control(const Process& pc, const std::string& command) const {
        Process asked({SLA_BINARIES "/sla-emu", "control", std::to_string(pc.pid()), command}, runs_.environment());
        EXPECT_EQ(asked.wait(kHang).code, 0) << asked.errors();
        return asked.output();
    }
    // Where it shall stop first.
    static bool stands(Process& run) {
        const bool seen = support::eventually(
            [&] { return run.errors().find("the guest stands at") != std::string::npos || !run.is_running(); }, kHang);
        return seen && run.is_running();
    }
    // The hash at the end of a run that is saved at that event.
    std::string hash_of_saved(const std::vector<std::string>& guest, const std::string& event, const std::string& to,
                              int code) const {
        Process run(pc(guest, {"--for", "2s", "--stop-at", event}), runs_.environment());
        EXPECT_TRUE(stands(run)) << run.errors();
        control(run, "save " + to);
        control(run, "go");
        EXPECT_EQ(run.wait(kHang).code, code) << run.errors();
        return run.output();
    }
    std::string hash_of_loaded(const std::vector<std::string>& guest, const std::string& from, int code) const {
        Process run(pc(guest, {"--for", "2s", "--load", from}), runs_.environment());
        EXPECT_EQ(run.wait(kHang).code, code) << run.errors();
        return run.output();
    }

    support::AgentUnderTest runs_{SLA_BINARIES};
};

TEST_P(Snapshots, TheDemonstrationGuestGoesOnFromOne) {
    const std::string file = runs_.file("demo.snapshot");
    const std::string saved = hash_of_saved({"--demo"}, "20 x irq.0.isr begins", file, 0);
    EXPECT_THAT(saved, HasSubstr("hash "));
    EXPECT_EQ(hash_of_loaded({"--demo"}, file, 0), saved);
}

// In which function the last event was is known there too.
TEST_P(Snapshots, AGuestWithSymbolsGoesOnFromOne) {
    const std::string names = runs_.file("names");
    std::ofstream(names) << "ff000 demo\n";
    const std::vector<std::string> guest{"--demo", "--symbols", names};
    const std::string file = runs_.file("named.snapshot");
    const std::string saved = hash_of_saved(guest, "20 x irq.0.isr begins", file, 0);
    EXPECT_THAT(saved, HasSubstr("hash "));
    EXPECT_EQ(hash_of_loaded(guest, file, 0), saved);
}

TEST_P(Snapshots, SeaBiosOnItsWayToAFloppyGoesOnFromOne) {
    if (installed("bios.bin").empty()) GTEST_SKIP() << "Debian's package seabios is not installed";
    constexpr int kBooted = 5;  // the boot sector's exit code
    const std::string floppy = runs_.file("boot.img");
    write_file(floppy, read_file(SLA_GUEST_DIR "/boot_sector.bin"), kFloppy);
    const std::string file = runs_.file("bios.snapshot");
    const std::string saved = hash_of_saved({"--fda", floppy}, "dma.2", file, kBooted);
    EXPECT_THAT(saved, HasSubstr("hash "));
    EXPECT_EQ(hash_of_loaded({"--fda", floppy}, file, kBooted), saved);

    Process other(pc({"--demo"}, {"--load", file}), runs_.environment());
    EXPECT_EQ(other.wait(kHang).code, 2);
    EXPECT_THAT(other.errors(), HasSubstr("the snapshot is of another PC: its firmware is "));
}

// Under another name it is the same one; with another byte, or another command line, it is not.
TEST_P(Snapshots, OneOfAnotherProgramOrKernelIsRefusedWithWhatDiffers) {
    const std::string file = runs_.file("guest.snapshot");
    const auto refused = [&](const std::vector<std::string>& guest) {
        Process run(pc(guest, {"--for", "2s", "--load", file}), runs_.environment());
        EXPECT_EQ(run.wait(kHang).code, 2) << run.errors();
        return run.errors();
    };
    struct Kind {
        std::string option;
        std::string image;
        std::string name;
        std::string event;
        int code;
    };
    for (const Kind& kind : {Kind{"--com", "/hello.bin", "program", "irq.0.isr begins", 7},
                             Kind{"--kernel", "/test_kernel.bin", "kernel", "irq.4.isr begins", 3}}) {
        const std::string bytes = read_file(SLA_GUEST_DIR + kind.image);
        const std::string image = runs_.file("image.bin");
        write_file(image, bytes, bytes.size());
        const std::string other = runs_.file("other.bin");
        write_file(other, bytes + '\1', bytes.size() + 1);
        const auto guest = [&kind](const std::string& path, const std::string& words) {
            return std::vector<std::string>{"--test-device", kind.option, path, "--append", words};
        };
        const std::string saved = hash_of_saved(guest(SLA_GUEST_DIR + kind.image, "you"), kind.event, file, kind.code);
        EXPECT_THAT(saved, HasSubstr("hash "));
        EXPECT_EQ(hash_of_loaded(guest(image, "you"), file, kind.code), saved);
        EXPECT_THAT(refused(guest(other, "you")), HasSubstr("of another PC: its " + kind.name + " is "));
        EXPECT_THAT(refused(guest(image, "me")), HasSubstr("its command line is \"you\", here it is \"me\""));
    }
}

TEST_P(Snapshots, ARunGoesBackToOneAndSaysWhereItIs) {
    const std::string file = runs_.file("back.snapshot");
    Process run(pc({"--demo"}, {"--stop-at", "20 x irq.0.isr begins"}), runs_.environment());
    ASSERT_TRUE(stands(run)) << run.errors();
    control(run, "save " + file);
    const std::string then = control(run, "state");
    control(run, "run-to-event 5 x irq.0.isr begins");
    EXPECT_NE(control(run, "state"), then);
    EXPECT_THAT(control(run, "load " + file), HasSubstr("the guest stands at f000:"));
    EXPECT_EQ(control(run, "state"), then);
    EXPECT_THAT(control(run, "state pic"), HasSubstr("master.imr "));
    run.signal(SIGTERM);
    EXPECT_EQ(run.wait(kHang).code, 0) << run.errors();
}

// The end has the hash of a run that nobody took back.
TEST_P(Snapshots, ARunThatWentBackAndOnEndsAsOneThatDidNot) {
    const std::vector<std::string> demo{"--demo"};
    Process plain(pc(demo, {"--for", "100ms"}), runs_.environment());
    ASSERT_EQ(plain.wait(kHang).code, 0) << plain.errors();
    Process run(pc(demo, {"--for", "100ms", "--history-memory", "64", "--stop-at", "20 x irq.0.isr begins"}),
                runs_.environment());
    ASSERT_TRUE(stands(run)) << run.errors();
    const std::string then = control(run, "state");
    control(run, "run-to-event irq.0.isr begins");
    const std::string later = control(run, "state");
    EXPECT_THAT(control(run, "reverse-to-event irq.0.isr begins"), HasSubstr("the guest stands at f000:"));
    EXPECT_EQ(control(run, "state"), then);
    control(run, "reverse-step 1000");
    EXPECT_NE(control(run, "state"), then);
    EXPECT_THAT(control(run, "history"), HasSubstr("the run has been as far as "));
    control(run, "run-to-event irq.0.isr begins");
    EXPECT_EQ(control(run, "state"), then);
    control(run, "run-to-event irq.0.isr begins");
    EXPECT_EQ(control(run, "state"), later);
    control(run, "go");
    EXPECT_EQ(run.wait(kHang).code, 0) << run.errors();
    EXPECT_EQ(run.output(), plain.output()) << "the hash";
}

// Its terminal is looked at at the same moments again, also behind a state that was kept between two of them.
TEST_P(Snapshots, ARunWithATerminalThatWentBackEndsAsOneThatDidNot) {
    const std::vector<std::string> guest{"--demo", "--serial", "pty", "--hook", "irq,cpu,vmm.timer"};
    Process plain(pc(guest, {"--for", "500ms"}), runs_.environment());
    ASSERT_EQ(plain.wait(kHang).code, 0) << plain.errors();
    Process run(pc(guest, {"--for", "500ms", "--history-memory", "64", "--stop-at", "vmm.timer.fire"}), runs_.environment());
    ASSERT_TRUE(stands(run)) << run.errors();
    for (int round = 0; round < 15; ++round) {
        control(run, "run-to-event 7 x vmm.timer.fire");
        control(run, "write 0:7f0 0");  // which nobody reads: a state is kept behind it
        control(run, "run-to-event 16 x vmm.timer.fire");
        control(run, "reverse-step 3");
    }
    control(run, "go");
    EXPECT_EQ(run.wait(kHang).code, 0) << run.errors();
    EXPECT_EQ(run.output(), plain.output()) << "the hash";
}

TEST_P(Snapshots, CountsAreOfWhatFollowsOne) {
    const std::string file = runs_.file("counted.snapshot");
    const auto counts_of = [&](const std::string& name) { return read_file(runs_.file(name)); };
    const auto counted = [&](const std::string& name, std::vector<std::string> more) {
        more.insert(more.end(), {"--ticks", "30", "--section", "irq.0.isr", "--counts", runs_.file(name)});
        return pc({"--demo"}, more);
    };
    Process run(counted("gone_on", {"--stop-at", "3 x irq.0.isr begins"}), runs_.environment());
    ASSERT_TRUE(stands(run)) << run.errors();
    control(run, "save " + file);
    control(run, "run-to-event 5 x irq.0.isr begins");
    EXPECT_THAT(control(run, "load " + file), HasSubstr("what is counted begins at the snapshot"));
    control(run, "go");
    ASSERT_EQ(run.wait(kHang).code, 0) << run.errors();
    EXPECT_THAT(counts_of("gone_on"), HasSubstr("\"irq.0.isr\", \"ended\": 27, \"unfinished\": 0,"));
    for (const char* privilege : {"both", "kernel", "user"}) {
        Process loaded(counted(privilege, {"--load", file, "--privilege", privilege}), runs_.environment());
        ASSERT_EQ(loaded.wait(kHang).code, 0) << loaded.errors();
    }
    EXPECT_EQ(counts_of("gone_on"), counts_of("both")) << "whether the run goes on from it or begins there";
    EXPECT_EQ(counts_of("both"), counts_of("kernel")) << "of a guest that is never in ring 3";
    EXPECT_THAT(counts_of("user"), HasSubstr("\"16\": {\"grain\": 1, \"values\": [[0, 1]]}"));
}

TEST_P(Snapshots, OneWithoutAHashBeginsOneAndThatIsSaid) {
    const std::string file = runs_.file("no_hash.snapshot");
    auto words = pc({"--demo"}, {"--ticks", "30", "--stop-at", "3 x irq.0.isr begins"});
    std::erase(words, "--hash");
    Process run(words, runs_.environment());
    ASSERT_TRUE(stands(run)) << run.errors();
    control(run, "save " + file);
    control(run, "go");
    ASSERT_EQ(run.wait(kHang).code, 0) << run.errors();
    Process loaded(pc({"--demo"}, {"--ticks", "30", "--load", file}), runs_.environment());
    EXPECT_EQ(loaded.wait(kHang).code, 0);
    EXPECT_THAT(loaded.errors(), HasSubstr("the snapshot has no hash: the one at the end is of what follows it"));
}

TEST_P(Snapshots, WhereARunGoesOnFromOneSpansOfWhatItLeftEndAndARowSaysSo) {
    ASSERT_TRUE(runs_.start());
    const std::string file = runs_.file("idle.snapshot");
    Process run(pc({"--demo"}, {"--ticks", "4", "--stop-at", "cpu.hlt begins"}), runs_.environment());
    ASSERT_TRUE(stands(run)) << run.errors();
    control(run, "save " + file);
    control(run, "run-to-event irq.0.isr begins");
    control(run, "step 3");
    control(run, "load " + file);
    control(run, "go");
    ASSERT_EQ(run.wait(kHang).code, 0) << run.errors();
    ASSERT_EQ(runs_.stop(), 0);
    const auto session = runs_.load();
    const store::Lane* handlers = session->lane_named("irq.0.isr");
    ASSERT_NE(handlers, nullptr);
    std::map<wire::Kind, int> found;
    for (std::uint64_t i = 0; i < handlers->size(); ++i) ++found[(*handlers)[i].kind()];
    EXPECT_EQ(found[wire::Kind::kBegin], 5) << "one of them was left";
    EXPECT_EQ(found[wire::Kind::kEnd], 5);
    const store::Lane* said = session->lane_named("cpu.history");
    ASSERT_NE(said, nullptr);
    EXPECT_EQ(said->size(), 1U);
}

TEST_P(Snapshots, SpansThatAreOpenInOneBeginInTheRecordingThatGoesOnFromIt) {
    const std::string file = runs_.file("served.snapshot");
    Process saved(pc({"--demo"}, {"--ticks", "4", "--stop-at", "irq.0.isr begins"}), runs_.environment());
    ASSERT_TRUE(stands(saved)) << saved.errors();
    control(saved, "save " + file);
    control(saved, "go");
    ASSERT_EQ(saved.wait(kHang).code, 0) << saved.errors();
    ASSERT_TRUE(runs_.start());
    Process run(pc({"--demo"}, {"--ticks", "4", "--load", file}), runs_.environment());
    ASSERT_EQ(run.wait(kHang).code, 0) << run.errors();
    ASSERT_EQ(runs_.stop(), 0);
    const auto session = runs_.load();
    const store::Lane* handlers = session->lane_named("irq.0.isr");
    ASSERT_NE(handlers, nullptr);
    ASSERT_EQ(handlers->size(), 8U) << "four, the first of which began before";
    for (std::uint64_t i = 0; i < handlers->size(); ++i) {
        EXPECT_EQ((*handlers)[i].kind(), i % 2 == 0 ? wire::Kind::kBegin : wire::Kind::kEnd) << i;
    }
}

TEST_P(Snapshots, WhatCannotGoBackSaysWhy) {
    const auto refused = [&](const std::vector<std::string>& more) {
        Process run(pc({"--demo"}, more), runs_.environment());
        EXPECT_EQ(run.wait(kHang).code, 2);
        return run.errors();
    };
    EXPECT_THAT(refused({"--history-memory", "64", "--speed", "1"}), HasSubstr("held back by --speed cannot go back"));
    EXPECT_THAT(refused({"--history-memory", "64", "--counts", runs_.file("c")}), HasSubstr("leave --counts out"));
    Process run(pc({"--demo"}, {"--stop-at", "irq.0.isr begins"}), runs_.environment());
    ASSERT_TRUE(stands(run)) << run.errors();
    Process asked({SLA_BINARIES "/sla-emu", "control", std::to_string(run.pid()), "reverse-step"}, runs_.environment());
    EXPECT_NE(asked.wait(kHang).code, 0);
    EXPECT_THAT(asked.errors(), HasSubstr("start it with --history-memory 256 to go back"));
    const auto code_of = [&](const std::string& command) {
        Process control({SLA_BINARIES "/sla-emu", "control", std::to_string(run.pid()), command}, runs_.environment());
        return control.wait(kHang).code;
    };
    EXPECT_EQ(code_of("save"), 2) << "wrong use";
    EXPECT_EQ(code_of("save " + runs_.file("nowhere/f")), 3) << "the outside world's";
    EXPECT_EQ(code_of("load " + runs_.file("nowhere/f")), 3);
    run.signal(SIGTERM);
    EXPECT_EQ(run.wait(kHang).code, 0) << run.errors();
}

TEST_P(Snapshots, OneOfDisksThatAreWrittenToIsRefusedInWords) {
    const std::string floppy = runs_.file("kept.img");
    write_file(floppy, "", kFloppy);
    Process run(pc({"--demo"}, {"--fda", floppy, "--keep-writes", "--stop-at", "irq.0.isr begins"}), runs_.environment());
    ASSERT_TRUE(stands(run)) << run.errors();
    Process asked({SLA_BINARIES "/sla-emu", "control", std::to_string(run.pid()), "save " + runs_.file("refused")},
                  runs_.environment());
    EXPECT_NE(asked.wait(kHang).code, 0);
    EXPECT_THAT(asked.errors(), HasSubstr("with --keep-writes the images change"));
    EXPECT_FALSE(std::filesystem::exists(runs_.file("refused")));
    run.signal(SIGTERM);
    EXPECT_EQ(run.wait(kHang).code, 0) << run.errors();
}

INSTANTIATE_TEST_SUITE_P(Cpu, Snapshots, testing::Values("unicorn", "x86emu"),
                         [](const auto& cpu) { return std::string(cpu.param); });

}  // namespace
}  // namespace sla
