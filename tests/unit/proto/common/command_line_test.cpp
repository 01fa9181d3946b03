#include "proto/common/command_line.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace sla::common {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Outcome {
    int code;
    std::string out;
    std::string errors;
};

Outcome run(Command& app, const std::vector<std::string>& words) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Outcome outcome{app.run(words), "", ""};
    outcome.out = testing::internal::GetCapturedStdout();
    outcome.errors = testing::internal::GetCapturedStderr();
    return outcome;
}

// A small program of every kind of option.
class CommandLineTest : public testing::Test {
protected:
    CommandLineTest() {
        app_.version("prog 1.2");
        app_.title_commands("Look");
        table_ = &app_.add_command("table", "Write a table");
        table_->add_option("file", file_, "What to read").value_name("FILE");
        table_->add_option("--channel", channels_, "Only these").value_name("GLOB").one_each();
        table_->add_option("-n,--most", most_, "Rows").range(1, 1000).show_default();
        table_->add_option("--scale", scale_, "Of numbers").positive();
        table_->add_option("--every", every_, "Every so many");
        table_->add_option("--memory", memory_, "Bytes").as_size();
        table_->add_option("--last", last_, "So long").value_name("TIME|all");
        table_->add_option("--for", seconds_, "So long").units({{"ms", 0.001}, {"s", 1}}, "TIME");
        table_->add_option("--format", format_, "csv or tsv").one_of({"csv", "tsv"});
        const Option on = table_->add_flag("--on", on_, "On");
        table_->add_flag("--off", off_, "Off").excludes(on).group("Odd ones");
        table_->footer("The end of the help.");
        table_->action([this] {
            ++ran_;
            return 7;
        });
        app_.title_commands("Do");
        Command& run = app_.add_command("run", "Run a program");
        run.add_option("program", words_, "It and its words").required();
        run.action([] { return 0; });
        Command& trigger = app_.add_command("trigger", "Set triggers");
        Command& list = trigger.add_command("list", "List them");
        list.add_option("--address", file_, "Of the agent");
        list.action([] { return 5; });
        trigger.add_command("set", "Set one").action([] { return 6; });
        app_.add_command("secret", "Nobody types it").hide();
        app_.add_flag_everywhere("-q,--quiet", quiet_, "No remarks");
    }

    Outcome type(const std::vector<std::string>& words) { return run(app_, words); }

    Command app_{"prog", "A program."};
    Command* table_ = nullptr;
    std::string file_;
    std::string format_ = "csv";
    std::string last_;
    std::vector<std::string> channels_;
    std::vector<std::string> words_;
    int most_ = 20;
    double scale_ = 1;
    double seconds_ = 0;
    std::optional<std::uint64_t> every_;
    std::uint64_t memory_ = 0;
    bool on_ = false;
    bool off_ = false;
    bool quiet_ = false;
    int ran_ = 0;
};

TEST_F(CommandLineTest, FillsVariablesAndGivesTheCodeOfTheAction) {
    const Outcome outcome = type({"table", "--channel", "a.*", "x.sla", "--channel", "b", "-n", "5", "--scale=2.5",
                                  "--every", "3", "--memory", "2KiB", "--for", "500ms", "--format", "tsv", "--on"});
    EXPECT_EQ(outcome.code, 7) << outcome.errors;
    EXPECT_EQ(ran_, 1);
    EXPECT_EQ(file_, "x.sla");
    EXPECT_THAT(channels_, ElementsAre("a.*", "b"));
    EXPECT_EQ(most_, 5);
    EXPECT_EQ(scale_, 2.5);
    EXPECT_EQ(every_, 3u);
    EXPECT_EQ(memory_, 2048u);
    EXPECT_EQ(seconds_, 0.5);
    EXPECT_EQ(format_, "tsv");
    EXPECT_TRUE(on_);
    EXPECT_FALSE(off_);
}

TEST_F(CommandLineTest, LeavesAloneWhatIsNotTyped) {
    EXPECT_EQ(type({"table"}).code, 7);
    EXPECT_EQ(most_, 20);
    EXPECT_EQ(format_, "csv");
    EXPECT_FALSE(every_.has_value());
}

TEST_F(CommandLineTest, TakesEverythingBehindTwoDashesAsWords) {
    EXPECT_EQ(type({"run", "--", "ls", "-l", "--", "-q"}).code, 0);
    EXPECT_THAT(words_, ElementsAre("ls", "-l", "--", "-q"));
    EXPECT_FALSE(quiet_);
}

TEST_F(CommandLineTest, TakesAWordForTheValueThatEndsLikeAnEmptyOne) {
    EXPECT_EQ(type({"run", "--", "dd", "--last=", "--most="}).code, 0);
    EXPECT_THAT(words_, ElementsAre("dd", "--last=", "--most="));
    EXPECT_EQ(type({"table", "--channel", "--last=", "--on="}).code, 7) << "a flag has no value to be left out";
    EXPECT_THAT(channels_, ElementsAre("--last="));
}

TEST_F(CommandLineTest, TakesNegativeNumbersAsWords) {
    EXPECT_EQ(type({"run", "load", "-5", "-0.5", "-2e3"}).code, 0);
    EXPECT_THAT(words_, ElementsAre("load", "-5", "-0.5", "-2e3"));
}

TEST_F(CommandLineTest, LetsSharedFlagsStandBeforeAndBehindTheCommand) {
    EXPECT_EQ(type({"-q", "table"}).code, 7);
    EXPECT_TRUE(quiet_);
    quiet_ = false;
    EXPECT_EQ(type({"trigger", "set", "--quiet"}).code, 6);
    EXPECT_TRUE(quiet_);
}

TEST_F(CommandLineTest, LetsOptionsStandBehindTheCommandWhoseTheyAreAlone) {
    EXPECT_EQ(type({"trigger", "list", "--address", "here"}).code, 5);
    EXPECT_EQ(file_, "here");
    EXPECT_EQ(type({"trigger", "set", "--address", "there"}).code, 2);
}

TEST_F(CommandLineTest, PrintsVersionAndHelpWithoutActing) {
    EXPECT_EQ(type({"--version"}).out, "prog 1.2\n");
    const Outcome help = type({"table", "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_EQ(ran_, 0);
    for (const char* text :
         {"Write a table\nUsage: prog table [OPTIONS] [FILE]\n\nArguments:\n  FILE    ", "\n  --channel GLOB    ",
          "\n  -n, --most N                Rows (1 to 1000; default: 20)\n", "\n  --format csv|tsv    ",
          "\n  --scale NUMBER    ", "\n\nOdd ones:\n  --off                       Off (not with --on)\n",
          "\n\nThe end of the help.\n", "\n  -q, --quiet  "})
        EXPECT_THAT(help.out, HasSubstr(text));
}

TEST_F(CommandLineTest, SaysThatHelpCouldNotBeWritten) {
    std::fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    const int full = open("/dev/full", O_WRONLY);
    ASSERT_GE(dup2(full, STDOUT_FILENO), 0);
    testing::internal::CaptureStderr();
    const int code = app_.run({"--help"});
    const std::string errors = testing::internal::GetCapturedStderr();
    std::cout.clear();
    std::clearerr(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(full);
    EXPECT_EQ(code, 3);
    EXPECT_EQ(errors, "prog: cannot write to standard output: No space left on device\n");
}

TEST_F(CommandLineTest, GroupsCommandsInTheHelpAndLeavesHiddenOnesOut) {
    const std::string help = type({"--help"}).out;
    EXPECT_THAT(help, HasSubstr("\nLook:\n  table "));
    EXPECT_THAT(help, HasSubstr("\nDo:\n  run "));
    EXPECT_THAT(help, Not(HasSubstr("secret")));
}

struct Mistake {
    std::vector<std::string> words;
    std::string message;
};

TEST_F(CommandLineTest, ReportsEveryMistakeInOneLineThatBeginsWithTheProgram) {
    const std::vector<Mistake> mistakes = {
        {{}, "a command is needed; see `prog --help`"},
        {{"tabel"}, "there is no command 'tabel' (did you mean 'table'?); see `prog --help`"},
        {{"frobnicate", "x"}, "there is no command 'frobnicate'; see `prog --help`"},
        {{"secrte"}, "there is no command 'secrte'; see `prog --help`"},
        {{"trigger"}, "prog trigger needs a command: list, set; see `prog trigger --help`"},
        {{"trigger", "lits"}, "there is no command 'lits' (did you mean 'list'?); see `prog trigger --help`"},
        {{"--most", "3"}, "there is no option --most; the options of a command stand behind its name; see `prog --help`"},
        {{"table", "-z"}, "prog table has no option -z; see `prog table --help`"},
        {{"table", "--chanel=a"},
         "prog table has no option --chanel=a (did you mean '--channel'?); see `prog table --help`"},
        {{"trigger", "list", "--adress", "a"},
         "prog trigger list has no option --adress (did you mean '--address'?); see `prog trigger list --help`"},
        {{"run", "ls", "-l"}, "prog run has no option -l; if it is none, write it behind --; see `prog run --help`"},
        {{"run"}, "program is required; see `prog run --help`"},
        {{"table", "a", "b"}, "'b' is one word too many; see `prog table --help`"},
        {{"table", "--format"}, "--format needs a value: csv|tsv; see `prog table --help`"},
        {{"table", "--every", "x"}, "--every: 'x' is not a whole number; see `prog table --help`"},
        {{"table", "--most", "0"}, "--most: '0' is not from 1 to 1000; see `prog table --help`"},
        {{"table", "--most", "99999999999999999999"},
         "--most: '99999999999999999999' is not from 1 to 1000; see `prog table --help`"},
        {{"table", "--most", ""}, "--most: '' is not a whole number; see `prog table --help`"},
        {{"table", "--every", "18446744073709551616"},
         "--every: '18446744073709551616' is not from 0 to 18446744073709551615; see `prog table --help`"},
        {{"table", "--every", "-1"}, "--every: '-1' is not from 0 to 18446744073709551615; see `prog table --help`"},
        {{"table", "--every", "5x"}, "--every: '5x' is not a whole number; see `prog table --help`"},
        {{"table", "--every", "1e3"}, "--every: '1e3' is not a whole number; see `prog table --help`"},
        {{"table", "--scale", "1e999"}, "--scale: '1e999' is not a number; see `prog table --help`"},
        {{"table", "--scale", "nan"}, "--scale: 'nan' is not a number; see `prog table --help`"},
        {{"table", "--last", ""}, "--last: an empty value is no TIME|all; see `prog table --help`"},
        {{"table", "--last=", "x"}, "--last needs a value: TIME|all; see `prog table --help`"},
        {{"table", "--channel=", "--on"}, "--channel needs a value: GLOB; see `prog table --help`"},
        {{"table", "--every="}, "--every needs a value: N; see `prog table --help`"},
        {{"table", "x.sla", "--most=", "3"}, "--most needs a value: N; see `prog table --help`"},
        {{"trigger", "list", "--address=", "a"}, "--address needs a value: TEXT; see `prog trigger list --help`"},
        {{"table", "--memory", "-1"},
         "--memory: '-1' is not a number of bytes; write for example 4096, 64MiB, 2GB (kB MB GB TB or KiB MiB GiB TiB); "
         "see `prog table --help`"},
        {{"table", "--scale", "-1"}, "--scale: '-1' is not above 0; see `prog table --help`"},
        {{"table", "--format", "xml"}, "--format: 'xml' is none of csv, tsv; see `prog table --help`"},
        {{"table", "--on", "--off"}, "--on excludes --off; see `prog table --help`"},
    };
    for (const Mistake& mistake : mistakes) {
        const Outcome outcome = type(mistake.words);
        EXPECT_EQ(outcome.code, Command::kWrongUse);
        EXPECT_EQ(outcome.errors, "prog: " + mistake.message + "\n");
        EXPECT_EQ(outcome.out, "");
    }
    EXPECT_EQ(ran_, 0);
}

TEST_F(CommandLineTest, ReadsAWholeNumberWithZerosBeforeItAndInHexadecimal) {
    EXPECT_EQ(type({"table", "--every", "010"}).code, 7);
    EXPECT_EQ(every_, 10u) << "not eight";
    EXPECT_EQ(type({"table", "--every", "0x10"}).code, 7);
    EXPECT_EQ(every_, 16u);
    EXPECT_EQ(type({"table", "--every", "18446744073709551615"}).code, 7);
    EXPECT_EQ(every_, 18446744073709551615u);
    EXPECT_EQ(type({"table", "--every", "0"}).code, 7);
    EXPECT_EQ(every_, 0u);
    EXPECT_EQ(type({"table", "--memory", "18446744073709551615"}).code, 7);
    EXPECT_EQ(type({"table", "--memory", "18446744073709551616"}).code, 2);
    EXPECT_EQ(type({"table", "--memory", "20000000TiB"}).code, 2);
}

TEST_F(CommandLineTest, LetsAnActionComplainInTheSameWay) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(table_->wrong_use("this does not go together"), Command::kWrongUse);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "prog: this does not go together; see `prog table --help`\n");
}

TEST_F(CommandLineTest, LetsWhatAnActionThrowsThrough) {
    table_->action([]() -> int { throw std::runtime_error("gone"); });
    EXPECT_THROW(app_.run({"table"}), std::runtime_error);
}

TEST_F(CommandLineTest, KnowsTheFactsOfItsCommands) {
    const CommandFacts facts = app_.facts();
    EXPECT_EQ(facts.name, "prog");
    ASSERT_EQ(facts.parts.size(), 3u) << "the hidden one is left out";
    const CommandFacts& table = facts.parts[0];
    EXPECT_EQ(table.name, "table");
    EXPECT_EQ(table.footer, "The end of the help.");
    std::vector<std::string> names;
    for (const OptionFacts& option : table.options)
        names.push_back(option.names.empty() ? option.value : option.names.back());
    EXPECT_THAT(names, ElementsAre("--help", "FILE", "--channel", "--most", "--scale", "--every", "--memory", "--last",
                                   "--for", "--format", "--on", "--off", "--quiet"));
    EXPECT_THAT(table.options[9].choices, ElementsAre("csv", "tsv"));
    EXPECT_EQ(table.options[10].value, "") << "a flag";
    ASSERT_EQ(facts.parts[2].parts.size(), 2u);
    EXPECT_EQ(facts.parts[2].parts[0].name, "trigger list");
    EXPECT_EQ(facts.parts[2].parts[0].word(), "list");
    EXPECT_TRUE(facts.parts[1].options[1].required);
}

}  // namespace
}  // namespace sla::common
