#include "agent/daemon/options/command_line.h"

#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

namespace sla::daemon {
namespace {

class CommandLineTest : public testing::Test {
protected:
    Result<Options> understood(std::vector<std::string> words) {
        common::Command app("sla-agent", "");
        CommandLine line;
        describe(app, line);
        words.push_back("--config");
        words.push_back(config_);
        EXPECT_EQ(app.run(words), 0);
        return options_of(line);
    }
    void configure(const std::string& text) { std::ofstream(config_) << text; }

    support::TempDir directory_;
    std::string config_ = directory_.file("agent.json");
};

TEST_F(CommandLineTest, WhatIsTypedWinsOverTheFile) {
    configure(R"({"memory": "1GiB", "channel_memory": "1MiB", "record": "file.sla", "keep": "30s", "listen": ["unix:/a"],
                  "channels": [{"match": "a", "enabled": true}]})");
    Result<Options> options = understood(
        {"--memory", "2GiB", "--record", "typed.sla", "--keep", "5s", "--channel", "a: off", "--listen", "unix:/b"});
    ASSERT_TRUE(options.ok()) << options.error().message;
    EXPECT_EQ(options->limits.total_bytes, std::uint64_t{2} << 30);
    EXPECT_EQ(options->limits.channel_bytes, std::uint64_t{1} << 20);
    EXPECT_EQ(options->record, "typed.sla");
    EXPECT_FALSE(options->insecure);
    EXPECT_TRUE(understood({"--insecure"})->insecure);
    ASSERT_EQ(options->listen.size(), 1u);
    EXPECT_EQ(options->listen[0].text(), "unix:/b");
    EXPECT_EQ(options->requests[options->requests.size() - 2].request.set_retention().keep_ns(), 5'000'000'000);
    EXPECT_FALSE(options->requests.back().request.set_channels().enabled()) << "the newest word counts";
}

TEST_F(CommandLineTest, FilesForTlsAreTypedOrConfiguredOrInTheirUsualPlace) {
    configure(R"({"certificate": "file-cert", "access": "file-access"})");
    setenv("XDG_CONFIG_HOME", "/usual", 1);
    const Result<Options> options = understood({"--certificate", "typed-cert", "--listen", "tls:[::]:4321"});
    unsetenv("XDG_CONFIG_HOME");
    ASSERT_TRUE(options.ok()) << options.error().message;
    EXPECT_EQ(options->tls.certificate, "typed-cert");
    EXPECT_EQ(options->tls.access, "file-access");
    EXPECT_EQ(options->tls.key, "/usual/sla/agent-key.pem");
    EXPECT_EQ(options->listen.at(0).text(), "tls:[::]:4321");
}

TEST_F(CommandLineTest, ShellsOfferTheWordsThatAnOptionTakes) {
    common::Command app("sla-agent", "");
    CommandLine line;
    describe(app, line);
    std::map<std::string, std::vector<std::string>> offered;
    for (const common::OptionFacts& option : app.facts().options) offered[option.names.back()] = option.choices;
    EXPECT_EQ(offered["--fleet-control"], (std::vector<std::string>{"none", "shots", "all"}));
    EXPECT_EQ(offered["--make-token"], (std::vector<std::string>{"look", "control"}));
    EXPECT_EQ(offered["--action"].front(), "stop");
}

TEST_F(CommandLineTest, TheFirstRuleTypedIsAppliedLastSoThatItCounts) {
    configure("{}");
    Result<Options> options = understood({"--channel", "a: off", "--channel", "*: on"});
    ASSERT_TRUE(options.ok());
    EXPECT_EQ(options->requests.at(0).request.set_channels().channels(0), "*");
    EXPECT_EQ(options->requests.at(1).request.set_channels().channels(0), "a");
}

TEST_F(CommandLineTest, RotationNeedsARecordingAndKeepingFilesNeedsRotation) {
    configure("{}");
    EXPECT_FALSE(understood({"--rotate", "1MiB"}).ok());
    EXPECT_FALSE(understood({"--record", "f.sla", "--keep-files", "3"}).ok());
    Result<Options> options = understood({"--record", "f.sla", "--rotate", "1MiB", "--keep-files", "3"});
    ASSERT_TRUE(options.ok());
    EXPECT_EQ(options->record_limits.keep_files, 3u);
}

TEST_F(CommandLineTest, SoLittleMemoryThatNothingIsKeptIsRefused) {
    configure("{}");
    for (const char* const little : {"0", "1", "200KiB"}) EXPECT_FALSE(understood({"--memory", little}).ok()) << little;
    EXPECT_TRUE(understood({"--memory", "256KiB"}).ok());
}

TEST_F(CommandLineTest, WhatCannotBeReadIsReportedWithItsOption) {
    configure("{}");
    for (const auto& [option, value] : std::map<std::string, std::string>{{"--memory", "much"},
                                                                          {"--channel-memory", "-1"},
                                                                          {"--keep", "long"},
                                                                          {"--channel", "a off"},
                                                                          {"--rotate", "often"},
                                                                          {"--report-every", "1ms"},
                                                                          {"--fleet-control", "some"},
                                                                          {"--nats-cert", "c.pem"}}) {
        Result<Options> options = understood({option, value, "--record", "f.sla"});
        ASSERT_FALSE(options.ok()) << option;
        EXPECT_TRUE(options.error().message.starts_with(option + ": ")) << options.error().message;
    }
}

}  // namespace
}  // namespace sla::daemon
