// sla-example-pipeline: real work in several threads, marked, to be watched in the viewer.
#include "agent/example/pipeline.h"
#include "proto/common/command_line.h"

#include <fmt/format.h>
#include <sla/marker.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <exception>
#include <limits>

namespace {

struct Options {
    double seconds = std::numeric_limits<double>::infinity();
    unsigned threads = 2;
    std::string folder;
    bool keep = false;
    std::vector<std::string> files;
};

void declare(sla::common::Command& app, Options& options) {
    app.add_option("--for", options.seconds, "Run so long (10s, 500ms, 2m); without it, until interrupted")
        .units({{"ms", 0.001}, {"s", 1.0}, {"m", 60.0}, {"h", 3600.0}}, "TIME");
    app.add_option("--threads", options.threads, "Compressor threads").range(1, 32).value_name("N").show_default();
    app.add_option("--output", options.folder, "Folder of the .zst files (default: a temporary one)").value_name("FOLDER");
    app.add_flag("--keep", options.keep, "Leave the .zst files there at the end");
    app.add_option("files", options.files, "Files to read over and over (default: made-up log lines)").value_name("FILE");
}

// SIGINT and SIGTERM are taken here and by no thread: block them before the first thread starts.
sigset_t block_ending_signals() {
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ending, nullptr);
    return ending;
}

void wait(const sla::example::Pipeline& pipeline, double seconds, const sigset_t& ending) {
    const auto start = std::chrono::steady_clock::now();
    while (pipeline.running()) {
        const double left = seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (left <= 0) return;
        const timespec nap = {0, static_cast<long>(std::min(left, 0.1) * 1e9)};
        if (sigtimedwait(&ending, nullptr, &nap) > 0) return;
    }
}

int run(const Options& options) {
    const sigset_t ending = block_ending_signals();
    sla_describe_source("pipeline", SLA_SOURCE_PROGRAM);
    sla::example::BlockSource source(options.files);
    sla::example::FileRing files(options.folder, options.keep);
    fmt::print("pipeline: {} compressor threads, writing to {}\n", options.threads, files.folder().string());
    std::fflush(stdout);
    sla::example::Pipeline pipeline(source, files, options.threads);
    wait(pipeline, options.seconds, ending);
    const sla::example::PipelineTotals totals = pipeline.stop();
    fmt::print("pipeline: {} blocks, {:.1f} MB read, {:.1f} MB written\n", totals.blocks,
               static_cast<double>(totals.bytes_read) / 1e6, static_cast<double>(totals.bytes_written) / 1e6);
    if (totals.disk_failed) {
        fmt::print(stderr, "pipeline: could not write to {}: is the disk full?\n", files.folder().string());
        return 3;
    }
    if (totals.damaged > 0) {
        fmt::print(stderr, "pipeline: {} blocks did not unpack to what they were\n", totals.damaged);
        return 1;
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    sla::common::Command app("sla-example-pipeline",
                             "A marked program to watch: reads, compresses with zstd, writes files.");
    Options options;
    declare(app, options);
    app.action([&options] { return run(options); });
    try {
        return app.run(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "sla-example-pipeline: {}\n", error.what());
        return 3;
    }
}
