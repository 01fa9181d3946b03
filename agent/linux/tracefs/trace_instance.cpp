#include "agent/linux/tracefs/trace_instance.h"

#include "agent/linux/events/owner_name.h"
#include "agent/linux/tracefs/tracefs.h"
#include "proto/time/tick_clock.h"

#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace sla::linux {
namespace {

constexpr const char* kInstancePrefix = "sla";
constexpr char kInstanceSeparator = '-';
constexpr std::uint64_t kPiecesPerBuffer = 64;  // a full buffer loses a piece at a time
constexpr std::uint64_t kMinPiece = std::uint64_t{4} << 10;
constexpr std::uint64_t kMaxPiece = std::uint64_t{32} << 10;  // fits the processor's nearest cache

std::vector<std::string> names_in(const std::string& directory) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(directory, error)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

// Has a switch: some of system ftrace are there for their format only.
bool is_event(const std::string& directory) {
    std::error_code none;
    return std::filesystem::exists(directory + "/enable", none);
}

// Turns patterns into events that this kernel has, each once; filters of the same event are joined by "or".
Result<std::vector<SelectedEvent>> expand(const std::string& root, const std::vector<SelectedEvent>& selected) {
    std::map<std::pair<std::string, std::string>, SelectedEvent> found;
    for (const SelectedEvent& want : selected) {
        bool any = false;
        const std::string system = root + "/events/" + want.system;
        for (const std::string& name : names_in(system)) {
            if (::fnmatch(want.name.c_str(), name.c_str(), 0) != 0 || !is_event(system + "/" + name)) continue;
            any = true;
            auto [at, inserted] = found.emplace(std::pair{want.system, name}, want);
            at->second.name = name;
            std::string& filter = at->second.filter;
            if (inserted || filter == want.filter) continue;
            filter = filter.empty() || want.filter.empty() ? "" : "(" + filter + ") || (" + want.filter + ")";
        }
        if (!any && want.typed) {
            return invalid_input("this kernel has no event " + want.system + ":" + want.name +
                                 "; it lists those of a system in " + root.substr(0, root.find("/instances/")) +
                                 "/events/SYSTEM");
        }
    }
    if (found.empty()) return unavailable("not present: this kernel has none of the events asked for");
    std::vector<SelectedEvent> events;
    for (auto& [key, event] : found) events.push_back(std::move(event));
    return events;
}

// The kernel answers with the filter, a mark below it, and its complaint in the last line.
std::string complaint_in(std::string answer) {
    while (!answer.empty() && (answer.back() == '\n' || answer.back() == ' ')) answer.pop_back();
    return answer.substr(answer.rfind('\n') + 1);
}

}  // namespace

std::size_t TraceInstance::sweep(const std::string& tracefs) {
    std::size_t swept = 0;
    for (const std::string& name : names_in(tracefs + "/instances")) {
        if (!is_abandoned(name, kInstancePrefix, kInstanceSeparator)) continue;
        if (::rmdir((tracefs + "/instances/" + name).c_str()) == 0) swept++;  // busy: somebody does use it
    }
    return swept;
}

Result<std::unique_ptr<TraceInstance>> TraceInstance::create(const std::string& tracefs, std::uint64_t bytes_per_cpu) {
    const std::string path = tracefs + "/instances/" + own_name(kInstancePrefix, kInstanceSeparator);
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return tracefs_refused(tracefs + "/instances", errno);
    std::unique_ptr<TraceInstance> instance(new TraceInstance(path));
    if (Result<void> done = instance->set_up(bytes_per_cpu); !done) return done.error();
    return instance;
}

TraceInstance::~TraceInstance() {
    (void)set_running(false);
    (void)write_control(path_ + "/events/enable", "0");
    // Busy while a descriptor of it is open: a killed reader's are closed one after the other.
    for (int tries = 0; ::rmdir(path_.c_str()) != 0 && errno == EBUSY && tries < 200; tries++) ::usleep(10'000);
}

Result<void> TraceInstance::set_up(std::uint64_t bytes_per_cpu) {
    if (Result<void> off = set_running(false); !off) return off;
    const std::string clock = time::stamp_clock() == time::StampClock::kTsc ? "x86-tsc" : "mono_raw";
    if (!write_control(path_ + "/trace_clock", clock))
        return unavailable("not present: this kernel's trace clock cannot be " + clock +
                           ", which markers are stamped with, so its events have no place here");
    (void)write_control(path_ + "/options/overwrite", "1");  // losses are counted exactly only then
    (void)write_control(path_ + "/options/event-fork", "1");
    // Reading is cheapest in large pieces (tests/bench/linux_bench); older kernels have pieces of one page only.
    const std::uint64_t piece = std::bit_floor(std::clamp(bytes_per_cpu / kPiecesPerBuffer, kMinPiece, kMaxPiece));
    (void)write_control(path_ + "/buffer_subbuf_size_kb", std::to_string(piece / 1024));
    const std::string kilobytes = std::to_string(std::max<std::uint64_t>(bytes_per_cpu / 1024, 1));
    if (Result<void> sized = write_control(path_ + "/buffer_size_kb", kilobytes); !sized) {
        return unavailable("the kernel has no room for trace buffers of " + kilobytes +
                           " kB per CPU; ask for less with --linux-buffer");
    }
    buffer_bytes_ = bytes_per_cpu;
    if (auto sub_buffer = read_control(path_ + "/buffer_subbuf_size_kb")) {
        const std::size_t size = std::strtoull(sub_buffer->c_str(), nullptr, 10) * 1024;
        if (size >= 4096 && size <= (std::size_t{1} << 20)) page_bytes_ = size;
    }
    return {};
}

Result<OpenedTrace::Event> TraceInstance::enable_one(const SelectedEvent& event) {
    const std::string directory = path_ + "/events/" + event.system + "/" + event.name;
    auto text = read_control(directory + "/format");
    if (!text) return text.error();
    if (!event.filter.empty() && !write_control(directory + "/filter", event.filter)) {
        const auto answer = read_control(directory + "/filter");  // the kernel leaves its complaint there
        return invalid_input("the kernel does not take the filter '" + event.filter + "' for " + event.system + ":" +
                             event.name + (answer ? ": " + complaint_in(*answer) : ""));
    }
    if (Result<void> on = write_control(directory + "/enable", "1"); !on) return on.error();
    OpenedTrace::Event enabled;
    enabled.system = event.system;
    enabled.format = std::move(*text);
    return enabled;
}

Result<std::vector<OpenedTrace::Event>> TraceInstance::enable(const std::vector<SelectedEvent>& events) {
    auto expanded = expand(path_, events);
    if (!expanded) return expanded.error();
    std::vector<OpenedTrace::Event> all;
    for (const SelectedEvent& event : *expanded) {
        auto enabled = enable_one(event);
        if (!enabled) return enabled.error();
        all.push_back(std::move(*enabled));
    }
    return all;
}

Result<void> TraceInstance::follow(const std::vector<pid_t>& pids) {
    // One that is born between a look and its write is nobody's; of those written the kernel follows the children.
    constexpr int kMaxLooks = 10;
    std::set<pid_t> followed;
    for (int look = 0; look < kMaxLooks; ++look) {
        std::string fresh;
        for (const pid_t pid : pids) {
            const std::vector<pid_t> threads = threads_of(pid);
            if (threads.empty() && look == 0)
                return not_found("there is no process " + std::to_string(pid) + " to follow (--pid)");
            for (const pid_t thread : threads) {
                if (followed.insert(thread).second) fresh += (fresh.empty() ? "" : " ") + std::to_string(thread);
            }
        }
        if (fresh.empty()) return {};
        if (auto done = write_control(path_ + "/set_event_pid", fresh, WriteMode::kAppend); !done) return done;
    }
    return {};
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

Result<void> TraceInstance::open_for_reading(OpenedTrace& opened) const {
    const auto open = [](const std::string& path, int flags, UniqueFd& to) -> Result<void> {
        to = UniqueFd(::open(path.c_str(), flags | O_CLOEXEC));
        if (!to) return tracefs_refused(path, errno);
        return {};
    };
    opened.page_bytes = page_bytes_;
    opened.buffer_bytes = buffer_bytes_;
    for (const int number : cpus()) {
        const std::string directory = path_ + "/per_cpu/cpu" + std::to_string(number);
        OpenedTrace::Cpu cpu;
        cpu.number = number;
        if (auto done = open(directory + "/trace_pipe_raw", O_RDONLY | O_NONBLOCK, cpu.pages); !done) return done;
        if (auto done = open(directory + "/stats", O_RDONLY, cpu.stats); !done) return done;
        opened.cpus.push_back(std::move(cpu));
    }
    // The names of threads are the whole machine's.
    (void)open(path_ + "/../../saved_cmdlines", O_RDONLY, opened.names);
    return open(path_ + "/tracing_on", O_WRONLY, opened.running);
}

}  // namespace sla::linux
