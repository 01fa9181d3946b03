#include "proto/common/command_pages.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace sla::common {
namespace {

class CommandPages : public ::testing::Test {
protected:
    CommandPages() { std::filesystem::create_directories(directory_); }
    ~CommandPages() override { std::filesystem::remove_all(directory_); }
    // What bash offers behind these words.
    std::string offered(const CommandFacts& program, const std::string& function, const std::string& words) const {
        std::ofstream(directory_ / "x.bash")
            << bash_completion(program) << "COMP_WORDS=(" << words << "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
            << function << "; echo \"${COMPREPLY[*]}\"\n";
        FILE* pipe = popen(("bash " + (directory_ / "x.bash").string() + " 2>&1").c_str(), "r");
        char text[512] = {};
        const std::size_t size = fread(text, 1, sizeof text - 1, pipe);
        pclose(pipe);
        return {text, size};
    }
    [[nodiscard]] std::string content(const std::string& name) const {
        std::ostringstream out;
        out << std::ifstream(directory_ / name).rdbuf();
        return out.str();
    }

    const std::filesystem::path directory_ =
        std::filesystem::path(::testing::TempDir()) / ("sla_pages_" + std::to_string(getpid()));
};

// A program that has options alone, as sla-agent.
TEST_F(CommandPages, AProgramWithoutCommandsHasThemToo) {
    Command app("my-agent", "Collects.");
    app.version("my-agent 1.2");
    std::string listen;
    std::string form;
    app.add_option("-l,--listen", listen, "Where").value_name("ADDRESS");
    app.add_option("--form", form, "How").one_of({"long", "short"}).value_name("FORM");
    app.footer("Exit codes: 0, and others.\n  --listen x        " + std::string(20, 'w') + " " + std::string(40, 'v') +
               " end");
    ASSERT_EQ(app.run({"--write-pages", directory_.string()}), 0);
    EXPECT_EQ(offered(app.facts(), "_my_agent", "my-agent --li"), "--listen\n");
    EXPECT_EQ(offered(app.facts(), "_my_agent", "my-agent --form s"), "short\n");
    EXPECT_NE(content("completion.zsh").find("#compdef my-agent"), std::string::npos);
    EXPECT_NE(content("completion.zsh").find("'*--listen[Where]"), std::string::npos);
    const std::string page = content("man/my-agent.1");
    EXPECT_EQ(page.find(".TH MY-AGENT 1 \"\" \"my-agent 1.2\""), 0u) << page;
    EXPECT_NE(page.find(".B my\\-agent\n"), std::string::npos) << page;
    EXPECT_NE(page.find("\\-l, \\-\\-listen ADDRESS"), std::string::npos) << page;
    EXPECT_NE(page.find("\n                    " + std::string(40, 'v') + " end"), std::string::npos)
        << "a long line goes on below its second column:\n"
        << page;
    EXPECT_EQ(page.find("EXIT STATUS"), std::string::npos) << "the notes say what the codes mean";
}

TEST_F(CommandPages, OptionsOfTheProgramMayStandBeforeTheCommand) {
    Command app("my-pc", "A PC.");
    std::string token;
    bool fast = false;
    app.add_command("run", "Runs it").add_flag("--fast", fast, "Quicker");
    app.add_flag("-q,--quiet", fast, "No remarks");
    app.add_option("--token-file", token, "A secret").value_name("FILE");
    const std::string function = "_my_pc";
    EXPECT_EQ(offered(app.facts(), function, "my-pc -q r"), "run\n");
    EXPECT_EQ(offered(app.facts(), function, "my-pc -q --token-file run run --f"), "--fast\n");
    EXPECT_EQ(offered(app.facts(), function, "my-pc --"), "--help --quiet --token-file\n");
    EXPECT_EQ(offered(app.facts(), function, "my-pc --token-file " + (directory_ / "x.b").string()),
              (directory_ / "x.bash").string() + "\n");
}

TEST_F(CommandPages, ACommandHasAPageOfItsOwn) {
    Command app("my-pc", "A PC.");
    app.version("my-pc 1.2");
    Command& run = app.add_command("run", "Runs it");
    bool fast = false;
    run.add_flag("--fast", fast, "Quicker");
    ASSERT_EQ(app.run({"--write-pages", directory_.string()}), 0);
    EXPECT_EQ(offered(app.facts(), "_my_pc", "my-pc r"), "run\n");
    EXPECT_EQ(offered(app.facts(), "_my_pc", "my-pc run --f"), "--fast\n");
    EXPECT_NE(content("man/my-pc.1").find("my\\-pc\\-run (1)"), std::string::npos);
    EXPECT_NE(content("man/my-pc-run.1").find(".B my\\-pc run\n"), std::string::npos) << content("man/my-pc-run.1");
    EXPECT_NE(content("man/my-pc-run.1").find(".SH SEE ALSO\n.BR my\\-pc (1)"), std::string::npos);
}

TEST_F(CommandPages, SentencesAreFilledAndWhatIsToBeCopiedStaysALine) {
    const std::string sentence = "A sentence of some words that was broken in the source where its line had become too long";
    const std::string footer = sentence + " to\nbe read; and goes on here.\nAnother.\n  prog --copy 'this " +
                               std::string(60, 'x') + "'\n  name      what it is, in more words than there is room for\n" +
                               "            in one line of it\nExample: prog " + std::string(60, 'y');
    EXPECT_EQ(note_text(footer, 50),
              "A sentence of some words that was broken in the\nsource where its line had become too long to be\nread; and "
              "goes on here.\nAnother.\n  prog --copy 'this " +
                  std::string(60, 'x') +
                  "'\n  name      what it is, in more words than there\n            is room for in one line of it\nExample: "
                  "prog " +
                  std::string(60, 'y') + "\n");
}

TEST_F(CommandPages, HelpIsNoWiderThanItsTerminal) {
    Command app("my-pc", "A PC of which there is more to say than fits into one line of a narrow terminal.");
    std::string file;
    app.add_option("file", file, "What to read, of which there is a lot to say too, in a good many words")
        .value_name("FILE");
    app.add_option("--a-long-name-of-an-option", file, "Which stands below it").value_name("FILE");
    for (const std::size_t width : {40, 72, 100}) {
        std::istringstream help(help_text(app.facts(), "my-pc", width));
        std::size_t longest = 0;
        for (std::string line; std::getline(help, line);) longest = std::max(longest, line.size());
        EXPECT_LE(longest, width);
        EXPECT_GT(longest, width - 12) << "and no narrower";
    }
}

TEST_F(CommandPages, WhatCannotBeWrittenIsAnError) {
    Command app("my-pc", "A PC.");
    EXPECT_EQ(app.run({"--write-pages", "/dev/null/no"}), 3);
}

}  // namespace
}  // namespace sla::common
