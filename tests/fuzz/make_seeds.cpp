// make_seeds DIRECTORY: writes a few sound inputs for each fuzzer into DIRECTORY/NAME, so that it starts behind the first
// checks.
#include "proto/capture/capture_writer.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/fuzz/pieces.h"
#include "tests/unit/proto/wire/random_batch.h"
#include "tests/unit/proto/wire/varint_batch.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
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
    frame.mutable_hello()->set_version(2);
    frame.mutable_hello()->set_agent("sla-agent");
    std::string stream = wire::encode_frame(frame);
    frame.mutable_channel()->set_name("net.rx");
    stream += wire::encode_frame(frame);
    encode_batch(wire::random_batch(random, 20), *frame.mutable_batch());
    stream += wire::encode_frame(frame);
    frame.mutable_end()->set_reason("done");
    stream += wire::encode_frame(frame);
    return stream;
}

std::string small_request() {
    wire::Request request;
    request.mutable_subscribe()->set_version(1);
    request.mutable_subscribe()->set_reads(2);
    request.mutable_subscribe()->add_channels("irq.*");
    return wire::encode_frame(request);
}

// A small file with what `fill` puts into it.
std::string capture_of(const std::filesystem::path& scratch, const std::function<bool(capture::CaptureWriter&)>& fill) {
    auto writer = capture::CaptureWriter::create(scratch.string());
    const bool good = writer.ok() && fill(*writer) && writer->finish().ok();
    SLA_CHECK(good);
    std::ifstream in(scratch, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::filesystem::remove(scratch);
    return bytes;
}

// Chunks of three frames; with contents that compress, and as they are.
std::string small_capture(const std::filesystem::path& scratch, std::size_t frame_bytes) {
    return capture_of(scratch, [&](capture::CaptureWriter& writer) {
        bool good = true;
        for (std::uint64_t i = 0; good && i < 7; ++i) {
            good = writer.append(std::string(frame_bytes, static_cast<char>('a' + i)), {1, i, i + 1, 2}).ok();
            if (good && i % 3 == 2) good = writer.flush().ok();
        }
        return good;
    });
}

// Chunks of names and batches, so that there are summaries with cells and open spans.
std::string real_capture(const std::filesystem::path& scratch, std::mt19937_64& random) {
    return capture_of(scratch, [&](capture::CaptureWriter& writer) {
        bool good = true;
        for (int i = 0; good && i < 6; ++i) {
            wire::Frame frame;
            frame.mutable_channel()->set_id(1);
            frame.mutable_channel()->set_name("net.rx");
            good = writer.append(frame.SerializeAsString()).ok();
            wire::EventBatch batch = wire::random_batch(random, i % 2 == 0 ? 40 : 1500);
            batch.channel.value = 1;
            encode_batch(batch, *frame.mutable_batch());
            good = good && writer.append(frame.SerializeAsString()).ok() && (i % 2 == 0 || writer.flush().ok());
        }
        return good;
    });
}

// Batches that follow on each other, so that rows can stay in the file.
std::string pageable_capture(const std::filesystem::path& scratch, std::mt19937_64& random) {
    return capture_of(scratch, [&](capture::CaptureWriter& writer) {
        bool good = true;
        const auto put = [&](const wire::Frame& frame) { good = good && writer.append(frame.SerializeAsString()).ok(); };
        wire::Frame frame;
        frame.mutable_hello()->set_version(1);
        put(frame);
        frame.mutable_source()->set_id(1);
        put(frame);
        frame.mutable_channel()->set_id(1);
        frame.mutable_channel()->set_source(1);
        frame.mutable_channel()->set_name("net.rx");
        put(frame);
        wire::EventBatch batch;
        batch.channel.value = 1;
        std::uint64_t tick = 100;
        for (int chunk = 0; good && chunk < 5; ++chunk) {
            batch.first_index += batch.size();
            batch.clear();
            static constexpr std::uint8_t kCodes[] = {SLA_CODE_TICK, SLA_CODE_BEGIN, SLA_CODE_END, SLA_CODE_LEVEL};
            for (int i = 0; i < 60; ++i) batch.add(tick += random() % 50, kCodes[random() % 4], 0, 1 + random() % 2);
            batch.add(++tick, SLA_CODE_GAP, 3, 1);
            encode_batch(batch, *frame.mutable_batch());
            put(frame);
            good = good && writer.flush().ok();
        }
        return good;
    });
}

// A client's life: subscribes, asks for everything that can be asked for, each request in a piece of its own.
std::string small_talk() {
    std::string out(1, '\1');
    const auto say = [&](const wire::Request& request) { fuzz::append_piece(request.SerializeAsString(), out); };
    wire::Request request;
    request.mutable_mark()->set_channel("by.hand");
    request.mutable_mark()->set_text("hello");
    say(request);
    request.mutable_subscribe()->set_version(1);
    request.mutable_subscribe()->set_reads(2);
    request.mutable_subscribe()->add_channels("by.*");
    say(request);
    request.set_number(7);
    request.mutable_set_channels()->add_channels("*");
    request.mutable_set_channels()->set_keep_bytes(4096);
    request.mutable_set_channels()->set_keep_ns(1000);
    request.mutable_set_channels()->mutable_filter()->set_every(3);
    say(request);
    request.mutable_set_retention()->set_total_bytes(1 << 20);
    say(request);
    request.mutable_set_trigger()->set_name("t");
    request.mutable_set_trigger()->set_expression("by.hand > 5 then gap by.hand > 1ms");
    request.mutable_set_trigger()->set_window_ns(1'000'000);
    request.mutable_set_trigger()->set_pre_share(0.3);
    say(request);
    request.mutable_control_trigger()->set_name("t");
    request.mutable_control_trigger()->set_what(wire::ControlTrigger::FIRE);
    say(request);
    return out;
}

std::string small_session(std::mt19937_64& random) {
    std::string out;
    const auto say = [&](const wire::Frame& frame) { fuzz::append_piece(frame.SerializeAsString(), out); };
    wire::Frame frame;
    frame.mutable_hello()->set_version(1);
    say(frame);
    frame.mutable_source()->set_id(1);
    frame.mutable_source()->set_section_ticks(40);
    say(frame);
    frame.mutable_channel()->set_id(1);
    frame.mutable_channel()->set_source(1);
    frame.mutable_channel()->set_name("net.rx");
    say(frame);
    for (const std::uint64_t second : {1, 2, 3}) {
        frame.mutable_clock()->set_tick(second * 2'700'000'000);
        frame.mutable_clock()->set_monotonic_raw_ns(static_cast<std::int64_t>(second) * 1'000'000'000);
        frame.mutable_clock()->set_stamp_ticks(34);
        frame.mutable_clock()->set_given(second == 3);
        say(frame);
    }
    wire::EventBatch batch = wire::random_batch(random, 30);
    batch.channel = ChannelId{1};
    batch.first_index = 0;
    encode_batch(batch, *frame.mutable_batch());
    say(frame);
    wire::Status& status = *frame.mutable_status();
    status.add_channels()->set_id(1);
    status.set_ticks_per_second(2.7e9);
    status.mutable_clock_health()->set_cores(2);
    status.mutable_clock_health()->set_skew_ticks(400);
    status.add_triggers()->set_state(wire::TRIGGER_ARMED);
    say(frame);
    frame.mutable_shot()->set_number(1);
    frame.mutable_shot()->set_tick(5);
    frame.mutable_shot()->set_time_source(1);
    say(frame);
    frame.mutable_watermark()->set_tick(1000);
    say(frame);
    frame.mutable_end()->set_reason("done");
    say(frame);
    return out;
}

// Two parts of a recording that overlap, and shots by the time of a guest.
std::string small_parts() {
    std::string out("\12\350", 2);
    const auto say = [&](const wire::Frame& frame) { fuzz::append_piece(frame.SerializeAsString(), out); };
    for (const std::uint64_t from : {100, 200}) {
        wire::Frame frame;
        frame.mutable_hello()->set_capture_id(from);
        frame.mutable_hello()->set_start_tick(50);
        frame.mutable_hello()->set_begin_tick(from);
        frame.mutable_hello()->set_part_of(7);
        frame.mutable_hello()->set_end_tick(from + 150);
        say(frame);
        for (const std::uint32_t id : {1, 2}) {
            frame.mutable_source()->set_id(id);
            frame.mutable_source()->set_clock_domain(id - 1);
            say(frame);
            frame.mutable_channel()->set_id(id);
            frame.mutable_channel()->set_source(id);
            say(frame);
        }
        frame.mutable_clock()->set_tick(from);
        frame.mutable_clock()->set_given(true);
        say(frame);
        frame.mutable_status()->set_ticks_per_second(1e9);
        say(frame);
        frame.mutable_shot()->set_trigger_name("t");
        frame.mutable_shot()->set_tick(from + 20);
        frame.mutable_shot()->set_begin_tick(from + 10);
        frame.mutable_shot()->set_end_tick(from + 30);
        frame.mutable_shot()->set_time_source(from == 100 ? 2 : 0);
        say(frame);
        for (std::uint64_t tick = from - 10; tick < from + 150; tick += 40) {
            wire::EventBatch batch;
            batch.channel.value = tick / 40 % 2 == 0 ? 1 : 2;
            batch.first_index = (tick - 90) / 80 * 4;
            for (std::uint64_t i = 0; i < 4; ++i) batch.add(tick + 7 * i, i % 2 == 0 ? SLA_CODE_BEGIN : SLA_CODE_END, i, 1);
            encode_batch(batch, *frame.mutable_batch());
            say(frame);
            frame.mutable_watermark()->set_tick(tick + 21);
            say(frame);
            fuzz::append_piece("f", out);
        }
        frame.mutable_end()->set_tick(from + 150);
        say(frame);
        fuzz::append_piece("", out);
    }
    return out;
}

void write_capture_seeds(const std::filesystem::path& corpus, std::mt19937_64& random) {
    write_seed(corpus / "fuzz_capture_tools", "parts", small_parts());
    for (const std::size_t frame_bytes : {3, 40, 4000}) {
        const std::string capture = small_capture(corpus / "scratch.sla", frame_bytes);
        write_seed(corpus / "fuzz_capture_file", "as-it-is-" + std::to_string(frame_bytes), '\0' + capture);
        write_seed(corpus / "fuzz_capture_file", "repaired-" + std::to_string(frame_bytes), '\1' + capture);
    }
    for (int i = 0; i < 3; ++i) {
        const std::string capture = pageable_capture(corpus / "scratch.sla", random);
        write_seed(corpus / "fuzz_paged_capture", "as-it-is-" + std::to_string(i), '\0' + capture);
        write_seed(corpus / "fuzz_paged_capture", "repaired-" + std::to_string(i), '\1' + capture);
    }
    for (int i = 0; i < 4; ++i) {
        const std::string capture = real_capture(corpus / "scratch.sla", random);
        write_seed(corpus / "fuzz_capture_file", "real-" + std::to_string(i), static_cast<char>(i % 2) + capture);
    }
}

void write_login_seeds(const std::filesystem::path& corpus) {
    wire::Request login;
    login.mutable_login()->set_token("good");
    write_seed(corpus / "fuzz_login", "token", wire::encode_frame(login));
    write_seed(
        corpus / "fuzz_login", "list",
        "look token " + std::string(64, 'a') + " ann # remark\ncontrol certificate " + std::string(64, 'b') + " bob\n");
    write_seed(corpus / "fuzz_login", "hello", "\x16\x03\x01");
    write_seed(corpus / "fuzz_known_agents", "list",
               "# mine\nlab:4321 " + std::string(64, '1') + "\n[::1]:1 " + std::string(64, '2'));
}

void write_fleet_seeds(const std::filesystem::path& corpus) {
    const char* fleets[] = {
        "sla.v1.prod.3.web-1.20261124T164501-9f3a.frames",
        ("Nats-Msg-Id=web-1:5c1f:20261124T164501-9f3a:7:12:summary\nSla-Piece=7\nSla-T0=-5\nSla-T1=9\nSla-N=4\nSla-Of="
         "88\nSla-End=1"),
        "nats://ann:secret@a,b:4223,[::1]:4224",
        "{\"host\":\"a\",\"capture\":\"c\",\"boot\":\"b\",\"shard\":1,\"clock\":{\"tick\":5},\"produced\":9}",
        "{\"shards\":4,\"replicas\":3,\"age_ns\":86400000000000,\"bytes\":1024}"};
    for (std::size_t i = 0; i < std::size(fleets); ++i) write_seed(corpus / "fuzz_fleet", std::to_string(i), fleets[i]);
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
    write_login_seeds(corpus);
    std::mt19937_64 random(1);
    for (int i = 0; i < 20; ++i) {
        wire::Batch batch;
        const wire::EventBatch events = wire::random_batch(random, i < 10 ? 6 : i < 15 ? 60 : 300);
        i % 3 == 0 ? wire::encode_varint_batch(events, batch) : encode_batch(events, batch);
        write_seed(corpus / "fuzz_batch_decoder", "batch-" + std::to_string(i), batch.SerializeAsString());
        write_seed(corpus / "fuzz_frame_decoder", "stream-" + std::to_string(i),
                   static_cast<char>(i * 9) + small_stream(random));
    }
    write_seed(corpus / "fuzz_frame_decoder", "request", '\xff' + small_request());
    write_capture_seeds(corpus, random);
    write_seed(corpus / "fuzz_control", "talk", small_talk());
    for (int i = 0; i < 5; ++i) write_seed(corpus / "fuzz_ingest", "session-" + std::to_string(i), small_session(random));
    const char* limits[] = {"irq.0->isr < 50us", "width \"a b\" p99 <= 2ms", "lost == 0", "rate x > 100/s",
                            "gap a.* mean != 1s"};
    for (std::size_t i = 0; i < std::size(limits); ++i) write_seed(corpus / "fuzz_limit", std::to_string(i), limits[i]);
    const char* questions[] = {
        "SELECT channel, count(*), max(value) FROM events WHERE tick BETWEEN 2000 AND 2200 GROUP BY channel",
        "SELECT * FROM pairs('net.*', 'work') WHERE width_ns > ns('5ns') ORDER BY begin_tick DESC LIMIT 3",
        "WITH s AS (SELECT * FROM spans) SELECT percentile(width_ns, 99), duration(sum(width_ns)) FROM s",
        "SELECT g.lost, c.events FROM gaps g JOIN channels c USING (channel) WHERE g.cause LIKE 'over%'"};
    for (std::size_t i = 0; i < std::size(questions); ++i) write_seed(corpus / "fuzz_sql", std::to_string(i), questions[i]);
    const char* typed[] = {"1.5ms",        "-10 s",         "0.25h",      "unix:/run/a",
                           "tcp:[::1]:80", "tcp:host:4321", "irq.*irq.0", "[a-z]?\\*b??*"};
    for (std::size_t i = 0; i < std::size(typed); ++i) write_seed(corpus / "fuzz_typed_text", std::to_string(i), typed[i]);
    write_fleet_seeds(corpus);
    const char* triggers[] = {
        "a",
        "3x irq.* within 1ms then b rises then gap c > 5us",
        "delta a->b > 10us or width a < 1ms and b in 1 .. 9",
        "rate a >= 1e3/s over 10ms then \"odd name\" != -0x10",
        "(a or b) and c > 2.5 then c changes within 7ns",
        "level x if a start t, goto y level y if timer t > 5us and counter n < 3 trigger else if 2 x b add n 2 else stay"};
    for (std::size_t i = 0; i < std::size(triggers); ++i) {
        write_seed(corpus / "fuzz_trigger", std::to_string(i),
                   triggers[i] + std::string("\0\0\1\2\3\4\5\6\7\10\11\17\101", 13));
    }
    for (int i = 0; i < 4; ++i) {  // long ones, so that the fuzzer does not begin with a single access
        std::string accesses(8192, '\0');
        for (char& byte : accesses) byte = static_cast<char>(random());
        write_seed(corpus / "fuzz_devices", "random-" + std::to_string(i), accesses);
    }
    return 0;
}
