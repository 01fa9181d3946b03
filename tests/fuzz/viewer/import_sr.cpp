// The bytes of an archive; or, when the first byte is odd, the metadata and samples inside a good one.
#include "tests/fuzz/viewer/import_fuzzing.h"
#include "viewer/formats/sr/sr.h"

#include <zip.h>

namespace {

std::string zipped(std::string_view metadata, std::string_view samples) {
    zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, nullptr);
    zip_source_keep(target);
    zip_t* zip = zip_open_from_source(target, ZIP_TRUNCATE, nullptr);
    zip_file_add(zip, "metadata", zip_source_buffer(zip, metadata.data(), metadata.size(), 0), 0);
    zip_file_add(zip, "logic-1-1", zip_source_buffer(zip, samples.data(), samples.size(), 0), 0);
    SLA_CHECK(zip_close(zip) == 0);
    std::string out(metadata.size() + samples.size() + 4096, '\0');
    SLA_CHECK(zip_source_open(target) == 0);
    out.resize(static_cast<std::size_t>(zip_source_read(target, out.data(), out.size())));
    zip_source_close(target);
    zip_source_free(target);
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    std::string bytes(rest);
    if (data[0] % 2 == 1) {
        const std::size_t half = std::min(rest.find('\0'), rest.size());
        bytes = zipped("[device 1]\ncapturefile=logic-1\nsamplerate=1 MHz\nprobe1=a\n" + std::string(rest.substr(0, half)),
                       rest.substr(half));
    }
    sla::formats::import_anything([&](auto& sink, auto& notes) { return sla::formats::import_sr("", bytes, sink, notes); });
    return 0;
}
