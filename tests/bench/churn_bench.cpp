// An agent that lives for years, in a minute: very many short programs, each with some channels and threads, one after the
// other. Memory must stay flat, a step must cost what lives, and recorded + lost must be what was offered.
//
//   churn_bench                         in process: the agent's pipeline is stepped, programs are segments made by hand
//   churn_bench --processes 5000        real processes on a real agent that records, a reader beside it
//
// At the end: whether what was in memory at most is what --memory says plus 64 MiB.
#include "agent/daemon/pipeline/pipeline.h"
#include "agent/stream/recorder.h"
#include "proto/common/command_line.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/bench/percentiles.h"
#include "tests/support/test_segment.h"
#include "viewer/ingest/open.h"

#include <spdlog/spdlog.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using sla::support::TestSegment;
using sla::support::TestWriter;

struct Plan {
    std::uint64_t programs = 100'000;
    int channels = 10;  // of a program, and as many threads
    int living = 8;     // programs at a time
    std::uint64_t memory = std::uint64_t{64} << 20;
    std::uint64_t processes = 0;
    std::string file;
};

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::uint64_t resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    statm >> size >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// What `sla-agent --help` promises of --memory.
bool is_within_memory(const Plan& plan, std::uint64_t peak) {
    const std::uint64_t most = plan.memory + (std::uint64_t{64} << 20);
    std::printf("resident at most %.1f MiB, of %.1f that --memory allows: %s\n", static_cast<double>(peak) / (1 << 20),
                static_cast<double>(most) / (1 << 20), peak <= most ? "within" : "BEYOND");
    return peak <= most;
}

// A segment that serves program after program: making one costs as much as everything else of a short program together.
class Slot {
public:
    void begin(std::uint64_t number, int channels) {
        segment_.header().start_time = number;
        segment_.header().channel_count = 0;
        segment_.header().ring_count = 0;
        for (int i = 0; i < channels; i++) {
            const std::uint32_t channel = segment_.add_channel("churn." + std::to_string(i));
            sla_ring_header& ring = segment_.ring(static_cast<std::uint32_t>(i));
            ring = {};
            ring.channel = channel;
            ring.thread = static_cast<std::uint32_t>(number % 1'000'000 * 100 + static_cast<std::uint64_t>(i));
            ring.capacity = 16;
            ring.offset = SLA_ARENA_OFFSET + static_cast<std::uint64_t>(i) * 4096;
            ring.arena_bytes = 256;
            ring.generation = 1;
            ring.state = SLA_RING_LIVE;
            segment_.header().ring_count++;
        }
        program_ = std::make_shared<sla::source::Program>(segment_.view());
        program_->segment_id = number;
    }
    std::uint64_t mark(int channels, std::uint64_t events) {
        for (int i = 0; i < channels; i++) {
            TestWriter writer(segment_, static_cast<std::uint32_t>(i));
            for (std::uint64_t e = 0; e < events; e++) SLA_TICK(writer.channel(), e);
        }
        return static_cast<std::uint64_t>(channels) * events;
    }
    [[nodiscard]] const std::shared_ptr<sla::source::Program>& program() const { return program_; }

private:
    TestSegment segment_;
    std::shared_ptr<sla::source::Program> program_;
};

// What a reader that keeps up gets.
struct Reader {
    sla::retain::Cursor cursor;
    std::uint64_t rows = 0;
    std::vector<sla::retain::Delivery> out;

    // False once that was the end.
    bool read(sla::retain::Retention& retention) {
        out.clear();
        const bool more = retention.read(cursor, std::size_t{1} << 22, out);
        for (const sla::retain::Delivery& delivery : out) rows += delivery.facts.offered;
        return more;
    }
};

void print_row(std::uint64_t started, const Plan& plan, sla::daemon::Pipeline& pipeline, sla::retain::Retention& retention,
               std::vector<double>& steps) {
    const auto cost = sla::bench::percentiles(steps);
    std::printf("%10llu %12llu %12zu %12.1f %12.1f %12.1f %10.1f\n", static_cast<unsigned long long>(started),
                static_cast<unsigned long long>(started * static_cast<std::uint64_t>(plan.channels)),
                pipeline.channels().size(), static_cast<double>(retention.counted_bytes()) / (1 << 20),
                static_cast<double>(resident_bytes()) / (1 << 20), cost.p50, cost.p99);
    std::fflush(stdout);
    steps.clear();
}

// Program after program, so many at a time; how many events were offered.
std::uint64_t run_all(const Plan& plan, sla::daemon::Pipeline& pipeline, sla::retain::Retention& retention, Reader& reader) {
    std::vector<std::unique_ptr<Slot>> slots(static_cast<std::size_t>(plan.living));
    for (auto& slot : slots) slot = std::make_unique<Slot>();
    std::uint64_t offered = 0;
    std::uint64_t started = 0;
    std::vector<double> steps;
    while (started < plan.programs) {
        for (auto& slot : slots) {
            if (slot->program()) slot->program()->ended = true;
        }
        while (pipeline.program_count() > 0) pipeline.step();
        for (auto& slot : slots) {
            slot->begin(++started, plan.channels);
            pipeline.add_program(slot->program());
        }
        pipeline.step();
        for (auto& slot : slots) offered += slot->mark(plan.channels, 3);
        const auto before = Clock::now();
        pipeline.step();
        steps.push_back(seconds_since(before) * 1e6);
        reader.read(retention);
        const std::uint64_t each = std::max<std::uint64_t>(plan.programs / 10, 1);
        if (started / each != (started - slots.size()) / each) print_row(started, plan, pipeline, retention, steps);
    }
    return offered;
}

int simulate(const Plan& plan) {
    spdlog::set_level(spdlog::level::off);
    sla::retain::Retention retention({std::uint64_t{64} << 20, plan.memory});
    sla::daemon::Pipeline pipeline(retention);
    std::unique_ptr<sla::stream::Recorder> recorder;
    if (!plan.file.empty()) recorder = std::move(sla::stream::Recorder::start({plan.file, {}, {}}, retention)).value();
    Reader reader;
    reader.read(retention);
    const auto begin = Clock::now();
    std::printf("%10s %12s %12s %12s %12s %12s %10s\n", "programs", "channels", "held", "counted MiB", "RSS MiB",
                "step us p50", "p99");
    const std::uint64_t offered = run_all(plan, pipeline, retention, reader);
    const double elapsed = seconds_since(begin);
    pipeline.finish("churn_bench");
    while (reader.read(retention)) {
    }
    if (recorder) (void)recorder->join();
    const std::uint64_t recorded = pipeline.recorded();
    const std::uint64_t lost = pipeline.lost();
    const bool is_exact = recorded + lost == offered && reader.rows == offered;
    std::printf(
        "%llu programs in %.1f s: offered %llu, recorded %llu, lost %llu; a reader got %llu, of these %llu as gaps: %s\n",
        static_cast<unsigned long long>(plan.programs), elapsed, static_cast<unsigned long long>(offered),
        static_cast<unsigned long long>(recorded), static_cast<unsigned long long>(lost),
        static_cast<unsigned long long>(reader.rows), static_cast<unsigned long long>(reader.cursor.lagged),
        is_exact ? "exact" : "NOT EXACT");
    return is_within_memory(plan, sla::bench::peak_bytes("self")) && is_exact ? 0 : 1;
}

// A short program: some channels, a thread for each, three events on every one.
int be_a_program(int channels) {
    std::vector<std::thread> threads;
    if (!sla_attach()) return 1;
    for (int i = 0; i < channels; i++) {
        threads.emplace_back([i] {
            sla_channel* channel = sla_channel_open(("churn." + std::to_string(i)).c_str());
            for (int e = 0; e < 3; e++) SLA_TICK(channel, e);
        });
    }
    for (std::thread& thread : threads) thread.join();
    return 0;
}

std::uint64_t number_after(const std::string& text, const std::string& word_before) {
    const std::size_t at = text.rfind(word_before);
    return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + word_before.size(), nullptr, 10);
}

// MiB of the agent, as "RssAnon:" (its own) and "RssShmem:" (programs' rings, which it has mapped).
double memory(sla::bench::BenchAgent& agent, std::string_view what) {
    std::ifstream status("/proc/" + std::to_string(agent.process().pid()) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(what)) return std::strtod(line.c_str() + what.size(), nullptr) / 1024;
    }
    return 0;
}

// All of them, so many at a time; how many ended well.
std::uint64_t run_programs(const Plan& plan, sla::bench::BenchAgent& agent) {
    const std::string channels = std::to_string(plan.channels);
    std::uint64_t started = 0;
    std::uint64_t running = 0;
    std::uint64_t ended_well = 0;
    while (started < plan.processes || running > 0) {
        while (started < plan.processes && running < static_cast<std::uint64_t>(plan.living)) {
            const pid_t child = fork();
            if (child == 0) {
                execl("/proc/self/exe", "churn_bench", "--be-a-program", channels.c_str(), static_cast<char*>(nullptr));
                _exit(127);
            }
            started++;
            running++;
        }
        int status = 0;
        if (wait(&status) < 0) break;
        running--;
        ended_well += WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
        const std::uint64_t each = std::max<std::uint64_t>(plan.processes / 5, 1);
        if ((started - running) % each != 0) continue;
        std::printf("%8llu programs, agent: %.1f MiB of its own, %.1f MiB of rings, %.2f s of CPU\n",
                    static_cast<unsigned long long>(started - running), memory(agent, "RssAnon:"),
                    memory(agent, "RssShmem:"), agent.cpu_seconds());
        std::fflush(stdout);
    }
    return ended_well;
}

// Says how many channels there still are for who asks now.
void list_channels(const sla::bench::BenchAgent& agent) {
    sla::support::Process list({std::string(SLA_BINARIES) + "/sla", "channels", agent.address(), "--format", "csv"});
    const auto begin = Clock::now();
    const int code = list.wait().code;
    const double took = seconds_since(begin);
    const std::string table = list.output();
    std::printf("sla channels: exit %d in %.2f s, %zd channels held\n", code, took,
                std::count(table.begin(), table.end(), '\n') - 1);
}

int run_processes(const Plan& plan) {
    sla::support::TempDir files;
    const std::string file = plan.file.empty() ? files.file("churn.sla") : plan.file;
    sla::bench::BenchAgent agent(SLA_BINARIES, {"--memory", std::to_string(plan.memory >> 20) + "MiB", "--record", file});
    sla::support::Process reader({std::string(SLA_BINARIES) + "/sla", "record", "-o", files.file("reader.sla")});
    const auto begin = Clock::now();
    const std::uint64_t programs = run_programs(plan, agent);
    std::printf("%llu programs in %.1f s, %llu failed\n", static_cast<unsigned long long>(programs), seconds_since(begin),
                static_cast<unsigned long long>(plan.processes - programs));
    usleep(200'000);
    list_channels(agent);
    reader.signal(SIGINT);
    reader.wait(std::chrono::seconds(60));
    const bool is_within = is_within_memory(plan, sla::bench::peak_bytes(std::to_string(agent.process().pid())));
    agent.process().signal(SIGTERM);
    agent.process().wait(std::chrono::seconds(60));
    const std::string said = agent.process().errors();
    const std::uint64_t recorded = number_after(said, "info: ");
    const std::uint64_t lost = number_after(said, "recorded, ");
    sla::store::Session session;
    const bool is_readable = sla::ingest::load(file, session).ok();
    const std::uint64_t offered = programs * static_cast<std::uint64_t>(plan.channels) * 3;
    const bool is_exact = recorded + lost == offered && is_readable && session.events() + session.lost() == offered;
    std::printf("offered %llu, recorded %llu, lost %llu; the recording has %zu channels, %llu events, %llu lost: %s\n",
                static_cast<unsigned long long>(offered), static_cast<unsigned long long>(recorded),
                static_cast<unsigned long long>(lost), session.lanes().size(),
                static_cast<unsigned long long>(session.events()), static_cast<unsigned long long>(session.lost()),
                is_exact ? "exact" : "NOT EXACT");
    return is_exact && is_within ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "--be-a-program") == 0) return be_a_program(std::atoi(argv[2]));
    sla::common::Command app("churn_bench", "Very many short programs, and an agent that forgets them.");
    Plan plan;
    app.add_option("--programs", plan.programs, "Short programs, made by hand (100000)");
    app.add_option("--processes", plan.processes, "So many real processes instead");
    app.add_option("--channels", plan.channels, "Of each program, and as many threads (10)").range(1, 1000);
    app.add_option("--living", plan.living, "Programs at a time (8)").range(1, 1000);
    app.add_option("--memory", plan.memory, "As `sla-agent --memory` (64MiB)").as_size();
    app.add_option("--record", plan.file, "A capture file to record to");
    app.action([&] {
        std::printf("machine: %s\n", sla::bench::machine().c_str());
        return plan.processes > 0 ? run_processes(plan) : simulate(plan);
    });
    return app.run(argc, argv);
}
