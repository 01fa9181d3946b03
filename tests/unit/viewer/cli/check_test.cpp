#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/cli/run_sla.h"
#include "viewer/cli/commands/seeded_program.h"

namespace sla::cli {
namespace {

class Checking : public WithDirectory {
protected:
    Checking() {
        support::CaptureBuilder capture(0, 1e9, 20);
        const auto irq = capture.channel("irq.0");
        const auto isr = capture.channel("isr");
        for (std::uint64_t i = 1; i <= 5; ++i) {
            capture.tick(irq, i * 100'000);
            capture.tick(isr, i * 100'000 + i * 1000);
        }
        capture.write(file("c.sla"));
    }
    Outcome check(std::vector<std::string> words) {
        words.insert(words.begin(), {"check", file("c.sla")});
        return run_sla(words);
    }
};

TEST_F(Checking, AKeptLimitIsCodeZeroABrokenOneIsCodeOneAndSaysWhereAndHowMuch) {
    EXPECT_EQ(check({"--limit", "irq.0->isr < 50us", "--limit", "lost == 0"}).code, kDone);
    const Outcome broken = check({"--limit", "irq.0->isr < 4us", "--limit", "count isr == 5"});
    EXPECT_EQ(broken.code, kNo);
    EXPECT_EQ(broken.out,
              "fail         irq.0->isr < 4us: irq.0->isr 5 µs ± 22.001 ns at 500 µs (tick 500000); 1 of 5 break it\n"
              "pass         count isr == 5: isr 5\n");
}

TEST_F(Checking, WhatCannotBeDecidedIsNoPass) {
    const Outcome outcome = check({"--limit", "irq.0->isr < 5010ns"});
    EXPECT_EQ(outcome.code, kNo);
    EXPECT_EQ(outcome.out.substr(0, 11), "cannot tell");
}

TEST_F(Checking, JsonAndJunitSayTheSame) {
    const Outcome outcome = check({"--limit", "irq.0->isr < 4us", "--limit", "irq.0->isr < 5010ns", "--limit", "lost == 0",
                                   "--format", "json", "--junit", file("r.xml")});
    EXPECT_EQ(outcome.code, kNo);
    EXPECT_NE(outcome.out.find("\"verdict\":\"fail\""), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("\"at_tick\":500000"), std::string::npos) << outcome.out;
    const std::string xml = content(file("r.xml"));
    EXPECT_NE(xml.find("tests=\"3\" failures=\"1\" errors=\"1\""), std::string::npos) << xml;
    EXPECT_NE(xml.find("<testcase classname=\"irq.0-&gt;isr &lt; 4us\" name=\"irq.0-&gt;isr\">"), std::string::npos) << xml;
    EXPECT_NE(xml.find("<failure message=\"fail: 5 µs ± 22.001 ns at 500 µs (tick 500000); 1 of 5 break it\"/>"),
              std::string::npos)
        << xml;
    EXPECT_NE(xml.find("<error message=\"cannot tell: "), std::string::npos) << xml;
}

TEST_F(Checking, WrongLimitsAreWrongUseAndPointAtTheColumn) {
    const Outcome wrong = check({"--limit", "irq.0->isr 50us"});
    EXPECT_EQ(wrong.code, kWrongUse);
    EXPECT_NE(wrong.errors.find("column 12"), std::string::npos) << wrong.errors;
    EXPECT_EQ(check({}).code, kWrongUse);
    EXPECT_EQ(run_sla({"check", file("not-there.sla"), "--limit", "lost == 0"}).code, kOutsideFailed);
}

TEST_F(Checking, ANameThatNothingHasIsReportedBesideTheOtherVerdicts) {
    const Outcome outcome = check(
        {"--limit", "count isr == 5", "--limit", "width usb < 1s", "--limit", "usb->isr < 1s", "--junit", file("r.xml")});
    EXPECT_EQ(outcome.code, kNo);
    EXPECT_NE(outcome.out.find("pass         count isr == 5: isr 5\n"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("cannot tell  width usb < 1s"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("no channel is called 'usb'"), std::string::npos) << outcome.out;
    const std::string xml = content(file("r.xml"));
    EXPECT_NE(xml.find("tests=\"3\" failures=\"0\" errors=\"2\""), std::string::npos);
    EXPECT_NE(xml.find("message=\"cannot tell: no channel is called"), std::string::npos) << "and no dangling ';': " << xml;
}

TEST_F(Checking, ItsXmlIsXmlWhateverALimitIsCalled) {
    check({"--limit", "count \"\xff<\x01\" == 5", "--junit", file("r.xml")});
    const std::string xml = content(file("r.xml"));
    EXPECT_NE(xml.find("\xef\xbf\xbd&lt;?"), std::string::npos) << xml;
    EXPECT_EQ(xml.find('\xff'), std::string::npos) << "no byte that is not UTF-8";
}

TEST_F(Checking, APairCountsWhatHadNoEndOfItsOwn) {
    support::CaptureBuilder capture;
    const auto a = capture.channel("a");
    const auto b = capture.channel("b");
    for (const std::uint64_t tick : {100'000, 110'000, 120'000, 130'000}) capture.tick(a, tick);
    capture.tick(b, 135'000);
    capture.write(file("p.sla"));
    const Outcome kept = run_sla({"check", file("p.sla"), "--limit", "a->b < 11us"});
    EXPECT_EQ(kept.code, kDone);
    EXPECT_NE(kept.out.find("3 more had no end of their own"), std::string::npos) << kept.out;
    const Outcome broken = run_sla({"check", file("p.sla"), "--limit", "a->b < 9us"});
    EXPECT_EQ(broken.code, kNo);
    EXPECT_NE(broken.out.find("3 of 4 break it"), std::string::npos) << broken.out;
}

TEST_F(Checking, ARangeOfTimeIsCheckedAlone) {
    EXPECT_EQ(check({"--limit", "irq.0->isr < 4us", "--to", "450us"}).code, kNo);
    EXPECT_EQ(check({"--limit", "irq.0->isr < 4us", "--to", "350us"}).code, kDone);
}

using Seeding = WithDirectory;

TEST_F(Seeding, WrongSeedsAndProgramsAreWrongUseAndSayWhat) {
    const auto refused = [](std::vector<std::string> words, const std::string& why) {
        words.insert(words.begin(), {"check", "--limit", "lost == 0"});
        const Outcome outcome = run_sla(words);
        EXPECT_EQ(outcome.code, kWrongUse) << outcome.errors;
        EXPECT_NE(outcome.errors.find(why), std::string::npos) << outcome.errors;
    };
    refused({"kept.sla", "--seeds", "1..3", "--", "true"}, "a capture is there already");
    for (const char* seeds : {"9..1", "", "1..", "..5", "-1..5", "1...5", "1..5x", "18446744073709551615",
                              "18446744073709551616", "0..99999999"}) {
        refused({"--seeds", seeds, "--", "/bin/true", "{seed}"},
                *seeds == '\0' ? "--seeds" : std::string("--seeds ") + seeds);
    }
    refused({"--seeds", "1..9"}, "write it behind --");
    refused({"--seeds", "1..9", "--", "/bin/true"}, "write {seed} among the words");
    refused({"--", "/bin/true", "{seed}"}, "a program is run with --seeds");
    refused({"--jobs", "2", "--", "/bin/true"}, "--seeds");
    refused({"--seeds", "1..9", "--keep", "kept.csv", "--", "/bin/true", "{seed}"}, "'kept.csv' would be a false name");
    const Outcome missing = run_sla({"check", "--limit", "lost == 0", "--seeds", "1..9", "--", "/bin/no-such", "{seed}"});
    EXPECT_EQ(missing.code, kOutsideFailed);
}

TEST_F(Seeding, EachSeedStandsWhereItsPlaceIsAndTheLineIsForAShell) {
    const auto program = SeededProgram::of({"/bin/true", "--a={seed}", "it's {seed}{seed}"});
    ASSERT_TRUE(program.ok());
    EXPECT_EQ(program->words(12), (std::vector<std::string>{"/bin/true", "--a=12", "it's 1212"}));
    EXPECT_EQ(program->line(3), "/bin/true --a=3 'it'\\''s 33'");
    const auto seeds = parse_seeds("7");
    ASSERT_TRUE(seeds.ok());
    EXPECT_EQ(seeds->first, 7U);
    EXPECT_EQ(seeds->last, 7U);
}

}  // namespace
}  // namespace sla::cli
