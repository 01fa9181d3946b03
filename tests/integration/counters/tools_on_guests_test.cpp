// The Pentium's own tools, on the built-in guest and on SeaBIOS. Exact events are equal to counts made another way.
#include "tests/integration/counters/tools_fixture.h"

#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <string_view>

namespace sla {
namespace {

using testing::HasSubstr;

constexpr const char* kSeaBios = "/usr/share/seabios/bios.bin";  // of Debian's package seabios

// A guest, as words behind `sla-emu run`.
class ToolsOnGuests : public Tools, public testing::WithParamInterface<const char*> {
protected:
    void SetUp() override {
        if (is_seabios() && !std::filesystem::exists(kSeaBios)) GTEST_SKIP() << "Debian's package seabios is not installed";
    }
    [[nodiscard]] static bool is_seabios() { return GetParam() == std::string_view("SeaBIOS"); }
    // A run that is always the same.
    [[nodiscard]] static std::vector<std::string> guest(std::vector<std::string> before,
                                                        std::vector<std::string> more = {}) {
        const std::vector<std::string> words = is_seabios() ? std::vector<std::string>{"run", kSeaBios, "--for", "1s"}
                                                            : std::vector<std::string>{"run", "--demo", "--ticks", "50"};
        before.insert(before.end(), words.begin(), words.end());
        for (const char* word : {"--cpu", "x86emu", "--clock", "virtual", "--debug-output", "/dev/null"})
            before.emplace_back(word);
        before.insert(before.end(), more.begin(), more.end());
        return before;
    }
    std::string record(std::vector<std::string> more = {}) {
        std::string capture = directory_.file("run.sla");
        const Ran recorded = sla(guest({"record", "-o", capture, "--", SLA_BINARIES "/sla-emu"}, std::move(more)));
        EXPECT_EQ(recorded.code, 0) << recorded.errors;
        return capture;
    }
    // One that goes on until the test ends it, and answers.
    std::unique_ptr<Process> running() {
        std::vector<std::string> words{SLA_BINARIES "/sla-emu", "run"};
        words.emplace_back(is_seabios() ? kSeaBios : "--demo");
        for (const char* word : {"--cpu", "x86emu", "--debug-output", "/dev/null"}) words.emplace_back(word);
        auto pc = std::make_unique<Process>(words, runtime_);
        const auto answers = [&] { return sla_emu_control(*pc, {"cr0"}).code == 0; };
        EXPECT_TRUE(support::eventually([&] { return answers() || !pc->is_running(); }, kToolHang)) << pc->errors();
        return pc;
    }
    Ran sla_emu_control(const Process& pc, std::vector<std::string> commands) {
        commands.insert(commands.begin(), {"control", std::to_string(pc.pid())});
        return run("sla-emu", std::move(commands));
    }
};

// PmonStat
TEST_P(ToolsOnGuests, SweepASectionThroughEvents) {
    const Ran swept = sla(guest({"counters", "sweep", "--section", "irq.0.isr", "--runs", "2", "--events", "16,1D,01,0E",
                                 "--format", "csv", "--", "sla-emu"}));
    ASSERT_EQ(swept.code, 0) << swept.errors;
    const std::uint64_t handled = number(record(), "count(*) FROM events WHERE channel = 'irq.0.isr' AND kind = 'begin'");
    for (const char* event : {"pentium:instructions", "pentium:port-accesses", "pentium:data-write"}) {
        EXPECT_EQ(field_of(swept.out, "irq.0.isr", event, kHowField), "exact");
        EXPECT_EQ(field_of(swept.out, "irq.0.isr", event, kNField), std::to_string(2 * handled)) << "each, in two runs";
    }
    EXPECT_EQ(field_of(swept.out, "irq.0.isr", "pentium:code-miss", kHowField), "modelled");
    if (is_seabios()) return;
    // INC n_irq0, PUSH AX, MOV, OUT: up to the end of the interrupt (emu/guest/demo.asm). Flags, CS and IP were pushed before.
    EXPECT_EQ(field_of(swept.out, "irq.0.isr", "pentium:instructions", kMinField), "4");
    EXPECT_EQ(field_of(swept.out, "irq.0.isr", "pentium:instructions", kMaxField), "4");
    EXPECT_EQ(field_of(swept.out, "irq.0.isr", "pentium:data-write", kMedianField), "5");
    EXPECT_EQ(field_of(swept.out, "irq.0.isr", "pentium:port-accesses", kMedianField), "1");
}

// P5Stat: all counts of a program, and of two builds.
TEST_P(ToolsOnGuests, CountAWholeRunAndHoldItAgainstAnother) {
    const std::string before = directory_.file("before.json");
    const std::vector<std::string> what{"counters", "run", "--runs", "2", "--events", "16,1D,27"};
    const auto with = [&](std::vector<std::string> more, std::vector<std::string> of_guest = {}) {
        std::vector<std::string> words = what;
        words.insert(words.end(), more.begin(), more.end());
        words.insert(words.end(), {"--", "sla-emu"});
        return sla(guest(words, std::move(of_guest)));
    };
    const Ran counted = with({"--format", "csv"});
    ASSERT_EQ(counted.code, 0) << counted.errors;
    const std::string capture = record();
    const auto handled = number(capture, "count(*) FROM events WHERE channel LIKE 'irq.%.isr' AND kind = 'begin'");
    const auto ports = number(capture, "count(*) FROM events WHERE channel LIKE 'port.%'");
    EXPECT_EQ(field_of(counted.out, "program", "pentium:hardware-interrupts", kMinField), std::to_string(handled));
    const std::uint64_t cycles = std::stoull(field_of(counted.out, "program", "pentium:port-accesses", kMinField));
    EXPECT_GE(cycles, ports);
    EXPECT_LE(cycles, ports + (is_seabios() ? 2 : 0)) << "a word over a border of four ports is two cycles";
    EXPECT_EQ(field_of(counted.out, "program", "pentium:instructions", kMinField),
              field_of(counted.out, "program", "pentium:instructions", kMaxField));
    ASSERT_EQ(with({"--format", "json", "-o", before}).code, 0);
    const Ran same = with({"--against", before, "--limit", "+0", "--format", "csv"});
    EXPECT_EQ(same.code, 0) << same.out << same.errors;
    EXPECT_EQ(field_of(same.out, "program", "pentium:instructions", kHowField), "pass");
    const Ran more =
        with({"--against", before, "--limit", "+0", "--format", "csv"},
             is_seabios() ? std::vector<std::string>{"--memory", "64"} : std::vector<std::string>{"--no-reboot"});
    EXPECT_EQ(more.code, is_seabios() ? 1 : 0) << more.out << more.errors;
}

// EMON, MTPMPlus: of a run that is begun, and of one that runs already, by bare numbers.
TEST_P(ToolsOnGuests, LogAtAnInterval) {
    const Ran log = sla(guest(
        {"counters", "log", "--every", "20ms", "--events", "16,1D", "--format", "csv", "--", "sla-emu"}, {"--speed", "4"}));
    ASSERT_EQ(log.code, 0) << log.errors;
    const Ran whole =
        sla(guest({"counters", "run", "--runs", "1", "--events", "16,1D", "--format", "csv", "--", "sla-emu"}));
    std::uint64_t instructions = 0, ports = 0;
    const Rows rows = rows_of(log.out);
    ASSERT_GE(rows.size(), 2U);
    EXPECT_EQ(rows[0][2], "pentium:instructions");
    for (std::size_t i = 1; i < rows.size(); ++i) {
        instructions += rows[i].size() > 2 && !rows[i][2].empty() ? std::stoull(rows[i][2]) : 0;
        ports += rows[i].size() > 3 && !rows[i][3].empty() ? std::stoull(rows[i][3]) : 0;
    }
    EXPECT_EQ(std::to_string(instructions), field_of(whole.out, "program", "pentium:instructions", kMinField));
    EXPECT_EQ(std::to_string(ports), field_of(whole.out, "program", "pentium:port-accesses", kMinField));
}

TEST_P(ToolsOnGuests, LogWhatRunsAlreadyWhileOthersLookIntoIt) {
    const auto pc = running();
    Process log({SLA_BINARIES "/sla", "counters", "log", "--every", "10ms", "--pid", std::to_string(pc->pid()), "--events",
                 "16,27", "--format", "csv"},
                runtime_);
    const auto rows = [&] { return rows_of(log.output()).size(); };
    EXPECT_TRUE(support::eventually([&] { return rows() > 3 || !log.is_running(); }, kToolHang));
    EXPECT_EQ(sla_emu_control(*pc, {"cr0"}).code, 0) << "the log does not keep the socket to itself";
    const std::size_t before = rows();
    EXPECT_TRUE(support::eventually([&] { return rows() > before || !log.is_running(); }, kToolHang));
    log.signal(SIGINT);
    EXPECT_EQ(log.wait(kToolHang).code, 0) << log.errors();
    EXPECT_THAT(log.output(),
                testing::StartsWith("time_ns,interval_ns,pentium:instructions,pentium:hardware-interrupts,estimated\n"));
    pc->signal(SIGTERM);
    EXPECT_EQ(pc->wait(kToolHang).code, 0) << pc->errors();
}

// PMON, MTPM, P5MON: what the window's panel asks for, a section's counts while the guest runs.
TEST_P(ToolsOnGuests, ReportASectionWhileTheyRun) {
    const auto pc = running();
    const auto is_taken = [&] { return sla_emu_control(*pc, {"section irq.0.isr 16,1D"}).code == 0; };
    ASSERT_TRUE(support::eventually(is_taken, kToolHang)) << "once there is a channel of that name";
    const auto said = [&] { return sla_emu_control(*pc, {"section irq.0.isr 16,1D"}).out; };
    EXPECT_TRUE(
        support::eventually([&] { return said().find(R"("name": "irq.0.isr", "ended")") != std::string::npos; }, kToolHang));
    EXPECT_THAT(said(), HasSubstr(R"("1D": {"grain": 1, "values": [[1, )")) << "one access, the end of the interrupt";
    EXPECT_EQ(sla_emu_control(*pc, {"section none"}).code, 0);
}

// PTACH and PMX
TEST_P(ToolsOnGuests, ShowAndWriteMsrsAndControlRegisters) {
    const auto pc = running();
    const Ran shown =
        sla_emu_control(*pc, {"pause", "state msr pic", "wrmsr 11h 0x00d6", "wrmsr 11h |= 5d0000h", "rdmsr 11h",
                              "cr4 = 100h", "cr4", "x/16xb 0xfe05b", "disassemble 0xfe05b 2", "go"});
    ASSERT_EQ(shown.code, 0) << shown.errors;
    EXPECT_THAT(shown.out, HasSubstr("[msr]\ntsc_10h "));
    EXPECT_THAT(shown.out, HasSubstr("\ncesr_11h "));
    EXPECT_THAT(shown.out, HasSubstr("\nmaster.imr "));
    EXPECT_THAT(shown.out, HasSubstr("11h 00000000005d00d6\n"));
    EXPECT_THAT(shown.out, HasSubstr("cr4 00000100\n"));
    EXPECT_THAT(shown.out, HasSubstr("000fe05b"));
    // The two counters that these words chose count from here on.
    const auto counter = [&] { return sla_emu_control(*pc, {"rdmsr 12h"}).out; };
    EXPECT_TRUE(support::eventually([&] { return counter() != "12h 0000000000000000\n"; }, kToolHang));
}

// VTUNE, EDBEMON: a sample every so many events, by a number or by a rate; places; code with counts.
TEST_P(ToolsOnGuests, SampleByARateAndShowTheCode) {
    const std::string capture = record({"--sample", "16:2000/s"});
    // SeaBIOS does nearly all its work in the first tenth of a second, in bursts: the rate is kept behind that.
    const double seconds = is_seabios() ? 0.3 : 0.05;
    const std::string last = is_seabios() ? "3e8" : "5e7";
    const auto samples = static_cast<double>(
        number(capture,
               "count(*) FROM events WHERE channel = 'pmc.sample' AND time_ns > (SELECT max(time_ns) FROM events WHERE "
               "channel = 'irq.0') - " +
                   last));
    EXPECT_GT(samples, 2000 * seconds * 0.4);
    EXPECT_LT(samples, 2000 * seconds * 1.6);
    const Ran notes = sla({"table", capture, "--channel", "pmc.note", "--format", "csv"});
    EXPECT_THAT(notes.out, HasSubstr("16:2000/s: a sample every "));
    const Ran first = sla({"places", capture, "--most", "3", "--format", "csv"});
    const Ran again = sla({"places", record({"--sample", "16:2000/s"}), "--most", "3", "--format", "csv"});
    EXPECT_EQ(first.out, again.out) << "the same run, the same places";
    const Rows places = rows_of(again.out);
    ASSERT_GE(places.size(), 2U);
    const std::string place = places[1][2].substr(3);  // behind "at "
    const std::string segment = place.substr(0, place.find(':'));
    const std::uint64_t offset = std::stoull(place.substr(place.find(':') + 1), nullptr, 16);
    std::ostringstream range;
    range << segment << ":" << std::hex << offset << ".." << segment << ":" << offset + 16;
    const auto pc = running();
    const Ran code =
        sla({"places", capture, "--annotate", range.str(), "--guest", std::to_string(pc->pid()), "--format", "csv"});
    ASSERT_EQ(code.code, 0) << code.errors;
    EXPECT_EQ(rows_of(code.out)[1][3], places[1][3]) << "the first instruction is the place with the most samples";
}

INSTANTIATE_TEST_SUITE_P(All, ToolsOnGuests, testing::Values("demo", "SeaBIOS"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace sla
