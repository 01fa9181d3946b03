#include "tests/fuzz/import_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto in = sla::exchange::stream_of(data, size);
    sla::exchange::import_anything([&](auto& sink, auto& notes) { return sla::exchange::import_vcd(in, sink, notes); });
    return 0;
}
