#include "viewer/cli/text/agent_lines.h"

#include "viewer/process/child.h"
#include "viewer/process/programs.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

namespace sla::cli {
namespace {

// A file without a name, that a child can open by the path of our descriptor.
class UnnamedFile {
public:
    UnnamedFile() : fd_(memfd_create("sla-lines", MFD_CLOEXEC)) {}
    ~UnnamedFile() {
        if (fd_ >= 0) close(fd_);
    }
    UnnamedFile(const UnnamedFile&) = delete;
    UnnamedFile& operator=(const UnnamedFile&) = delete;

    [[nodiscard]] bool open() const { return fd_ >= 0; }
    [[nodiscard]] std::string path() const { return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd_); }
    [[nodiscard]] std::string text() const {
        std::string all;
        char piece[65536];
        for (ssize_t got = 0; (got = pread(fd_, piece, sizeof piece, static_cast<off_t>(all.size()))) > 0;)
            all.append(piece, static_cast<std::size_t>(got));
        return all;
    }

private:
    int fd_;
};

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
    const UnnamedFile file;
    if (!file.open()) return system_error("cannot make room for what sla-agent says", errno);
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
