#include "proto/common/command_pages.h"

#include <gtest/gtest.h>
#include <unistd.h>

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

TEST_F(CommandPages, WhatCannotBeWrittenIsAnError) {
    Command app("my-pc", "A PC.");
    EXPECT_EQ(app.run({"--write-pages", "/dev/null/no"}), 3);
}

}  // namespace
}  // namespace sla::common
