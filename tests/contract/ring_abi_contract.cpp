// The memory that marked programs share with the agent, as numbers: programs built last year must still be read.
#include <sla/ring_abi.h>

#include <gtest/gtest.h>

#include <cstddef>

namespace sla::contract {
namespace {

TEST(RingAbiContract, VersionsMagicsAndBoundsAreTheseNumbers) {
    EXPECT_EQ(SLA_ABI_VERSION, 1U);
    EXPECT_EQ(SLA_SEGMENT_MAGIC, 0x31474553414c53U);
    EXPECT_EQ(SLA_HELLO_MAGIC, 0x4f4c4c45484c53U);
    EXPECT_EQ(SLA_MAX_CHANNELS, 4096U);
    EXPECT_EQ(SLA_MAX_RINGS, 262144U);
    EXPECT_EQ(SLA_TICK_MASK, 0x0fffffffffffffffU);
    EXPECT_EQ(SLA_TICK_BITS, 60);
}

TEST(RingAbiContract, CodesAreTheseNumbers) {
    EXPECT_EQ(SLA_CODE_NONE, 0);
    EXPECT_EQ(SLA_CODE_TICK, 1);
    EXPECT_EQ(SLA_CODE_TICK_VALUE, 2);
    EXPECT_EQ(SLA_CODE_BEGIN, 3);
    EXPECT_EQ(SLA_CODE_BEGIN_VALUE, 4);
    EXPECT_EQ(SLA_CODE_END, 5);
    EXPECT_EQ(SLA_CODE_END_VALUE, 6);
    EXPECT_EQ(SLA_CODE_LEVEL, 7);
    EXPECT_EQ(SLA_CODE_VALUE_SIGNED, 8);
    EXPECT_EQ(SLA_CODE_VALUE_UNSIGNED, 9);
    EXPECT_EQ(SLA_CODE_VALUE_FLOAT, 10);
    EXPECT_EQ(SLA_CODE_TEXT, 11);
    EXPECT_EQ(SLA_CODE_GAP, 15);
}

TEST(RingAbiContract, StatesWidthsAndPoliciesAreTheseNumbers) {
    EXPECT_EQ(SLA_WIDTH_PLAIN, 0);
    EXPECT_EQ(SLA_WIDTH_WIDE, 1);
    EXPECT_EQ(SLA_WIDTH_TEXT, 2);
    EXPECT_EQ(SLA_DROP_NEWEST, 0);
    EXPECT_EQ(SLA_OVERWRITE, 1);
    EXPECT_EQ(SLA_RDTSC, 0);
    EXPECT_EQ(SLA_RDTSCP, 1);
    EXPECT_EQ(SLA_LFENCE_RDTSC, 2);
    EXPECT_EQ(SLA_RING_FREE, 0);
    EXPECT_EQ(SLA_RING_CLAIMED, 1);
    EXPECT_EQ(SLA_RING_LIVE, 2);
    EXPECT_EQ(SLA_RING_CLOSED, 3);
    EXPECT_EQ(SLA_CHANNEL_EMPTY, 0);
    EXPECT_EQ(SLA_CHANNEL_CLAIMED, 1);
    EXPECT_EQ(SLA_CHANNEL_READY, 2);
    EXPECT_EQ(SLA_WELCOME_OK, 0);
    EXPECT_EQ(SLA_WELCOME_VERSION, 1);
    EXPECT_EQ(SLA_WELCOME_REFUSED, 2);
    EXPECT_EQ(SLA_WELCOME_CONTROLS, 3);
    EXPECT_EQ(SLA_COMPARE_ANY, 0);
    EXPECT_EQ(SLA_COMPARE_LESS, 1);
    EXPECT_EQ(SLA_COMPARE_LESS_EQUAL, 2);
    EXPECT_EQ(SLA_COMPARE_GREATER, 3);
    EXPECT_EQ(SLA_COMPARE_GREATER_EQUAL, 4);
    EXPECT_EQ(SLA_COMPARE_EQUAL, 5);
    EXPECT_EQ(SLA_COMPARE_NOT_EQUAL, 6);
    EXPECT_EQ(SLA_COMPARE_INSIDE, 7);
}

TEST(RingAbiContract, SlotsHaveTheseOffsets) {
    EXPECT_EQ(sizeof(sla_slot_plain), 16U);
    EXPECT_EQ(offsetof(sla_slot_plain, value), 8U);
    EXPECT_EQ(sizeof(sla_slot_wide), 32U);
    EXPECT_EQ(offsetof(sla_slot_wide, detail), 16U);
    EXPECT_EQ(sizeof(sla_slot_text), 128U);
    EXPECT_EQ(offsetof(sla_slot_text, bytes), 8U);
    EXPECT_EQ(offsetof(sla_slot_text, text), 16U);
}

TEST(RingAbiContract, RingHeaderHasTheseOffsets) {
    EXPECT_EQ(sizeof(sla_ring_header), 256U);
    EXPECT_EQ(offsetof(sla_ring_header, reserve), 0U);
    EXPECT_EQ(offsetof(sla_ring_header, head), 8U);
    EXPECT_EQ(offsetof(sla_ring_header, lost), 16U);
    EXPECT_EQ(offsetof(sla_ring_header, lost_first_tick), 24U);
    EXPECT_EQ(offsetof(sla_ring_header, lost_reported), 32U);
    EXPECT_EQ(offsetof(sla_ring_header, filtered), 40U);
    EXPECT_EQ(offsetof(sla_ring_header, successor), 48U);
    EXPECT_EQ(offsetof(sla_ring_header, most_bytes), 56U);
    EXPECT_EQ(offsetof(sla_ring_header, follows), 64U);
    EXPECT_EQ(offsetof(sla_ring_header, lost_last_tick), 72U);
    EXPECT_EQ(offsetof(sla_ring_header, tail), 128U);
    EXPECT_EQ(offsetof(sla_ring_header, lost_accounted), 136U);
    EXPECT_EQ(offsetof(sla_ring_header, filtered_accounted), 144U);
    EXPECT_EQ(offsetof(sla_ring_header, wanted_bytes), 152U);
    EXPECT_EQ(offsetof(sla_ring_header, state), 192U);
    EXPECT_EQ(offsetof(sla_ring_header, channel), 196U);
    EXPECT_EQ(offsetof(sla_ring_header, thread), 200U);
    EXPECT_EQ(offsetof(sla_ring_header, width), 204U);
    EXPECT_EQ(offsetof(sla_ring_header, policy), 208U);
    EXPECT_EQ(offsetof(sla_ring_header, capacity), 212U);
    EXPECT_EQ(offsetof(sla_ring_header, offset), 216U);
    EXPECT_EQ(offsetof(sla_ring_header, thread_name), 224U);
    EXPECT_EQ(offsetof(sla_ring_header, arena_bytes), 240U);
    EXPECT_EQ(offsetof(sla_ring_header, generation), 248U);
}

TEST(RingAbiContract, ChannelDescriptorHasTheseOffsets) {
    EXPECT_EQ(sizeof(sla_channel_descriptor), 384U);
    EXPECT_EQ(offsetof(sla_channel_descriptor, state), 0U);
    EXPECT_EQ(offsetof(sla_channel_descriptor, policy), 4U);
    EXPECT_EQ(offsetof(sla_channel_descriptor, lost_no_ring), 8U);
    EXPECT_EQ(offsetof(sla_channel_descriptor, lost_first_tick), 16U);
    EXPECT_EQ(offsetof(sla_channel_descriptor, lost_accounted), 24U);
    EXPECT_EQ(offsetof(sla_channel_descriptor, name), 32U);
    EXPECT_EQ(offsetof(sla_channel_descriptor, format), 288U);
    EXPECT_EQ(offsetof(sla_channel_descriptor, control), 320U);
    EXPECT_EQ(offsetof(sla_channel_descriptor, lost_last_tick), 376U);
}

TEST(RingAbiContract, ChannelControlHasTheseOffsets) {
    EXPECT_EQ(sizeof(sla_channel_control), 56U);
    EXPECT_EQ(offsetof(sla_channel_control, sequence), 0U);
    EXPECT_EQ(offsetof(sla_channel_control, off), 4U);
    EXPECT_EQ(offsetof(sla_channel_control, policy), 6U);
    EXPECT_EQ(offsetof(sla_channel_control, compare), 8U);
    EXPECT_EQ(offsetof(sla_channel_control, real), 12U);
    EXPECT_EQ(offsetof(sla_channel_control, low), 16U);
    EXPECT_EQ(offsetof(sla_channel_control, high), 24U);
    EXPECT_EQ(offsetof(sla_channel_control, every), 32U);
    EXPECT_EQ(offsetof(sla_channel_control, filtered), 40U);
    EXPECT_EQ(offsetof(sla_channel_control, filtered_accounted), 48U);
}

TEST(RingAbiContract, SegmentHeaderHasTheseOffsets) {
    EXPECT_EQ(sizeof(sla_segment_header), 4096U);
    EXPECT_EQ(offsetof(sla_segment_header, magic), 0U);
    EXPECT_EQ(offsetof(sla_segment_header, version), 8U);
    EXPECT_EQ(offsetof(sla_segment_header, pid), 12U);
    EXPECT_EQ(offsetof(sla_segment_header, segment_bytes), 16U);
    EXPECT_EQ(offsetof(sla_segment_header, start_time), 24U);
    EXPECT_EQ(offsetof(sla_segment_header, arena_next), 32U);
    EXPECT_EQ(offsetof(sla_segment_header, channel_count), 40U);
    EXPECT_EQ(offsetof(sla_segment_header, ring_count), 44U);
    EXPECT_EQ(offsetof(sla_segment_header, free_rings), 48U);
    EXPECT_EQ(offsetof(sla_segment_header, source_kind), 52U);
    EXPECT_EQ(offsetof(sla_segment_header, lost_no_channel), 56U);
    EXPECT_EQ(offsetof(sla_segment_header, program), 64U);
    EXPECT_EQ(offsetof(sla_segment_header, command), 320U);
    EXPECT_EQ(offsetof(sla_segment_header, stamp_clock), 1344U);
    EXPECT_EQ(offsetof(sla_segment_header, section_ticks), 1348U);
    EXPECT_EQ(offsetof(sla_segment_header, lost_without_ring), 1352U);
    EXPECT_EQ(offsetof(sla_segment_header, no_channel_first_tick), 1360U);
    EXPECT_EQ(offsetof(sla_segment_header, no_channel_last_tick), 1368U);
    EXPECT_EQ(offsetof(sla_segment_header, attached_tick), 1376U);
    EXPECT_EQ(offsetof(sla_segment_header, detached_tick), 1384U);
    EXPECT_EQ(offsetof(sla_segment_header, lost_no_channel_accounted), 1392U);
    EXPECT_EQ(offsetof(sla_segment_header, rings_opened), 1400U);
    EXPECT_EQ(offsetof(sla_segment_header, stamping), 1408U);
    EXPECT_EQ(offsetof(sla_segment_header, ordered_section_ticks), 2432U);
    EXPECT_EQ(offsetof(sla_segment_header, lost_unregistered), 2440U);
    EXPECT_EQ(offsetof(sla_segment_header, unregistered_first_tick), 2448U);
    EXPECT_EQ(offsetof(sla_segment_header, unregistered_last_tick), 2456U);
    EXPECT_EQ(offsetof(sla_segment_header, lost_unregistered_accounted), 2464U);
}

TEST(RingAbiContract, PartsOfASegmentBeginHere) {
    EXPECT_EQ(SLA_CHANNEL_OFFSET, 4096U);
    EXPECT_EQ(SLA_RING_OFFSET, 4096U + 4096U * 384U);
    EXPECT_EQ(SLA_ARENA_OFFSET, 68'685'824U);
    EXPECT_EQ(SLA_SEGMENT_BYTES, 739'774'464U);
}

TEST(RingAbiContract, FirstMessagesHaveTheseOffsets) {
    EXPECT_EQ(sizeof(sla_hello), 24U);
    EXPECT_EQ(offsetof(sla_hello, version), 8U);
    EXPECT_EQ(offsetof(sla_hello, pid), 12U);
    EXPECT_EQ(offsetof(sla_hello, segment_bytes), 16U);
    EXPECT_EQ(sizeof(sla_welcome), 16U);
    EXPECT_EQ(offsetof(sla_welcome, version), 8U);
    EXPECT_EQ(offsetof(sla_welcome, status), 12U);
}

}  // namespace
}  // namespace sla::contract
