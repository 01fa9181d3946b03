#include "tests/fuzz/viewer/import_fuzzing.h"
#include "viewer/formats/perf_script/perf_script.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto in = sla::formats::stream_of(data, size);
    sla::formats::import_anything(
        [&](auto& sink, auto& notes) { return sla::formats::import_perf_script(in, sink, notes); });
    return 0;
}
