// make_seeds DIRECTORY: writes a few sound inputs for each fuzzer into DIRECTORY/NAME, so that it starts behind the first
// checks.
#include "proto/capture/capture_writer.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/unit/proto/wire/random_batch.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace {

using namespace sla;

void write_seed(const std::filesystem::path& folder, const std::string& name, const std::string& bytes) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string small_stream(std::mt19937_64& random) {
    wire::Frame frame;
    frame.mutable_hello()->set_version(1);
    frame.mutable_hello()->set_agent("sla-agent");
    std::string stream = wire::encode_frame(frame);
    frame.mutable_channel()->set_name("net.rx");
    wire::append_frame(frame, stream);
    encode_batch(wire::random_batch(random, 20), *frame.mutable_batch());
    wire::append_frame(frame, stream);
    frame.mutable_end()->set_reason("done");
    wire::append_frame(frame, stream);
    return stream;
}

std::string small_request() {
    wire::Request request;
    request.mutable_subscribe()->set_version(1);
    request.mutable_subscribe()->add_channels("irq.*");
    return wire::encode_frame(request);
}

// Chunks of three frames; with contents that compress, and as they are.
std::string small_capture(const std::filesystem::path& scratch, std::size_t frame_bytes) {
    auto writer = capture::CaptureWriter::create(scratch.string());
    bool good = writer.ok();
    for (std::uint64_t i = 0; good && i < 7; ++i) {
        good = writer->append(std::string(frame_bytes, static_cast<char>('a' + i)), {1, i, i + 1, 2}).ok();
        if (good && i % 3 == 2) good = writer->flush().ok();
    }
    good = good && writer->finish().ok();
    SLA_CHECK(good);
    std::ifstream in(scratch, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::filesystem::remove(scratch);
    return bytes;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: make_seeds DIRECTORY\n");
        return 2;
    }
    const std::filesystem::path corpus(argv[1]);
    write_seed(
        corpus / "fuzz_configuration", "all",
        R"({"listen": ["tcp:127.0.0.1:4321"], "record": "f.sla", "rotate": "1GiB,10min", "keep_files": 3, "keep": "30s",
                   "memory": "1GiB", "channel_memory": 4096, /* why */
                   "channels": [{"match": "net.*", "keep": "10s", "bytes": "1MiB", "policy": "overwrite", "enabled": false,
                                 "filter": "value in -3..9.5", "every": 10}],
                   "triggers": [{"name": "t", "expression": "a", "pre": "30%", "window": "20ms", "actions": ["stop"]}]})");
    write_seed(corpus / "fuzz_configuration", "rule", "net.*: off; keep 10s; bytes 1MiB; filter value > 100; every 10");
    write_seed(corpus / "fuzz_configuration", "filter", "value in 3..9, every 10");
    std::mt19937_64 random(1);
    for (int i = 0; i < 20; ++i) {
        wire::Batch batch;
        encode_batch(wire::random_batch(random, i < 10 ? 6 : 60), batch);
        write_seed(corpus / "fuzz_batch_decoder", "batch-" + std::to_string(i), batch.SerializeAsString());
        write_seed(corpus / "fuzz_frame_decoder", "stream-" + std::to_string(i),
                   static_cast<char>(i * 9) + small_stream(random));
    }
    write_seed(corpus / "fuzz_frame_decoder", "request", '\xff' + small_request());
    for (const std::size_t frame_bytes : {3, 40, 4000}) {
        const std::string capture = small_capture(corpus / "scratch.sla", frame_bytes);
        write_seed(corpus / "fuzz_capture_file", "as-it-is-" + std::to_string(frame_bytes), '\0' + capture);
        write_seed(corpus / "fuzz_capture_file", "repaired-" + std::to_string(frame_bytes), '\1' + capture);
    }
    const char* typed[] = {"1.5ms",        "-10 s",         "0.25h",      "unix:/run/a",
                           "tcp:[::1]:80", "tcp:host:4321", "irq.*irq.0", "[a-z]?\\*b??*"};
    for (std::size_t i = 0; i < std::size(typed); ++i) write_seed(corpus / "fuzz_typed_text", std::to_string(i), typed[i]);
    return 0;
}
