// The Linux host's events recorded by us and by trace-cmd (Debian: trace-cmd), on the same load and with the same buffers:
// CPU time beside the load's own, bytes an event in the file, and how fast the file becomes text. Needs root.
//
//   linux_beside [CALLS]       a storm of CALLS getppid(), two events each
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fcntl.h>
#include <sched.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(const rusage& usage) {
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// The load: says into a file what it took itself.
int storm(long calls, const char* cost_file) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(1, &set);
    sched_setaffinity(0, sizeof set, &set);
    for (long i = 0; i < calls; i++) syscall(SYS_getppid);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::ofstream(cost_file) << seconds_of(usage);
    return 0;
}

struct Took {
    double cpu = 0;  // of the command and its children
    double wall = 0;
    bool well = false;  // ended with 0
};

Took run(const std::vector<std::string>& words) {
    const Clock::time_point begin = Clock::now();
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
        std::vector<char*> argv;
        for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
        argv.push_back(nullptr);
        execvp(argv[0], argv.data());
        _exit(127);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    return {seconds_of(usage), std::chrono::duration<double>(Clock::now() - begin).count(),
            WIFEXITED(status) && WEXITSTATUS(status) == 0};
}

struct Way {
    const char* name;
    std::vector<std::string> record;  // the load's words go behind
    std::string file;
    std::vector<std::string> text;
};

void measure(const Way& way, const std::vector<std::string>& load, const std::string& cost_file, double events) {
    std::vector<std::string> words = way.record;
    words.insert(words.end(), load.begin(), load.end());
    const Took recorded = run(words);
    double own = 0;
    std::ifstream(cost_file) >> own;
    if (!recorded.well) {
        std::printf("%-10s did not record (not installed, or not root)\n", way.name);
        return;
    }
    const auto bytes = static_cast<double>(std::filesystem::file_size(way.file));
    const Took text = run(way.text);
    std::printf("%-10s %6.1f ns CPU an event, %6.2f bytes an event, text: %6.2f M rows/s%s\n", way.name,
                (recorded.cpu - own) / events * 1e9, bytes / events, events / text.wall * 1e-6,
                text.well ? "" : " (the text failed)");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 4) return storm(std::strtol(argv[2], nullptr, 10), argv[3]);
    const long calls = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 2'000'000;
    std::string place = std::filesystem::temp_directory_path() / "sla-beside-XXXXXX";
    if (mkdtemp(place.data()) == nullptr) return 3;
    const std::string sla = std::string(SLA_BINARIES) + "/sla";
    const std::string cost = place + "/cost";
    const std::vector<std::string> load{std::filesystem::read_symlink("/proc/self/exe"), "storm", std::to_string(calls),
                                        cost};
    const Way ours{"sla",
                   {sla, "record", "-o", place + "/a.sla", "--linux",
                    "raw_syscalls:sys_enter if id==110,raw_syscalls:sys_exit if id==110", "--linux-buffer", "32MiB", "--"},
                   place + "/a.sla",
                   {sla, "table", place + "/a.sla", "--format", "text", "-o", place + "/a.txt"}};
    const Way theirs{"trace-cmd",
                     {"sh", SLA_TRACE_CMD, "record", "-C", "x86-tsc", "-b", "32768", "-o", place + "/b.dat", "-e",
                      "raw_syscalls:sys_enter", "-f", "id==110", "-e", "raw_syscalls:sys_exit", "-f", "id==110"},
                     place + "/b.dat",
                     {"trace-cmd", "report", "-i", place + "/b.dat"}};
    const double events = 2.0 * static_cast<double>(calls);
    std::printf("%.1f M kernel events, 32 MiB of buffer for each CPU\n", events * 1e-6);
    measure(ours, load, cost, events);
    measure(theirs, load, cost, events);
    std::filesystem::remove_all(place);
    return 0;
}
