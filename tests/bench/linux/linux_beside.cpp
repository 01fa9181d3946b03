// The Linux host's events recorded by us and by trace-cmd (Debian: trace-cmd), on the same load and with the same buffers:
// CPU time beside the load's own, bytes an event in the file, how fast the file becomes text, and how many of the events
// stand in it. trace-cmd twice: recording all the time, and extracting at the end what stayed in the kernel (with buffers
// that hold it all). Needs root.
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

Took run(const std::vector<std::string>& words, const std::string& output = "/dev/null") {
    const Clock::time_point begin = Clock::now();
    const pid_t child = fork();
    if (child == 0) {
        dup2(open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 1);
        dup2(open("/dev/null", O_WRONLY), 2);
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

// Lines of a text that speak of one of the events.
long rows_in(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    long rows = 0;
    while (std::getline(in, line))
        rows += line.find("sys_e") != std::string::npos || line.find("getppid") != std::string::npos;
    return rows;
}

void measure(const Way& way, const std::vector<std::string>& load, const std::string& cost_file, double events) {
    std::vector<std::string> words = way.record;
    words.insert(words.end(), load.begin(), load.end());
    const Took recorded = run(words);
    double own = 0;
    std::ifstream(cost_file) >> own;
    if (!recorded.well) {
        std::printf("%-18s did not record (not installed, or not root)\n", way.name);
        return;
    }
    const auto bytes = static_cast<double>(std::filesystem::file_size(way.file));
    const std::string text_file = way.file + ".txt";
    const Took text = run(way.text, text_file);
    const auto rows = static_cast<double>(rows_in(text_file));
    std::printf("%-18s %6.1f ns CPU an event, %6.2f bytes an event, text: %6.2f M rows/s, %.2f %% of the events%s\n",
                way.name, (recorded.cpu - own) / events * 1e9, bytes / events, rows / text.wall * 1e-6, 100 * rows / events,
                text.well ? "" : " (the text failed)");
    std::filesystem::remove(way.file);
    std::filesystem::remove(text_file);
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
                   {sla, "table", place + "/a.sla", "--format", "text"}};
    const std::vector<std::string> events_of_theirs{
        "-C", "x86-tsc", "-e", "raw_syscalls:sys_enter", "-f", "id==110", "-e", "raw_syscalls:sys_exit", "-f", "id==110"};
    Way theirs{"trace-cmd record",
               {"sh", SLA_TRACE_CMD, "record", "-b", "32768", "-o", place + "/b.dat"},
               place + "/b.dat",
               {"trace-cmd", "report", "-i", place + "/b.dat"}};
    theirs.record.insert(theirs.record.end(), events_of_theirs.begin(), events_of_theirs.end());
    // $1: trace_cmd.sh, $2: the file, $3 to $12: the events, then the load's words.
    const char* const kExtract =
        "trace=$1 file=$2; shift 2; sh $trace start -b 262144 $1 $2 $3 $4 $5 \"$6\" $7 $8 $9 \"${10}\" && shift 10 && "
        "\"$@\" && "
        "sh $trace stop && sh $trace extract -o $file; sh $trace reset -b 1408; test -s $file";
    Way extracted{"trace-cmd extract",
                  {"sh", "-c", kExtract, "extract", SLA_TRACE_CMD, place + "/c.dat"},
                  place + "/c.dat",
                  {"trace-cmd", "report", "-i", place + "/c.dat"}};
    extracted.record.insert(extracted.record.end(), events_of_theirs.begin(), events_of_theirs.end());
    const double events = 2.0 * static_cast<double>(calls);
    std::printf("%.1f M kernel events, 32 MiB of buffer for each CPU\n", events * 1e-6);
    measure(ours, load, cost, events);
    measure(theirs, load, cost, events);
    measure(extracted, load, cost, events);
    std::filesystem::remove_all(place);
    return 0;
}
