// sla-make-capture: captures to look at. Not a product; pictures, tests and benchmarks of the viewer start from its files.
#include "proto/common/command_line.h"
#include "tests/support/capture_builder.h"
#include "tests/support/sample_capture.h"

int main(int count, char** words) {
    sla::common::Command app("sla-make-capture", "Writes a capture file of a given shape.");
    std::string path;
    std::string shape = "bench";
    std::size_t channels = 60;
    std::size_t events = 2000;
    app.add_option("file", path, "To write").required();
    app.add_option("--shape", shape,
                   "bench: a compressing program beside an emulated PC; mixed: so many channels of all kinds; empty")
        .one_of({"bench", "mixed", "few", "empty"});
    app.add_option("--channels", channels, "Of shape mixed");
    app.add_option("--events", events, "On each channel, of shape mixed");
    app.action([&] {
        sla::support::CaptureBuilder capture(shape == "mixed" ? 1000 : 1'000'000, 2.7e9, 70);
        if (shape == "bench") sla::support::add_bench_scene(capture);
        if (shape == "few") sla::support::add_few(capture);
        if (shape == "mixed") sla::support::add_mixed(capture, channels, events);
        capture.write(path);
        return 0;
    });
    return app.run(count, words);
}
