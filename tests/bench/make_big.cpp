// make_big FILE: a capture of any size and shape, for benchmarks of files and viewers. 10 to 40 M events/s.
#include "proto/capture/capture_writer.h"
#include "tests/bench/synthetic_stream.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>

int main(int count, char** words) {
    CLI::App app{"Writes a large capture file."};
    std::string path;
    std::string shape = "mixed";
    double events = 1e9;
    sla::bench::StreamPlan plan;
    app.add_option("file", path, "To write")->required();
    app.add_option("--events", events, "At least so many, as in 1e9");
    app.add_option("--channels", plan.channels, "How many (64)");
    app.add_option("--shape", shape, sla::bench::kShapeNames);
    app.add_option("--batch", plan.batch_rows, "Rows of a batch (8192)")->check(CLI::Range(1, 65535));
    app.add_option("--spread", plan.spread, "Distances between events times this; default: the number of channels");
    app.add_option("--loss-every", plan.loss_every, "A loss in every so many batches of a channel; default: none");
    CLI11_PARSE(app, count, words);
    const auto chosen = sla::bench::shape_named(shape);
    if (!chosen) return std::fprintf(stderr, "--shape is one of %s\n", sla::bench::kShapeNames), 2;
    plan.shape = *chosen;

    auto writer = sla::capture::CaptureWriter::create(path);
    if (!writer) return std::fprintf(stderr, "%s\n", writer.error().message.c_str()), 3;
    sla::Result<void> written;
    const auto emit = [&](std::string_view message) {
        if (written.ok()) written = writer->append(message);
    };
    const auto start = std::chrono::steady_clock::now();
    sla::bench::SyntheticStream stream(plan);
    stream.begin(emit);
    std::uint64_t made = 0;
    while (static_cast<double>(made) < events && written.ok()) made += stream.round(emit);
    stream.end(emit);
    if (written.ok()) written = writer->finish();
    if (!written.ok()) return std::fprintf(stderr, "%s\n", written.error().message.c_str()), 3;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto bytes = static_cast<double>(writer->bytes_written());
    std::printf("%llu events on %u channels, %.1f MB, %.2f bytes an event, %.1f M events/s\n",
                static_cast<unsigned long long>(made), plan.channels, bytes / 1e6, bytes / static_cast<double>(made),
                static_cast<double>(made) / seconds / 1e6);
    return 0;
}
