// Capture files as an agent writes them, frame by frame: of machines that one chooses.
#pragma once

#include "proto/capture/capture_writer.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"

#include <gtest/gtest.h>

#include <string>

namespace sla::cli {

// What a recorder knows of its machine.
struct Machine {
    std::string host = "here";
    std::string boot_id = "first boot";
    std::uint64_t capture_id = 1;
    std::uint64_t start_tick = 1'000'000'000;
    std::int64_t boot_ns = 0;                                   // CLOCK_MONOTONIC_RAW at tick 0
    std::int64_t boot_realtime_ns = 1'700'000'000'000'000'000;  // CLOCK_REALTIME then
    double hz = 1e9;
    std::uint64_t max_error_ns = 0;  // by the kernel; 0: nobody asked it
    bool is_synchronised = true;
};

// A recording of one channel of one program.
class Recording {
public:
    Recording(const std::string& path, const Machine& machine, const std::string& program = "program")
        : writer_(capture::CaptureWriter::create(path).value()) {
        frame_.mutable_hello()->set_version(1);
        frame_.mutable_hello()->set_host(machine.host);
        frame_.mutable_hello()->set_boot_id(machine.boot_id);
        frame_.mutable_hello()->set_capture_id(machine.capture_id);
        frame_.mutable_hello()->set_start_tick(machine.start_tick);
        send();
        for (const std::uint64_t second : {0, 1, 2}) {
            const auto ticks = machine.start_tick + static_cast<std::uint64_t>(static_cast<double>(second) * machine.hz);
            const auto ns = static_cast<std::int64_t>(static_cast<double>(ticks) / machine.hz * 1e9);
            frame_.mutable_clock()->set_tick(ticks);
            frame_.mutable_clock()->set_monotonic_raw_ns(machine.boot_ns + ns);
            frame_.mutable_clock()->set_realtime_ns(machine.boot_realtime_ns + ns);
            frame_.mutable_clock()->set_error_ticks(50);
            if (machine.max_error_ns > 0) {
                wire::WallClock& wall = *frame_.mutable_clock()->mutable_wall();
                wall.set_state(machine.is_synchronised ? wire::WALL_SYNCHRONISED : wire::WALL_UNSYNCHRONISED);
                wall.set_max_error_ns(machine.max_error_ns);
            }
            send();
        }
        frame_.mutable_source()->set_id(1);
        frame_.mutable_source()->set_name(program);
        send();
        frame_.mutable_thread()->set_id(1);
        frame_.mutable_thread()->set_source(1);
        frame_.mutable_thread()->set_name("main");
        send();
    }
    ~Recording() {
        frame_.mutable_end()->set_reason("done");
        send();
        EXPECT_TRUE(writer_.finish().ok());
    }
    Recording& channel(std::uint32_t id, const std::string& name) {
        frame_.mutable_channel()->set_id(id);
        frame_.mutable_channel()->set_source(1);
        frame_.mutable_channel()->set_name(name);
        send();
        return *this;
    }
    // Rows `first`, `first` + 1 ... of a channel, `step` ticks apart.
    Recording& rows(std::uint32_t channel, std::uint64_t first, std::uint64_t count, std::uint64_t from,
                    std::uint64_t step) {
        wire::EventBatch batch;
        batch.channel.value = channel;
        batch.first_index = first;
        for (std::uint64_t i = 0; i < count; ++i) batch.add(from + i * step, SLA_CODE_TICK_VALUE, first + i, 1);
        encode_batch(batch, *frame_.mutable_batch());
        send();
        frame_.mutable_watermark()->set_tick(batch.ticks.back());
        send();
        return *this;
    }
    Recording& ping(const std::string& host, std::uint64_t tick, std::uint64_t peer_tick, std::uint64_t error_ns) {
        frame_.mutable_peer_clock()->set_host(host);
        frame_.mutable_peer_clock()->set_tick(tick);
        frame_.mutable_peer_clock()->set_peer_tick(peer_tick);
        frame_.mutable_peer_clock()->set_error_ns(error_ns);
        send();
        return *this;
    }
    Recording& shot(std::uint64_t tick) {
        frame_.mutable_shot()->set_tick(tick);
        frame_.mutable_shot()->set_number(1);
        send();
        return *this;
    }

private:
    void send() { EXPECT_TRUE(writer_.append(frame_.SerializeAsString()).ok()); }

    capture::CaptureWriter writer_;
    wire::Frame frame_;
};

}  // namespace sla::cli
