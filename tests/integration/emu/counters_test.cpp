// `sla counters` with the emulated PC: figures equal to counts made by hand.
#include "tests/integration/emu/guests.h"

#include <gmock/gmock.h>

#include <csignal>
#include <fstream>
#include <map>
#include <sstream>

namespace sla {
namespace {

using support::Process;
using testing::HasSubstr;

const std::string kSections = SLA_GUEST_DIR "/sections.bin";  // tests/unit/emu/vmm/guests/sections.asm

struct Counted {
    int code = 0;
    std::string out;
    std::string errors;
};

Counted count(std::vector<std::string> words) {
    words.insert(words.begin(), {SLA_BINARIES "/sla", "counters"});
    Process process(words);
    const int code = process.wait(kHang).code;
    return {code, process.output(), process.errors()};
}

std::uint64_t number_behind(const std::string& text, const std::string& name) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (word.starts_with(name + "=")) return std::stoull(word.substr(name.size() + 1));
    }
    ADD_FAILURE() << name << " is not in " << text;
    return 0;
}

TEST(CountersOfTheEmulatedPc, SweepSectionsAndSubtractTheEmptyOne) {
    const Counted swept = count({"sweep", "--section", "guest.*", "--runs", "2", "--format", "csv", "--", "sla-emu", "run",
                                 kSections, "--cpu", "x86emu", "--clock", "virtual"});
    ASSERT_EQ(swept.code, 1) << "what the guest ends with, all being well: " << swept.errors;
    EXPECT_THAT(swept.out, HasSubstr("\nguest.empty,pentium:instructions,exact,10,10,10,10,10,0,0,,"));
    EXPECT_THAT(swept.out, HasSubstr("\nguest.work,pentium:instructions,exact,10,26,26,26,26,0,0,10,"));
    EXPECT_THAT(swept.out, HasSubstr("\nguest.work,pentium:data-read,exact,10,13,13,13,13,0,0,4,"));
    EXPECT_THAT(swept.out, HasSubstr("\nguest.work,pentium:data-write,exact,10,13,13,13,13,0,0,3,"));
    EXPECT_THAT(swept.out, HasSubstr("\nguest.work,pentium:branches,exact,10,10,10,10,10,0,0,0,"));
    EXPECT_THAT(swept.out, HasSubstr("\nguest.work,pentium:port-accesses,exact,10,2,2,2,2,0,0,1,"));
    EXPECT_THAT(swept.out, HasSubstr("\nguest.work,pentium:code-miss,modelled,10,"));
    EXPECT_THAT(swept.out, HasSubstr("\nprogram,pentium:external-snoops,not offered,0,,"));
    EXPECT_THAT(swept.out, HasSubstr("\nguest.work,pentium:pairing,modelled,"));
}

TEST(CountersOfTheEmulatedPc, CountWhatTheExampleInTheHelpNames) {
    const Counted help = count({"sweep", "--help"});
    const std::string before = "Example: sla counters ";
    const std::size_t at = help.out.find(before);
    ASSERT_NE(at, std::string::npos) << help.out;
    std::istringstream example(help.out.substr(at + before.size()));
    std::vector<std::string> words;
    for (std::string word; example >> word;) words.push_back(word);
    words.insert(words.begin() + 1, {"--runs", "1", "--events", "instructions", "--format", "csv"});
    const Counted swept = count(words);
    EXPECT_EQ(swept.code, 0) << swept.errors;
    EXPECT_THAT(swept.out, HasSubstr("\nf000:f1a9..f000:f1b1,pentium:instructions,exact,"));
    EXPECT_THAT(swept.out, HasSubstr("\nirq.0.isr,pentium:instructions,exact,"));
}

TEST(CountersOfTheEmulatedPc, SweepAKernelThatMarksByTheHeaderForC) {
    const Counted swept = count({"sweep", "--section", "guest.*", "--runs", "1", "--events",
                                 "data-write,branches,port-accesses", "--format", "csv", "--", "sla-emu", "run", "--kernel",
                                 SLA_GUEST_DIR "/marked_kernel.elf", "--cpu", "x86emu", "--clock", "virtual"});
    ASSERT_EQ(swept.code, 1) << swept.errors;
    EXPECT_THAT(swept.errors, HasSubstr("exit code 1")) << "what it ends with when its own checks hold";
    EXPECT_THAT(swept.out, HasSubstr("\nguest.work,pentium:data-write,exact,4,25,25,25,25,"));
    EXPECT_THAT(swept.out, HasSubstr("\nguest.work,pentium:branches,exact,4,25,25,25,25,"));
    EXPECT_THAT(swept.out, HasSubstr("\nguest.work,pentium:port-accesses,exact,4,0,0,0,0,0,0,2,"));
}

TEST(CountersOfTheEmulatedPc, OfAWholeRunAreWhatTheGuestItselfCounted) {
    Process demo({SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "20", "--clock", "virtual"});
    ASSERT_EQ(demo.wait(kHang).code, 0) << demo.errors();
    const std::string line = demo.output();
    // Ports that it counts, those it prints with, and the one that ends it.
    const std::uint64_t ports = number_behind(line, "out") + number_behind(line, "in") + line.size() + 1;
    const std::uint64_t interrupts = number_behind(line, "irq0");
    for (const char* cpu : {"unicorn", "x86emu"}) {
        const Counted counted =
            count({"run", "--runs", "2", "--events", "port-accesses,hardware-interrupts", "--format", "csv", "--", "sla-emu",
                   "run", "--demo", "--ticks", "20", "--clock", "virtual", "--cpu", cpu});
        ASSERT_EQ(counted.code, 0) << counted.errors;
        for (const auto& [event, number] :
             {std::pair("port-accesses", ports), std::pair("hardware-interrupts", interrupts)}) {
            EXPECT_THAT(counted.out, HasSubstr("\nprogram,pentium:" + std::string(event) + ",exact,2," +
                                               std::to_string(number) + "," + std::to_string(number) + ","))
                << cpu;
        }
    }
}

// Sum of a column of a csv with a header, and the rows.
std::pair<std::uint64_t, std::size_t> sum_of(const std::string& csv, const std::string& column) {
    std::istringstream lines(csv);
    std::size_t wanted = 0;
    std::pair<std::uint64_t, std::size_t> out{0, 0};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line + ",");
        std::size_t at = 0;
        for (std::string field; std::getline(fields, field, ','); ++at) {
            if (field == column) wanted = at;
            if (at == wanted && out.second > 0 && !field.empty()) out.first += std::stoull(field);
        }
        ++out.second;
    }
    if (out.second > 0) --out.second;  // the header
    return out;
}

TEST(CountersOfTheEmulatedPc, LoggedAtAnIntervalAddUpToTheWholeRun) {
    const std::vector<std::string> guest{"sla-emu", "run",     "--demo", "--ticks", "300",   "--clock",
                                         "virtual", "--speed", "1",      "--cpu",   "x86emu"};
    std::vector<std::string> words{"log",      "--every", "50ms", "--events", "instructions,port-accesses,code-read",
                                   "--format", "csv",     "--"};
    words.insert(words.end(), guest.begin(), guest.end());
    const Counted log = count(words);
    ASSERT_EQ(log.code, 0) << log.errors;
    EXPECT_GE(sum_of(log.out, "pentium:instructions").second, 1U) << log.out;
    std::vector<std::string> run{"run",      "--runs", "1", "--events", "instructions,port-accesses,code-read",
                                 "--format", "csv",    "--"};
    run.insert(run.end(), guest.begin(), guest.end());
    const Counted whole = count(run);
    ASSERT_EQ(whole.code, 0) << whole.errors;
    for (const char* event : {"pentium:instructions", "pentium:port-accesses", "pentium:code-read"}) {
        EXPECT_THAT(whole.out, HasSubstr("program," + std::string(event) + ",exact,1," +
                                         std::to_string(sum_of(log.out, event).first) + ","));
    }
}

TEST(CountersOfTheEmulatedPc, ThatRunsAlreadyAreAskedForAtItsSocket) {
    support::TempDir directory;
    const std::map<std::string, std::string> runtime{{"SLA_RUNTIME_DIR", directory.file("run")}};
    Process pc({SLA_BINARIES "/sla-emu", "run", "--demo", "--cpu", "x86emu"}, runtime);
    // It says so once it listens.
    const auto runs = [&] { return pc.errors().find("sla-emu: running") != std::string::npos; };
    ASSERT_TRUE(support::eventually([&] { return runs() || !pc.is_running(); }, kHang)) << pc.errors();
    Process log({SLA_BINARIES "/sla", "counters", "log", "--every", "20ms", "--pid", std::to_string(pc.pid()), "--events",
                 "pentium:16,pentium:0E", "--format", "csv"},
                runtime);
    const auto rows = [&] { return sum_of(log.output(), "pentium:instructions").second; };
    EXPECT_TRUE(support::eventually([&] { return rows() >= 3 || !log.is_running(); }, kHang));
    pc.signal(SIGHUP);  // as when its terminal is closed
    EXPECT_EQ(log.wait(kHang).code, 0) << log.errors();
    EXPECT_EQ(pc.wait(kHang).code, 0) << pc.errors();
    const std::string csv = log.output();
    EXPECT_GT(sum_of(csv, "pentium:instructions").first, 0U) << csv;
    EXPECT_GE(rows(), 3U);
    EXPECT_THAT(csv, testing::StartsWith("time_ns,interval_ns,pentium:instructions,pentium:code-miss,estimated\n"));
}

TEST(CountersOfTheEmulatedPc, SayWhatTheCpuDoesNotCountAndWhichDoes) {
    const Counted counted = count({"run", "--runs", "1", "--events", "code-miss", "--format", "csv", "--", "sla-emu", "run",
                                   "--demo", "--ticks", "2", "--clock", "virtual"});
    EXPECT_EQ(counted.code, 1) << "nothing was counted";
    EXPECT_THAT(counted.out, HasSubstr("program,pentium:code-miss,not offered,0,"));
    EXPECT_THAT(counted.out, HasSubstr("--cpu x86emu"));
}

TEST(CountersOfTheEmulatedPc, AreLanesThatTriggersWatch) {
    support::TempDir directory;
    const std::string capture = directory.file("shot.sla");
    Process record({SLA_BINARIES "/sla", "record", "-o", capture, "--trigger", "pmc.ctr0 > 203", "--",
                    SLA_BINARIES "/sla-emu", "run", SLA_GUEST_DIR "/counters.bin", "--cpu", "x86emu", "--clock", "virtual"});
    EXPECT_EQ(record.wait(kHang).code, 6) << record.errors();
    EXPECT_THAT(record.errors(), HasSubstr("1 shots"));
    Process find({SLA_BINARIES "/sla", "find", capture, "pmc.ctr0 > 203", "--format", "csv"});
    EXPECT_EQ(find.wait(kHang).code, 0) << find.errors();
    EXPECT_THAT(find.output(), HasSubstr("\n7,")) << "204 to 211";
    EXPECT_THAT(find.output(), testing::Not(HasSubstr("\n8,")));
}

TEST(PlacesOfTheEmulatedPc, AreNamedByTheGuestsSymbols) {
    support::TempDir directory;
    const std::string capture = directory.file("sampled.sla");
    Process record({SLA_BINARIES "/sla", "record", "-o", capture, "--", SLA_BINARIES "/sla-emu", "run", kSections, "--cpu",
                    "x86emu", "--clock", "virtual", "--sample", "16:10"});
    EXPECT_EQ(record.wait(kHang).code, 1) << "what the guest ends with; " << record.errors();
    std::ofstream(directory.file("guest.sym")) << "0000f000 T start\n";  // an offset in its segment
    const auto places = [&](std::vector<std::string> more) {
        std::vector<std::string> words{SLA_BINARIES "/sla",
                                       "places",
                                       capture,
                                       "--format",
                                       "csv",
                                       "--symbols",
                                       directory.file("guest.sym") + "@0xf0000"};
        words.insert(words.end(), more.begin(), more.end());
        Process process(words);
        EXPECT_EQ(process.wait(kHang).code, 0) << process.errors();
        return process.output();
    };
    EXPECT_THAT(places({}), HasSubstr("\npmc.sample,1,start+0x"));
    EXPECT_THAT(places({"--by-symbol"}), HasSubstr("\npmc.sample,1,start,57,100,100\n")) << "of 573 instructions";
}

TEST(CountersOfTheEmulatedPc, FailInWordsWhereTheGuestOrASectionIsNotThere) {
    const Counted gone = count({"run", "--runs", "1", "--", "sla-emu", "run", SLA_GUEST_DIR "/no_such_image.bin"});
    EXPECT_EQ(gone.code, 3);
    EXPECT_THAT(gone.errors, HasSubstr("counted nothing. It says: sla-emu: "));
    const Counted unseen = count({"sweep", "--section", "guest.nothing", "--runs", "1", "--", "sla-emu", "run", kSections,
                                  "--cpu", "x86emu", "--clock", "virtual"});
    EXPECT_EQ(unseen.code, 1);
    EXPECT_THAT(unseen.errors, HasSubstr("nothing was counted of section 'guest.nothing'"));
    const Counted range = count({"sweep", "--range", "f000..zz", "--runs", "1", "--", "sla-emu", "run", kSections});
    EXPECT_EQ(range.code, 2);
    EXPECT_THAT(range.errors, HasSubstr("write CS:IP..CS:IP"));
    const Counted blocks =
        count({"sweep", "--range", "f000:f000..f000:f010", "--runs", "1", "--", "sla-emu", "run", kSections});
    EXPECT_EQ(blocks.code, 2);
    EXPECT_THAT(blocks.errors, HasSubstr("use --cpu x86emu"));
}

}  // namespace
}  // namespace sla
