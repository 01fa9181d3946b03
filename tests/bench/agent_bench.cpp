// What the agent costs an event, by pattern and number of channels: recorded rings through its real pipeline (drain, order,
// triggers, encode, retain), stepped by hand on one thread. Beside it, in the same run and by turns, memcpy of the same
// rings; then bytes an event in memory and in a capture file, and how fast a reader decodes it.
//
// What is beside the agent is on its thread, so that its CPU counts: a recorder (the real writer of captures), a viewer (the
// frames into a socket; who empties it does not count), a trigger.
//
//   agent_bench                      all patterns on 1, 4, 64 and 1,000 channels, some seconds each
//   agent_bench --beside recorded viewer --threads 1 8
//   agent_bench --pattern bursts --channels 4 --rounds 400
#include "agent/daemon/drain_pace.h"
#include "agent/daemon/pipeline/pipeline.h"
#include "proto/base/heap_pages.h"
#include "proto/capture/capture_writer.h"
#include "proto/common/command_line.h"
#include "proto/time/tick_clock.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/batch_parser.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/bench/percentiles.h"
#include "tests/bench/reader_beside.h"
#include "tests/bench/recorded_rings.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using sla::bench::cpu_ns;
using sla::bench::Pattern;
using sla::bench::ReaderBeside;
using sla::bench::RecordedRings;
using sla::bench::stay_on;

struct Plan {
    std::string pattern;
    std::vector<std::uint32_t> channels{1, 4, 64, 1000};
    std::vector<std::uint32_t> threads{1};
    std::vector<std::string> beside{"memory"};
    int runs = 5;              // of which the best and the middle one are reported
    int rounds = 60;           // of a run
    std::uint64_t events = 0;  // a round; 0: what comes between two looks of the agent at 30 M events/s
    std::string directory = "/tmp";
};

std::uint64_t now_tick() {
    return sla::time::read_stamp() & SLA_TICK_MASK;
}

// One line of the page.
struct Case {
    Pattern pattern;
    std::uint32_t channels;
    std::uint32_t threads;
    std::string beside;
};

struct Row {
    double agent_ns = 0;  // an event, median of the rounds
    double agent_best = 0;
    double memcpy_ns = 0;
    double held_bytes = 0;
    double file_bytes = 0;
    double write_ns = 0;
    double decode_m = 0;
    double peak_mib = 0;  // above what stood before the agent was there
    std::uint64_t lost = 0;
};

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

class Agent {
public:
    explicit Agent(bool has_trigger, RecordedRings& rings) : retention_(limits()), pipeline_(retention_) {
        auto program = std::make_shared<sla::source::Program>(rings.segment().view());
        program->segment_id = 1;
        pipeline_.add_program(std::move(program));
        pipeline_.step();
        if (!has_trigger) return;
        sla::wire::SetTrigger trigger;
        trigger.set_expression("bench.0 then bench.0 within 1ns then bench.0 within 1ns");
        const std::string problem = pipeline_.set_trigger(trigger, true);
        if (!problem.empty()) std::fprintf(stderr, "%s\n", problem.c_str()), std::exit(3);
    }
    // CPU of all steps that it takes.
    double drain() {
        const double before = cpu_ns();
        while (pipeline_.step().more) {
        }
        return cpu_ns() - before;
    }
    void finish() { pipeline_.finish("done"); }
    [[nodiscard]] std::uint64_t lost() const { return pipeline_.lost(); }
    [[nodiscard]] std::uint64_t recorded() const { return pipeline_.recorded(); }
    sla::retain::Retention& retention() { return retention_; }

private:
    static sla::retain::Limits limits() {
        constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;
        return {kPlenty, kPlenty, kPlenty};
    }
    sla::retain::Retention retention_;
    sla::daemon::Pipeline pipeline_;
};

// All frames that a reader gets, behind their stream headers.
std::vector<std::string_view> frames_of(sla::retain::Retention& retention, std::vector<sla::retain::Delivery>& deliveries) {
    sla::retain::Cursor cursor;
    while (retention.read(cursor, std::size_t{1} << 30, deliveries)) {
    }
    std::vector<std::string_view> frames;
    for (const auto& delivery : deliveries) frames.push_back(std::string_view(*delivery.frame).substr(4));
    return frames;
}

bool measure_file(const Plan& plan, const std::vector<std::string_view>& frames, double events, Row& row) {
    const std::string path = plan.directory + "/agent-bench-" + std::to_string(getpid()) + ".sla";
    auto writer = sla::capture::CaptureWriter::create(path);
    if (!writer) return std::fprintf(stderr, "%s\n", writer.error().message.c_str()), false;
    const double before = cpu_ns();
    bool good = true;
    for (const std::string_view frame : frames) good = good && writer->append(frame).ok();
    good = good && writer->finish().ok();
    row.write_ns = (cpu_ns() - before) / events;
    row.file_bytes = static_cast<double>(writer->bytes_written()) / events;
    unlink(path.c_str());
    return good;
}

// The best of some turns over all frames.
bool measure_decoding(const std::vector<std::string_view>& frames, double events, Row& row) {
    double best = 1e300;
    for (int turn = 0; turn < 3; turn++) {
        sla::wire::BatchParser parser;  // as a viewer reads them
        sla::wire::Frame frame;
        sla::wire::EventBatch batch;
        const double before = cpu_ns();
        for (const std::string_view bytes : frames) {
            const sla::wire::Batch* const encoded = parser.parse(bytes);
            if (encoded == nullptr && !sla::wire::parse_message(bytes, frame)) return false;
            if (encoded != nullptr && !sla::wire::decode_batch(*encoded, batch)) return false;
        }
        best = std::min(best, cpu_ns() - before);
    }
    row.decode_m = events / best * 1e3;
    return true;
}

// In MiB; the highest since reset_highest().
double resident(const char* field) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(field)) return std::strtod(line.c_str() + std::strlen(field), nullptr) / 1024;
    }
    return 0;
}
void reset_highest() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

// By another core where there is one, as marked programs do: what is read is in that core's caches, not in ours.
std::uint64_t publish_elsewhere(RecordedRings& rings) {
    std::uint64_t last = 0;
    std::thread marking([&] {
        if (std::thread::hardware_concurrency() > 1) stay_on(1);
        last = rings.publish(now_tick());
    });
    marking.join();
    return last;
}

// One run: what the rounds cost on the average, an event.
void measure_run(const Plan& plan, RecordedRings& rings, Agent& agent, ReaderBeside& beside, std::vector<double>& agent_ns,
                 std::vector<double>& memcpy_ns) {
    std::vector<char> copy;
    double drained = 0;
    double copied = 0;
    int copies = 0;
    for (int round = 0; round < plan.rounds; round++) {
        const std::uint64_t last = publish_elsewhere(rings);
        while (now_tick() <= last) {
        }
        const bool is_copied = round % 4 == 3;  // it leaves the rings in the caches: what is drained after it does not count
        const double before = cpu_ns();
        if (is_copied) rings.copy_out(copy);
        if (is_copied) copied += cpu_ns() - before;
        const double spent = agent.drain() + beside.take(agent.retention());
        drained += is_copied ? 0 : spent;
        copies += is_copied ? 1 : 0;
    }
    const auto events = static_cast<double>(rings.events());
    agent_ns.push_back(drained / (events * (plan.rounds - copies)));
    memcpy_ns.push_back(copied / (events * copies));
}

// What so many rings, as large as a program's are at that rate, hold when the agent looks again.
std::uint64_t events_between_looks(std::size_t rings) {
    constexpr std::uint64_t kEventsAMicrosecond = 30;
    constexpr double kHoldMicroseconds = 100'000;  // of a ring
    sla::daemon::DrainPace pace;
    auto sleep = sla::daemon::DrainPace::kShortest;
    for (int look = 0; look < 10; look++) {
        sla::daemon::Pipeline::Step step;
        step.rings = step.busy_rings = rings;
        step.taken = kEventsAMicrosecond * static_cast<std::uint64_t>(sleep.count());
        step.fullness = static_cast<double>(sleep.count()) / kHoldMicroseconds;
        pace.note(step);
        sleep = pace.next_sleep();
    }
    return kEventsAMicrosecond * static_cast<std::uint64_t>(sleep.count());
}

bool measure(const Plan& plan, const Case& one, Row& row) {
    const std::uint64_t between_looks = events_between_looks(std::size_t{one.channels} * one.threads);
    RecordedRings rings(one.pattern, one.channels, one.threads, plan.events != 0 ? plan.events : between_looks);
    const std::uint64_t last = publish_elsewhere(rings);  // their pages are not the agent's
    const double before = resident("VmRSS:");
    reset_highest();
    Agent agent(one.beside == "trigger", rings);
    ReaderBeside beside(one.beside, plan.directory);
    while (now_tick() <= last) {
    }
    agent.drain();
    std::vector<double> agent_ns;
    std::vector<double> memcpy_ns;
    for (int run = 0; run < plan.runs; run++) measure_run(plan, rings, agent, beside, agent_ns, memcpy_ns);
    agent.finish();
    beside.take(agent.retention());
    row.agent_ns = median(agent_ns);
    row.agent_best = *std::min_element(agent_ns.begin(), agent_ns.end());
    row.memcpy_ns = *std::min_element(memcpy_ns.begin(), memcpy_ns.end());
    row.lost = agent.lost() + beside.lagged();
    row.peak_mib = resident("VmHWM:") - before;
    const auto events = static_cast<double>(agent.recorded());
    row.held_bytes = static_cast<double>(agent.retention().held_bytes()) / events;
    if (!beside.finish()) return false;
    std::vector<sla::retain::Delivery> deliveries;
    const auto frames = frames_of(agent.retention(), deliveries);
    return measure_file(plan, frames, events, row) && measure_decoding(frames, events, row);
}

void print_row(const Case& one, const Row& row) {
    std::printf("%-9s %8u %7u %-8s %8.2f %9.2f %9.2f %9.2f %8.3f %9.3f %8.2f %8.0f %8.1f %6llu\n",
                std::string(sla::bench::name_of(one.pattern)).c_str(), one.channels, one.threads, one.beside.c_str(),
                row.agent_best, row.agent_ns, row.memcpy_ns, row.agent_best / row.memcpy_ns, row.held_bytes, row.file_bytes,
                row.write_ns, row.decode_m, row.peak_mib, static_cast<unsigned long long>(row.lost));
    std::fflush(stdout);
}

int run(const Plan& plan) {
    spdlog::set_level(spdlog::level::off);
    stay_on(0);
    const std::string events = plan.events == 0 ? "what comes between two looks at 30 M/s" : std::to_string(plan.events);
    std::printf("machine: %s\nbest and middle of %d runs of %d rounds of %s events\n", sla::bench::machine().c_str(),
                plan.runs, plan.rounds, events.c_str());
    std::printf("%-9s %8s %7s %-8s %8s %9s %9s %9s %8s %9s %8s %8s %8s %6s\n", "pattern", "channels", "threads", "beside",
                "best ns", "middle ns", "memcpy ns", "x memcpy", "B held", "B on disk", "write ns", "decode M", "peak MiB",
                "lost");
    for (const Pattern pattern : sla::bench::kPatterns) {
        if (!plan.pattern.empty() && plan.pattern != sla::bench::name_of(pattern)) continue;
        for (const std::string& beside : plan.beside) {
            for (const std::uint32_t threads : plan.threads) {
                for (const std::uint32_t channels : plan.channels) {
                    const Case one{pattern, channels, threads, beside};
                    Row row;
                    if (!measure(plan, one, row)) return 3;
                    print_row(one, row);
                }
            }
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    sla::set_up_heap();  // as sla-agent does
    Plan plan;
    sla::common::Command app("agent_bench", "What the agent costs an event, by pattern and number of channels.");
    app.add_option("--pattern", plan.pattern,
                   "regular, jittered, bursts, pauses, spans, doubles, texts, ports or exits (all)");
    app.add_option("--channels", plan.channels, "How many, one or several numbers (1 4 64 1000)");
    app.add_option("--threads", plan.threads,
                   "That mark every channel, each in a ring of its own; one or several numbers (1)")
        .range(1, 64);
    app.add_option("--beside", plan.beside,
                   "memory (nobody), recorded, viewer or trigger (three stages on the first channel)")
        .one_of({"memory", "recorded", "viewer", "trigger"});
    app.add_option("--runs", plan.runs, "Of each row (5)").range(1, 1'000);
    app.add_option("--rounds", plan.rounds, "Of each run (60)").range(4, 100'000);
    app.add_option("--events", plan.events, "Of each round (what comes between two looks of the agent at 30 M/s)")
        .range(1'000, 1'000'000);
    app.add_option("--directory", plan.directory, "Where the capture file is written (/tmp)");
    app.action([&plan] { return run(plan); });
    return app.run(argc, argv);
}
