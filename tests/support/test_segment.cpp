#include "tests/support/test_segment.h"

extern "C" {
#include "agent/marker/rings.h"
}

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace sla::support {
namespace {

std::uint64_t slot_bytes(std::uint32_t width) {
    return width == SLA_WIDTH_PLAIN ? sizeof(sla_slot_plain)
                                    : (width == SLA_WIDTH_WIDE ? sizeof(sla_slot_wide) : sizeof(sla_slot_text));
}

}  // namespace

TestSegment::TestSegment() : fd_(memfd_create("sla-test-segment", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
    if (fd_ < 0 || ftruncate(fd_, SLA_SEGMENT_BYTES) != 0 || fcntl(fd_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) {
        throw std::runtime_error("cannot make a memfd");
    }
    void* mapped = mmap(nullptr, SLA_SEGMENT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_, 0);
    if (mapped == MAP_FAILED) throw std::runtime_error("cannot map a memfd");
    base_ = static_cast<unsigned char*>(mapped);
    header().magic = SLA_SEGMENT_MAGIC;
    header().version = SLA_ABI_VERSION;
    header().segment_bytes = SLA_SEGMENT_BYTES;
    header().source_kind = 1;
    std::snprintf(header().program, sizeof header().program, "test program");
}

TestSegment::~TestSegment() {
    munmap(base_, SLA_SEGMENT_BYTES);
    close(fd_);
}

int TestSegment::hand_over() const {
    return fcntl(fd_, F_DUPFD_CLOEXEC, 0);
}

ring::SegmentView TestSegment::view() const {
    Result<ring::SegmentView> view = ring::SegmentView::map(hand_over());
    return std::move(view).value();
}

sla_segment_header& TestSegment::header() const {
    return *reinterpret_cast<sla_segment_header*>(base_);
}

sla_ring_header& TestSegment::ring(std::uint32_t number) const {
    return reinterpret_cast<sla_ring_header*>(base_ + SLA_RING_OFFSET)[number];
}

sla_channel_descriptor& TestSegment::descriptor(std::uint32_t index) const {
    return reinterpret_cast<sla_channel_descriptor*>(base_ + SLA_CHANNEL_OFFSET)[index - 1];
}

std::uint32_t TestSegment::add_channel(const std::string& name, const std::string& format) {
    std::uint32_t index = ++header().channel_count;
    sla_channel_descriptor& added = descriptor(index);
    std::snprintf(added.name, sizeof added.name, "%s", name.c_str());
    std::snprintf(added.format, sizeof added.format, "%s", format.c_str());
    added.state = SLA_CHANNEL_READY;
    return index;
}

std::uint32_t TestSegment::add_ring(std::uint32_t channel, std::uint32_t capacity, sla_width width, sla_policy policy) {
    std::uint32_t number = header().ring_count;
    sla_ring_header& added = ring(number);
    added.channel = channel;
    added.thread = 100 + number;
    added.width = width;
    added.policy = policy;
    added.capacity = capacity;
    added.offset = next_offset_;
    added.arena_bytes = capacity * slot_bytes(width);
    added.generation = 1;
    added.state = SLA_RING_LIVE;
    next_offset_ += (added.arena_bytes + 127) / 128 * 128;
    header().ring_count = number + 1;
    return number;
}

// A plain ring makes the channel this thread's own, as the library would; others go into the thread's table.
TestWriter::TestWriter(const TestSegment& segment, std::uint32_t ring_number) {
    sla_ring_header& ring = segment.ring(ring_number);
    channel_.name = "test";
    channel_.format = "";
    channel_.armed = SLA_ARMED_ON;
    channel_.index = ring.channel;
    channel_.policy = ring.policy;
    if (ring.width == SLA_WIDTH_PLAIN) channel_.owner = channel_.direct = sla_self();
    sla_thread_table_make(0);
    writer_ = sla_writer_of(&channel_, static_cast<sla_width>(ring.width), 0);
    writer_->ring = &ring;
    writer_->next = ring.head;
    writer_->slots = segment.at(ring.offset);
    writer_->mask = ring.capacity - 1;
    writer_->limit = ring.policy == SLA_OVERWRITE ? UINT64_MAX : 0;
}

TestWriter::~TestWriter() {
    *writer_ = {};
}

}  // namespace sla::support
