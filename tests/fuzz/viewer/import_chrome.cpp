#include "tests/fuzz/viewer/import_fuzzing.h"
#include "viewer/formats/chrome/chrome.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto in = sla::formats::stream_of(data, size);
    sla::formats::import_anything([&](auto& sink, auto& notes) { return sla::formats::import_chrome(in, sink, notes); });
    return 0;
}
