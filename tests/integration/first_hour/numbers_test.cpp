// Every option of every program that takes a number, as its --help names them: too large, below zero, with something behind it,
// empty. Each is an error in words and exit code 2; none wraps, saturates or is read half.
#include "tests/support/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace sla {
namespace {

using support::Process;

struct Numeric {
    std::vector<std::string> command;  // the program and its commands
    std::string option;
    std::string value;  // what stands for it in the help
};

std::string help_of(std::vector<std::string> command) {
    command[0] = std::string(SLA_BINARIES) + "/" + command[0];
    command.emplace_back("--help");
    Process process(command);
    EXPECT_EQ(process.wait().code, 0) << command[0];
    return process.output();
}

// Those of a command and of all below it. A help has titles, and below them two blanks and a command or an option.
void find_numbers(const std::vector<std::string>& command, std::vector<Numeric>& found) {
    static const std::regex kOption("  (?:-., )?(--[a-z0-9-]+) ([A-Z]+)(?:[^a-zA-Z].*)?");
    static const std::regex kCommand("  ([a-z][a-z-]*) +[A-Z].*");
    static const std::set<std::string> kNumbers{"TIME", "DURATION", "SIZE",    "PERCENT", "RATE",    "N",     "SEED",
                                                "MB",   "PID",      "PROCESS", "NUMBER",  "SECONDS", "FACTOR"};
    std::istringstream lines(help_of(command));
    std::string title;
    bool has_commands = false;
    for (std::string line; std::getline(lines, line);) {
        std::smatch parts;
        if (!line.empty() && line.front() != ' ') title = line;
        if (std::regex_match(line, parts, kOption) && kNumbers.count(parts[2]) > 0)
            found.push_back({command, parts[1], parts[2]});
        has_commands = has_commands || (line.starts_with("Usage: ") && line.ends_with(" COMMAND"));
        const bool is_command = has_commands && title.ends_with(':') && title != "Arguments:" && title != "Options:";
        if (!is_command || command.size() > 2 || !std::regex_match(line, parts, kCommand)) continue;
        std::vector<std::string> below = command;
        below.push_back(parts[1]);
        find_numbers(below, found);
    }
}

// What else the command needs to be understood. Nothing of it is done, since the number is wrong.
const std::map<std::string, std::vector<std::string>> kRest{
    {"record", {"-o", "new.sla"}},
    {"snapshot", {"-o", "new.sla"}},
    {"table", {"no.sla"}},
    {"stats", {"no.sla"}},
    {"find", {"no.sla", "a"}},
    {"places", {"no.sla"}},
    {"draw", {"no.sla", "-o", "new.png"}},
    {"report", {"no.sla", "-o", "new.html"}},
    {"check", {"no.sla", "--limit", "gap a < 5s"}},
    {"compare", {"no.sla", "no.sla"}},
    {"export", {"no.sla", "-o", "new.csv"}},
    {"cut", {"no.sla", "-o", "new.sla"}},
    {"set", {"a"}},
    {"trigger set", {"a"}},
    {"fleet set", {"nats://127.0.0.1:1", "a"}},
    {"fleet trigger", {"nats://127.0.0.1:1", "a"}},
    {"fleet setup", {"nats://127.0.0.1:1"}},
    {"sql", {"no.sla", "SELECT 1"}},
    {"archive", {"no.sla", "new"}},
    {"counters run", {"--", "true"}},
    {"counters sweep", {"--section", "a", "--", "true"}},
    {"counters log", {}},
    {"run", {"--demo"}},
};

// Times of a capture may lie before its beginning.
bool may_be_negative(const Numeric& one) {
    static const std::set<std::string> kTimes{"--from", "--to", "--until", "--cursor-a", "--cursor-b"};
    return kTimes.count(one.option) > 0;
}

class Numbers : public testing::TestWithParam<const char*> {
protected:
    void refuses(const std::string& value) {
        std::vector<Numeric> numbers;
        find_numbers({GetParam()}, numbers);
        ASSERT_GE(numbers.size(), 3U) << "the help is not read as it should be";
        for (const Numeric& one : numbers) {
            if (value.starts_with('-') && may_be_negative(one)) continue;
            refuses(one, value);
        }
    }

private:
    void refuses(const Numeric& one, std::string value) {
        std::string name;
        for (std::size_t i = 1; i < one.command.size(); ++i) name += (i > 1 ? " " : "") + one.command[i];
        std::vector<std::string> words = one.command;
        words[0] = std::string(SLA_BINARIES) + "/" + words[0];
        const bool is_time = one.value == "TIME" || one.value == "DURATION";
        if (is_time && !value.empty() && value != "5x") value += "s";
        words.insert(words.end(), {one.option, value});
        if (name.empty() && one.command[0] == "sla-agent") words.emplace_back("--no-config");
        if (const auto rest = kRest.find(name); rest != kRest.end())
            words.insert(words.end(), rest->second.begin(), rest->second.end());
        Process process(words, {{"SLA_RUNTIME_DIR", directory_.path()}, {"HOME", directory_.path()}});
        const support::Exit end = process.wait(std::chrono::seconds(5));
        const std::string errors = process.errors();
        EXPECT_EQ(end.code, 2) << one.command[0] << " " << name << " " << one.option << " '" << value << "': " << errors;
        const bool says =
            errors.find(one.option) != std::string::npos || (!value.empty() && errors.find(value) != std::string::npos);
        EXPECT_TRUE(says) << one.command[0] << " " << name << " " << one.option << " '" << value << "': " << errors;
    }

    support::TempDir directory_;
};

TEST_P(Numbers, AreNotTooLarge) {
    refuses("99999999999999999999999999");
}

TEST_P(Numbers, AreNotBelowZero) {
    refuses("-1");
}

TEST_P(Numbers, HaveNothingBehindThem) {
    refuses("5x");
}

TEST_P(Numbers, AreNotEmpty) {
    refuses("");
}

INSTANTIATE_TEST_SUITE_P(Of, Numbers, testing::Values("sla", "sla-agent", "sla-emu", "sla-viewer"), [](const auto& of) {
    std::string name = of.param;
    std::erase(name, '-');
    return name;
});

}  // namespace
}  // namespace sla
