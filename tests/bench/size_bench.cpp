// size_bench [M_EVENTS [DIRECTORY [SHAPE]]]: bytes an event on disk, and what the recorder's thread pays for them: the stream's own
// encoder, the file writer, real files. One channel and 64, batches of 8192 rows and, as of rare events, of 5.
#include "proto/capture/capture_writer.h"
#include "tests/bench/synthetic_stream.h"

#include <unistd.h>
#include <ctime>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using sla::bench::StreamPlan;

double cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// False when the file could not be written.
bool measure(const char* shape, StreamPlan plan, double events, const std::string& path) {
    auto writer = sla::capture::CaptureWriter::create(path);
    if (!writer) return std::fprintf(stderr, "%s\n", writer.error().message.c_str()), false;
    plan.shape = *sla::bench::shape_named(shape);
    sla::bench::SyntheticStream stream(plan);
    bool good = true;
    double spent = 0;
    std::uint64_t raw = 0;
    const auto emit = [&](std::string_view message) {
        const double start = cpu_ns();
        good = good && writer->append(message).ok();
        spent += cpu_ns() - start;
        raw += message.size();
    };
    stream.begin(emit);
    std::uint64_t made = 0;
    while (static_cast<double>(made) < events && good) made += stream.round(emit);
    const double start = cpu_ns();
    good = good && writer->finish().ok();
    spent += cpu_ns() - start;
    const auto count = static_cast<double>(made);
    std::printf(
        "%-9s %4u channels, batches of %5u: %5.2f bytes/event (%5.2f as sent), writer %6.1f ns/event = %5.1f M events/s\n",
        shape, plan.channels, plan.batch_rows, static_cast<double>(writer->bytes_written()) / count,
        static_cast<double>(raw) / count, spent / count, 1e3 * count / spent);
    unlink(path.c_str());
    return good;
}

}  // namespace

int main(int count, char** words) {
    const double events = 1e6 * (count > 1 ? std::atof(words[1]) : 10);
    const std::string path = std::string(count > 2 ? words[2] : "/tmp") + "/size-bench-" + std::to_string(getpid()) + ".sla";
    const std::string only = count > 3 ? words[3] : "";
    bool good = true;
    for (const char* shape : {"regular", "jittered", "spans", "nested", "levels", "values", "mixed"}) {
        if (!only.empty() && only != shape) continue;
        good = good && measure(shape, {.channels = 1}, events, path);
        good = good && measure(shape, {.channels = 64}, events, path);
        good = good && measure(shape, {.channels = 64, .batch_rows = 5}, events / 10, path);
    }
    return good ? 0 : 3;
}
