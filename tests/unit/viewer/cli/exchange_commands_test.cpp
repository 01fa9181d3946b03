// export, import, report, completion and manual pages as people type them.
#include "proto/wire/utf8.h"
#include "tests/support/sample_capture.h"
#include "tests/unit/viewer/cli/run_sla.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

namespace sla::cli {
namespace {

// A table without its last column: what the clock's readings say of the error is not in other tools' formats.
std::string without_errors(const std::string& table) {
    std::string out;
    for (std::size_t begin = 0; begin < table.size();) {
        const std::size_t end = table.find('\n', begin);
        out.append(table, begin, table.rfind(',', end) - begin).append("\n");
        begin = end + 1;
    }
    return out;
}

class Exchange : public WithDirectory {
protected:
    Exchange() {
        support::CaptureBuilder capture(1'000'000, 2.7e9, 70);
        support::add_bench_scene(capture);
        capture.write(file("c.sla"));
    }
};

TEST_F(Exchange, AnExportComesBackAsTheSameTable) {
    ASSERT_EQ(run_sla({"export", file("c.sla"), "--format", "ctf", "-o", file("ctf")}).code, kDone);
    const Outcome imported = run_sla({"import", file("ctf"), "-o", file("back.sla")});
    ASSERT_EQ(imported.code, kDone) << imported.errors;
    EXPECT_NE(imported.errors.find("imported 6940 events"), std::string::npos) << imported.errors;
    EXPECT_EQ(without_errors(run_sla({"table", file("back.sla")}).out),
              without_errors(run_sla({"table", file("c.sla")}).out));
}

TEST_F(Exchange, TheTableCommandAndTheCsvExportAreTheSameBytes) {
    ASSERT_EQ(run_sla({"export", file("c.sla"), "--format", "csv", "-o", file("a.csv"), "--filter", "kind != tick"}).code,
              kDone);
    ASSERT_EQ(run_sla({"table", file("c.sla"), "-o", file("b.csv"), "--filter", "kind != tick"}).code, kDone);
    EXPECT_EQ(content(file("a.csv")), content(file("b.csv")));
    EXPECT_EQ(run_sla({"export", file("c.sla"), "--format", "csv", "-o", "-", "--filter", "kind != tick"}).out,
              content(file("a.csv")));
}

TEST_F(Exchange, RangesChannelsAndFiltersApply) {
    const Outcome some = run_sla({"export", file("c.sla"), "--format", "jsonl", "-o", "-", "--channel", "irq.0", "--from",
                                  "3ms", "--until", "5ms", "--filter", "value == 1"});
    EXPECT_EQ(some.code, kDone) << some.errors;
    EXPECT_EQ(std::count(some.out.begin(), some.out.end(), '\n'), 2);
    EXPECT_EQ(run_sla({"export", file("c.sla"), "--format", "vcd", "-o", "-", "--filter", "kind == dance"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"export", file("c.sla"), "--format", "csv", "-o", "-", "--filter", "value == 123456789"}).code,
              kDone);
}

TEST_F(Exchange, TheFormatIsThatOfTheEnding) {
    const auto begins_with = [&](const char* name, const std::string& text) {
        ASSERT_EQ(run_sla({"export", file("c.sla"), "-o", file(name)}).code, kDone) << name;
        EXPECT_EQ(content(file(name)).substr(0, text.size()), text) << name;
    };
    begins_with("e.json", "[\n{\"index\"");
    begins_with("e.csv", "index,");
    begins_with("e.vcd", "$");
    begins_with("e.chrome.json", "{");
    EXPECT_EQ(run_sla({"export", file("c.sla"), "-o", file("e.ctf")}).code, kDone);
    EXPECT_TRUE(std::filesystem::exists(file("e.ctf") + "/metadata"));
    for (const char* name : {"e.yaml", "e", "-"})
        EXPECT_EQ(run_sla({"export", file("c.sla"), "-o", name[0] == '-' ? name : file(name)}).code, kWrongUse) << name;
    EXPECT_FALSE(std::filesystem::exists(file("e.yaml")));
}

TEST_F(Exchange, ToIsATimeAndItsOldMeaningIsSaidToBeOld) {
    const Outcome part = run_sla({"export", file("c.sla"), "--format", "csv", "--to", "3ms", "-o", "-"});
    EXPECT_EQ(part.code, kDone);
    EXPECT_EQ(part.out, run_sla({"table", file("c.sla"), "--to", "3ms", "--format", "csv"}).out);
    const Outcome old = run_sla({"export", file("c.sla"), "--to", "csv", "--until", "3ms", "-o", "-"});
    EXPECT_EQ(old.out, part.out);
    EXPECT_NE(old.errors.find("the old spelling of --format csv"), std::string::npos) << old.errors;
    EXPECT_EQ(run_sla({"export", file("c.sla"), "--to", "3ms", "--until", "3ms", "-o", file("x.csv")}).code, kWrongUse);
    EXPECT_EQ(run_sla({"export", file("c.sla"), "--to", "vcd", "--format", "csv", "-o", "-"}).code, kWrongUse);
    const Outcome import = run_sla({"import", file("c.sla"), "--from", "vcd", "-o", file("x.sla")});
    EXPECT_NE(import.errors.find("the old spelling of --format vcd"), std::string::npos) << import.errors;
    EXPECT_EQ(run_sla({"import", "--help"}).out.find("--from"), std::string::npos);
}

TEST_F(Exchange, WrongUseIsReportedBeforeAnythingIsRead) {
    EXPECT_EQ(run_sla({"export", "nowhere.sla", "--format", "dance", "-o", "x"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"export", "nowhere.sla", "--format", "csv"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"export", file("c.sla"), "--format", "sr", "-o", file("x"), "--rate", "fast"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"export", file("c.sla"), "--format", "ctf", "-o", "-"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"import", file("c.sla"), "-o", file("x.sla")}).code, kWrongUse);
    ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);  // the look at what is in it would take its beginning
    const Outcome pipe = run_sla({"import", file("pipe"), "-o", file("x.sla")});
    EXPECT_EQ(pipe.code, kWrongUse);
    EXPECT_NE(pipe.errors.find("--format"), std::string::npos) << pipe.errors;
    EXPECT_EQ(run_sla({"import", file("nowhere"), "-o", file("x.sla")}).code, kOutsideFailed);
}

TEST_F(Exchange, AReportIsOnePageThatFetchesNothing) {
    ASSERT_EQ(run_sla({"report", file("c.sla"), "-o", file("r.html")}).code, kDone);
    const std::string page = content(file("r.html"));
    EXPECT_EQ(page.substr(0, 15), "<!doctype html>");
    for (const char* part : {"<svg", "Time between events", "Histograms", "415 events were lost", "pipe.compress", "Clock",
                             "prefers-color-scheme:dark", "</html>"})
        EXPECT_NE(page.find(part), std::string::npos) << part;
    for (const char* part : {"http", "<script", "src=", "nan", "inf\""})
        EXPECT_EQ(page.find(part), std::string::npos) << part;
}

TEST_F(Exchange, AReportSaysHowLongALossLastedAndWhenNobodyKnows) {
    support::CaptureBuilder capture;
    const auto channel = capture.channel("a");
    capture.tick(channel, 1'000);
    capture.gap(channel, 2'000, 7, wire::LossCause::kOverrun, 2'700);
    capture.tick(channel, 3'000);
    capture.gap(channel, 4'000, 8);
    capture.tick(channel, 5'000);
    capture.write(file("gaps.sla"));
    ASSERT_EQ(run_sla({"report", file("gaps.sla"), "-o", file("r.html")}).code, kDone);
    const std::string page = content(file("r.html"));
    const std::size_t first = page.find(">7<td>overrun");
    const std::size_t second = page.find(">8<td>overrun");
    ASSERT_NE(first, std::string::npos);
    ASSERT_NE(second, std::string::npos);
    EXPECT_EQ(page.substr(first, second - first).find("not known"), std::string::npos);
    EXPECT_NE(page.find("not known", second), std::string::npos);
}

TEST_F(Exchange, AReportDoesNotSayThatNothingWasLostWhereNobodyCounted) {
    support::CaptureBuilder capture;
    std::string name;
    for (int i = 0; i < 30; ++i) name += "\u00e4";  // two bytes each: it is cut between letters
    const auto channel = capture.channel(name);
    capture.tick(channel, 1'000);
    capture.gap(channel, 2'000, 0);
    capture.tick(channel, 3'000);
    capture.write(file("uncounted.sla"));
    ASSERT_EQ(run_sla({"report", file("uncounted.sla"), "-o", file("r.html")}).code, kDone);
    const std::string page = content(file("r.html"));
    EXPECT_EQ(page.find("Nothing was lost"), std::string::npos);
    EXPECT_NE(page.find("an unknown number in 1 place were lost"), std::string::npos);
    EXPECT_TRUE(wire::is_utf8(page));
}

TEST_F(Exchange, AReportOfAPartSaysWhichAndListsItsLosses) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("a");
    const auto b = capture.channel("b");
    capture.tick(b, 1'000);
    capture.gap(b, 2'000, 7);
    for (std::uint64_t tick = 1'000; tick < 9'000; tick += 1'000) capture.tick(a, tick);
    capture.write(file("part.sla"));
    const auto page_of = [&](const std::vector<std::string>& options) {
        std::vector<std::string> words{"report", file("part.sla"), "-o", file("r.html")};
        words.insert(words.end(), options.begin(), options.end());
        EXPECT_EQ(run_sla(words).code, kDone);
        return content(file("r.html"));
    };
    EXPECT_EQ(page_of({}).find("is of a part"), std::string::npos);
    EXPECT_NE(page_of({"--channel", "a"}).find("None on these channels"), std::string::npos) << "others lost something";
    const std::string part = page_of({"--from", "3us"});
    EXPECT_NE(part.find("is of a part: from 3.000"), std::string::npos);
    EXPECT_EQ(part.find(">7<td>overrun"), std::string::npos) << "that was before";
    EXPECT_NE(page_of({"--from", "1500ns", "--to", "4us"}).find(">7<td>overrun"), std::string::npos);
}

TEST_F(Exchange, AReportDrawsWhatComesAfterAValueThatIsNoNumber) {
    support::CaptureBuilder capture;
    const auto level = capture.channel("level");
    for (const double value : {1.0, std::numeric_limits<double>::quiet_NaN(), 2.0, 3.0})
        capture.number(level, 2'000 + static_cast<std::uint64_t>(1'000 * (std::isnan(value) ? 1.5 : value)), value);
    capture.write(file("nan.sla"));
    ASSERT_EQ(run_sla({"report", file("nan.sla"), "-o", file("r.html")}).code, kDone);
    EXPECT_EQ(content(file("r.html")).find("nan "), std::string::npos);
    EXPECT_EQ(content(file("r.html")).find("Vnan"), std::string::npos);
}

TEST_F(Exchange, AReportOfNothingIsAPageToo) {
    support::CaptureBuilder capture;
    capture.channel("<silent> & \"odd\"");
    capture.write(file("empty.sla"));
    ASSERT_EQ(run_sla({"report", file("empty.sla"), "-o", file("r.html")}).code, kDone);
    EXPECT_EQ(content(file("r.html")).find("<silent>"), std::string::npos);
}

TEST_F(Exchange, CompletionKnowsEveryCommandAndItsOptions) {
    const Outcome bash = run_sla({"completion", "bash"});
    ASSERT_EQ(bash.code, kDone);
    std::ofstream(file("x.bash"))
        << bash.out << "\nCOMP_WORDS=(sla export --format ct); COMP_CWORD=3; _sla; echo \"${COMPREPLY[*]}\"\n"
        << "COMP_WORDS=(sla expo); COMP_CWORD=1; _sla; echo \"${COMPREPLY[*]}\"\n"
        << "COMP_WORDS=(sla table --filt); COMP_CWORD=2; _sla; echo \"${COMPREPLY[*]}\"\n"
        << "COMP_WORDS=(sla trigger se); COMP_CWORD=2; _sla; echo \"${COMPREPLY[*]}\"\n"
        << "COMP_WORDS=(sla trigger set --wind); COMP_CWORD=3; _sla; echo \"${COMPREPLY[*]}\"\n"
        << "COMP_WORDS=(sla trigger list --format js); COMP_CWORD=4; _sla; echo \"${COMPREPLY[*]}\"\n"
        << "COMP_WORDS=(sla trigger set --action s); COMP_CWORD=4; _sla; echo \"${COMPREPLY[*]}\"\n"
        << "COMP_WORDS=(sla fleet trigger --action n); COMP_CWORD=4; _sla; echo \"${COMPREPLY[*]}\"\n";
    FILE* pipe = popen(("bash " + file("x.bash") + " 2>&1").c_str(), "r");
    char text[256] = {};
    const std::size_t size = fread(text, 1, sizeof text - 1, pipe);
    pclose(pipe);
    EXPECT_EQ(std::string(text, size), "ctf\nexport\n--filter\nset\n--window\njson jsonl\nstop stop-guest\nnotify\n");
    const Outcome zsh = run_sla({"completion", "zsh"});
    EXPECT_EQ(zsh.code, kDone);
    EXPECT_EQ(zsh.out.substr(0, 12), "#compdef sla");
    EXPECT_NE(zsh.out.find("'*--format["), std::string::npos);
    EXPECT_NE(zsh.out.find("'fire:Fire it now"), std::string::npos);
    const std::string table = zsh.out.substr(zsh.out.find("        table)"));
    EXPECT_NE(table.substr(0, table.find(";;")).find("'*:CAPTURE|ADDRESS:_files'"), std::string::npos) << "a capture's name";
    EXPECT_EQ(run_sla({"completion", "fish"}).code, kWrongUse);
}

TEST_F(Exchange, EveryCommandHasAManualPage) {
    ASSERT_EQ(run_sla({"--write-pages", file("pages")}).code, kDone);
    const std::string first = content(file("pages") + "/man/sla.1");
    EXPECT_NE(first.find("sla\\-export"), std::string::npos);
    const std::string page = content(file("pages") + "/man/sla-export.1");
    for (const char* part : {".TH SLA-EXPORT 1", ".SH SYNOPSIS", "\\-\\-filter", ".SH EXIT STATUS"})
        EXPECT_NE(page.find(part), std::string::npos) << part;
    EXPECT_NE(page.find("\n[CAPTURE|ADDRESS]\n"), std::string::npos) << "what is read, without --address before it";
    EXPECT_NE(page.find("perfetto"), std::string::npos) << "what each format has no place for";
    EXPECT_EQ(run_sla({"--write-pages", "/dev/null/pages"}).code, kOutsideFailed);
    EXPECT_NE(content(file("pages") + "/man/sla-trigger.1").find("sla\\-trigger\\-set (1)"), std::string::npos);
    EXPECT_NE(content(file("pages") + "/man/sla-trigger-set.1").find("\\-\\-window"), std::string::npos);
}

TEST_F(Exchange, ATextThatAVcdCannotHoldIsNotMadeUp) {
    ASSERT_EQ(run_sla({"export", file("c.sla"), "--format", "vcd", "-o", file("c.vcd")}).code, kDone);
    ASSERT_EQ(run_sla({"import", file("c.vcd"), "-o", file("v.sla")}).code, kDone);
    const std::string before = run_sla({"table", file("c.sla"), "--channel", "port.*", "--format", "csv"}).out;
    const std::string after = run_sla({"table", file("v.sla"), "--channel", "port.*", "--format", "csv"}).out;
    EXPECT_NE(before.find(",out 43h,"), std::string::npos);
    EXPECT_EQ(after.find(",in "), std::string::npos) << after.substr(0, 400);
    EXPECT_EQ(std::count(after.begin(), after.end(), '\n'), std::count(before.begin(), before.end(), '\n'));
}

TEST_F(Exchange, ACtfWithoutTheStreamOfAChannelSaysSo) {
    ASSERT_EQ(run_sla({"export", file("c.sla"), "--format", "ctf", "-o", file("ctf")}).code, kDone);
    std::filesystem::remove(file("ctf") + "/channel_3");
    const Outcome outcome = run_sla({"import", file("ctf"), "-o", file("x.sla")});
    EXPECT_EQ(outcome.code, kDone);
    EXPECT_NE(outcome.errors.find("there is no channel_3"), std::string::npos) << outcome.errors;
}

TEST_F(Exchange, ARateOfOthersThanSrIsRefused) {
    EXPECT_EQ(run_sla({"export", file("c.sla"), "--format", "vcd", "--rate", "1MHz", "-o", file("c.vcd")}).code, kWrongUse);
}

// With a program of this kind in place of the window's.
class DrawnBy : public Exchange {
protected:
    Outcome draw_by(const std::string& script, const std::string& output) {
        const std::string program = file("sla-viewer");
        std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        const std::string path = std::getenv("PATH");
        setenv("PATH", (std::filesystem::path(program).parent_path().string() + ":" + path).c_str(), 1);
        const Outcome outcome = run_sla({"draw", file("c.sla"), "-o", output});
        setenv("PATH", path.c_str(), 1);
        return outcome;
    }
    Outcome draw_by(const std::string& script) { return draw_by(script, file("c.png")); }
};

TEST_F(DrawnBy, ToStandardOutputGoesThePictureAlone) {
    const Outcome piped = draw_by("echo 'sla-viewer: a remark' >&2; printf 'a picture' >\"$3\"", "-");
    EXPECT_EQ(piped.code, kDone) << piped.errors;
    EXPECT_EQ(piped.out, "a picture");
    EXPECT_NE(piped.errors.find("a remark"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists("-"));
    const Outcome none = draw_by("echo 'sla-viewer: no' >&2; exit 3", "-");
    EXPECT_EQ(none.code, kOutsideFailed);
    EXPECT_EQ(none.out, "");
}

// The picture's place may be a full disk: what went wrong is said all the same.
TEST_F(DrawnBy, WhatTheWindowsProgramSaysNeedsNoRoomBesideThePicture) {
    const Outcome full = draw_by("ls \"$(dirname \"$3\")\" >&2; echo 'sla-viewer: the disk is full' >&2; exit 3");
    EXPECT_EQ(full.code, kOutsideFailed);
    EXPECT_NE(full.errors.find("sla: the disk is full\n"), std::string::npos) << full.errors;
    EXPECT_EQ(full.errors.find(".log"), std::string::npos) << "a file beside the picture:\n" << full.errors;
    const Outcome silent = draw_by("exit 3");
    EXPECT_EQ(silent.code, kOutsideFailed);
    EXPECT_NE(silent.errors.find("there is no picture"), std::string::npos) << silent.errors;
}

TEST_F(DrawnBy, WhatNoFileReplacesIsRefusedBeforeAnyWorkIsDone) {
    ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
    const Outcome drawn = draw_by(": >'" + file("drawn") + "'", file("pipe"));
    EXPECT_EQ(drawn.code, kWrongUse);
    EXPECT_NE(drawn.errors.find("no file replaces"), std::string::npos) << drawn.errors;
    EXPECT_FALSE(std::filesystem::exists(file("drawn")));
    const Outcome saved = run_sla({"snapshot", "--address", "unix:" + file("no.sock"), "-o", file("pipe")});
    EXPECT_EQ(saved.code, kWrongUse) << "not even an agent was looked for";
    EXPECT_NE(saved.errors.find("no file replaces"), std::string::npos) << saved.errors;
}

TEST_F(Exchange, APictureOfWhatIsNoFileIsWrongUse) {
    std::filesystem::create_directory(file("empty"));
    for (const std::string& target : {file("empty"), std::string("/dev/null")}) {
        const Outcome outcome = run_sla({"draw", target, "-o", file("c.png")});
        EXPECT_EQ(outcome.code, kWrongUse) << target;
        EXPECT_NE(outcome.errors.find("is not a file"), std::string::npos) << outcome.errors;
    }
}

TEST_F(Exchange, APictureIsNotDrawnOverItsCapture) {
    const std::string before = content(file("c.sla"));
    EXPECT_EQ(run_sla({"draw", file("c.sla"), "-o", file("c.sla")}).code, kWrongUse);
    const Outcome nowhere = run_sla({"draw", file("c.sla"), "-o", file("no/such/c.png")});
    EXPECT_EQ(nowhere.code, kOutsideFailed);
    EXPECT_NE(nowhere.errors.find("cannot write"), std::string::npos) << nowhere.errors;
    EXPECT_TRUE(content(file("c.sla")) == before);
}

}  // namespace
}  // namespace sla::cli
