// sla-make-capture: captures to look at. Not a product; pictures, tests and benchmarks of the viewer start from its files.
#include "tests/support/capture_builder.h"
#include "tests/support/sample_capture.h"

#include <CLI/CLI.hpp>

int main(int count, char** words) {
    CLI::App app{"Writes a capture file of a given shape."};
    std::string path;
    std::string shape = "bench";
    std::size_t channels = 60;
    std::size_t events = 2000;
    app.add_option("file", path, "To write")->required();
    app.add_option("--shape", shape,
                   "bench: a compressing program beside an emulated PC; mixed: so many channels of all kinds; empty")
        ->check(CLI::IsMember({"bench", "mixed", "few", "empty"}));
    app.add_option("--channels", channels, "Of shape mixed");
    app.add_option("--events", events, "On each channel, of shape mixed");
    CLI11_PARSE(app, count, words);
    sla::support::CaptureBuilder capture(shape == "mixed" ? 1000 : 1'000'000, 2.7e9, 70);
    if (shape == "bench") sla::support::add_bench_scene(capture);
    if (shape == "few") sla::support::add_few(capture);
    if (shape == "mixed") sla::support::add_mixed(capture, channels, events);
    capture.write(path);
    return 0;
}
