#include "proto/ring/ring_reader.h"

#include "tests/support/test_segment.h"

#include <gtest/gtest.h>

#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace sla::ring {
namespace {

using support::TestSegment;
using support::TestWriter;

class RingReaderTest : public testing::Test {
protected:
    RingReader open(std::uint32_t number) {
        RingReader reader(view_, number);
        Result<bool> opened = reader.open();
        EXPECT_TRUE(opened.ok() && *opened);
        return reader;
    }
    static std::vector<std::uint64_t> values(const RingChunk& chunk) {
        std::vector<std::uint64_t> values;
        for (std::size_t i = 0; i < chunk.count; i++) values.push_back(chunk.words[i * chunk.words_per_slot + 1]);
        return values;
    }
    static std::uint64_t code(const RingChunk& chunk, std::size_t i) {
        return chunk.words[i * chunk.words_per_slot] >> SLA_TICK_BITS;
    }

    TestSegment segment_;
    std::uint32_t channel_ = segment_.add_channel("test");
    SegmentView view_ = segment_.view();
    RingChunk chunk_;
};

TEST_F(RingReaderTest, GivesOutWhatAMarkerWrote) {
    std::uint32_t number = segment_.add_ring(channel_, 16);
    TestWriter writer(segment_, number);
    RingReader reader = open(number);
    SLA_TICK(writer.channel(), 7);
    SLA_BEGIN(writer.channel());
    SLA_LEVEL(writer.channel(), 3);
    SLA_VALUE(writer.channel(), -1.5);
    ASSERT_TRUE(reader.read(100, chunk_).ok());
    EXPECT_EQ(chunk_.count, 4u);
    EXPECT_EQ(code(chunk_, 0), static_cast<std::uint64_t>(SLA_CODE_TICK_VALUE));
    EXPECT_EQ(code(chunk_, 1), static_cast<std::uint64_t>(SLA_CODE_BEGIN));
    EXPECT_EQ(values(chunk_)[0], 7u);
    EXPECT_EQ(values(chunk_)[2], 1u);
    EXPECT_EQ(values(chunk_)[3], sla_double_bits(-1.5));
    EXPECT_TRUE(chunk_.drained);
}

TEST_F(RingReaderTest, MakesTheNameOfAThreadFitToBeShown) {
    const std::uint32_t number = segment_.add_ring(channel_, 16);
    std::strncpy(segment_.ring(number).thread_name, "a\n\x1b[31m\xff", SLA_THREAD_NAME_BYTES);
    EXPECT_EQ(open(number).description().thread_name, "a??[31m?");
}

TEST_F(RingReaderTest, GoesRoundTheEndOfTheRing) {
    std::uint32_t number = segment_.add_ring(channel_, 8);
    TestWriter writer(segment_, number);
    RingReader reader = open(number);
    std::uint64_t next = 0;
    for (int round = 0; round < 10; round++) {
        for (std::uint64_t i = 0; i < 5; i++) SLA_TICK(writer.channel(), next + i);
        ASSERT_TRUE(reader.read(100, chunk_).ok());
        for (std::uint64_t value : values(chunk_)) EXPECT_EQ(value, next++);
    }
    EXPECT_EQ(next, 50u);
}

TEST_F(RingReaderTest, AFullRingDropsTheNewestAndReportsHowManyInTheRightPlace) {
    std::uint32_t number = segment_.add_ring(channel_, 4);
    TestWriter writer(segment_, number);
    RingReader reader = open(number);
    for (std::uint64_t i = 0; i < 10; i++) SLA_TICK(writer.channel(), i);
    EXPECT_EQ(reader.dropped().total, 6u);
    ASSERT_TRUE(reader.read(100, chunk_).ok());
    EXPECT_EQ(values(chunk_), (std::vector<std::uint64_t>{0, 1, 2, 3}));
    SLA_TICK(writer.channel(), 10);
    ASSERT_TRUE(reader.read(100, chunk_).ok());
    ASSERT_EQ(chunk_.count, 2u);
    EXPECT_EQ(code(chunk_, 0), static_cast<std::uint64_t>(SLA_CODE_GAP));
    EXPECT_EQ(values(chunk_), (std::vector<std::uint64_t>{6, 10}));
    std::uint64_t gap_tick = chunk_.words[0] & SLA_TICK_MASK;
    EXPECT_LT(gap_tick, chunk_.words[2] & SLA_TICK_MASK) << "the first lost event's own tick";
    EXPECT_EQ(reader.account(6), 6u);
    EXPECT_EQ(reader.account(6), 0u) << "booked once";
}

TEST_F(RingReaderTest, AGapAndItsEventNeedTwoSlotsOrBothWait) {
    std::uint32_t number = segment_.add_ring(channel_, 4);
    TestWriter writer(segment_, number);
    RingReader reader = open(number);
    for (std::uint64_t i = 0; i < 5; i++) SLA_TICK(writer.channel(), i);
    ASSERT_TRUE(reader.read(1, chunk_).ok());
    SLA_TICK(writer.channel(), 5);
    EXPECT_EQ(reader.dropped().total, 2u) << "one free slot is not enough for the gap and the event";
    ASSERT_TRUE(reader.read(1, chunk_).ok());
    SLA_TICK(writer.channel(), 6);
    ASSERT_TRUE(reader.read(100, chunk_).ok());
    EXPECT_EQ(values(chunk_), (std::vector<std::uint64_t>{2, 3, 2, 6}));
}

TEST_F(RingReaderTest, AnOverwritingRingKeepsTheNewestAndCountsTheRest) {
    std::uint32_t number = segment_.add_ring(channel_, 8, SLA_WIDTH_PLAIN, SLA_OVERWRITE);
    TestWriter writer(segment_, number);
    RingReader reader = open(number);
    for (std::uint64_t i = 0; i < 100; i++) SLA_TICK(writer.channel(), i);
    ASSERT_TRUE(reader.read(100, chunk_).ok());
    EXPECT_EQ(chunk_.overwritten + chunk_.torn, 92u);
    EXPECT_EQ(values(chunk_), (std::vector<std::uint64_t>{92, 93, 94, 95, 96, 97, 98, 99}));
}

TEST_F(RingReaderTest, AnOverwriterCaughtInTheActCostsTheSlotItIsIn) {
    std::uint32_t number = segment_.add_ring(channel_, 8, SLA_WIDTH_PLAIN, SLA_OVERWRITE);
    TestWriter writer(segment_, number);
    RingReader reader = open(number);
    for (std::uint64_t i = 0; i < 8; i++) SLA_TICK(writer.channel(), i);
    segment_.ring(number).reserve = 9;
    EXPECT_TRUE(reader.writer_inside());
    ASSERT_TRUE(reader.read(100, chunk_).ok());
    EXPECT_EQ(chunk_.torn, 1u);
    EXPECT_EQ(values(chunk_), (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(RingReaderTest, ANewReaderGoesOnWhereTheLastOneStopped) {
    std::uint32_t number = segment_.add_ring(channel_, 4);
    TestWriter writer(segment_, number);
    for (std::uint64_t i = 0; i < 6; i++) SLA_TICK(writer.channel(), i);
    {
        RingReader first = open(number);
        ASSERT_TRUE(first.read(3, chunk_).ok());
        EXPECT_EQ(first.account(first.dropped().total), 2u);
    }
    RingReader second = open(number);
    ASSERT_TRUE(second.read(100, chunk_).ok());
    EXPECT_EQ(values(chunk_), (std::vector<std::uint64_t>{3}));
    EXPECT_EQ(second.account(second.dropped().total), 0u) << "booked by the first";
}

TEST_F(RingReaderTest, AWideAndATextRingCarryTheirWords) {
    std::uint32_t wide = segment_.add_ring(channel_, 4, SLA_WIDTH_WIDE);
    std::uint32_t text = segment_.add_ring(channel_, 4, SLA_WIDTH_TEXT);
    {
        TestWriter writer(segment_, wide);
        sla_record_at(writer.channel(), SLA_CODE_TICK_VALUE, 123, 5, 6, 7);
    }
    {
        TestWriter writer(segment_, text);
        SLA_TEXT(writer.channel(), "words and more");
    }
    RingReader wide_reader = open(wide);
    ASSERT_TRUE(wide_reader.read(10, chunk_).ok());
    ASSERT_EQ(chunk_.words_per_slot, 4u);
    EXPECT_EQ(chunk_.words[0] & SLA_TICK_MASK, 123u);
    EXPECT_EQ((std::vector<std::uint64_t>{chunk_.words[1], chunk_.words[2], chunk_.words[3]}),
              (std::vector<std::uint64_t>{5, 6, 7}));
    RingReader text_reader = open(text);
    ASSERT_TRUE(text_reader.read(10, chunk_).ok());
    ASSERT_EQ(chunk_.words_per_slot, 16u);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(&chunk_.words[2]), chunk_.words[1]), "words and more");
}

TEST_F(RingReaderTest, ARingIsTakenOverByItsNextOwner) {
    std::uint32_t number = segment_.add_ring(channel_, 16);
    TestWriter writer(segment_, number);
    RingReader reader = open(number);
    SLA_TICK(writer.channel(), 1);
    ASSERT_TRUE(reader.read(10, chunk_).ok());
    segment_.ring(number).state = SLA_RING_CLOSED;
    EXPECT_TRUE(reader.is_closed());
    reader.give_back();
    EXPECT_EQ(segment_.header().free_rings, 1u);
    Result<bool> nothing = reader.open();
    EXPECT_TRUE(nothing.ok() && !*nothing);
    segment_.ring(number).thread = 4711;
    segment_.ring(number).generation++;
    segment_.ring(number).state = SLA_RING_LIVE;
    SLA_TICK(writer.channel(), 2);
    Result<bool> again = reader.open();
    ASSERT_TRUE(again.ok() && *again);
    EXPECT_EQ(reader.description().thread, 4711u);
    ASSERT_TRUE(reader.read(10, chunk_).ok());
    EXPECT_EQ(values(chunk_), (std::vector<std::uint64_t>{2}));
}

TEST_F(RingReaderTest, ImpossiblePositionsAreAnErrorNotARead) {
    std::uint32_t number = segment_.add_ring(channel_, 16);
    RingReader reader = open(number);
    segment_.ring(number).head = 17;
    EXPECT_FALSE(reader.read(100, chunk_).ok());
    segment_.ring(number).head = ~std::uint64_t{0};
    EXPECT_FALSE(reader.read(100, chunk_).ok());
    segment_.ring(number).head = 5;
    ASSERT_TRUE(reader.read(100, chunk_).ok());
    segment_.ring(number).head = 4;
    EXPECT_FALSE(reader.read(100, chunk_).ok());
}

TEST_F(RingReaderTest, NonsenseDescriptionsAreRefused) {
    auto refused = [&](auto spoil) {
        std::uint32_t number = segment_.add_ring(channel_, 16);
        spoil(segment_.ring(number));
        RingReader reader(view_, number);
        return !reader.open().ok();
    };
    EXPECT_TRUE(refused([](sla_ring_header& ring) { ring.capacity = 0; }));
    EXPECT_TRUE(refused([](sla_ring_header& ring) { ring.capacity = 12; }));
    EXPECT_TRUE(refused([](sla_ring_header& ring) { ring.capacity = 1u << 31; }));
    EXPECT_TRUE(refused([](sla_ring_header& ring) { ring.width = 3; }));
    EXPECT_TRUE(refused([](sla_ring_header& ring) { ring.channel = 0; }));
    EXPECT_TRUE(refused([](sla_ring_header& ring) { ring.channel = 2; }));
    EXPECT_TRUE(refused([](sla_ring_header& ring) { ring.offset = 0; }));
    EXPECT_TRUE(refused([](sla_ring_header& ring) { ring.offset = SLA_SEGMENT_BYTES - 16; }));
}

// Of the pages that these bytes lie in, how many this process would fault on.
std::size_t count_unmapped(const void* begin, std::size_t bytes) {
    constexpr std::uintptr_t kPage = 4096;
    constexpr std::uint64_t kPresent = std::uint64_t{1} << 63;
    const int map = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    std::size_t unmapped = 0;
    const auto first = reinterpret_cast<std::uintptr_t>(begin) / kPage;
    const auto last = (reinterpret_cast<std::uintptr_t>(begin) + bytes - 1) / kPage;
    for (std::uintptr_t page = first; page <= last; page++) {
        std::uint64_t entry = 0;
        const ssize_t read = ::pread(map, &entry, sizeof entry, static_cast<off_t>(page * sizeof entry));
        if (read != sizeof entry || (entry & kPresent) == 0) unmapped++;
    }
    ::close(map);
    return unmapped;
}

// A page fault each would cost more than all that is done with the events of a page.
TEST_F(RingReaderTest, PagesAreMappedTogetherBeforeTheyAreRead) {
    constexpr std::uint32_t kSlots = 4096;  // 64 KiB
    constexpr std::size_t kStep = 1000;
    const std::uint32_t number = segment_.add_ring(channel_, kSlots);
    TestWriter writer(segment_, number);
    RingReader reader = open(number);
    RingChunk copies;
    for (int round = 0; round < 12; round++) {
        if (round == 8) view_.release_pages();
        for (std::size_t i = 0; i < kStep; i++) SLA_TICK(writer.channel(), i);
        for (std::size_t left = kStep; left > 0;) {
            const Result<ContiguousSlots> extent = reader.look(left, copies);
            ASSERT_TRUE(extent.ok() && extent->count > 0);
            if (round == 0 && count_unmapped(extent->words, 1) != 0) GTEST_SKIP() << "this kernel maps page by page";
            ASSERT_EQ(count_unmapped(extent->words, extent->count * sizeof(sla_slot_plain)), 0U) << round;
            reader.release(extent->count);
            left -= extent->count;
        }
    }
}

// A look at every page of a ring that is read round and round costs half a microsecond a page, 2 ns an event.
TEST_F(RingReaderTest, ARingThatIsMappedAsAWholeIsNotMappedAgain) {
    constexpr std::uint32_t kSlots = 256;  // one page
    const std::uint32_t number = segment_.add_ring(channel_, kSlots);
    TestWriter writer(segment_, number);
    RingReader reader = open(number);
    RingChunk copies;
    const std::uint64_t* slots = nullptr;
    const auto read_all = [&] {
        for (std::size_t i = 0; i < kSlots; i++) SLA_TICK(writer.channel(), i);
        const Result<ContiguousSlots> extent = reader.look(kSlots, copies);
        ASSERT_TRUE(extent.ok() && extent->count == kSlots);
        slots = extent->words;
        reader.release(kSlots);
    };
    read_all();
    if (count_unmapped(slots, 1) != 0) GTEST_SKIP() << "this kernel maps page by page";
    for (int round = 0; round < 3; round++) {
        // Behind the view's back: who maps the page again, though nobody reads it, is seen.
        madvise(const_cast<std::uint64_t*>(slots), kSlots * sizeof(sla_slot_plain), MADV_DONTNEED);
        read_all();
        EXPECT_EQ(count_unmapped(slots, 1), 1U) << round;
    }
    view_.release_pages();
    read_all();
    EXPECT_EQ(count_unmapped(slots, 1), 0U);
}

// Of very many rings more would be mapped than may be.
TEST_F(RingReaderTest, WhenPagesAreScarceALittleIsCopiedAndMuchIsMapped) {
    constexpr std::uint32_t kSlots = 4096;  // 64 KiB
    const std::uint32_t number = segment_.add_ring(channel_, kSlots);
    TestWriter writer(segment_, number);
    RingReader reader = open(number);
    const unsigned char* const slots = view_.arena(view_.ring(number)->offset, kSlots * sizeof(sla_slot_plain));
    view_.release_pages();
    view_.set_pages_scarce(true);
    RingChunk chunk;
    std::uint64_t next = 0;
    const auto write_and_read = [&](std::size_t count, bool by_look) {
        const std::uint64_t first = next;
        for (std::size_t i = 0; i < count; i++) SLA_TICK(writer.channel(), next++);
        const RingReader::Until all = reader.count_until(SLA_TICK_MASK, count, chunk);
        EXPECT_EQ(all.count, std::min<std::size_t>(count, 1024)) << "no more than is copied";
        EXPECT_FALSE(all.is_next_later);
        const RingReader::Until none = reader.count_until(0, count, chunk);
        EXPECT_EQ(none.count, 0U);
        EXPECT_TRUE(none.is_next_later);
        for (std::uint64_t value = first; value < next;) {
            Result<ContiguousSlots> extent = ContiguousSlots{};
            if (by_look) {
                extent = reader.look(count, chunk);
            } else if (reader.read(count, chunk).ok()) {
                extent = ContiguousSlots{chunk.words.data(), chunk.count, chunk.count};
            }
            ASSERT_TRUE(extent.ok() && extent->count > 0);
            for (std::size_t i = 0; i < extent->count; i++) ASSERT_EQ(RingReader::load(extent->words + 2 * i + 1), value++);
            if (by_look) reader.release(extent->count);
        }
    };
    for (int round = 0; round < 50; round++) write_and_read(300, round % 2 == 0);  // round the ring, and over its end
    EXPECT_EQ(count_unmapped(slots, kSlots * sizeof(sla_slot_plain)), 16U);
    EXPECT_EQ(view_.mapped_bytes(), 0U);
    write_and_read(kSlots, true);
    EXPECT_GE(view_.mapped_bytes(), kSlots * sizeof(sla_slot_plain));
    write_and_read(300, true);
    view_.set_pages_scarce(false);
    view_.release_pages();
    const std::uint64_t before = view_.mapped_bytes();
    write_and_read(300, true);
    EXPECT_GT(view_.mapped_bytes(), before);
}

}  // namespace
}  // namespace sla::ring
