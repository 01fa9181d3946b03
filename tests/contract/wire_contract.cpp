// Frames and batches as they travel.
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/version.h"
#include "tests/contract/hex.h"

#include <gtest/gtest.h>

namespace sla::contract {
namespace {

using wire::EventBatch;
using wire::Frame;

// One event of every way to store a value, two threads, a gap with its story.
EventBatch sample_batch() {
    EventBatch batch;
    batch.channel.value = 5;
    batch.first_index = 300;
    batch.add(1000, SLA_CODE_TICK, 0, 1);
    batch.add(1100, SLA_CODE_TICK, 0, 1);
    batch.add(1300, SLA_CODE_TICK_VALUE, 7, 1);
    batch.add(1300, SLA_CODE_VALUE_SIGNED, static_cast<std::uint64_t>(-2), 200);
    batch.add(1301, SLA_CODE_LEVEL, 1, 200);
    batch.add(1310, SLA_CODE_VALUE_FLOAT, wire::as_bits(1.5), 200);
    batch.add(1311, SLA_CODE_TEXT, 0, 200);
    batch.add(1400, SLA_CODE_GAP, 3, 200);
    batch.set_details(6, {0x80, 0});
    batch.texts.add(6, "hi");
    batch.extras.push_back({7, wire::LossCause::kOverrun, 1450});
    return batch;
}

TEST(WireContract, ColumnsOfABatchAreTheseBytes) {
    wire::Batch batch;
    encode_batch(sample_batch(), batch);
    EXPECT_EQ(hex(batch.packed_ticks()), "440064c800010901 59");
    EXPECT_EQ(hex(batch.packed_codes()), "0271a1b2f8");
    EXPECT_EQ(hex(batch.packed_threads()), "000103c80105");
    EXPECT_EQ(hex(batch.packed_values()), "0e83112053010280 8080808080e0ff03");
    EXPECT_EQ(hex(batch.packed_detail0()), "0100088001");
    EXPECT_EQ(hex(batch.packed_detail1()), "");
    EXPECT_EQ(hex(batch.packed_texts()), "010008026869");
}

TEST(WireContract, BatchFrameOnAStreamIsTheseBytes) {
    Frame frame;
    encode_batch(sample_batch(), *frame.mutable_batch());
    EXPECT_EQ(hex(wire::encode_frame(frame)),
              "6900000032670805 10ac02180821e803 0000000000002978 0500000000000052 0d0807280131aa05 0000000000005802 "
              "6209440064c80001 0901596a050271a1 b2f87206000103c8 01057a100e831120 5301028080808080 80e0ff0382010501 "
              "0008800192010601 0008026869");
}

void expect_sample_from(const std::string& bytes) {
    Frame frame;
    ASSERT_TRUE(wire::parse_message(bytes, frame));
    EventBatch batch;
    ASSERT_TRUE(wire::decode_batch(frame.batch(), batch).ok());
    const EventBatch expected = sample_batch();
    EXPECT_EQ(batch.ticks, expected.ticks);
    EXPECT_EQ(batch.codes, expected.codes);
    EXPECT_EQ(batch.values, expected.values);
    EXPECT_EQ(batch.threads, expected.threads);
    EXPECT_EQ(batch.details_of(6), (wire::Details{0x80, 0}));
    EXPECT_EQ(batch.texts, expected.texts);
    ASSERT_EQ(batch.extras.size(), 1U);
    EXPECT_EQ(batch.extras[0].until_tick, 1450U);
}

// Of streams and files of version 1.
TEST(WireContract, BatchFrameOfVarintColumnsIsReadFromTheseBytes) {
    expect_sample_from(
        unhex("32690805 10ac02180821e803 0000000000002978 0500000000000032 090064c801000109 01593a0e01020201 "
              "080107010a010b01 0f0142050103c801 054a0c0e11060000 00000000f83f0452 0f08061202686919 8000000000000000 "
              "520d0807280131aa 05000000000000"));
}

// Of version 2, until there were columns of details and texts.
TEST(WireContract, BatchFrameOfPackedColumnsWithATextAmongItsExtrasIsReadFromTheseBytes) {
    expect_sample_from(unhex(
        "32670805 10ac02180821e803 0000000000002978 0500000000000052 0f08061202686919 8000000000000000 520d0807280131aa "
        "0500000000000058 016209440064c800 010901596a050271 a1b2f87206000103 c801057a100e8311 2053010280808080 8080e0ff03"));
}

TEST(WireContract, VersionsAreTheseNumbers) {
    EXPECT_EQ(wire::kWireVersion, 2U);
    EXPECT_EQ(wire::kOldestWireVersion, 1U);
    EXPECT_EQ(wire::kControlVersion, 1U);
}

TEST(WireContract, HelloFrameOnAStreamIsTheseBytes) {
    Frame frame;
    wire::Hello& hello = *frame.mutable_hello();
    hello.set_version(1);
    hello.set_agent("sla-agent 0.1.0");
    hello.set_capture_id(0x1122334455667788);
    hello.set_start_tick(0x0102030405060708);
    hello.set_host("lab");
    hello.set_agent_pid(1234);
    EXPECT_EQ(
        hex(wire::encode_frame(frame)),
        "2f0000000a2d0801 120f736c612d6167 656e7420302e312e 3019887766554433 2211210807060504 0302012a036c6162 30d209");
}

TEST(WireContract, ClockAndWatermarkAndEndFramesAreTheseBytes) {
    Frame frame;
    wire::Clock& clock = *frame.mutable_clock();
    clock.set_tick(0x0102030405060708);
    clock.set_monotonic_raw_ns(1'000'000);
    clock.set_realtime_ns(-1);
    clock.set_error_ticks(40);
    clock.set_stamp_ticks(24);
    EXPECT_EQ(hex(wire::encode_frame(frame)), "150000002a131108 0706050403020118 80897a2001282830 18");
    frame.mutable_watermark()->set_tick(2);
    EXPECT_EQ(hex(wire::encode_frame(frame)), "0b0000003a090902 00000000000000");
    frame.mutable_end()->set_reason("stopped");
    EXPECT_EQ(hex(wire::encode_frame(frame)), "0b0000004a091207 73746f70706564");
}

TEST(WireContract, WhatAHostKnowsOfOtherClocksHasTheseTags) {
    Frame frame;
    frame.mutable_clock()->set_realtime_error_ticks(90);
    wire::WallClock& wall = *frame.mutable_clock()->mutable_wall();
    wall.set_state(wire::WALL_SYNCHRONISED);
    wall.set_max_error_ns(3);
    EXPECT_EQ(hex(frame.SerializeAsString()), "2a08385a42040801 1003");
    wire::PeerClock& peer = *frame.mutable_peer_clock();
    peer.set_host("b");
    peer.set_error_ns(7);
    EXPECT_EQ(hex(frame.SerializeAsString()), "aa01050a01622807");
    frame.mutable_host()->set_id(2);
    frame.mutable_host()->add_ticks(1);
    frame.mutable_host()->add_errors_ns(9);
    EXPECT_EQ(hex(frame.SerializeAsString()), "a2010f08023a0801 0000000000000042 0109");
    frame.mutable_source()->set_host(2);
    EXPECT_EQ(hex(frame.SerializeAsString()), "12025802");
}

TEST(WireContract, SourceChannelAndThreadFramesAreTheseBytes) {
    Frame frame;
    wire::Source& source = *frame.mutable_source();
    source.set_id(1);
    source.set_kind(wire::SOURCE_PC);
    source.set_name("pc");
    source.set_pid(77);
    EXPECT_EQ(hex(wire::encode_frame(frame)), "0c000000120a0801 10021a027063204d");
    wire::Channel& channel = *frame.mutable_channel();
    channel.set_id(2);
    channel.set_source(1);
    channel.set_name("port.pic");
    channel.set_format("x86.port");
    channel.set_overwrite(true);
    EXPECT_EQ(hex(wire::encode_frame(frame)), "1c0000001a1a0802 10011a08706f7274 2e70696322087838 362e706f72742801");
    wire::Channel& ordered = *frame.mutable_channel();
    ordered.Clear();
    ordered.set_id(2);
    ordered.set_stamping(wire::Channel::STAMPING_LFENCE_RDTSC);
    ordered.set_section_ticks(90);
    EXPECT_EQ(hex(wire::encode_frame(frame)), "080000001a060802 3002385a");
    wire::Thread& thread = *frame.mutable_thread();
    thread.set_id(3);
    thread.set_source(1);
    thread.set_tid(4321);
    thread.set_name("io");
    EXPECT_EQ(hex(wire::encode_frame(frame)), "0d000000220b0803 100118e121220269 6f");
}

TEST(WireContract, LedgersAndRetiredFramesAreTheseBytes) {
    Frame frame;
    wire::ChannelStatus& one = *frame.mutable_ledgers()->add_channels();
    one.set_id(7);
    one.set_events(300);
    EXPECT_EQ(hex(wire::encode_frame(frame)), "0900000072070a05 080710ac02");
    frame.mutable_retired()->add_sources(3);
    frame.mutable_retired()->add_channels(7);
    frame.mutable_retired()->add_channels(300);
    EXPECT_EQ(hex(wire::encode_frame(frame)), "0a0000006a080a01 03120307ac02");
}

TEST(WireContract, SubscribeRequestOnAStreamIsTheseBytes) {
    wire::Request request;
    wire::Subscribe& subscribe = *request.mutable_subscribe();
    subscribe.set_version(1);
    subscribe.set_client("sla 0.1.0");
    subscribe.set_until_now(true);
    subscribe.add_channels("irq.*");
    EXPECT_EQ(hex(wire::encode_frame(request)), "180000000a160801 1209736c6120302e 312e301801320569 72712e2a");
}

TEST(WireContract, BoundsAreTheseNumbers) {
    EXPECT_EQ(wire::kFrameHeaderBytes, 4U);
    EXPECT_EQ(wire::kMaxFrameBytes, 4'194'304U);
    EXPECT_EQ(wire::kMaxBatchEvents, 65'536U);
    EXPECT_EQ(wire::kMaxTextBytes, 65'536U);
}

TEST(WireContract, CausesOfLossHaveTheSameNumbersInEventsAndOnTheWire) {
    using wire::Batch;
    using wire::LossCause;
    EXPECT_EQ(static_cast<int>(LossCause::kNone), Batch::LOSS_NONE);
    EXPECT_EQ(static_cast<int>(LossCause::kOverrun), Batch::LOSS_OVERRUN);
    EXPECT_EQ(static_cast<int>(LossCause::kLate), Batch::LOSS_LATE);
    EXPECT_EQ(static_cast<int>(LossCause::kTorn), Batch::LOSS_TORN);
    EXPECT_EQ(static_cast<int>(LossCause::kLagged), Batch::LOSS_LAGGED);
    EXPECT_EQ(static_cast<int>(LossCause::kNoRing), Batch::LOSS_NO_RING);
    EXPECT_EQ(static_cast<int>(LossCause::kDamaged), Batch::LOSS_DAMAGED);
    EXPECT_EQ(static_cast<int>(LossCause::kLeftOut), Batch::LOSS_LEFT_OUT);
    EXPECT_EQ(static_cast<int>(LossCause::kNoAgent), Batch::LOSS_NO_AGENT);
    EXPECT_EQ(static_cast<int>(LossCause::kNotKept), Batch::LOSS_NOT_KEPT);
    EXPECT_EQ(static_cast<int>(wire::kLastLossCause), Batch::LossCause_MAX);
}

}  // namespace
}  // namespace sla::contract
