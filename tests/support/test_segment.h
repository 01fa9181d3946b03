// A program's segment made by hand, written through the real marker code and read through the real reader, in one process.
#pragma once

#include "proto/ring/segment_view.h"

#include <sla/marker.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::support {

class TestSegment {
public:
    TestSegment();
    ~TestSegment();
    TestSegment(const TestSegment&) = delete;
    TestSegment& operator=(const TestSegment&) = delete;

    // A descriptor of its own for whoever maps it.
    [[nodiscard]] int hand_over() const;
    [[nodiscard]] ring::SegmentView view() const;

    [[nodiscard]] sla_segment_header& header() const;
    // Of a channel, by what add_channel() gave.
    [[nodiscard]] sla_channel_descriptor& descriptor(std::uint32_t index) const;
    [[nodiscard]] sla_ring_header& ring(std::uint32_t number) const;
    [[nodiscard]] unsigned char* at(std::uint64_t offset) const { return base_ + offset; }

    std::uint32_t add_channel(const std::string& name, const std::string& format = "");
    // A live ring; gives its number.
    std::uint32_t add_ring(std::uint32_t channel, std::uint32_t capacity, sla_width width = SLA_WIDTH_PLAIN,
                           sla_policy policy = SLA_DROP_NEWEST);

private:
    int fd_;
    unsigned char* base_;
    std::uint64_t next_offset_ = SLA_ARENA_OFFSET;
};

// Lets the calling thread's markers on `channel` write into one ring of a test segment, without any agent.
class TestWriter {
public:
    TestWriter(const TestSegment& segment, std::uint32_t ring_number);
    ~TestWriter();
    TestWriter(const TestWriter&) = delete;
    TestWriter& operator=(const TestWriter&) = delete;

    sla_channel* channel() { return &channel_; }

private:
    sla_channel channel_{};
    sla_writer* writer_;
};

}  // namespace sla::support
