#include "tests/unit/viewer/cli/run_sla.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>

namespace sla::cli {
namespace {

TEST(Arguments, EveryCommandHasHelpAndTheProgramAVersion) {
    EXPECT_EQ(run_sla({"--version"}).code, kDone);
    EXPECT_EQ(run_sla({"--version"}).out.substr(0, 4), "sla ");
    for (const char* command :
         {"record", "channels", "table", "stats", "draw", "mark", "top", "doctor", "verify", "cut", "merge", "compare"}) {
        const Outcome outcome = run_sla({command, "--help"});
        EXPECT_EQ(outcome.code, kDone) << command;
        EXPECT_NE(outcome.out.find(command), std::string::npos);
    }
}

// Behind an option every command is described, as the first word a command is described alone.
TEST(Arguments, ACommandUnderstandsTheSameWhateverStandsBeforeIt) {
    const std::string help = run_sla({"--help"}).out;
    std::size_t commands = 0;
    for (const char* command :
         {"record", "snapshot", "import",  "channels", "table",  "stats",  "find",   "sql",       "places", "draw",
          "report", "check",    "compare", "export",   "cut",    "merge",  "verify", "top",       "set",    "trigger",
          "mark",   "fleet",    "archive", "counters", "doctor", "probes", "relay",  "completion"}) {
        const Outcome alone = run_sla({command, "--help"});
        EXPECT_EQ(alone.code, kDone) << command;
        EXPECT_EQ(alone.out, run_sla({"-q", command, "--help"}).out) << command;
        commands += help.find("\n  " + std::string(command) + " ") == std::string::npos ? 0 : 1;
    }
    const std::string words = "\n  ";
    std::size_t in_help = 0;
    for (std::size_t at = help.find(words); at != std::string::npos; at = help.find(words, at + 1)) {
        in_help += std::islower(static_cast<unsigned char>(help[at + words.size()])) != 0 ? 1 : 0;
    }
    EXPECT_EQ(commands, in_help) << "the list above is not whole:\n" << help;
}

TEST(Arguments, WrongUseIsCodeTwo) {
    EXPECT_EQ(run_sla({}).code, kWrongUse);
    const Outcome unknown = run_sla({"no-such-command"});
    EXPECT_EQ(unknown.code, kWrongUse);
    EXPECT_NE(unknown.errors.find("'no-such-command'"), std::string::npos) << unknown.errors;
    EXPECT_EQ(run_sla({"table", "--no-such-option"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"table", "x.sla", "--format", "xml"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"table", "x.sla", "--from", "5 parsecs"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"table", "x.sla", "--from", "2ms", "--to", "1ms"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"table", "tcp:nowhere"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"record", "--for", "0"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"record", "-o", "-"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"record", "--trigger", "x then", "--", "true"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"record", "--shots", "3", "--", "true"}).code, kWrongUse) << "shots of what?";
    EXPECT_EQ(run_sla({"record", "--trigger", "x", "--pre", "200%", "--", "true"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"record", "--trigger", "x", "--window", "1ms", "--pre-time", "1ms", "--", "true"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"find", "x.sla"}).code, kWrongUse);
    EXPECT_NE(run_sla({"compare", "-", "-"}).errors.find("one of the two captures"), std::string::npos);
    EXPECT_EQ(run_sla({"top", "--format", "pdf"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"find", "x.sla", "gap"}).code, kWrongUse);
    const Outcome turned = run_sla({"find", "net.rx > 5", "x.sla"});
    EXPECT_EQ(turned.code, kWrongUse);
    EXPECT_NE(turned.errors.find("the capture comes first: sla find x.sla 'net.rx > 5'"), std::string::npos)
        << turned.errors;
    const Outcome asked = run_sla({"sql", "SELECT 1", "x.sla"});
    EXPECT_EQ(asked.code, kWrongUse);
    EXPECT_NE(asked.errors.find("the question comes last: sla sql x.sla 'SELECT 1'"), std::string::npos) << asked.errors;
    EXPECT_EQ(run_sla({"trigger"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"trigger", "set"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"draw", "x.sla"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"mark", ""}).code, kWrongUse);
}

TEST(Arguments, EveryMistakeIsReportedInALineThatBeginsWithTheProgram) {
    const std::vector<std::vector<std::string>> mistakes = {{},
                                                            {"tabel"},
                                                            {"table", "-z"},
                                                            {"table", "a", "b"},
                                                            {"places", "--most", "x"},
                                                            {"places", "--most"},
                                                            {"export", "x"},
                                                            {"set", "a", "--on", "--off"},
                                                            {"mark", "load", "-x"},
                                                            {"trigger", "lsit"}};
    for (const auto& words : mistakes) {
        const Outcome outcome = run_sla(words);
        EXPECT_EQ(outcome.code, kWrongUse);
        EXPECT_EQ(outcome.errors.substr(0, 5), "sla: ");
        EXPECT_EQ(outcome.errors.find('\n'), outcome.errors.size() - 1) << outcome.errors;
    }
    EXPECT_EQ(run_sla({"tabel"}).errors, "sla: there is no command 'tabel' (did you mean 'table'?); see `sla --help`\n");
    EXPECT_EQ(run_sla({"table", "--format", "csv", "--format", "json"}).errors,
              "sla: --format is given more than once; see `sla table --help`\n");
    EXPECT_EQ(run_sla({"table", "-z"}).errors, "sla: sla table has no option -z; see `sla table --help`\n");
}

TEST(Arguments, ADoctorKnowsADirectoryThatNoAgentCanMake) {
    const std::string directory = testing::TempDir() + "sla_doctor_" + std::to_string(getpid());
    std::filesystem::create_directory(directory);
    const char* own = std::getenv("SLA_RUNTIME_DIR");
    const std::string before = own == nullptr ? "" : own;
    const auto checked = [](const std::string& runtime) {
        setenv("SLA_RUNTIME_DIR", runtime.c_str(), 1);
        return run_sla({"doctor", "--format", "csv"});
    };
    const Outcome may = checked(directory + "/a/b");
    ASSERT_EQ(chmod(directory.c_str(), 0555), 0);
    const bool is_root = access(directory.c_str(), W_OK) == 0;  // whom no mode keeps out
    const Outcome may_not = checked(directory + "/a/b");
    std::filesystem::remove(directory);
    const Outcome too_long = checked("/tmp/" + std::string(100, 'x'));
    before.empty() ? unsetenv("SLA_RUNTIME_DIR") : setenv("SLA_RUNTIME_DIR", before.c_str(), 1);
    EXPECT_NE(may.out.find("runtime directory,available,"), std::string::npos) << may.out;
    if (!is_root) {
        EXPECT_EQ(may_not.code, kNo);
        EXPECT_NE(may_not.out.find(" cannot be made: " + directory + ": Permission denied"), std::string::npos)
            << may_not.out;
    }
    EXPECT_EQ(too_long.code, kNo) << "sockets have no room for their names";
    EXPECT_NE(too_long.out.find("is too long a path for the agent's sockets"), std::string::npos) << too_long.out;
}

TEST(Arguments, HelpGroupsTheCommandsAndForgetsNone) {
    const std::string help = run_sla({"--help"}).out;
    for (const char* text :
         {"\nMake a capture:\n  record ", "\nSteer the running agent:\n  top ", "\n  compare ", "--quiet"})
        EXPECT_NE(help.find(text), std::string::npos) << text;
    EXPECT_EQ(help.find("\nCommands:"), std::string::npos) << "one stands under no title";
}

TEST(Arguments, AnOutsideWorldThatFailsIsCodeThreeAndSaysWhat) {
    const Outcome file = run_sla({"table", "/no/such/capture.sla"});
    EXPECT_EQ(file.code, kOutsideFailed);
    EXPECT_NE(file.errors.find("/no/such/capture.sla"), std::string::npos);
    const Outcome agent = run_sla({"channels", "unix:/tmp/sla-no-such-agent"});
    EXPECT_EQ(agent.code, kOutsideFailed);
    EXPECT_NE(agent.errors.find("sla-agent"), std::string::npos);
    EXPECT_EQ(run_sla({"top", "unix:/tmp/sla-no-such-agent", "--once"}).code, kOutsideFailed);
    EXPECT_EQ(run_sla({"mark", "x", "--address", "unix:/tmp/sla-no-such-agent"}).code, kOutsideFailed);
    EXPECT_EQ(run_sla({"record", "--for", "1ms", "--address", "unix:/tmp/sla-no-such-agent"}).code, kOutsideFailed);
}

TEST(Arguments, DoctorReportsEveryCheckWithItsState) {
    const Outcome outcome = run_sla({"doctor", "unix:/tmp/sla-no-such-agent", "--format", "csv"});
    EXPECT_LE(outcome.code, kNo);
    EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')), "check,state,detail,fix");
    for (const char* check : {"time-stamp counter", "sealed shared memory", "runtime directory", "agent,not present"}) {
        EXPECT_NE(outcome.out.find(check), std::string::npos) << check;
    }
}

TEST(Arguments, ADoctorSaysWhichVariablesMeanNothing) {
    const auto said = [] { return run_sla({"doctor", "unix:/tmp/sla-no-such-agent", "--format", "csv"}); };
    EXPECT_EQ(said().out.find("environment,"), std::string::npos);
    setenv("SLA_RING_SLOTS", "abc", 1);
    setenv("SLA_CLOCK", "foo", 1);
    setenv("SLA_PTP_ERROR", "soon", 1);
    const Outcome wrong = said();
    for (const char* line : {"environment,not present,\"SLA_RING_SLOTS=abc is ignored: ", "SLA_CLOCK=foo is ignored: ",
                             "SLA_PTP_ERROR=soon is ignored: ", "unset SLA_CLOCK, or mend its value"})
        EXPECT_NE(wrong.out.find(line), std::string::npos) << line << wrong.out;
    for (const char* name : {"SLA_RING_SLOTS", "SLA_CLOCK", "SLA_PTP_ERROR"}) unsetenv(name);
    for (const auto& [counters, is_wrong] : {std::pair{"cycles", true}, std::pair{"cycles,no-such", true},
                                             std::pair{"cycles,r1c2", false}, std::pair{"page-faults,task-clock", false}}) {
        setenv("SLA_COUNTERS", counters, 1);
        EXPECT_EQ(said().out.find("names no two counters") != std::string::npos, is_wrong) << counters;
    }
    unsetenv("SLA_COUNTERS");
}

using SilentAgent = support::WithDirectory;

int listen_at(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener, 4), 0);
    return listener;
}

TEST_F(SilentAgent, OfAnotherUserIsOneThatTheDoctorMayNotAsk) {
    const std::string path = file("closed");
    const int listener = listen_at(path);
    ASSERT_EQ(::chmod(path.c_str(), 0), 0);
    const uid_t own = ::geteuid();
    ASSERT_TRUE(own != 0 || ::seteuid(65534) == 0) << "no mode keeps root out";
    const Outcome outcome = run_sla({"doctor", "unix:" + path, "--format", "csv"});
    ASSERT_EQ(::seteuid(own), 0);
    ::close(listener);
    EXPECT_NE(outcome.out.find("agent,no permission,"), std::string::npos) << outcome.out;
}

// Whoever listens there takes the connection, and says nothing.
TEST_F(SilentAgent, IsNoneForTheDoctor) {
    const int listener = listen_at(file("silent"));
    const Outcome outcome = run_sla({"doctor", "unix:" + file("silent"), "--format", "csv"});
    ::close(listener);
    EXPECT_NE(outcome.out.find("agent,not present"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("did not report its state in time"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace sla::cli
