// make_big FILE: a capture of any size and shape, for benchmarks of files and viewers. 10 to 40 M events/s.
#include "proto/capture/capture_writer.h"
#include "proto/common/command_line.h"
#include "tests/bench/synthetic_stream.h"

#include <chrono>
#include <cstdio>

namespace {

struct Words {
    std::string path;
    std::string shape = "mixed";
    double events = 1e9;
    sla::bench::StreamPlan plan;
};

int run(const Words& words) {
    sla::bench::StreamPlan plan = words.plan;
    const auto chosen = sla::bench::shape_named(words.shape);
    if (!chosen) return std::fprintf(stderr, "--shape is one of %s\n", sla::bench::kShapeNames), 2;
    plan.shape = *chosen;

    auto writer = sla::capture::CaptureWriter::create(words.path);
    if (!writer) return std::fprintf(stderr, "%s\n", writer.error().message.c_str()), 3;
    sla::Result<void> written;
    const auto emit = [&](std::string_view message) {
        if (written.ok()) written = writer->append(message);
    };
    const auto start = std::chrono::steady_clock::now();
    sla::bench::SyntheticStream stream(plan);
    stream.begin(emit);
    std::uint64_t made = 0;
    while (static_cast<double>(made) < words.events && written.ok()) made += stream.round(emit);
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

}  // namespace

int main(int argc, char** argv) {
    sla::common::Command app("make_big", "Writes a large capture file.");
    Words words;
    app.add_option("file", words.path, "To write").required();
    app.add_option("--events", words.events, "At least so many, as in 1e9");
    app.add_option("--channels", words.plan.channels, "How many (64)");
    app.add_option("--shape", words.shape, sla::bench::kShapeNames);
    app.add_option("--batch", words.plan.batch_rows, "Rows of a batch (8192)").range(1, 65535);
    app.add_option("--spread", words.plan.spread, "Distances between events times this; default: the number of channels");
    app.add_option("--loss-every", words.plan.loss_every, "A loss in every so many batches of a channel; default: none");
    app.action([&words] { return run(words); });
    return app.run(argc, argv);
}
