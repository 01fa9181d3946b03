#include "viewer/cli/text/agent_lines.h"

#include "viewer/process/child.h"
#include "viewer/process/programs.h"
#include "viewer/process/unnamed_file.h"

#include <cerrno>
#include <sstream>

namespace sla::cli {
namespace {

std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    std::size_t begin = 0;
    for (;;) {
        const std::size_t tab = line.find('\t', begin);
        words.push_back(line.substr(begin, tab - begin));
        if (tab == std::string::npos) return words;
        begin = tab + 1;
    }
}

}  // namespace

Result<AgentLines> ask_agent(const std::vector<std::string>& words, std::chrono::seconds longest) {
    const process::UnnamedFile file;
    if (!file.is_open()) return system_error("cannot make room for what sla-agent says", errno);
    process::ChildOptions options;
    options.argv = {process::sister_program("sla-agent")};
    options.argv.insert(options.argv.end(), words.begin(), words.end());
    options.output = file.path();
    auto child = process::Child::start(options);
    if (!child.ok()) return child.error();
    const auto ending = child->wait(longest);
    if (!ending) return unavailable("sla-agent " + words.front() + " gave no answer");
    if (ending->signal != 0) return unavailable("sla-agent " + words.front() + " " + ending->text());
    AgentLines lines;
    lines.code = ending->code;
    lines.said = file.text();
    std::istringstream in(lines.said);
    for (std::string line; std::getline(in, line);) lines.rows.push_back(words_of(line));
    return lines;
}

}  // namespace sla::cli
