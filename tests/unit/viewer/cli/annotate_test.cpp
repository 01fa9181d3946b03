// sla places --annotate: code with the samples that fell on it, of guests and of programs.
#include "tests/support/capture_builder.h"
#include "tests/support/fake_guest.h"
#include "tests/unit/viewer/cli/run_sla.h"
#include "viewer/cli/code/annotated_code.h"
#include "viewer/cli/code/guest_code.h"
#include "viewer/cli/code/host_places.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

// A function whose place in this program is known.
extern "C" [[gnu::noinline, gnu::used]] int sla_annotate_test_busy(int number) {
    volatile int sum = 0;
    for (int i = 0; i < number; ++i) sum = sum + i * 3;
    return sum;
}

namespace sla::cli {
namespace {

using disassembly::Mode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// mov al, 0x42; out 0x80, al; dec cx; jnz -1
const std::vector<std::uint8_t> kLoop{0xB0, 0x42, 0xE6, 0x80, 0x49, 0x75, 0xFD};

std::vector<std::string> texts_of(const std::vector<CodeRow>& rows) {
    std::vector<std::string> out;
    for (const CodeRow& row : rows) out.push_back(std::to_string(row.samples) + " " + row.bytes + " " + row.instruction);
    return out;
}

TEST(AnnotatedCode, HasTheSamplesOfEachInstruction) {
    symbol::CodeImage code;
    code.add(0xFE05B, kLoop);
    const CodeRange range{0xFE05B, 0xFE062, Mode::k16, 0xF0000};
    EXPECT_THAT(texts_of(annotated(code, range, {{0xFE05F, 3}, {0xFE060, 2}, {0xFFFFF, 9}})),
                ElementsAre("0 b042 mov al, 0x42", "0 e680 out 0x80, al", "3 49 dec cx", "2 75fd jnz 0xE05F"));
}

TEST(AnnotatedCode, BeginsAnewWhereASampleSaysAnInstructionBegins) {
    symbol::CodeImage code;
    code.add(0x1000, {0xB8, 0x90, 0x90, 0x90});  // read from the first byte: mov ax, 0x9090; nop
    EXPECT_THAT(texts_of(annotated(code, {0x1000, 0x1004, Mode::k16, 0}, {{0x1001, 1}})),
                ElementsAre("0 b8 db 0xb8", "1 90 nop", "0 90 nop", "0 90 nop"));
}

TEST(AnnotatedCode, EndsWhereNoCodeIsKnownButForgetsNoSample) {
    symbol::CodeImage code;
    code.add(0x1000, {0x90});
    EXPECT_THAT(texts_of(annotated(code, {0x1000, 0x2000, Mode::k32, 0}, {{0x1800, 4}})),
                ElementsAre("0 90 nop", "4  no code is known here"));
}

TEST(GuestCode, IsReadFromTheAnswerUpToWhereMemoryEnds) {
    EXPECT_THAT(parse_guest_bytes("000fe05b: ea 5b e0\n000fe05e: 00 f0\n").value(), ElementsAre(0xEA, 0x5B, 0xE0, 0, 0xF0));
    EXPECT_THAT(parse_guest_bytes("00000000: 12 -- --\n").value(), ElementsAre(0x12));
    EXPECT_TRUE(parse_guest_bytes("").value().empty());
    EXPECT_FALSE(parse_guest_bytes("0: zz\n").ok());
}

class HostPlacesIn : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(symbols_.add("1000 first\n1400 second\n4000 large\n9000 behind\n", 0).ok()); }
    symbol::Symbols symbols_;
};

TEST_F(HostPlacesIn, AFileFollowFromNamesAndAddresses) {
    constexpr std::uint64_t kMoved = 0x555555554000;
    const auto found = places_in_file({{1, kMoved + 0x1010, "prog:first"},
                                       {1, kMoved + 0x1410, "prog:second"},
                                       {1, kMoved + 0x5123, "prog:large"},
                                       {1, kMoved + 0x5123, "prog:large"},
                                       {1, 0x1234, "other:first"},
                                       {1, kMoved + 0x9999, "prog:nameless"},
                                       {1, kMoved + 0x9999, "prog"}},
                                      "prog", symbols_, false);
    EXPECT_EQ(found.addresses, (SampledAddresses{{0x1010, 1}, {0x1410, 1}, {0x5123, 2}}));
    EXPECT_EQ(found.unplaced, 2U);
}

TEST_F(HostPlacesIn, ThatCouldBeSeveralAreNotGuessedButLearnedFromOthers) {
    constexpr std::uint64_t kMoved = 0x7F0000000000;
    const HostSample far{1, kMoved + 0x5123, "prog:large"};  // its function has five pages
    const auto alone = places_in_file({far}, "prog", symbols_, false);
    EXPECT_TRUE(alone.addresses.empty());
    EXPECT_EQ(alone.unplaced, 1U);
    const auto both = places_in_file({far, {2, kMoved + 0x1010, "prog:first"}}, "prog", symbols_, false);
    EXPECT_EQ(both.addresses, (SampledAddresses{{0x1010, 1}, {0x5123, 1}}));
    const auto fixed = places_in_file({{1, 0x5123, "prog:large"}}, "prog", symbols_, true);
    EXPECT_EQ(fixed.addresses, (SampledAddresses{{0x5123, 1}}));
}

class Annotate : public WithDirectory {
protected:
    // Samples of a guest in real mode: f000:e05f three times, f000:e060 once.
    std::string guest_capture() {
        support::CaptureBuilder capture;
        const auto sample = capture.channel("pmc.sample", 1, "x86.addr");
        for (std::uint64_t i = 0; i < 4; ++i) {
            const std::uint64_t offset = i == 3 ? 0xE060 : 0xE05F;
            capture.detail(sample, 2000 + i, SLA_CODE_TICK_VALUE, offset, 0, 0xF000ULL << 32 | offset);
        }
        capture.write(file("guest.sla"));
        return file("guest.sla");
    }
    std::string code_file() {
        std::ofstream(file("boot.bin"), std::ios::binary).write(reinterpret_cast<const char*>(kLoop.data()), 7);
        return file("boot.bin");
    }
};

TEST_F(Annotate, ARangeOfAGuestFromAFile) {
    const Outcome done = run_sla({"places", guest_capture(), "--annotate", "f000:e05b..f000:e062", "--code",
                                  code_file() + "@0xfe05b", "--format", "csv"});
    EXPECT_EQ(done.code, kDone) << done.errors;
    EXPECT_EQ(done.out,
              "channel,address,symbol,samples,percent,bytes,instruction\n"
              "pmc.sample,f000:e05b,,0,0,b042,\"mov al, 0x42\"\n"
              "pmc.sample,f000:e05d,,0,0,e680,\"out 0x80, al\"\n"
              "pmc.sample,f000:e05f,,3,75,49,dec cx\n"
              "pmc.sample,f000:e060,,1,25,75fd,jnz 0xE05F\n");
}

TEST_F(Annotate, ASymbolOfAGuestInEveryFormAndMode) {
    std::ofstream(file("boot.sym")) << "fe05b handle\nfe05f handle.again\nfe062 behind\n";
    const auto with = [&](std::vector<std::string> more) {
        std::vector<std::string> words{"places",    guest_capture(),  "--annotate", "handle",
                                       "--symbols", file("boot.sym"), "--code",     code_file() + "@0xfe05b"};
        words.insert(words.end(), more.begin(), more.end());
        return run_sla(words);
    };
    EXPECT_THAT(with({"--format", "csv"}).out, HasSubstr("\npmc.sample,f000:e060,handle.again+0x1,1,25,75fd,"));
    EXPECT_THAT(with({"--format", "json"}).out, HasSubstr(R"("instruction":"dec cx")"));
    EXPECT_THAT(with({"--format", "tsv"}).out, HasSubstr("\t3\t75\t49\tdec cx\n"));
    EXPECT_THAT(with({"--format", "text"}).out, HasSubstr("dec cx"));
    EXPECT_THAT(with({"--format", "csv", "--bits", "32"}).out, HasSubstr(",dec ecx\n"));
}

TEST_F(Annotate, ACppFunctionByItsNameAloneWhereOnlyOneIsCalledSo) {
    std::ofstream(file("cpp.sym")) << "fe05b _Z4waitv\nfe05f _Z4turni\nfe060 _Z4turnd\nfe062 behind\n";
    const auto of = [&](const char* what) {
        return run_sla({"places", guest_capture(), "--annotate", what, "--symbols", file("cpp.sym"), "--code",
                        code_file() + "@0xfe05b", "--format", "csv"});
    };
    EXPECT_THAT(of("wait").out, HasSubstr("pmc.sample,000fe05d,_Z4waitv+0x2,"));
    EXPECT_EQ(of("wait").out, of("wait()").out);
    EXPECT_THAT(of("turn(double)").out, HasSubstr(",75fd,"));
    EXPECT_EQ(of("turn").code, kWrongUse);
    EXPECT_THAT(of("turn").errors, HasSubstr("2 functions are called so: write one with its parameters"));
    EXPECT_THAT(of("wai").errors, HasSubstr("there is no such symbol"));
}

TEST_F(Annotate, TheMemoryOfAGuestThatRuns) {
    ::setenv("SLA_RUNTIME_DIR", file("").c_str(), 1);
    support::FakeGuest guest(4242, [](const std::string& command) {
        if (command == "x 0xfe05b 22") return "000fe05b: b0 42 e6 80 49 75 fd\n";
        return command == "x 0xfe05b 18" ? "000fe05b: b0 42 e6 80 49 75 fd\n" : "error: what?";
    });
    ASSERT_TRUE(guest.is_there());
    const Outcome done =
        run_sla({"places", guest_capture(), "--annotate", "fe05b..fe062", "--guest", "4242", "--format", "csv"});
    EXPECT_EQ(done.code, kDone) << done.errors;
    EXPECT_THAT(done.out, HasSubstr("\npmc.sample,f000:e05f,,3,75,49,dec cx\n"));
    const Outcome cut =
        run_sla({"places", guest_capture(), "--annotate", "fe05b..fe05e", "--guest", "4242", "--format", "csv"});
    EXPECT_THAT(cut.out, HasSubstr(",e680,\"out 0x80, al\"\n")) << "the last instruction is whole";
    ::unsetenv("SLA_RUNTIME_DIR");
}

// This very program, wherever the system put it.
TEST_F(Annotate, AFunctionOfAProgram) {
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
    const auto runs_at = reinterpret_cast<std::uintptr_t>(&sla_annotate_test_busy);
    support::CaptureBuilder capture;
    const auto sample = capture.channel("linux.sample.time");
    const std::string place = program.filename().string() + ":sla_annotate_test_busy";
    capture.place(sample, 2000, runs_at, place);
    capture.place(sample, 2001, runs_at, place);
    capture.place(sample, 2002, 0x1234, "libc.so.6:memcpy");
    capture.place(sample, 2003, 0x1234, program.filename().string());
    capture.write(file("host.sla"));
    for (const char* what : {"sla_annotate_test_busy", "unit_viewer_cli:sla_annotate_test_busy"}) {
        const Outcome done =
            run_sla({"places", file("host.sla"), "--annotate", what, "--symbols", program.string(), "--format", "csv"});
        EXPECT_EQ(done.code, kDone) << done.errors;
        EXPECT_THAT(done.out, HasSubstr(",sla_annotate_test_busy,2,50,")) << what;
        EXPECT_THAT(done.out, HasSubstr(",sla_annotate_test_busy+0x"));
        EXPECT_THAT(done.out, HasSubstr(",ret\n"));
        EXPECT_THAT(done.errors, HasSubstr("1 samples of the program are in no function"));
    }
    const Outcome twice = run_sla({"places", file("host.sla"), "--annotate", "sla_annotate_test_busy", "--symbols",
                                   program.string(), "--code", program.string(), "--format", "csv"});
    EXPECT_THAT(twice.out, HasSubstr(",sla_annotate_test_busy,2,50,")) << "counted once though its file is named twice";
    EXPECT_EQ(sla_annotate_test_busy(3), 9);
}

TEST_F(Annotate, WhatIsNotThereIsSaidWithWhatToDo) {
    const auto refused = [&](std::vector<std::string> more) {
        std::vector<std::string> words{"places", guest_capture()};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome done = run_sla(words);
        EXPECT_NE(done.code, kDone);
        EXPECT_EQ(done.out, "");
        return done.errors;
    };
    EXPECT_THAT(refused({"--annotate", "nobody"}), HasSubstr("there is no such symbol; --symbols FILE names the code"));
    EXPECT_THAT(refused({"--annotate", "f000:e05b..f000:e062"}), HasSubstr("--code FILE@BASE"));
    EXPECT_THAT(refused({"--annotate", "fe05b..fe000"}), HasSubstr("the end behind the begin"));
    EXPECT_THAT(refused({"--annotate", "x..y"}), HasSubstr("write a symbol, or from..to"));
    EXPECT_THAT(refused({"--annotate", "0..1", "--code", code_file()}), HasSubstr("where its first byte lies"));
    EXPECT_THAT(refused({"--annotate", "0..1", "--guest", "4194305"}), HasSubstr("is no emulated PC"));
    EXPECT_THAT(refused({"--annotate", "0..1", "--code", code_file() + "@0", "--bits", "8"}), HasSubstr("--bits"));
}

}  // namespace
}  // namespace sla::cli
