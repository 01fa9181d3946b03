// What the window's receiving side takes: frames of an agent, decoded and put into the store, without a bound on memory and
// with one, so that older rows go to a file; and views of a session that grows. CPU of the thread that owns the session, and
// of all threads together.
#include "proto/common/command_line.h"
#include "tests/bench/percentiles.h"
#include "tests/bench/synthetic_stream.h"
#include "viewer/ingest/caches.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/ingest/frame_item.h"
#include "viewer/ingest/spill.h"

#include <time.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace sla;

struct Frames {
    std::vector<std::string> names;
    std::vector<std::string> batches;
    std::uint64_t events = 0;
};

Frames make_frames(bench::Shape shape, std::uint64_t events) {
    bench::StreamPlan plan;
    plan.shape = shape;
    plan.channels = 16;
    bench::SyntheticStream stream(plan);
    Frames frames;
    stream.begin([&](std::string_view message) { frames.names.emplace_back(message); });
    while (frames.events < events) {
        frames.events += stream.round([&](std::string_view message) { frames.batches.emplace_back(message); });
    }
    return frames;
}

double seconds_of(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

double resident_mib() {
    std::ifstream in("/proc/self/status");
    for (std::string word; in >> word;) {
        double kib = 0;
        if (word == "VmRSS:" && in >> kib) return kib / 1024;
    }
    return 0;
}

struct Cost {
    double owner_ns = 0;
    double all_ns = 0;
    double wall_ns = 0;
};

void print(const char* what, const Cost& cost, const std::string& more) {
    std::printf("  %-34s %6.1f %6.1f %6.1f ns   %6.1f M/s   %s\n", what, cost.owner_ns, cost.all_ns, cost.wall_ns,
                1e3 / cost.all_ns, more.c_str());
}

// `run` is timed.
template <typename Run>
Cost measure(std::uint64_t events, Run run) {
    const double owner = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    const double all = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    const double wall = seconds_of(CLOCK_MONOTONIC);
    run();
    const double count = static_cast<double>(events) / 1e9;
    return {(seconds_of(CLOCK_THREAD_CPUTIME_ID) - owner) / count, (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - all) / count,
            (seconds_of(CLOCK_MONOTONIC) - wall) / count};
}

void without_bound(const Frames& frames) {
    store::Session session;
    ingest::FrameApplier applier(session);
    for (const std::string& name : frames.names) applier.apply(std::string_view(name));
    const Cost cost = measure(frames.events, [&] {
        for (const std::string& batch : frames.batches) applier.apply(std::string_view(batch));
    });
    char more[100];
    std::snprintf(more, sizeof more, "%.0f MiB resident", resident_mib());
    print("decode and store", cost, more);
}

bool with_bound(const Frames& frames, std::uint64_t memory, const std::string& directory) {
    store::Session session;
    ingest::FrameApplier applier(session);
    ingest::Spill spill(session, {memory, directory});
    applier.on_growth([&](store::Lane& lane) { spill.tend(lane); });
    for (const std::string& name : frames.names) applier.apply(std::string_view(name));
    const double before = resident_mib();
    std::uint64_t most = 0;
    const Cost cost = measure(frames.events, [&] {
        for (const std::string& batch : frames.batches) {
            while (spill.is_full() && spill.report().failure.empty()) std::this_thread::yield();
            applier.apply(std::string_view(batch));
            most = std::max(most, spill.report().memory_bytes);
        }
    });
    const ingest::SpillReport report = spill.report();
    char more[200];
    std::snprintf(more, sizeof more, "at most %.0f of %.0f MiB (resident +%.0f), %.1f M rows on disk, %.2f bytes each %s",
                  static_cast<double>(most) / 1048576, static_cast<double>(memory) / 1048576, resident_mib() - before,
                  static_cast<double>(report.rows_on_disk) / 1e6,
                  static_cast<double>(report.disk_bytes) / static_cast<double>(report.rows_on_disk), report.failure.c_str());
    print("decode, store and spill", cost, more);
    return session.events() == frames.events && report.failure.empty();
}

// A view every so many batches, and what one costs: made beside rows that come, and opened by a job.
void with_views(const Frames& frames) {
    constexpr std::size_t kBatches = 100;
    store::Session session;
    ingest::FrameApplier applier(session);
    for (const std::string& name : frames.names) applier.apply(std::string_view(name));
    double made = 0;
    double opened = 0;
    std::size_t views = 0;
    const Cost cost = measure(frames.events, [&] {
        for (std::size_t i = 0; i < frames.batches.size(); ++i) {
            applier.apply(std::string_view(frames.batches[i]));
            if (i % kBatches != 0) continue;
            const double begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
            const store::SessionView view = session.view();
            const double between = seconds_of(CLOCK_THREAD_CPUTIME_ID);
            store::Session shown;
            view.open(shown, ingest::kWalkCache);
            opened += seconds_of(CLOCK_THREAD_CPUTIME_ID) - between;
            made += between - begin;
            ++views;
        }
    });
    char more[100];
    std::snprintf(more, sizeof more, "%zu views of %zu lanes: %.1f us to make one, %.1f to open it", views,
                  session.lanes().size(), made * 1e6 / static_cast<double>(views),
                  opened * 1e6 / static_cast<double>(views));
    print("decode and store, with views", cost, more);
}

struct Plan {
    double events = 20e6;
    double memory = 128;
    std::string directory = ingest::default_spill_directory();
    std::string only;
};

int run(const Plan& plan) {
    std::printf(
        "machine: %s\nan event: CPU of the owner's thread, of all threads, time by the clock; rate for all of it on one "
        "core\n",
        bench::machine().c_str());
    bool whole = true;
    for (const char* name : {"regular", "jittered", "spans", "levels", "values", "mixed", "exits", "texts"}) {
        if (!plan.only.empty() && plan.only != name) continue;
        const Frames frames = make_frames(*bench::shape_named(name), static_cast<std::uint64_t>(plan.events));
        std::printf("%s, %.0f M events\n", name, static_cast<double>(frames.events) / 1e6);
        without_bound(frames);
        with_views(frames);
        whole = with_bound(frames, static_cast<std::uint64_t>(plan.memory * 1048576), plan.directory) && whole;
    }
    return whole ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
    sla::common::Command app("ingest_bench", "Decoding and storing, with and without a bound on memory.");
    Plan plan;
    app.add_option("--events", plan.events, "Of each shape (20e6)");
    app.add_option("--shape", plan.only, "Only this one: " + std::string(bench::kShapeNames));
    app.add_option("--memory", plan.memory, "MiB that rows may take (128)");
    app.add_option("--directory", plan.directory, "Of the spill file");
    app.action([&plan] { return run(plan); });
    return app.run(count, words);
}
