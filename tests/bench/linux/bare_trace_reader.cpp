#include "tests/bench/linux/bare_trace_reader.h"

#include "agent/linux/tracefs/tracefs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sla::bench {
namespace {

constexpr std::size_t kPieceHeader = 16;
constexpr std::uint64_t kLostMark = std::uint64_t{1} << 31;
constexpr std::uint64_t kLengthMask = 0xfffff;
enum Kind : std::uint32_t { kLongRecord = 0, kPadding = 29, kTimeExtend = 30, kTimeStamp = 31 };

template <class T>
T word(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

}  // namespace

Result<std::unique_ptr<BareTraceReader>> BareTraceReader::start(const std::vector<std::string>& events,
                                                                const std::string& filter, int cpu, int piece_kb) {
    const auto tracefs = linux::find_tracefs();
    if (!tracefs) return tracefs.error();
    const std::string path = *tracefs + "/instances/bare_" + std::to_string(::getpid());
    if (::mkdir(path.c_str(), 0700) != 0) return linux::tracefs_refused(path, errno);
    std::unique_ptr<BareTraceReader> reader(new BareTraceReader(path));
    if (Result<void> done = reader->set_up(events, filter, cpu, piece_kb); !done) return done.error();
    return reader;
}

BareTraceReader::~BareTraceReader() {
    (void)linux::write_control(path_ + "/tracing_on", "0");
    (void)linux::write_control(path_ + "/events/enable", "0");
    pieces_ = linux::UniqueFd();
    ::rmdir(path_.c_str());
}

Result<void> BareTraceReader::set_up(const std::vector<std::string>& events, const std::string& filter, int cpu,
                                     int piece_kb) {
    struct Control {
        std::string file;
        std::string text;
    };
    std::vector<Control> controls = {{"tracing_on", "0"},
                                     {"trace_clock", "x86-tsc"},
                                     {"buffer_subbuf_size_kb", std::to_string(piece_kb)},
                                     {"buffer_size_kb", "16384"}};
    for (const std::string& event : events) {
        controls.push_back({"events/" + event + "/filter", filter});
        controls.push_back({"events/" + event + "/enable", "1"});
    }
    controls.push_back({"tracing_on", "1"});
    for (const Control& control : controls) {
        if (Result<void> done = linux::write_control(path_ + "/" + control.file, control.text); !done) return done;
    }
    piece_.resize(static_cast<std::size_t>(piece_kb) << 10);
    const std::string pieces = path_ + "/per_cpu/cpu" + std::to_string(cpu) + "/trace_pipe_raw";
    pieces_ = linux::UniqueFd(::open(pieces.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (pieces_.get() < 0) return linux::tracefs_refused(pieces, errno);
    return {};
}

BareTraceReader::Step BareTraceReader::step() {
    const ssize_t got = ::read(pieces_.get(), piece_.data(), piece_.size());
    if (got < static_cast<ssize_t>(kPieceHeader)) return {};
    tick_ = word<std::uint64_t>(piece_.data());
    const auto commit = word<std::uint64_t>(piece_.data() + sizeof tick_);
    if ((commit & kLostMark) != 0) lost_pieces_++;
    const std::uint64_t length = commit & kLengthMask;
    const char* begin = piece_.data() + kPieceHeader;
    return {walk(begin, begin + length), length + (piece_.size() >> 5) > piece_.size()};
}

// Each record begins with a word: five bits of kind or length, the rest the time since the one before.
std::uint64_t BareTraceReader::walk(const char* at, const char* end) {
    std::uint64_t events = 0;
    while (at < end) {
        const auto head = word<std::uint32_t>(at);
        const std::uint64_t delta = head >> 5;
        switch (head & 31) {
            case kPadding:
                if (delta == 0) return events;
                tick_ += delta;
                at += 4 + word<std::uint32_t>(at + 4);
                break;
            case kTimeExtend:
                tick_ += delta | std::uint64_t{word<std::uint32_t>(at + 4)} << 27;
                at += 8;
                break;
            case kTimeStamp:
                tick_ = delta | std::uint64_t{word<std::uint32_t>(at + 4)} << 27;
                at += 8;
                break;
            case kLongRecord:
                tick_ += delta;
                events++;
                at += 4 + word<std::uint32_t>(at + 4);
                break;
            default:
                tick_ += delta;
                events++;
                at += 4 + 4 * std::uint64_t{head & 31};
        }
    }
    return events;
}

}  // namespace sla::bench
