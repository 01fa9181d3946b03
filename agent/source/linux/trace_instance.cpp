#include "agent/source/linux/trace_instance.h"

#include "agent/source/linux/owner_name.h"
#include "agent/source/linux/tracefs.h"

#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace sla::source {
namespace {

constexpr const char* kPrefix = "sla";
constexpr char kSeparator = '-';
constexpr std::uint64_t kPiecesPerBuffer = 64;  // a full buffer loses a piece at a time
constexpr std::uint64_t kLeastPiece = std::uint64_t{4} << 10;
constexpr std::uint64_t kMostPiece = std::uint64_t{32} << 10;  // fits the processor's nearest cache

std::vector<std::string> names_in(const std::string& directory) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(directory, error)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

// Turns patterns into events that this kernel has, each once; filters of the same event are joined by "or".
Result<std::vector<SelectedEvent>> expand(const std::string& root, const std::vector<SelectedEvent>& selected) {
    std::map<std::pair<std::string, std::string>, SelectedEvent> found;
    for (const SelectedEvent& want : selected) {
        bool any = false;
        for (const std::string& name : names_in(root + "/events/" + want.system)) {
            if (name == "enable" || name == "filter" || ::fnmatch(want.name.c_str(), name.c_str(), 0) != 0) continue;
            any = true;
            auto [at, inserted] = found.emplace(std::pair{want.system, name}, want);
            at->second.name = name;
            std::string& filter = at->second.filter;
            if (inserted || filter == want.filter) continue;
            filter = filter.empty() || want.filter.empty() ? "" : "(" + filter + ") || (" + want.filter + ")";
        }
        if (!any && want.typed) {
            return invalid_input("this kernel has no event " + want.system + ":" + want.name +
                                 "; it lists those of a system in " + root + "/events/SYSTEM");
        }
    }
    if (found.empty()) return unavailable("not present: this kernel has none of the events asked for");
    std::vector<SelectedEvent> events;
    for (auto& [key, event] : found) events.push_back(std::move(event));
    return events;
}

std::uint64_t number_behind(std::string_view stats, std::string_view label) {
    const std::size_t at = stats.find(label);
    if (at == std::string_view::npos) return 0;
    std::uint64_t value = 0;
    std::from_chars(stats.data() + at + label.size(), stats.data() + stats.size(), value);
    return value;
}

// The kernel answers with the filter, a mark below it, and its complaint in the last line.
std::string complaint_in(std::string answer) {
    while (!answer.empty() && (answer.back() == '\n' || answer.back() == ' ')) answer.pop_back();
    return answer.substr(answer.rfind('\n') + 1);
}

}  // namespace

CpuLosses parse_cpu_losses(std::string_view stats) {
    return {number_behind(stats, "\noverrun: "), number_behind(stats, "commit overrun: "),
            number_behind(stats, "dropped events: ")};
}

std::size_t TraceInstance::sweep(const std::string& tracefs) {
    std::size_t swept = 0;
    for (const std::string& name : names_in(tracefs + "/instances")) {
        if (!is_abandoned(name, kPrefix, kSeparator)) continue;
        if (::rmdir((tracefs + "/instances/" + name).c_str()) == 0) swept++;  // busy: somebody does use it
    }
    return swept;
}

Result<std::unique_ptr<TraceInstance>> TraceInstance::create(const std::string& tracefs, std::uint64_t bytes_per_cpu) {
    const std::string path = tracefs + "/instances/" + own_name(kPrefix, kSeparator);
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return tracefs_refused(tracefs + "/instances", errno);
    std::unique_ptr<TraceInstance> instance(new TraceInstance(path));
    if (Result<void> done = instance->set_up(bytes_per_cpu); !done) return done.error();
    return instance;
}

TraceInstance::~TraceInstance() {
    (void)set_running(false);
    (void)write_control(path_ + "/events/enable", "0");
    ::rmdir(path_.c_str());
}

Result<void> TraceInstance::set_up(std::uint64_t bytes_per_cpu) {
    if (Result<void> off = set_running(false); !off) return off;
    if (!write_control(path_ + "/trace_clock", "x86-tsc"))
        return unavailable(
            "not present: this kernel's trace clock cannot be the TSC (x86-tsc), so its events have no place here");
    (void)write_control(path_ + "/options/overwrite", "1");  // losses are counted exactly only then
    (void)write_control(path_ + "/options/event-fork", "1");
    // Reading is cheapest in large pieces (tests/bench/linux_bench); older kernels have pieces of one page only.
    const std::uint64_t piece = std::bit_floor(std::clamp(bytes_per_cpu / kPiecesPerBuffer, kLeastPiece, kMostPiece));
    (void)write_control(path_ + "/buffer_subbuf_size_kb", std::to_string(piece / 1024));
    const std::string kilobytes = std::to_string(std::max<std::uint64_t>(bytes_per_cpu / 1024, 1));
    if (Result<void> sized = write_control(path_ + "/buffer_size_kb", kilobytes); !sized) {
        return unavailable("the kernel has no room for trace buffers of " + kilobytes +
                           " kB per CPU; ask for less with --linux-buffer");
    }
    if (auto sub_buffer = read_control(path_ + "/buffer_subbuf_size_kb")) {
        const std::size_t size = std::strtoull(sub_buffer->c_str(), nullptr, 10) * 1024;
        if (size >= 4096 && size <= (std::size_t{1} << 20)) page_bytes_ = size;
    }
    return {};
}

Result<EventFormat> TraceInstance::enable_one(const SelectedEvent& event) {
    const std::string directory = path_ + "/events/" + event.system + "/" + event.name;
    auto text = read_control(directory + "/format");
    if (!text) return text.error();
    auto format = parse_event_format(event.system, *text);
    if (!format) return format;
    if (!event.filter.empty() && !write_control(directory + "/filter", event.filter)) {
        const auto answer = read_control(directory + "/filter");  // the kernel leaves its complaint there
        return invalid_input("the kernel does not take the filter '" + event.filter + "' for " + event.system + ":" +
                             event.name + (answer ? ": " + complaint_in(*answer) : ""));
    }
    if (Result<void> on = write_control(directory + "/enable", "1"); !on) return on.error();
    return format;
}

Result<std::vector<EventFormat>> TraceInstance::enable(const std::vector<SelectedEvent>& events) {
    auto expanded = expand(path_, events);
    if (!expanded) return expanded.error();
    std::vector<EventFormat> formats;
    for (const SelectedEvent& event : *expanded) {
        auto format = enable_one(event);
        if (!format) return format.error();
        formats.push_back(std::move(*format));
    }
    return formats;
}

Result<void> TraceInstance::write_pids(const std::string& file, const std::vector<pid_t>& pids) {
    std::string list;
    for (const pid_t pid : pids) list += (list.empty() ? "" : " ") + std::to_string(pid);
    return list.empty() ? Result<void>() : write_control(path_ + "/" + file, list);
}

Result<void> TraceInstance::follow(const std::vector<pid_t>& pids) {
    std::vector<pid_t> threads;
    for (const pid_t pid : pids) {
        const std::vector<std::string> names = names_in("/proc/" + std::to_string(pid) + "/task");
        if (names.empty()) return not_found("there is no process " + std::to_string(pid) + " to follow (--pid)");
        for (const std::string& name : names) threads.push_back(static_cast<pid_t>(std::strtol(name.c_str(), nullptr, 10)));
    }
    return write_pids("set_event_pid", threads);
}

Result<void> TraceInstance::set_running(bool running) {
    return write_control(path_ + "/tracing_on", running ? "1" : "0");
}

std::vector<int> TraceInstance::cpus() const {
    std::vector<int> cpus;
    for (const std::string& name : names_in(path_ + "/per_cpu")) {
        if (name.starts_with("cpu")) cpus.push_back(static_cast<int>(std::strtol(name.c_str() + 3, nullptr, 10)));
    }
    std::sort(cpus.begin(), cpus.end());
    return cpus;
}

Result<UniqueFd> TraceInstance::open_cpu(int cpu) const {
    const std::string path = path_ + "/per_cpu/cpu" + std::to_string(cpu) + "/trace_pipe_raw";
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (!fd) return tracefs_refused(path, errno);
    return fd;
}

CpuLosses TraceInstance::losses(int cpu) const {
    const auto stats = read_control(path_ + "/per_cpu/cpu" + std::to_string(cpu) + "/stats");
    return stats ? parse_cpu_losses(*stats) : CpuLosses{};
}

}  // namespace sla::source
