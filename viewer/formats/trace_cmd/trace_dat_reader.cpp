// trace.dat: a header, the kernel's formats of all events, the names of tasks, and each core's pages of the ring buffer.
#include "viewer/formats/trace_cmd/trace_cmd.h"
#include "viewer/process/child.h"
#include "viewer/process/programs.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <istream>
#include <memory>
#include <streambuf>
#include <utility>

namespace sla::formats {

namespace {

constexpr const char* kReader = "trace-cmd";

class PipeEnd {
public:
    explicit PipeEnd(int fd) : fd_(fd) {}
    ~PipeEnd() { close(); }
    PipeEnd(const PipeEnd&) = delete;
    PipeEnd& operator=(const PipeEnd&) = delete;
    [[nodiscard]] int get() const { return fd_; }
    void close() {
        if (fd_ >= 0) ::close(std::exchange(fd_, -1));
    }

private:
    int fd_;
};

// What comes out of a pipe.
class PipeBuffer final : public std::streambuf {
public:
    explicit PipeBuffer(int fd) : fd_(fd) {}

private:
    int_type underflow() override {
        ssize_t got = 0;
        do got = read(fd_, bytes_.data(), bytes_.size());
        while (got < 0 && errno == EINTR);
        if (got <= 0) return traits_type::eof();
        setg(bytes_.data(), bytes_.data(), bytes_.data() + got);
        return traits_type::to_int_type(bytes_.front());
    }

    int fd_;
    std::array<char, 1 << 16> bytes_{};
};

// The last line that says something.
std::string last_words(std::FILE* file) {
    std::rewind(file);
    std::string last;
    std::array<char, 1000> line{};
    while (std::fgets(line.data(), line.size(), file) != nullptr) {
        std::string words = line.data();
        while (!words.empty() && static_cast<unsigned char>(words.back()) <= ' ') words.pop_back();
        if (const std::size_t begin = words.find_first_not_of(" \t"); begin != std::string::npos) last = words.substr(begin);
    }
    return last;
}

Error unreadable(const process::Ending& ending, const std::string& words) {
    return damaged("trace-cmd could not read it: it " + ending.text() + (words.empty() ? "" : ", and said: " + words));
}

}  // namespace

bool is_trace_dat(std::string_view head) {
    return head.starts_with("\x17\x08\x44tracing");
}

Result<void> import_trace_dat(const std::string& path, CaptureSink& sink, Notes& notes, const Progress& progress) {
    if (!process::program_exists(kReader)) {
        return unavailable(
            "trace-cmd reads these files, and is not here: install the package trace-cmd; or import the text that "
            "`trace-cmd report -t -i FILE` prints elsewhere");
    }
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return system_error("cannot make a pipe to trace-cmd", errno);
    PipeEnd out(ends[0]);
    PipeEnd in(ends[1]);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> errors(std::tmpfile(), &std::fclose);
    if (errors == nullptr) return system_error("cannot make a temporary file", errno);
    process::ChildOptions options;
    options.argv = {kReader, "report", "-N", "-t", "-i", path};  // -N: no plug-ins, -t: nanoseconds
    options.stream = in.get();
    options.errors = fileno(errors.get());
    options.serves_us = true;
    auto child = process::Child::start(options);
    if (!child.ok()) return child.error();
    in.close();
    PipeBuffer buffer(out.get());
    std::istream text(&buffer);
    const Progress unmeasured = [&](std::uint64_t done, std::uint64_t) { return !progress || progress(done, 0); };
    const Result<void> read = import_trace_cmd(text, sink, notes, unmeasured);
    out.close();
    // One that goes on although nobody reads is ended with `child`.
    const auto ending = child->wait(std::chrono::seconds(10));
    const bool failed = ending && (ending->signal != 0 || ending->code != 0);
    if (failed && (read.ok() || read.error().code == ErrorCode::kDamaged))
        return unreadable(*ending, last_words(errors.get()));
    return read;
}

}  // namespace sla::formats
