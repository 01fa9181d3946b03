// A stream file beside good metadata; or, when the first byte is odd, the metadata.
#include "tests/fuzz/viewer/import_fuzzing.h"
#include "viewer/formats/ctf/ctf.h"
#include "viewer/formats/ctf/metadata_reader.h"

#include <filesystem>
#include <fstream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] % 2 == 1) {
        static_cast<void>(sla::formats::parse_ctf_metadata(bytes));
        static_cast<void>(sla::formats::parse_ctf_metadata("\nenv { domain = \"sla\"; " + bytes));
        return 0;
    }
    static const std::string directory = [] {
        const std::string path = sla::formats::scratch_path() + "_ctf";
        std::filesystem::create_directories(path);
        std::ofstream(path + "/metadata") << "\nenv { domain = \"sla\"; sla_origin_tick = \"1\"; sla_ticks_per_second = "
                                             "\"1e9\"; sla_clock_error_ppb = \"0\"; sla_origin_realtime_ns = \"0\"; "
                                             "sla_channel_1 = \"a\"; sla_source_1 = \"s\"; };\n";
        return path;
    }();
    // The head of a packet is made right, so that its events are reached.
    std::string head("\xc1\x1f\xfc\xc1\1\0\0\0", 8);
    head += std::string(16, '\0');
    std::string bits(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) bits[i] = static_cast<char>((48 + bytes.size()) * 8 >> (8 * i));
    head += bits + bits + std::string(8, '\0');
    std::ofstream(directory + "/channel_1", std::ios::binary) << head << bytes << bytes.substr(0, bytes.size() / 2);
    sla::formats::import_anything([&](auto& sink, auto& notes) { return sla::formats::import_ctf(directory, sink, notes); });
    return 0;
}
