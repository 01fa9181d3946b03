// Files of Parquet as they come, and the two parsers behind zstd's back, which no mutated file would reach.
#include "tests/fuzz/viewer/import_fuzzing.h"
#include "viewer/formats/parquet/metadata.h"
#include "viewer/formats/parquet/parquet.h"
#include "viewer/formats/parquet/unpacking.h"

#include <fstream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace formats = sla::formats;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::string path = formats::scratch_path() + ".parquet";
    std::ofstream(path, std::ios::binary) << bytes;
    formats::import_anything([&](auto& sink, auto& notes) { return formats::import_parquet(path, sink, notes); });
    const auto facts = formats::parquet_facts(path);
    SLA_CHECK(facts.ok() || !facts.error().message.empty());
    if (facts.ok() && facts->first_tick) {
        const formats::ParquetRange half{*facts->first_tick,
                                         *facts->first_tick + (*facts->last_tick - *facts->first_tick) / 2};
        formats::import_anything([&](auto& sink, auto&) {
            sink.set_clock(facts->clock);
            const auto read = formats::import_parquet_range(path, half, sink);
            SLA_CHECK(!read.ok() || read->read <= read->all);
            return read.ok() ? sla::Result<void>() : read.error();
        });
    }
    unlink(path.c_str());

    const auto metadata = formats::parquet::read_metadata(bytes, static_cast<std::int64_t>(size) + 1000);
    SLA_CHECK(metadata.ok() || !metadata.error().message.empty());
    const auto page = formats::parquet::read_page_header(bytes);
    SLA_CHECK(!page.ok() || page->header <= size);
    if (size < 3) return 0;
    const std::size_t count = data[0] | data[1] << 8;
    std::vector<std::uint64_t> numbers;
    const bool is_delta = formats::parquet::take_deltas(bytes.substr(3), count, numbers);
    SLA_CHECK(numbers.size() <= count && (!is_delta || numbers.size() == count));
    numbers.clear();
    const bool is_runs = formats::parquet::take_runs(bytes.substr(3), data[2], count, numbers);
    SLA_CHECK(numbers.size() <= count && (!is_runs || numbers.size() == count));
    return 0;
}
