#include "tests/fuzz/viewer/import_fuzzing.h"
#include "viewer/formats/table/csv_reader.h"
#include "viewer/formats/table/json_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto in = sla::formats::stream_of(data, size);
    const bool is_json = size > 0 && (data[0] == '{' || data[0] == '[');
    sla::formats::import_anything([&](auto& sink, auto& notes) {
        return is_json ? sla::formats::import_json(in, sink, notes) : sla::formats::import_csv(in, sink, notes);
    });
    return 0;
}
