#include "tests/fuzz/viewer/import_fuzzing.h"
#include "viewer/formats/trace_cmd/trace_cmd.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto in = sla::formats::stream_of(data, size);
    sla::formats::import_anything([&](auto& sink, auto& notes) { return sla::formats::import_trace_cmd(in, sink, notes); });
    return 0;
}
