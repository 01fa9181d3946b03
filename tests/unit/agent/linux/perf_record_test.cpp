#include "agent/linux/perf/perf_record.h"

#include <gtest/gtest.h>

#include <cstring>

namespace sla::linux {
namespace {

// A ring that records are written into as the kernel does, around its end.
class RingOfRecords {
public:
    explicit RingOfRecords(std::uint64_t start) : tail(start), head(start), bytes(256) {}
    void put(const void* from, std::size_t count) {
        for (std::size_t i = 0; i < count; i++) bytes[head++ % bytes.size()] = static_cast<const std::byte*>(from)[i];
    }
    void put_record(std::uint32_t type, const std::vector<std::uint64_t>& words) {
        const perf_event_header header{type, 0, static_cast<std::uint16_t>(sizeof header + words.size() * 8)};
        put(&header, sizeof header);
        put(words.data(), words.size() * 8);
    }
    bool read() {
        return read_perf_records(bytes, &tail, head, buffer_,
                                 [this](const PerfRecord& record) { records.push_back(record); });
    }
    std::uint64_t tail, head;
    std::vector<std::byte> bytes;
    std::vector<PerfRecord> records;

private:
    std::vector<std::byte> buffer_;
};

std::uint64_t pair_of(std::uint32_t low, std::uint32_t high) {
    return low | std::uint64_t{high} << 32;
}

TEST(PerfRecord, SamplesAndLossesAroundTheEndOfTheRingAreReadInOrder) {
    for (const std::uint64_t start : {0u, 200u, 250u, 255u, 1000u}) {
        RingOfRecords ring(start);
        ring.put_record(PERF_RECORD_SAMPLE, {7, 0x401000, pair_of(12, 13), 5'000, 0x7000, pair_of(1, 0)});
        ring.put_record(PERF_RECORD_LOST, {7, 42});
        EXPECT_TRUE(ring.read());
        ASSERT_EQ(ring.records.size(), 2u);
        const PerfRecord& sample = ring.records[0];
        EXPECT_EQ(sample.kind, PerfRecord::Kind::kSample);
        EXPECT_EQ(sample.id, 7u);
        EXPECT_EQ(sample.ip, 0x401000u);
        EXPECT_EQ(sample.pid, 12);
        EXPECT_EQ(sample.tid, 13);
        EXPECT_EQ(sample.time_ns, 5'000u);
        EXPECT_EQ(sample.address, 0x7000u);
        EXPECT_EQ(sample.cpu, 1u);
        EXPECT_EQ(ring.records[1].kind, PerfRecord::Kind::kLost);
        EXPECT_EQ(ring.records[1].lost, 42u);
        EXPECT_EQ(ring.tail, ring.head);
    }
}

TEST(PerfRecord, ARecordThatIsTooShortForItsKindIsNoRecord) {
    RingOfRecords ring(0);
    ring.put_record(PERF_RECORD_SAMPLE, {7, 0x401000});
    EXPECT_TRUE(ring.read());
    ASSERT_EQ(ring.records.size(), 1u);
    EXPECT_EQ(ring.records[0].kind, PerfRecord::Kind::kOther);
}

TEST(PerfRecord, ARecordOfItsHeaderOnlyIsPassedOver) {
    RingOfRecords ring(0);
    ring.put_record(PERF_RECORD_EXIT, {});
    ring.put_record(PERF_RECORD_LOST, {1, 1});
    EXPECT_TRUE(ring.read());
    ASSERT_EQ(ring.records.size(), 2u);
    EXPECT_EQ(ring.records[0].kind, PerfRecord::Kind::kOther);
    EXPECT_EQ(ring.records[1].lost, 1u);
}

TEST(PerfRecord, DamageEndsTheReadingAndNothingIsReadTwice) {
    for (const std::uint16_t size : {0, 7, 200}) {  // below a header, and beyond what is there
        RingOfRecords ring(100);
        ring.put_record(PERF_RECORD_LOST, {1, 1});
        const perf_event_header broken{PERF_RECORD_SAMPLE, 0, size};
        ring.put(&broken, sizeof broken);
        ring.put_record(PERF_RECORD_LOST, {1, 2});
        EXPECT_FALSE(ring.read());
        EXPECT_EQ(ring.records.size(), 1u);
        EXPECT_TRUE(ring.read());
        EXPECT_EQ(ring.records.size(), 1u);
    }
    RingOfRecords beyond(0);
    beyond.head = 1000;  // further than the ring is large
    EXPECT_FALSE(beyond.read());
    EXPECT_EQ(beyond.tail, beyond.head);
}

}  // namespace
}  // namespace sla::linux
